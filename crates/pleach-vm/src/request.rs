//! Requests out: what the trees want of action systems.

use pleach_shape::layout::SLOT_PLANES;
use pleach_shape::{ActionIndex, NodeId, ParamSource, SlotIndex, TokenIndex, Value, ValueType};

use crate::actor::ActorId;
use crate::block::{Block, control, slot};
use crate::plane::{PLANE_WORDS, Plane};
use crate::population::Population;

/// What a request asks for (L2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RequestKind {
    /// Stop: the tree went another way before the action finished. Comes before a Launch of the
    /// same action by the same actor.
    Cancel,
    /// Begin: the actor did not have the action in its last tick.
    Launch,
    /// Go on: the actor has the action since an earlier tick. (In ticks that are not its turn an actor
    /// requests nothing; what it launched goes on.)
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

/// The requests of one slot and block as planes. A lane may be in `cancel` and in `launch`: the Cancel
/// comes first.
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

    /// The requests for the action of that name; `None` if the tree has no such action.
    pub fn named(self, action: &str) -> Option<ActionBatch<'a>> {
        Some(self.of(self.population.shape().action(action)?))
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
        let population = self.population;
        let slots = population.shape().tables().deferred.len();
        match population.blocks.get(block) {
            Some(block) if slot.at() < slots => planes(population, block, slot),
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
    /// Costs a look at each block for each slot of the action, and a few instructions for each request. (For
    /// an actor that requests several slots of one action, out of a group, for each slot behind the first.)
    pub fn iter(self) -> BatchIter<'a> {
        BatchIter {
            population: self.population,
            slots: self.population.slots_of(self.action),
            block: 0,
            word: 0,
            lanes: 0,
            from: 0,
            relaunch: false,
            first: [0; 64],
            several: 0,
            alone: None,
        }
    }

    /// The requests as planes, those of one block and slot together: blocks ascending, then slots. What
    /// nobody requests is left out. For systems that work on whole blocks, with
    /// [`BlockMut::set_results`](crate::BlockMut::set_results) as the way back.
    ///
    /// ```
    /// use pleach_tree::{action, compile, Tree};
    /// use pleach_vm::{Plane, Population};
    /// use std::time::Duration;
    ///
    /// let mut ants = Population::new(compile(&Tree::build("ant").root(action("carry")))?);
    /// ants.spawn_many(700)?; // blocks of 512 and 188
    /// ants.tick(Duration::from_millis(16));
    ///
    /// let carry = ants.shape().action("carry").unwrap();
    /// let planes: Vec<_> = ants.requests().of(carry).planes().collect();
    /// let launches = planes.iter().map(|(_, _, planes)| planes.launch.count());
    /// assert_eq!(launches.collect::<Vec<_>>(), [512, 188]);
    ///
    /// // Everyone who carries is done, the first hundred of each block without success.
    /// let mut taken = 0;
    /// let mut blocks: Vec<_> = ants.blocks_mut().collect();
    /// for (block, slot, planes) in planes {
    ///     let done = planes.launch | planes.keep_on;
    ///     taken += blocks[block].set_results(slot, done, !Plane::first(100))?.count();
    /// }
    /// assert_eq!(taken, 700);
    /// drop(blocks);
    /// assert_eq!(ants.tick(Duration::from_millis(16)).counts.failed, 200);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn planes(self) -> impl Iterator<Item = (usize, SlotIndex, RequestPlanes)> + 'a {
        let population = self.population;
        let slots = population.slots_of(self.action);
        let blocks = population.blocks.iter().enumerate();
        blocks.flat_map(move |(index, block)| {
            let occupied = move |slot: &&SlotIndex| block.occupied.slots.contains(slot.at());
            slots.iter().filter(occupied).filter_map(move |&slot| {
                let planes = planes(population, block, slot);
                let any = planes.launch | planes.keep_on | planes.cancel;
                (!any.is_empty()).then_some((index, slot, planes))
            })
        })
    }
}

fn planes(population: &Population, block: &Block, slot: SlotIndex) -> RequestPlanes {
    let layout = population.shape().layout();
    let plane = |plane| *block.slot(layout, slot.at(), plane);
    let outstanding = plane(slot::WAITING) | plane(slot::ANSWERED);
    let launch = plane(slot::LAUNCHED);
    RequestPlanes {
        launch,
        keep_on: outstanding & !launch & *block.control(layout, control::TICKED),
        cancel: plane(slot::CANCELLED),
    }
}

/// Iterates over the requests of one kind of action.
#[derive(Clone)]
pub struct BatchIter<'a> {
    population: &'a Population,
    slots: &'a [SlotIndex],
    block: usize,
    /// The word of the block's planes to look at next.
    word: usize,
    /// Lanes of the word before that are still to come, the current one included.
    lanes: u64,
    /// The slot to look at next, for the current lane.
    from: usize,
    /// Whether the current lane's Launch in that slot is still to come, its Cancel being out.
    relaunch: bool,
    /// Of each of these lanes the first slot that it requests; and the lanes that request several.
    first: [u32; 64],
    several: u64,
    /// Where anybody of the word requests one slot only, as mostly: who cancels, launches, continues.
    alone: Option<(SlotIndex, [u64; 3])>,
}

