//! U2, U3 under intervals: what leaves the tree does not wait for its turn, what comes does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_tree::{Threshold, action, parallel, sequence, task, wait};
use pleach_vm::{
    ActorId, Call, Exit, Interval, Outcome, Population, RequestKind, ResultError, Status, Task,
};

use crate::crowd::{DT, Way, population, wanted, ways};

type Notes = Arc<Mutex<Vec<(ActorId, &'static str, Duration)>>>;

struct Runner(Notes);

impl Runner {
    fn note(&self, call: &Call<'_>, what: &'static str) {
        let mut notes = self.0.lock().expect("no panics here");
        notes.push((call.actor(), what, call.dt()));
    }
}

impl Task for Runner {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, "enter");
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.note(call, "run");
        Status::Running
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        let what = match reason {
            Exit::Aborted => "aborted",
            Exit::Success | Exit::Failure => "finished",
        };
        self.note(call, what);
    }
}

/// Everybody runs a task and an action, and a wait that is far from over.
fn runners(way: Way, actors: usize) -> (Population, Vec<ActorId>, Notes) {
    let all = Threshold::All;
    let root = parallel(
        all,
        all,
        [task("run"), sequence([action("go")]), wait(100 * DT)],
    );
    let mut population = population(root, way);
    let notes = Notes::default();
    let runner = Runner(notes.clone());
    population.on_task("run", runner).expect("the tree does");
    let actors = population.spawn_many(actors).expect("memory");
    (population, actors, notes)
}

/// Every fourth tick: in 4, 8, 12…
const FOURTH: Interval = Interval::new(4, 0);

fn whats(notes: &Notes) -> Vec<(u32, &'static str)> {
    let mut notes = notes.lock().expect("no panics here");
    let notes = notes.drain(..);
    notes
        .map(|(actor, what, _)| (actor.index(), what))
        .collect()
}

#[test]
fn what_leaves_is_halted_in_the_next_tick_and_starts_in_its_turn() {
    for way in ways() {
        let (mut population, actors, notes) = runners(way, 4);
        let go = population.slots("go")[0];
        for &actor in &actors[..3] {
            population.set_interval(actor, FOURTH).expect("it lives");
        }
        for tick in 1..=4 {
            way.prepare(&mut population, tick);
            population.tick(DT);
        }
        whats(&notes);
        let [ann, bob, cid] = [actors[0], actors[1], actors[2]];
        population.reset(ann).expect("it lives");
        population.unload(bob).expect("it lives");
        population.despawn(cid).expect("it lives");
        let late = population.set_result(ann, go, Outcome::Success);
        assert_eq!(late, Err(ResultError::NotOutstanding(ann, go)));
        let cancel = |place| ("go".to_owned(), place, RequestKind::Cancel);
        let launch = |place| ("go".to_owned(), place, RequestKind::Launch);
        let keep_on = |place| ("go".to_owned(), place, RequestKind::Continue);

        // The fifth tick is nobody's turn but the last one's.
        population.tick(DT);
        let expected = [cancel(0), cancel(1), cancel(2), keep_on(3)];
        assert_eq!(wanted(&population), expected, "{way:?}");
        let mut told = whats(&notes);
        told.sort_unstable();
        let expected = [(0, "aborted"), (1, "aborted"), (2, "aborted"), (3, "run")];
        assert_eq!(told, expected, "{way:?}");
        let counts = population.report().counts;
        assert_eq!((counts.tasks_aborted, counts.cancels), (3, 3), "{way:?}");
        for actor in [ann, bob] {
            assert_eq!(population.status(actor), Ok(None));
            assert_eq!(population.state(actor), Ok(vec![]), "{way:?}");
        }

        population.load(bob).expect("it lives");
        for tick in 6..=7 {
            way.prepare(&mut population, tick);
            population.tick(DT);
            assert_eq!(wanted(&population), [keep_on(3)], "{way:?}");
        }
        whats(&notes);
        population.tick(DT);
        assert_eq!(
            wanted(&population),
            [launch(0), launch(1), keep_on(3)],
            "{way:?}"
        );
        let told = whats(&notes);
        for place in [0, 1] {
            let own = told.iter().filter(|(of, _)| *of == place);
            let own: Vec<&str> = own.map(|(_, what)| *what).collect();
            assert_eq!(own, ["enter", "run"], "{way:?}");
        }
        assert_eq!(population.interval(bob), Ok(FOURTH), "unloading keeps it");
    }
}

/// U3: the next actor of a place ticks every tick, whatever the interval of the last one or of the block.
#[test]
fn a_place_starts_with_the_default_interval_again() {
    for way in ways() {
        for whole_block in [false, true] {
            let (mut population, actors, notes) = runners(way, 3);
            if whole_block {
                assert!(population.set_block_interval(0, Interval::new(7, 5)));
            } else {
                for &actor in &actors {
                    population.set_interval(actor, FOURTH).expect("it lives");
                }
            }
            for _ in 0..4 {
                population.tick(DT);
            }
            population.despawn(actors[1]).expect("it lives");
            population.tick(DT);
            population.tick(DT);
            let dan = population.spawn().expect("memory");
            assert_eq!((dan.index(), dan.generation()), (1, 1));
            assert_eq!(population.interval(dan), Ok(Interval::ALWAYS), "{way:?}");
            let gone = population.set_interval(actors[1], FOURTH);
            assert!(gone.is_err() && population.interval(actors[1]).is_err());
            notes.lock().expect("no panics here").clear();
            for tick in 0..3 {
                way.prepare(&mut population, tick);
                population.tick(DT);
                let mut notes = notes.lock().expect("no panics here");
                let own = notes.drain(..).filter(|(actor, ..)| *actor == dan);
                let expected: &[&str] = if tick == 0 {
                    &["enter", "run"]
                } else {
                    &["run"]
                };
                let own: Vec<_> = own.map(|(_, what, dt)| (what, dt)).collect();
                let expected: Vec<_> = expected.iter().map(|&what| (what, DT)).collect();
                assert_eq!(own, expected, "{way:?}");
            }
            // The neighbours kept theirs.
            let kept = population.interval(actors[0]).expect("it lives");
            assert_ne!(kept, Interval::ALWAYS);
            // A new place is a new actor's, too.
            let eve = population.spawn().expect("memory");
            assert_eq!(population.interval(eve), Ok(Interval::ALWAYS), "{way:?}");
        }
    }
}

/// What is told of the end is told the time since the actor's own last tick.
#[test]
fn an_abort_between_two_turns_is_told_the_time_since_the_last() {
    for way in ways() {
        let (mut population, actors, notes) = runners(way, 2);
        population
            .set_interval(actors[0], FOURTH)
            .expect("it lives");
        for _ in 0..6 {
            population.tick(DT);
        }
        population.reset(actors[0]).expect("it lives");
        notes.lock().expect("no panics here").clear();
        population.tick(DT);
        let notes = notes.lock().expect("no panics here");
        let aborted = notes.iter().find(|(_, what, _)| *what == "aborted");
        // Its last tick was the fourth, this is the seventh.
        assert_eq!(aborted, Some(&(actors[0], "aborted", 3 * DT)), "{way:?}");
    }
}
