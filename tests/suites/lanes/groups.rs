//! Groups under lanes: what is taken back, what has finished, and whose it was.

use pleach_shape::Status;
use pleach_tree::{
    NodeDef, Threshold, action, concurrent, condition, fail, idle, parallel, persistent_action,
    reactive_selector, selector, sequence, task, wait,
};
use pleach_vm::{ActorId, Kept, Outcome, Population, RequestKind};

use crate::crowd::{DT, Way, population, statuses, wanted, ways};
use crate::diary::Diary;

const ALL: Threshold = Threshold::All;
const ONE: Threshold = Threshold::Count(1);

/// Three actors; the first one has its flag up.
fn three(
    root: NodeDef,
    way: Way,
    tasks: &[(&'static str, &'static str)],
) -> (Population, Vec<ActorId>, Diary) {
    let mut population = population(root, way);
    let diary = Diary::default();
    for &(name, letters) in tasks {
        diary.keeps(&mut population, name, letters);
    }
    let flag = population.column::<bool>("flag").expect("declared");
    let actors = population.spawn_many(3).expect("memory");
    population.set(actors[0], flag, true).expect("its key");
    (population, actors, diary)
}

fn raise(population: &mut Population, actors: &[ActorId], value: bool) {
    let flag = population.column::<bool>("flag").expect("declared");
    for &actor in actors {
        population.set(actor, flag, value).expect("its key");
    }
}

fn records(population: &Population, actor: ActorId) -> usize {
    population.state(actor).expect("it lives").len()
}

/// C3: whatever a finished Parallel began in the same tick is gone, at all levels below it.
#[test]
fn a_parallel_takes_back_what_its_own_tick_began() {
    let inner = parallel(
        ALL,
        ALL,
        [
            action("b"),
            task("u"),
            sequence([wait(3 * DT), action("c")]),
            concurrent([task("v"), idle()]),
        ],
    );
    let trigger = reactive_selector([condition("flag"), idle()]);
    let root = parallel(ONE, ALL, [action("a"), task("t"), inner, trigger]);
    for way in ways() {
        let tasks = [("t", "R"), ("u", "R"), ("v", "R")];
        let (mut population, actors, diary) = three(root.clone(), way, &tasks);
        let ask = |name: &str, place, kind| (name.to_owned(), place, kind);
        for tick in 0..3 {
            way.prepare(&mut population, tick);
            population.tick(DT);
            let told = diary.of(actors[0]);
            let expected = [
                "t enter",
                "t run",
                "u enter",
                "u run",
                "v enter",
                "v run",
                "t aborted",
                "u aborted",
                "v aborted",
            ];
            assert_eq!(told, expected, "{way:?}, tick {tick}");
            assert_eq!(population.status(actors[0]), Ok(Some(Status::Success)));
            assert_eq!(records(&population, actors[0]), 0, "{way:?}");
            let kind = if tick == 0 {
                RequestKind::Launch
            } else {
                RequestKind::Continue
            };
            let expected = ["a", "b"].map(|name| [ask(name, 1, kind), ask(name, 2, kind)]);
            assert_eq!(
                wanted(&population),
                expected.concat(),
                "{way:?}, tick {tick}"
            );
            assert_eq!(population.report().counts.cancels, 0, "{way:?}");
            assert_eq!(population.report().counts.tasks_aborted, 3, "{way:?}");
        }
        // What ran before is cancelled and aborted, once; what is taken back is not launched.
        diary.of(actors[1]);
        raise(&mut population, &actors[1..2], true);
        raise(&mut population, &actors[..1], false);
        population.tick(DT);
        let expected = [
            ask("a", 0, RequestKind::Launch),
            ask("a", 1, RequestKind::Cancel),
            ask("a", 2, RequestKind::Continue),
            ask("b", 0, RequestKind::Launch),
            ask("b", 1, RequestKind::Cancel),
            ask("b", 2, RequestKind::Continue),
            ask("c", 2, RequestKind::Launch),
        ];
        assert_eq!(wanted(&population), expected, "{way:?}");
        let told = diary.of(actors[1]);
        let expected = [
            "t run",
            "u run",
            "v run",
            "t aborted",
            "u aborted",
            "v aborted",
        ];
        assert_eq!(told, expected, "{way:?}");
        raise(&mut population, &actors, false);
        population.tick(DT);
        let begun = diary.of(actors[1]);
        assert_eq!(
            begun.iter().filter(|line| line.ends_with("enter")).count(),
            3
        );
    }
}

