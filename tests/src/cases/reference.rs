//! The reference interpreter on cases.

use pleach_shape::{Status, Value};

use super::case::{Answer, Case, Life, Target};
use super::score::{Mark, Sign};
use super::stage::{Beat, Stage};
use crate::host::{Callback, Exit, Host};
use crate::observation::{Finish, Release, Trace};
use crate::reference::{Inputs, Leave, Reference};

/// An actor that plays a case under the reference.
pub(super) struct Player<'c> {
    case: &'c Case,
    reference: Reference<'c>,
    columns: Vec<Value>,
    persistent: Vec<Status>,
    results: Vec<Option<Finish>>,
    loaded: bool,
    root: Option<Status>,
    stage: Stage,
}

/// A tick under the reference, which sees more than what all interpreters tell.
pub(super) struct Seen {
    pub(super) beat: Beat,
    /// Visits and halts of all nodes with a name, in order.
    pub(super) walk: Vec<Mark>,
    /// Nodes halted by an unload or reset before the tick.
    pub(super) released: Vec<u32>,
    /// None if the actor was not walked.
    pub(super) trace: Option<Trace>,
    /// What the case does not foresee, in words.
    pub(super) surprises: Vec<String>,
}

struct Scripted<'a> {
    case: &'a Case,
    stage: &'a mut Stage,
    tick: usize,
}

impl Host for Scripted<'_> {
    fn query(&mut self, callback: Callback<'_>) -> bool {
        self.stage.query(self.case, callback.index, self.tick)
    }

    fn enter(&mut self, callback: Callback<'_>) {
        self.stage.enter(self.case, callback.index);
    }

    fn run(&mut self, callback: Callback<'_>) -> Status {
        self.stage.run(self.case, callback.index, self.tick)
    }

    fn exit(&mut self, callback: Callback<'_>, exit: Exit) {
        if exit == Exit::Aborted {
            self.stage.abort(callback.index);
        }
    }
}

/// World values in each tick.
pub(super) fn worlds(case: &Case) -> Vec<Vec<Value>> {
    let mut world: Vec<Value> = case
        .tree
        .world()
        .iter()
        .map(|value| value.default)
        .collect();
    let mut worlds = Vec::new();
    for tick in 0..case.ticks {
        for (target, row) in &case.before {
            if let (Target::World(at), Some(value)) = (*target, row[tick]) {
                world[at] = value;
            }
        }
        worlds.push(world.clone());
    }
    worlds
}