impl<'a> BatchIter<'a> {
    /// The lanes of a word that cancel, launch and continue.
    #[inline]
    fn words(&self, block: &Block, slot: SlotIndex, word: usize) -> [u64; 3] {
        let layout = self.population.shape().layout();
        let first = layout.deferred + slot.at() * SLOT_PLANES;
        let planes = &block.lines[first..first + SLOT_PLANES];
        let outstanding = planes[slot::WAITING].0[word] | planes[slot::ANSWERED].0[word];
        let launch = planes[slot::LAUNCHED].0[word];
        let ticked = block.lines[layout.control + control::TICKED].0[word];
        [
            planes[slot::CANCELLED].0[word],
            launch,
            outstanding & !launch & ticked,
        ]
    }

    /// Looks for the next word with requests; `false` behind the last one.
    #[inline(never)]
    fn advance(&mut self) -> bool {
        let population = self.population;
        while let Some(block) = population.blocks.get(self.block) {
            let occupied = |slot: &SlotIndex| block.occupied.slots.contains(slot.at());
            if self.word == 0 && !self.slots.iter().any(occupied) {
                self.block += 1;
                continue;
            }
            while self.word < PLANE_WORDS {
                let word = self.word;
                self.word += 1;
                (self.lanes, self.from) = (0, 0);
                self.alone = None;
                let mut busy = 0;
                self.several = 0;
                for (place, &slot) in self.slots.iter().enumerate() {
                    if !occupied(&slot) {
                        continue;
                    }
                    let [cancel, launch, keep_on] = self.words(block, slot, word);
                    let any = cancel | launch | keep_on;
                    if any == 0 {
                        continue;
                    }
                    busy += 1;
                    self.alone = (busy == 1).then_some((slot, [cancel, launch, keep_on]));
                    self.several |= self.lanes & any;
                    for bit in crate::bits::each(any & !self.lanes) {
                        self.first[bit] = place as u32;
                    }
                    self.lanes |= any;
                }
                if self.lanes != 0 {
                    return true;
                }
            }
            self.block += 1;
            self.word = 0;
        }
        false
    }

    #[inline(always)]
    fn next_lane(&mut self) {
        self.lanes &= self.lanes - 1;
        self.from = 0;
        if self.lanes == 0 && self.word == PLANE_WORDS {
            self.block += 1;
            self.word = 0;
        }
    }

    /// The next slot from `from` on that the lane may request, if there is one.
    #[inline]
    fn next_slot(&self, bit: usize) -> Option<usize> {
        let first = self.first[bit] as usize;
        if self.from <= first {
            return Some(first);
        }
        if (self.several >> bit) & 1 == 0 {
            return None;
        }
        (self.from < self.slots.len()).then_some(self.from)
    }
}

impl<'a> Iterator for BatchIter<'a> {
    type Item = Request<'a>;

    #[inline]
    fn next(&mut self) -> Option<Request<'a>> {
        loop {
            if self.lanes == 0 && !self.advance() {
                return None;
            }
            let bit = self.lanes.trailing_zeros() as usize;
            let word = self.word - 1;
            let block = &self.population.blocks[self.block];
            if let Some((slot, [cancel, launch, _])) = self.alone {
                let cancels = (cancel >> bit) & 1 != 0 && !self.relaunch;
                let launches = (launch >> bit) & 1 != 0;
                // A lane that does both comes once more.
                self.relaunch = cancels && launches;
                let actor = block.actor(self.block, word * 64 + bit);
                if !self.relaunch {
                    self.next_lane();
                }
                return Some(Request {
                    population: self.population,
                    kind: match (cancels, launches) {
                        (true, _) => RequestKind::Cancel,
                        (false, true) => RequestKind::Launch,
                        (false, false) => RequestKind::Continue,
                    },
                    actor,
                    slot,
                });
            }
            while let Some(place) = self.next_slot(bit) {
                let slot = self.slots[place];
                let [cancel, launch, keep_on] = self
                    .words(block, slot, word)
                    .map(|word| (word >> bit) & 1 != 0);
                self.from = place + 1;
                let kind = if cancel && !self.relaunch {
                    if launch {
                        // Once more for the Launch.
                        self.from = place;
                        self.relaunch = true;
                    }
                    RequestKind::Cancel
                } else if launch {
                    self.relaunch = false;
                    RequestKind::Launch
                } else if keep_on {
                    RequestKind::Continue
                } else {
                    continue;
                };
                return Some(Request {
                    population: self.population,
                    kind,
                    actor: block.actor(self.block, word * 64 + bit),
                    slot,
                });
            }
            self.next_lane();
        }
    }
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
