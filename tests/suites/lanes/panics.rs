//! Panics in batches: each is its actors' own, listed for them and nobody else, and no exit is lost
//! or told twice (L4).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pleach_shape::Status;
use pleach_tree::{action, query, reactive_selector, selector, sequence, task};
use pleach_vm::{Answers, Batch, Call, Exit, Kernel, Plane, Population, RequestKind, Task};

use crate::crowd::{DT, Way, population, statuses, wanted, ways};

const ACTORS: usize = 530;

/// Where an actor's callbacks panic; by its place and the tick.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Enter,
    Run,
    ExitFinished,
    ExitAborted,
}

type Log = Arc<Mutex<BTreeMap<u32, Vec<&'static str>>>>;

struct Fragile {
    log: Log,
    panics: fn(u32, u64) -> Option<Place>,
}

impl Fragile {
    fn note(&self, call: &Call<'_>, what: &'static str, place: Place) {
        let actor = call.actor().index();
        let mut log = self.log.lock().expect("it is let go before any panic");
        log.entry(actor).or_default().push(what);
        drop(log);
        if (self.panics)(actor, call.tick()) == Some(place) {
            panic!("a callback of this test panics on purpose");
        }
    }
}

impl Task for Fragile {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, "enter", Place::Enter);
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.note(call, "run", Place::Run);
        // Runs for two ticks, then finishes.
        match (call.tick(), call.actor().index() % 2) {
            (tick, _) if tick % 3 != 0 => Status::Running,
            (_, 0) => Status::Success,
            _ => Status::Failure,
        }
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        match reason {
            Exit::Aborted => self.note(call, "aborted", Place::ExitAborted),
            Exit::Success => self.note(call, "success", Place::ExitFinished),
            Exit::Failure => self.note(call, "failure", Place::ExitFinished),
        }
    }
}

type Ticks = Vec<(Vec<Option<Status>>, Vec<(u32, u32)>, u64)>;

fn listed(population: &Population) -> Vec<(u32, u32)> {
    let panics = population.report().panics.iter();
    panics
        .map(|panic| (panic.actor.index(), panic.node.0))
        .collect()
}

fn fragile(
    way: Way,
    panics: fn(u32, u64) -> Option<Place>,
) -> (Ticks, BTreeMap<u32, Vec<&'static str>>) {
    let root = reactive_selector([
        sequence([query("danger"), action("flee")]),
        selector([task("bad"), action("go")]),
    ]);
    let mut population = population(root, way);
    let log = Log::default();
    let bad = Fragile {
        log: log.clone(),
        panics,
    };
    population.on_task("bad", bad).expect("the tree does");
    let danger = |call: &mut Call<'_>| (call.tick() + u64::from(call.actor().index())) % 5 == 0;
    population
        .on_query("danger", danger)
        .expect("the tree does");
    let actors = population.spawn_many(ACTORS).expect("memory");
    let mut ticks = Ticks::new();
    for tick in 0..15 {
        way.prepare(&mut population, tick);
        if tick == 7 {
            for &actor in actors.iter().step_by(3) {
                population.reset(actor).expect("it lives");
            }
        }
        population.tick(DT);
        let aborted = population.report().counts.tasks_aborted;
        ticks.push((statuses(&population, &actors), listed(&population), aborted));
    }
    let log = log.lock().expect("nobody holds it").clone();
    (ticks, log)
}

#[test]
fn callbacks_that_panic_are_their_actors_own() {
    let places: [fn(u32, u64) -> Option<Place>; 5] = [
        |actor, _| (actor % 3 == 0).then_some(Place::Enter),
        |actor, tick| (actor % 3 == 0 && tick % 2 == 0).then_some(Place::Run),
        |actor, _| (actor % 3 == 0).then_some(Place::ExitFinished),
        |actor, _| (actor % 3 == 0).then_some(Place::ExitAborted),
        |actor, tick| match (u64::from(actor) * 7 + tick * 3) % 13 {
            0 => Some(Place::Enter),
            1 | 2 => Some(Place::Run),
            3 => Some(Place::ExitFinished),
            4 => Some(Place::ExitAborted),
            _ => None,
        },
    ];
    for panics in places {
        let (expected, log) = fragile(Way::of(Kernel::TraversalStack), panics);
        assert!(expected.iter().any(|(_, listed, _)| listed.len() > 10));
        for notes in log.values() {
            let mut inside = false;
            for (at, note) in notes.iter().enumerate() {
                match *note {
                    "enter" => {
                        assert!(!inside, "{notes:?}");
                        // One that panicked did not enter.
                        inside = matches!(notes.get(at + 1), Some(&"run"));
                    }
                    "run" => assert!(inside, "{notes:?}"),
                    _ => assert!(std::mem::take(&mut inside), "{notes:?}"),
                }
            }
        }
        for way in ways() {
            let (found, found_log) = fragile(way, panics);
            for (tick, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{way:?}, tick {tick}");
            }
            assert_eq!(found_log, log, "{way:?}");
        }
    }
}