/// C4: a Concurrent takes back what stands before the child that failed, and nothing around itself.
#[test]
fn a_concurrent_takes_back_its_own_and_nothing_around_it() {
    let inner = concurrent([
        task("t"),
        action("b"),
        parallel(ALL, ALL, [action("c"), task("u")]),
        selector([fail(), sequence([condition("flag"), fail()]), idle()]),
        concurrent([condition("flag"), action("d")]),
    ]);
    // The first child of `inner` to fail is the last one where the flag is down.
    let root = parallel(ALL, ALL, [action("a"), task("o"), inner, action("e")]);
    for way in ways() {
        let tasks = [("t", "R"), ("u", "R"), ("o", "R")];
        let (mut population, actors, diary) = three(root.clone(), way, &tasks);
        let launch = |name: &str, place| (name.to_owned(), place, RequestKind::Launch);
        population.tick(DT);
        let expected = [
            launch("a", 0),
            launch("a", 1),
            launch("a", 2),
            launch("b", 0),
            launch("c", 0),
            launch("d", 0),
            launch("e", 0),
            launch("e", 1),
            launch("e", 2),
        ];
        assert_eq!(wanted(&population), expected, "{way:?}");
        let told = diary.of(actors[0]);
        let kept = ["o enter", "o run", "t enter", "t run", "u enter", "u run"];
        assert_eq!(told, kept, "{way:?}");
        let told = diary.of(actors[1]);
        let halted = ["t aborted", "u aborted"];
        assert_eq!(told, [&kept[..], &halted[..]].concat(), "{way:?}");
        // It has failed and is not visited again; the first one's fails now.
        raise(&mut population, &actors[..1], false);
        raise(&mut population, &actors[1..], true);
        population.tick(DT);
        let told = diary.of(actors[0]);
        let expected = ["o run", "t run", "u run", "t aborted", "u aborted"];
        assert_eq!(told, expected, "{way:?}");
        assert_eq!(diary.of(actors[1]), ["o run"], "{way:?}");
        let cancels = wanted(&population).into_iter();
        let cancels = cancels.filter(|(.., kind)| *kind == RequestKind::Cancel);
        let cancels: Vec<(String, u32)> = cancels.map(|(name, place, _)| (name, place)).collect();
        let expected = ["b", "c", "d"].map(|name| (name.to_owned(), 0));
        assert_eq!(cancels, expected, "{way:?}");
    }
}

/// Nested groups that finish in the same tick: what is taken back is taken back once.
#[test]
fn groups_in_groups_take_back_once() {
    let innermost = concurrent([task("x"), action("a"), condition("flag")]);
    let middle = parallel(ONE, ONE, [task("y"), action("b"), innermost]);
    let root = concurrent([task("z"), action("c"), middle]);
    for way in ways() {
        let tasks = [("x", "R"), ("y", "R"), ("z", "R")];
        let (mut population, actors, diary) = three(root.clone(), way, &tasks);
        for tick in 0..3 {
            way.prepare(&mut population, tick);
            population.tick(DT);
            let told = diary.of(actors[2]);
            let expected = [
                "z enter",
                "z run",
                "y enter",
                "y run",
                "x enter",
                "x run",
                "z aborted",
                "y aborted",
                "x aborted",
            ];
            assert_eq!(told, expected, "{way:?}, tick {tick}");
            let found = statuses(&population, &actors);
            let expected = [Status::Running, Status::Failure, Status::Failure].map(Some);
            assert_eq!(found, expected, "{way:?}");
            assert_eq!(wanted(&population).len(), 3, "{way:?}");
            let counts = population.report().counts;
            assert_eq!((counts.tasks_aborted, counts.cancels), (6, 0), "{way:?}");
        }
    }
}

