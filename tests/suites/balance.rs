//! L2, L4: whatever happens to actors, every `enter` of a task has exactly one `exit`, and every Launch of
//! an action exactly one end: a result that is used or dropped, or a Cancel.
//!
//! Random trees with aborts, while actors are loaded, unloaded, reset, despawned and spawned, columns are
//! edited and turns change. A ledger of what is open is kept from what the host sees.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::{ColumnIndex, FunctionIndex, FunctionKind, SlotIndex, Status};
use pleach_tests::generate::{COLUMNS, Script, draw, tree, tree_from_seed};
use pleach_tests::observation::Finish;
use pleach_tree::{Tree, compile};
use pleach_vm::{ActorId, Call, Exit, Interval, Kernel, Outcome, Population, RequestKind, Task};
use proptest::prelude::*;

const TICKS: u64 = 60;
const ACTORS: usize = 12;

/// Tasks that are entered and not exited, and what was wrong.
#[derive(Default)]
struct Tasks {
    open: BTreeSet<(ActorId, u32)>,
    enters: u64,
    wrong: Vec<String>,
}

#[derive(Clone)]
struct Watched {
    script: Script,
    tasks: Arc<Mutex<Tasks>>,
}

impl Watched {
    fn note(
        &self,
        call: &Call<'_>,
        what: &str,
        check: impl FnOnce(&mut Tasks, (ActorId, u32)) -> bool,
    ) {
        let key = (call.actor(), call.node().0);
        let mut tasks = self.tasks.lock().expect("no panics here");
        if !check(&mut tasks, key) {
            tasks
                .wrong
                .push(format!("{what} of {key:?} in tick {}", call.tick()));
        }
    }
}

impl Task for Watched {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, "enter", |tasks, key| {
            tasks.enters += 1;
            tasks.open.insert(key)
        });
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.note(call, "run", |tasks, key| tasks.open.contains(&key));
        let (actor, node) = (call.actor().to_bits(), call.node().0);
        if let Some((column, value)) = self.script.task_write(actor, node, call.tick()) {
            assert!(call.set_value(ColumnIndex::from(column), value));
        }
        self.script.task(actor, node, call.tick())
    }

    fn exit(&self, call: &mut Call<'_>, _: Exit) {
        self.note(call, "exit", |tasks, key| tasks.open.remove(&key));
    }
}

/// How an open action stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    /// Requested.
    Outstanding,
    /// A result has been accepted: nothing more may come.
    HasResult,
}

/// What happens to a population, and the ledger of its actions.
struct Play {
    population: Population,
    script: Script,
    seed: u64,
    actors: Vec<ActorId>,
    tasks: Arc<Mutex<Tasks>>,
    actions: BTreeMap<(ActorId, u32), Open>,
    /// Launches, and their ends as the reports count them.
    starts: u64,
    ends: u64,
    aborts: u64,
    /// Tick by tick: cancels, launches, continues.
    history: Vec<[Vec<(u64, u32)>; 3]>,
}