impl<'c> Player<'c> {
    /// An actor of that id, that many ticks late.
    pub(super) fn new(case: &'c Case, id: u64, shift: usize) -> Player<'c> {
        let reference = Reference::new(&case.tree).with_identity(case.seed.unwrap_or(0), id);
        let columns = case.tree.columns().iter();
        Player {
            columns: columns.map(|column| column.default).collect(),
            persistent: vec![Status::Running; reference.persistent_slots()],
            results: vec![None; reference.deferred_slots()],
            loaded: true,
            root: None,
            stage: Stage::new(shift),
            reference,
            case,
        }
    }

    /// Plays one tick.
    pub(super) fn step(&mut self, tick: usize, world: &[Value]) -> Seen {
        let case = self.case;
        let at = case.at(tick, self.stage.shift);
        self.stage.begin(case, tick);
        self.take_results(at);
        let (mut walk, mut requests, mut released) = (Vec::new(), Vec::new(), Vec::new());
        for &event in &case.life[at] {
            let Some(release) = self.live(event, tick, world) else {
                continue;
            };
            let halts = release.halts.iter().map(|&halt| (Sign::Halted, halt));
            walk.extend(self.named(halts.collect()));
            let cancels = release.cancels.iter();
            let cancels = cancels.map(|&slot| case.actions[slot as usize]);
            requests.extend(cancels.map(|node| Mark::new(Sign::Halted, node)));
            released.extend(release.halts);
        }
        for (target, row) in &case.before {
            if let (Target::Column(column), Some(value)) = (*target, row[at]) {
                self.columns[column] = value;
            }
        }
        for (slot, row) in case.persistent.iter().enumerate() {
            self.persistent[slot] = row[at].unwrap_or(self.persistent[slot]);
        }

        let mut trace = None;
        if self.loaded && tick.is_multiple_of(case.interval as usize) {
            let inputs = Inputs {
                dt: case.dt[tick],
                columns: &mut self.columns,
                world,
                results: &self.results,
                persistent: &self.persistent,
            };
            let mut host = Scripted {
                case,
                stage: &mut self.stage,
                tick,
            };
            let (seen, visited) = self.reference.tick(inputs, &mut host);
            self.results.fill(None);
            self.root = seen.root;
            // D5: an abort takes it out.
            self.loaded = seen.root.is_some();
            for (sign, slots) in [
                (Sign::Fresh, &seen.launches),
                (Sign::Resumed, &seen.continues),
                (Sign::Halted, &seen.cancels),
            ] {
                let marks = slots.iter().map(|&slot| case.actions[slot as usize]);
                requests.extend(marks.map(|node| Mark::new(sign, node)));
            }
            let visits = visited.visits.iter().map(|visit| match visit.fresh {
                true => (Sign::Fresh, visit.index),
                false => (Sign::Resumed, visit.index),
            });
            let halts = visited.halts.iter().map(|&halt| (Sign::Halted, halt));
            let marks: Vec<(Sign, u32)> = visits.chain(halts).collect();
            walk.extend(self.named(marks));
            trace = Some(visited);
        } else {
            self.reference.skip(case.dt[tick]);
        }
        requests.sort_unstable();
        Seen {
            beat: Beat {
                root: self.root,
                calls: std::mem::take(&mut self.stage.calls),
                requests,
                columns: self.columns.clone(),
                state: self.reference.state(),
                loaded: self.loaded,
            },
            walk,
            released,
            trace,
            surprises: std::mem::take(&mut self.stage.surprises),
        }
    }

    /// Marks of nodes that have a name, under the names that they go by.
    fn named(&self, marks: Vec<(Sign, u32)>) -> Vec<Mark> {
        let named = |&(_, node): &(Sign, u32)| self.case.names[node as usize].is_some();
        let marks = marks.into_iter().filter(named);
        marks
            .map(|(sign, node)| Mark::new(sign, self.stage.role(node)))
            .collect()
    }

    fn take_results(&mut self, at: usize) {
        for (slot, row) in self.case.results.iter().enumerate() {
            let Some(answer) = row[at] else { continue };
            let waits = self.reference.is_outstanding(slot) && self.results[slot].is_none();
            let fits = match answer {
                Answer::Late => !waits,
                Answer::Finished(_) | Answer::Error => waits,
            };
            if !fits && self.stage.shift == 0 {
                let node = self.case.actions[slot] as usize;
                let name = self.case.names[node].as_deref().unwrap_or_default();
                let waits = if waits { "waits" } else { "does not wait" };
                self.stage
                    .surprises
                    .push(format!("`{name}` {waits} for the result that comes in"));
            }
            if waits {
                self.results[slot] = Some(match answer {
                    Answer::Finished(Status::Success) | Answer::Late => Finish::Success,
                    Answer::Finished(_) | Answer::Error => Finish::Failure,
                });
            }
        }
    }

    fn live(&mut self, event: Life, tick: usize, world: &[Value]) -> Option<Release> {
        let leave = match event {
            Life::Load => {
                self.loaded = true;
                return None;
            }
            Life::Unload => {
                self.loaded = false;
                self.root = None;
                Leave::Unload
            }
            Life::Reset => Leave::Reset,
        };
        let mut host = Scripted {
            case: self.case,
            stage: &mut self.stage,
            tick,
        };
        let released =
            self.reference
                .release(leave, &mut self.columns, world, &self.results, &mut host);
        self.results.fill(None);
        Some(released)
    }
}
