//! U5: in which order the next tick does what was asked for between two.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::Status;
use pleach_tree::{Tree, abort_when, compile, concurrent, idle, task};
use pleach_vm::table::{ActorSet, NodeKey, PlaneSet};
use pleach_vm::{ActorId, Call, ColumnKey, Exit, Population, Task};

use crate::stage::Way;

const DT: Duration = Duration::from_millis(16);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Called {
    Enter,
    Run,
    Exit(Exit),
}

type Calls = Arc<Mutex<Vec<(ActorId, Called)>>>;

/// Runs for ever.
struct Work(Calls);

impl Work {
    fn note(&self, call: &Call<'_>, called: Called) {
        let mut calls = self.0.lock().expect("no panics here");
        calls.push((call.actor(), called));
    }
}

impl Task for Work {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, Called::Enter);
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.note(call, Called::Run);
        Status::Running
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        self.note(call, Called::Exit(reason));
    }
}

const ENTERED: [Called; 2] = [Called::Enter, Called::Run];
const ABORTED: Called = Called::Exit(Exit::Aborted);

/// Actors that work, until they are `out`.
struct Workers {
    population: Population,
    calls: Calls,
    out: ColumnKey<bool>,
    keys: [NodeKey; 2],
    by_sets: bool,
}

impl Workers {
    fn new(way: Way, by_sets: bool) -> Workers {
        let root = concurrent([task("work"), abort_when(idle(), "out").named("guard")]);
        let tree = Tree::build("workers").column("out", false).root(root);
        let mut population = way.population(compile(&tree).expect("compiles"));
        let calls = Calls::default();
        let work = Work(calls.clone());
        population.on_task("work", work).expect("it is called");
        Workers {
            out: population.column("out").expect("declared"),
            keys: ["work", "guard"].map(|name| population.watch(name).expect("there is one")),
            population,
            calls,
            by_sets,
        }
    }

    fn set_of(&self, actors: &[ActorId]) -> PlaneSet {
        let mut set = PlaneSet::new();
        for &actor in actors {
            set.insert(&self.population, actor).expect("it lives");
        }
        set
    }

    fn load(&mut self, actors: &[ActorId]) {
        if self.by_sets {
            let set = self.set_of(actors);
            self.population.load_set(&set).expect("its own set");
            return;
        }
        for &actor in actors {
            self.population.load(actor).expect("it lives");
        }
    }

    fn unload(&mut self, actors: &[ActorId]) {
        if self.by_sets {
            let set = self.set_of(actors);
            self.population.unload_set(&set).expect("its own set");
            return;
        }
        for &actor in actors {
            self.population.unload(actor).expect("it lives");
        }
    }

    fn set_out(&mut self, actor: ActorId, is_out: bool) {
        let set = self.population.set(actor, self.out, is_out);
        set.expect("it lives");
    }

    /// Ticks; gives all calls in order.
    fn tick(&mut self) -> Vec<(ActorId, Called)> {
        self.population.tick(DT);
        std::mem::take(&mut self.calls.lock().expect("no panics here"))
    }

    /// Who is in which set of the task's table: active, started, aborted.
    fn work(&self, actor: ActorId) -> [bool; 3] {
        let table = self.population.table(self.keys[0]).expect("watched");
        [table.active(), table.started(), table.aborted()].map(|set| set.contains(actor))
    }

    /// Whether the guard has answered, or was halted.
    fn guard_knows(&self, actor: ActorId) -> bool {
        let guard = self.population.table(self.keys[1]).expect("watched");
        let told = guard.started().or(guard.ended()).or(guard.aborted());
        told.or(guard.active()).contains(actor)
    }
}

fn all_of(actor: ActorId, calls: impl IntoIterator<Item = Called>) -> Vec<(ActorId, Called)> {
    calls.into_iter().map(|called| (actor, called)).collect()
}

/// "Who leaves is halted; then who is loaded is walked."
fn leaves_before_loads(way: Way, by_sets: bool) {
    let mut workers = Workers::new(way, by_sets);
    let [leaves, comes, returns] = [
        workers.population.spawn().expect("memory"),
        workers.population.spawn_unloaded().expect("memory"),
        workers.population.spawn().expect("memory"),
    ];
    assert_eq!(workers.tick().len(), 4, "two enter and run");
    workers.unload(&[leaves, returns]);
    workers.load(&[comes, returns]);
    let calls = workers.tick();
    let halts = [(leaves, ABORTED), (returns, ABORTED)];
    let (first, then) = calls.split_at(2);
    assert!(halts.iter().all(|halt| first.contains(halt)), "{calls:?}");
    assert_eq!(then.len(), 4, "{calls:?}");
    for actor in [comes, returns] {
        let own: Vec<_> = then.iter().filter(|(called, _)| *called == actor).collect();
        assert_eq!(own, all_of(actor, ENTERED).iter().collect::<Vec<_>>());
    }
    assert_eq!(workers.work(leaves), [false, false, true]);
    assert_eq!(workers.work(comes), [true, true, false]);
    assert_eq!(workers.work(returns), [true, true, true]);
}

