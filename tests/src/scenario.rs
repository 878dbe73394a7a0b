//! A generated tree, its script and some actors, played tick by tick.
//!
//! [`Scenario::play`] is what the reference makes of it. An engine is held to the reference by
//! playing the same scenario, one [`Step`] for each actor and tick, and comparing the lists.

use pleach_shape::{Status, Value};
use pleach_tree::Tree;

use crate::generate::{COLUMNS, Lifecycle, Script, ScriptHost, WORLD};
use crate::host::HostCall;
use crate::observation::{Finish, Observation, Release, Row, Trace};
use crate::reference::{Inputs, Leave, Reference};

/// Who runs what, for how long.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// A tree that declares [`COLUMNS`] and [`WORLD`].
    pub tree: Tree,
    /// What happens to it.
    pub script: Script,
    /// Number of actors.
    pub actors: u64,
    /// Number of ticks.
    pub ticks: u64,
}

/// What one tick, and what came before it, did to one actor.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What an unload or reset before the tick did, if there was one.
    pub release: Option<Release>,
    /// What the tick did; nothing for an actor that is out.
    pub observation: Option<Observation>,
    /// What the tick did inside. Engines that do not trace leave this out of the comparison.
    pub trace: Option<Trace>,
    /// What was called: by the release, then by the tick.
    pub calls: Vec<HostCall>,
    /// The actor's columns after the tick, whether it is in or out.
    pub columns: Row,
    /// Its canonical state after the tick. Of one that is out, only what is persistent.
    pub state: Vec<(u32, u64)>,
    /// Whether it is in the tree after the tick: an abort takes it out (D5).
    pub loaded: bool,
}

impl Step {
    /// The step as an engine sees it that does not trace.
    pub fn untraced(mut self) -> Step {
        self.trace = None;
        if let Some(release) = &mut self.release {
            release.halts.clear();
        }
        self
    }
}

/// One actor under the reference.
struct Actor<'t> {
    reference: Reference<'t>,
    loaded: bool,
    columns: Vec<Value>,
    persistent: Vec<Status>,
}

impl Scenario {
    /// Plays the scenario on the reference: steps by tick, then by actor.
    pub fn play(&self) -> Vec<Vec<Step>> {
        let mut world: Vec<Value> = WORLD.iter().map(|(_, default)| *default).collect();
        let mut actors: Vec<Actor<'_>> = (0..self.actors).map(|id| self.actor(id)).collect();
        let mut steps = Vec::new();
        for tick in 0..self.ticks {
            for (index, value) in world.iter_mut().enumerate() {
                *value = self.script.world(tick, index).unwrap_or(*value);
            }
            let played = (0..)
                .zip(&mut actors)
                .map(|(id, actor)| self.step(id, actor, tick, &world));
            steps.push(played.collect());
        }
        steps
    }

    fn actor(&self, id: u64) -> Actor<'_> {
        // The first actor of a place has its index for bits.
        let reference = Reference::new(&self.tree).with_identity(self.script.seed, id);
        Actor {
            loaded: true,
            columns: COLUMNS.iter().map(|(_, default)| *default).collect(),
            // L3: Running until its system has written.
            persistent: vec![Status::Running; reference.persistent_slots()],
            reference,
        }
    }

    fn step(&self, id: u64, actor: &mut Actor<'_>, tick: u64, world: &[Value]) -> Step {
        let script = self.script;
        let mut host = ScriptHost::new(script, id, tick);
        let mut results: Vec<Option<Finish>> = (0..actor.reference.deferred_slots())
            .map(|slot| {
                let outstanding = actor.reference.is_outstanding(slot);
                outstanding.then(|| script.result(id, tick, slot)).flatten()
            })
            .collect();
        // U2: who leaves is halted in the tick, behind whatever the host has written before it.
        for (index, value) in actor.columns.iter_mut().enumerate() {
            *value = script.column(id, tick, index).unwrap_or(*value);
        }
        let lifecycle = script.lifecycle(id, tick, actor.loaded);
        let mut release = None;
        match lifecycle {
            Some(Lifecycle::Load) => actor.loaded = true,
            Some(way @ (Lifecycle::Unload | Lifecycle::Reset)) => {
                let leave = if way == Lifecycle::Reset {
                    Leave::Reset
                } else {
                    actor.loaded = false;
                    Leave::Unload
                };
                release = Some(actor.reference.release(
                    leave,
                    &mut actor.columns,
                    world,
                    &results,
                    &mut host,
                ));
                results.fill(None);
            }
            None => {}
        }
        for (slot, status) in actor.persistent.iter_mut().enumerate() {
            *status = script.persistent(id, tick, slot).unwrap_or(*status);
        }
        let dt = script.dt(tick);
        let (observation, trace) = if actor.loaded {
            let inputs = Inputs {
                dt,
                columns: &mut actor.columns,
                world,
                results: &results,
                persistent: &actor.persistent,
            };
            let (observation, trace) = actor.reference.tick(inputs, &mut host);
            actor.loaded = observation.root.is_some();
            (Some(observation), Some(trace))
        } else {
            actor.reference.skip(dt);
            (None, None)
        };
        Step {
            release,
            observation,
            trace,
            calls: host.into_calls(),
            columns: Row(actor.columns.clone()),
            state: actor.reference.state(),
            loaded: actor.loaded,
        }
    }
}