impl Play {
    fn new(tree: &Tree, seed: u64, kernel: Kernel) -> Play {
        let script = Script { seed };
        let shape = compile(tree).expect("generated trees compile");
        let mut population = Population::new(shape).with_kernel(kernel).with_seed(seed);
        let tasks = Arc::new(Mutex::new(Tasks::default()));
        let shape = population.shape().clone();
        for (index, function) in shape.tables().functions.iter().enumerate() {
            let name = shape.function_name(FunctionIndex::from(index));
            let watched = Watched {
                script,
                tasks: tasks.clone(),
            };
            match function.kind() {
                Some(FunctionKind::Task) => population.on_task(name, watched),
                _ => population.on_query(name, move |call: &mut Call<'_>| {
                    script.query(call.actor().to_bits(), call.node().0, call.tick())
                }),
            }
            .expect("the tree calls it");
        }
        let actors = population.spawn_many(ACTORS).expect("memory");
        Play {
            population,
            script,
            seed,
            actors,
            tasks,
            actions: BTreeMap::new(),
            starts: 0,
            ends: 0,
            aborts: 0,
            history: Vec::new(),
        }
    }

    /// Results, as many as are accepted; exactly those for actions that are open and have none yet.
    fn results(&mut self, actor: ActorId, tick: u64) -> Result<(), TestCaseError> {
        for slot in 0..self.population.shape().requirements().deferred_slots {
            let Some(finish) = self.script.result(actor.to_bits(), tick, slot as usize) else {
                continue;
            };
            let outcome = match finish {
                Finish::Success => Outcome::Success,
                Finish::Failure => Outcome::Failure,
            };
            let slot_index = SlotIndex(slot);
            let taken = self.population.set_result(actor, slot_index, outcome);
            let entry = self.actions.get_mut(&(actor, slot));
            let open = entry.filter(|open| **open == Open::Outstanding);
            prop_assert_eq!(taken.is_ok(), open.is_some(), "result {:?} {}", actor, slot);
            if let Some(open) = open {
                *open = Open::HasResult;
            }
        }
        Ok(())
    }

    /// What happens to an actor between two ticks. Gives the one that stands in its place, and whether
    /// what it ran is to be halted.
    fn happens(&mut self, actor: ActorId, tick: u64) -> (ActorId, bool) {
        let bits = draw(self.seed, &[99, actor.to_bits(), tick]);
        let population = &mut self.population;
        let loaded = population.is_loaded(actor);
        let mut leaves = true;
        match bits % 40 {
            0 => population.reset(actor),
            1 => population.unload(actor),
            2 => population
                .unload(actor)
                .and_then(|()| population.load(actor)),
            3 => population
                .unload(actor)
                .and_then(|()| population.reset(actor)),
            4 => population.despawn(actor),
            other => {
                leaves = false;
                match other {
                    5 => {
                        let every = 1 + (bits >> 8) as u32 % 4;
                        population.set_interval(actor, Interval::new(every, 1))
                    }
                    6..16 if !loaded => population.load(actor),
                    _ => Ok(()),
                }
            }
        }
        .expect("it lives");
        let stands = if population.is_alive(actor) {
            actor
        } else {
            population.spawn().expect("memory")
        };
        for column in 0..COLUMNS.len() {
            if let Some(value) = self.script.column(stands.to_bits(), tick, column) {
                let column = ColumnIndex::from(column);
                let set = population.set_value(stands, column, value);
                set.expect("it lives, and the column is declared");
            }
        }
        (stands, leaves)
    }

    /// One tick; `leaving` are those whose doings it halts first.
    fn tick(&mut self, tick: u64, leaving: &BTreeSet<ActorId>) -> Result<(), TestCaseError> {
        let number = self.population.report().tick + 1;
        let walked: BTreeSet<ActorId> = self
            .population
            .actors()
            .filter(|&actor| self.population.is_loaded(actor))
            .filter(|&actor| {
                let interval = self.population.interval(actor);
                interval.is_ok_and(|interval| interval.is_due(number))
            })
            .collect();
        let dt = Duration::from_micros(self.script.dt(tick));
        self.population.tick(dt);
        let [cancels, launches, continues] = self.requests()?;
        self.history
            .push([&cancels, &launches, &continues].map(|keys| {
                let keys = keys.iter();
                keys.map(|(actor, slot)| (actor.to_bits(), *slot)).collect()
            }));

        let before = std::mem::take(&mut self.actions);
        for key in cancels.iter().chain(&continues) {
            let open = before.get(key);
            prop_assert_eq!(
                open,
                Some(&Open::Outstanding),
                "{:?} in tick {}",
                key,
                number
            );
        }
        for (key, open) in before {
            let (left, walked) = (leaving.contains(&key.0), walked.contains(&key.0));
            let asked = (cancels.contains(&key), continues.contains(&key));
            let told = format!("{open:?} {key:?} in tick {number}: left {left}, walked {walked}");
            match open {
                Open::HasResult if left || walked => {
                    prop_assert_eq!(asked, (false, false), "{}", told)
                }
                Open::Outstanding if left => prop_assert_eq!(asked, (true, false), "{}", told),
                Open::Outstanding if walked => prop_assert!(asked.0 != asked.1, "{}", told),
                _ => prop_assert_eq!(asked, (false, false), "{}", told),
            }
            if asked.1 || !(left || walked) {
                self.actions.insert(key, open);
            }
        }
        for key in launches {
            let open = self.actions.insert(key, Open::Outstanding);
            prop_assert_eq!(open, None, "launched: {:?} in tick {}", key, number);
        }

        let counts = self.population.report().counts;
        self.starts += counts.launches;
        self.ends += counts.results_used + counts.results_dropped + counts.cancels;
        self.aborts += counts.aborted;
        let tasks = self.tasks.lock().expect("no panics here");
        prop_assert!(tasks.wrong.is_empty(), "{:?}", tasks.wrong);
        // A task can only be open while its actor is in the tree, or is still to be halted.
        for (actor, node) in &tasks.open {
            let loaded = self.population.is_loaded(*actor);
            prop_assert!(loaded, "node {} of {:?} in tick {}", node, actor, number);
        }
        Ok(())
    }

    /// Cancels, launches and continues of the last tick.
    fn requests(&self) -> Result<[BTreeSet<(ActorId, u32)>; 3], TestCaseError> {
        let mut found = [const { BTreeSet::new() }; 3];
        for request in self.population.requests().iter() {
            let kind = match request.kind {
                RequestKind::Cancel => 0,
                RequestKind::Launch => 1,
                RequestKind::Continue => 2,
            };
            let once = found[kind].insert((request.actor, request.slot.0));
            prop_assert!(once, "two of one kind: {:?}", request.actor);
        }
        Ok(found)
    }

    /// Plays to the end, when everybody is despawned.
    fn run(mut self, changes_kernel: bool) -> Result<Play, TestCaseError> {
        for tick in 0..TICKS {
            if changes_kernel {
                let next = tick as usize * 3 % Kernel::CHOICES.len();
                self.population.set_kernel(Kernel::CHOICES[next]);
            }
            let mut leaving = BTreeSet::new();
            for place in 0..self.actors.len() {
                let actor = self.actors[place];
                self.results(actor, tick)?;
                let (stands, leaves) = self.happens(actor, tick);
                if leaves {
                    leaving.insert(actor);
                }
                self.actors[place] = stands;
            }
            self.tick(tick, &leaving)?;
        }
        for &actor in &self.actors {
            self.population.despawn(actor).expect("it lives");
        }
        let all = self.actors.iter().copied().collect();
        self.tick(TICKS, &all)?;
        prop_assert_eq!(&self.actions, &BTreeMap::new());
        prop_assert_eq!(self.starts, self.ends, "launches, and their ends");
        let open = self.tasks.lock().expect("no panics here").open.clone();
        prop_assert_eq!(open, BTreeSet::new());
        Ok(self)
    }
}