/// "Then whoever an AbortWhen holds for leaves": in and out in one tick; a load behind it is for the next.
fn loads_before_aborts(way: Way, by_sets: bool) {
    let mut workers = Workers::new(way, by_sets);
    let actor = workers.population.spawn_unloaded().expect("memory");
    assert_eq!(workers.tick(), []);
    assert!(!workers.guard_knows(actor));
    workers.set_out(actor, true);
    for _ in 0..2 {
        workers.load(&[actor]);
        assert!(workers.population.is_loaded(actor));
        let in_and_out = [ENTERED[0], ENTERED[1], ABORTED];
        assert_eq!(workers.tick(), all_of(actor, in_and_out));
        assert!(!workers.population.is_loaded(actor));
        assert_eq!(workers.population.status(actor), Ok(None));
        assert_eq!(workers.work(actor), [false, true, true]);
        // A visit that is cut short is none.
        assert!(!workers.guard_knows(actor));
    }
    assert_eq!(workers.tick(), [], "it is out until it is loaded again");
    assert_eq!(workers.work(actor), [false; 3]);

    // In again; and a load of one who is in does not keep it in.
    workers.set_out(actor, false);
    workers.load(&[actor]);
    assert_eq!(workers.tick(), all_of(actor, ENTERED));
    assert!(workers.guard_knows(actor));
    workers.set_out(actor, true);
    workers.load(&[actor]);
    assert_eq!(workers.tick(), all_of(actor, [Called::Run, ABORTED]));
    assert!(!workers.population.is_loaded(actor));
    assert_eq!(workers.work(actor), [false, false, true]);
    assert_eq!(workers.tick(), []);
}

/// "Of loads and unloads between two ticks the last one decides whether the actor is in; if there was an
/// unload among them, it starts afresh": all that there are of up to four, for one who is in and one who is out.
fn the_last_one_decides(way: Way, by_sets: bool) {
    let mut workers = Workers::new(way, by_sets);
    // Each one's loads (true) and unloads, and whether it is in before.
    let mut asked: Vec<(ActorId, bool, Vec<bool>)> = Vec::new();
    for was_in in [false, true] {
        for count in 0..=4 {
            for bits in 0..1_u32 << count {
                let actor = if was_in {
                    workers.population.spawn()
                } else {
                    workers.population.spawn_unloaded()
                };
                let loads = (0..count).map(|place| bits >> place & 1 == 1).collect();
                asked.push((actor.expect("memory"), was_in, loads));
            }
        }
    }
    workers.tick();
    for place in 0..4 {
        let whose = |load: bool| -> Vec<ActorId> {
            let asked = asked.iter();
            asked
                .filter(|(_, _, loads)| loads.get(place) == Some(&load))
                .map(|(actor, ..)| *actor)
                .collect()
        };
        workers.load(&whose(true));
        workers.unload(&whose(false));
    }
    let calls = workers.tick();
    for (actor, was_in, loads) in asked {
        let own: Vec<Called> = calls
            .iter()
            .filter(|(called, _)| *called == actor)
            .map(|(_, called)| *called)
            .collect();
        let is_in = loads.last().copied().unwrap_or(was_in);
        let leaves = was_in && loads.contains(&false);
        let mut expected = Vec::new();
        expected.extend(leaves.then_some(ABORTED));
        if is_in {
            let starts = leaves || !was_in;
            expected.extend(starts.then_some(Called::Enter));
            expected.push(Called::Run);
        }
        let tell = format!("{way:?}, in: {was_in}, then {loads:?}");
        assert_eq!(own, expected, "{tell}");
        assert_eq!(workers.population.is_loaded(actor), is_in, "{tell}");
        let starts = is_in && (leaves || !was_in);
        assert_eq!(workers.work(actor), [is_in, starts, leaves], "{tell}");
    }
}

#[test]
fn loads_and_aborts_in_one_tick_have_an_order() {
    for way in Way::all() {
        for by_sets in [false, true] {
            leaves_before_loads(way, by_sets);
            loads_before_aborts(way, by_sets);
            the_last_one_decides(way, by_sets);
        }
    }
}