/// A whole batch that panics: each of its actors entered, fails, and is told of the end once.
struct Bomb(Log);

impl Task for Bomb {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, "enter");
        if call.actor().index() == 3 && call.tick() == 1 {
            panic!("a callback of this test panics on purpose");
        }
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.note(call, "run");
        if call.tick() == 2 {
            panic!("a callback of this test panics on purpose");
        }
        Status::Running
    }

    fn run_batch(&self, batch: &mut Batch<'_>) -> Answers {
        if batch.tick() == 2 {
            panic!("a callback of this test panics on purpose");
        }
        batch.each(|call| self.run(call))
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        self.note(
            call,
            match reason {
                Exit::Failure => "failure",
                Exit::Success | Exit::Aborted => "something else",
            },
        );
    }
}

impl Bomb {
    fn note(&self, call: &Call<'_>, what: &'static str) {
        let mut log = self.0.lock().expect("it is let go before any panic");
        log.entry(call.actor().index()).or_default().push(what);
    }
}

#[test]
fn a_batch_that_panics_is_a_panic_of_each_of_its_actors() {
    for way in ways() {
        let mut population = population(selector([task("bomb"), action("go")]), way);
        let log = Log::default();
        population
            .on_task("bomb", Bomb(log.clone()))
            .expect("the tree does");
        let actors = population.spawn_many(ACTORS).expect("memory");
        population.tick(DT);
        let go = |place, kind| ("go".to_owned(), place, kind);
        assert_eq!(wanted(&population), [go(3, RequestKind::Launch)], "{way:?}");
        assert_eq!(listed(&population), [(3, 1)]);
        let out = actors[20];
        population.unload(out).expect("it lives");
        population.tick(DT);
        let all = 0..ACTORS as u32;
        let visiting = |place: &u32| ![3, 20].contains(place);
        let expected: Vec<(u32, u32)> = all
            .clone()
            .filter(visiting)
            .map(|place| (place, 1))
            .collect();
        assert_eq!(listed(&population), expected, "{way:?}");
        let requested: Vec<_> = all
            .clone()
            .filter(|&place| place != 20)
            .map(|place| match place {
                3 => go(3, RequestKind::Continue),
                _ => go(place, RequestKind::Launch),
            })
            .collect();
        assert_eq!(wanted(&population), requested, "{way:?}");
        let log = log.lock().expect("nobody holds it");
        for (place, notes) in log.iter() {
            // Others are called one by one, and run before they panic.
            let notes: Vec<&str> = notes
                .iter()
                .filter(|note| **note != "run")
                .copied()
                .collect();
            let expected: &[&str] = match place {
                3 => &["enter"],
                20 => &["enter", "something else"],
                _ => &["enter", "failure"],
            };
            assert_eq!(notes, expected, "{way:?}, {place}");
        }
    }
}

#[test]
fn a_batch_query_that_panics_is_false_for_each_of_its_actors() {
    for way in ways() {
        let root = selector([sequence([query("ask"), action("yes")]), action("no")]);
        let mut population = population(root, way);
        let ask = |batch: &mut Batch<'_>| {
            if batch.tick() == 2 {
                panic!("a query of this test panics on purpose");
            }
            Plane::FULL
        };
        population
            .on_query_batch("ask", ask)
            .expect("the tree does");
        let actors = population.spawn_many(ACTORS).expect("memory");
        for &actor in &actors[..ACTORS / 2] {
            population.unload(actor).expect("it lives");
        }
        population.tick(DT);
        let launched = |population: &Population, action: &str| {
            let requests = wanted(population).into_iter();
            let launches =
                requests.filter(|(name, _, kind)| name == action && *kind == RequestKind::Launch);
            launches.count()
        };
        assert_eq!(launched(&population, "yes"), ACTORS - ACTORS / 2, "{way:?}");
        assert_eq!(listed(&population), []);
        // Those that went to "yes" resume there, and do not ask again; the others ask, and fail.
        for &actor in &actors {
            population.load(actor).expect("it lives");
        }
        population.tick(DT);
        assert_eq!(launched(&population, "no"), ACTORS / 2, "{way:?}");
        let expected: Vec<(u32, u32)> = (0..ACTORS as u32 / 2).map(|place| (place, 2)).collect();
        assert_eq!(listed(&population), expected, "{way:?}");
        population.tick(DT);
        assert_eq!(listed(&population), []);
    }
}
