//! Requests out: what the trees want of action systems.

use pleach_shape::{ActionIndex, NodeId, ParamSource, SlotIndex, TokenIndex, Value, ValueType};

use crate::actor::ActorId;
use crate::block::{Block, slot};
use crate::plane::{PLANE_WORDS, Plane};
use crate::population::Population;

/// What a request asks for (L2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RequestKind {
    /// Stop: the tree went another way before the action finished. Comes before a Launch of the
    /// same action by the same actor.
    Cancel,
    /// Begin: the actor did not have the action in the last tick.
    Launch,
    /// Go on: the actor has the action since an earlier tick.
    Continue,
}

/// The requests of the last tick, until the next one: grouped by action, sorted by actor.
#[derive(Clone, Copy)]
pub struct Requests<'a> {
    population: &'a Population,
}

/// All requests for one kind of action.
#[derive(Clone, Copy)]
pub struct ActionBatch<'a> {
    population: &'a Population,
    action: ActionIndex,
}

/// One actor's request.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    population: &'a Population,
    /// Launch, Continue or Cancel.
    pub kind: RequestKind,
    /// Who requests.
    pub actor: ActorId,
    /// Where the result goes.
    pub slot: SlotIndex,
}

/// The requests of one slot and block as planes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestPlanes {
    /// Lanes that launch.
    pub launch: Plane,
    /// Lanes that continue.
    pub keep_on: Plane,
    /// Lanes that cancel.
    pub cancel: Plane,
}

impl<'a> Requests<'a> {
    pub(crate) fn new(population: &'a Population) -> Requests<'a> {
        Requests { population }
    }

    /// The requests for one kind of action. A kind that the shape does not have has none.
    pub fn of(self, action: ActionIndex) -> ActionBatch<'a> {
        ActionBatch {
            population: self.population,
            action,
        }
    }

    /// A batch for each kind of action, in the order in which the tree names them.
    pub fn batches(self) -> impl Iterator<Item = ActionBatch<'a>> {
        let kinds = self.population.shape().tables().actions.len();
        (0..kinds).map(move |index| self.of(ActionIndex::from(index)))
    }

    /// All requests: grouped by action, sorted by actor.
    pub fn iter(self) -> impl Iterator<Item = Request<'a>> {
        self.batches().flat_map(ActionBatch::iter)
    }

    /// One slot's requests in one block, as planes; empty ones for what does not exist.
    pub fn planes(self, slot: SlotIndex, block: usize) -> RequestPlanes {
        let layout = self.population.shape().layout();
        let slots = self.population.shape().tables().deferred.len();
        match self.population.blocks.get(block) {
            Some(block) if slot.at() < slots => RequestPlanes {
                launch: *block.slot(layout, slot.at(), slot::LAUNCHED),
                keep_on: *block.slot(layout, slot.at(), slot::OUTSTANDING)
                    & !*block.slot(layout, slot.at(), slot::LAUNCHED),
                cancel: *block.slot(layout, slot.at(), slot::CANCELLED),
            },
            _ => RequestPlanes {
                launch: Plane::EMPTY,
                keep_on: Plane::EMPTY,
                cancel: Plane::EMPTY,
            },
        }
    }
}

impl<'a> ActionBatch<'a> {
    /// The kind of action.
    pub fn action(self) -> ActionIndex {
        self.action
    }

    /// Its name.
    pub fn name(self) -> &'a str {
        self.population.shape().action_name(self.action)
    }

    /// The requests, by actor; of one actor by slot, a Cancel before a Launch.
    ///
    /// Costs a few instructions for each 64 actors and slot of the action, and for each request once
    /// more for each slot of the action.
    pub fn iter(self) -> impl Iterator<Item = Request<'a>> {
        let population = self.population;
        let slots = population.slots_of(self.action);
        let blocks = population.blocks.iter().enumerate();
        blocks.flat_map(move |(index, block)| {
            (0..PLANE_WORDS).flat_map(move |word| {
                let any = slots.iter().fold(0, |any, &slot| {
                    let [cancel, outstanding, launch] = words(population, block, slot, word);
                    any | cancel | outstanding | launch
                });
                bits(any).flat_map(move |bit| {
                    let layout = population.shape().layout();
                    let actor = block.actor(layout, index, word * 64 + bit);
                    slots.iter().flat_map(move |&slot| {
                        let [cancel, outstanding, launch] =
                            words(population, block, slot, word).map(|word| (word >> bit) & 1 != 0);
                        let kinds = [
                            cancel.then_some(RequestKind::Cancel),
                            launch.then_some(RequestKind::Launch),
                            (outstanding && !launch).then_some(RequestKind::Continue),
                        ];
                        kinds.into_iter().flatten().map(move |kind| Request {
                            population,
                            kind,
                            actor,
                            slot,
                        })
                    })
                })
            })
        })
    }
}

fn words(population: &Population, block: &Block, slot: SlotIndex, word: usize) -> [u64; 3] {
    let layout = population.shape().layout();
    [slot::CANCELLED, slot::OUTSTANDING, slot::LAUNCHED]
        .map(|plane| block.slot(layout, slot.at(), plane).0[word])
}

fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}

impl<'a> Request<'a> {
    /// The leaf that requests, as a token index.
    pub fn token(self) -> TokenIndex {
        TokenIndex(self.population.shape().tables().deferred[self.slot.at()].node)
    }

    /// The leaf that requests, as the tree knows it.
    pub fn node(self) -> NodeId {
        self.population
            .shape()
            .node_id(self.token())
            .unwrap_or(NodeId(u32::MAX))
    }

    /// The value of the parameter of that name, for this actor: a constant, or the column or
    /// world value as it is now. `None` for a name the action does not have, and for texts: see
    /// [`text`](Request::text).
    pub fn param(self, name: &str) -> Option<Value> {
        let shape = self.population.shape();
        let param = shape
            .params(self.token())
            .find(|param| param.name == name)?;
        self.resolve(param.source)
    }

    /// The action's text parameter of that name.
    pub fn text(self, name: &str) -> Option<&'a str> {
        let shape = self.population.shape();
        let param = shape
            .params(self.token())
            .find(|param| param.name == name)?;
        match param.source {
            ParamSource::Text(text) => Some(shape.name(text)),
            _ => None,
        }
    }

    fn resolve(self, source: ParamSource) -> Option<Value> {
        let tables = self.population.shape().tables();
        match source {
            ParamSource::Const(value) => Some(value),
            // An actor that is despawned since keeps its place, and so its row, until its requests
            // can no longer be read.
            ParamSource::Column(column) => self.population.value_at(self.actor, column).ok(),
            ParamSource::World(world) => {
                let ty = tables.world[world.at()].ty().unwrap_or(ValueType::Bool);
                Some(Value::from_bits(ty, self.population.world[world.at()]))
            }
            ParamSource::Text(_) => None,
        }
    }
}

impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} of {} in slot {}", self.kind, self.actor, self.slot)
    }
}