/// C3: a child that has finished is not visited, though it is a leaf with a mark of its own.
#[test]
fn leaves_that_have_finished_under_a_parallel_rest() {
    let leaves = [
        task("t"),
        wait(DT),
        persistent_action("p"),
        action("a"),
        task("u"),
    ];
    let root = sequence([parallel(ALL, ALL, leaves), action("end")]);
    for way in ways() {
        // Were they visited again, they would run, or fail.
        let tasks = [("t", "SRRRRFF"), ("u", "RRFRRRR")];
        let (mut population, actors, diary) = three(root.clone(), way, &tasks);
        let p = population.persistent_slots("p").next().expect("it has one");
        let a = population.slots("a")[0];
        let set = |population: &mut Population, status| {
            let written = population.set_persistent(actors[0], p, status);
            written.expect("it lives");
        };
        let dones = |population: &Population, actor| {
            let state = population.state(actor).expect("it lives");
            let done = |kept| match kept {
                Kept::Done(status) => Some(status),
                _ => None,
            };
            let dones = state
                .iter()
                .filter_map(|record| Some((record.node.0, done(record.kept)?)));
            dones.collect::<Vec<_>>()
        };
        let (success, failure) = (Status::Success, Status::Failure);
        population.tick(DT);
        let told = ["t enter", "t run", "t success", "u enter", "u run"];
        assert_eq!(diary.of(actors[0]), told, "{way:?}");
        assert_eq!(dones(&population, actors[0]), [(2, success)], "{way:?}");
        way.prepare(&mut population, 1);
        set(&mut population, Status::Failure);
        population.tick(DT);
        assert_eq!(diary.of(actors[0]), ["u run"], "{way:?}");
        let expected = [(2, success), (3, success), (4, failure)];
        assert_eq!(dones(&population, actors[0]), expected, "{way:?}");
        let expected = [(2, success), (3, success)];
        assert_eq!(dones(&population, actors[1]), expected, "{way:?}");
        // Its old answer counts, whatever it would be now.
        way.prepare(&mut population, 3);
        set(&mut population, Status::Running);
        population.tick(DT);
        assert_eq!(diary.of(actors[0]), ["u run", "u failure"], "{way:?}");
        let expected = [(2, success), (3, success), (4, failure), (6, failure)];
        assert_eq!(dones(&population, actors[0]), expected, "{way:?}");
        // One of them starts afresh and forgets it all.
        population.reset(actors[1]).expect("it lives");
        diary.of(actors[1]);
        let done = population.set_result(actors[0], a, Outcome::Success);
        done.expect("it waits");
        way.prepare(&mut population, 5);
        population.tick(DT);
        let told = ["t enter", "t run", "u enter", "u run"];
        assert_eq!(diary.of(actors[1]), told, "{way:?}");
        assert_eq!(dones(&population, actors[1]), [], "{way:?}");
        // Failure needs all five, and so does success: all have finished, so it fails.
        assert_eq!(diary.of(actors[0]), [""; 0], "{way:?}");
        assert_eq!(population.status(actors[0]), Ok(Some(failure)), "{way:?}");
        assert_eq!(records(&population, actors[0]), 0, "{way:?}");
        population.tick(DT);
        let told = ["t enter", "t run", "u enter", "u run"];
        assert_eq!(diary.of(actors[0]), told, "{way:?}");
        assert_eq!(dones(&population, actors[0]), [], "{way:?}");
    }
}

/// Counters of many children, at every threshold: each actor's own.
#[test]
fn thresholds_are_counted_for_each_actor() {
    for children in [1u32, 2, 3, 4, 7, 8, 9, 16, 17] {
        for threshold in 1..=children {
            let votes = (0..children).map(|child| condition(format!("count > {child}").as_str()));
            let threshold = Threshold::Count(threshold);
            let root = parallel(threshold, ALL, votes.collect::<Vec<_>>());
            for way in ways().into_iter().filter(|way| !way.changes) {
                let mut population = population(root.clone(), way);
                let count = population.column::<i32>("count").expect("declared");
                let actors = population.spawn_many(40).expect("memory");
                for (place, &actor) in (0i32..).zip(&actors) {
                    let votes = place % (children as i32 + 1);
                    population.set(actor, count, votes).expect("its key");
                }
                population.tick(DT);
                for (place, &actor) in (0u32..).zip(&actors) {
                    let Threshold::Count(wanted) = threshold else {
                        unreachable!()
                    };
                    let enough = place % (children + 1) >= wanted;
                    let expected = Ok(Some(Status::from_bool(enough)));
                    let tell = format!("{way:?}: {wanted} of {children}, place {place}");
                    assert_eq!(population.status(actor), expected, "{tell}");
                }
            }
        }
    }
}