/// Plays a tree on every kernel and on kernels in turn; gives one of the plays.
fn balanced(tree: &Tree, seed: u64) -> Result<Play, TestCaseError> {
    let mut first: Option<Play> = None;
    let ways = Kernel::CHOICES.map(|kernel| (kernel, false));
    for (kernel, changes) in ways.into_iter().chain([(Kernel::PureStream, true)]) {
        let play = Play::new(tree, seed, kernel).run(changes);
        let play = play.map_err(|error| {
            TestCaseError::fail(format!("{}, changes: {changes}: {error}", kernel.name()))
        })?;
        if let Some(first) = &first {
            prop_assert_eq!(&first.history, &play.history, "{}", kernel.name());
        }
        first.get_or_insert(play);
    }
    first.ok_or_else(|| TestCaseError::fail("there are kernels"))
}

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/balance.proptest-regressions"
);

proptest! {
    #![proptest_config(pleach_tests::property(200, KEPT))]

    #[test]
    fn every_enter_has_one_exit_and_every_launch_one_end(tree in tree(), seed in any::<u64>()) {
        balanced(&tree, seed)?;
    }
}

/// The ledger would be true and worthless if nothing were written in it.
#[test]
fn there_is_something_to_balance() {
    let (mut enters, mut launches, mut aborts) = (0, 0, 0);
    for seed in 0..60 {
        let play = balanced(&tree_from_seed(seed), seed).unwrap_or_else(|error| panic!("{error}"));
        enters += play.tasks.lock().expect("no panics here").enters;
        launches += play.starts;
        aborts += play.aborts;
    }
    let counts = [enters, launches, aborts];
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}
