//! Trees that lanes can get wrong though each actor by itself is simple: what belongs to whom, and when
//! it is known.

use pleach_shape::Status;
use pleach_tree::{
    NodeDef, Tree, action, compile, condition, fail, idle, invert, reactive_selector,
    reactive_sequence, selector, sequence, set, succeed, succeeder, task, wait,
};
use pleach_vm::{ActorId, Population, RequestKind, Value};

use crate::crowd::{DT, population, small, statuses, wanted, ways};
use crate::diary::Diary;

fn names(population: &Population, kind: RequestKind) -> Vec<(u32, String)> {
    let requests = wanted(population).into_iter();
    let mut names: Vec<(u32, String)> = requests
        .filter(|(.., found)| *found == kind)
        .map(|(name, place, _)| (place, name))
        .collect();
    names.sort_unstable();
    names
}

/// T4: a mark lives for one tick. Its task is told of the end once, not as often as it is not visited.
#[test]
fn a_task_that_a_reactive_parent_halts_is_aborted_once() {
    for way in ways() {
        let root = reactive_selector([
            reactive_sequence([condition("flag"), idle()]),
            sequence([succeed(), task("t"), task("u")]),
        ]);
        let mut population = population(root, way);
        let diary = Diary::default();
        diary.keeps(&mut population, "t", "SRRRRRRR");
        diary.keeps(&mut population, "u", "R");
        let flag = population.column::<bool>("flag").expect("declared");
        let actors = population.spawn_many(3).expect("memory");
        let [ann, bob, cid] = [actors[0], actors[1], actors[2]];
        population.tick(DT);
        for &actor in &actors {
            let told = ["t enter", "t run", "t success", "u enter", "u run"];
            assert_eq!(diary.of(actor), told, "{way:?}");
        }
        population.set(ann, flag, true).expect("its key");
        for tick in 2..5 {
            way.prepare(&mut population, tick);
            population.tick(DT);
            let told: &[&str] = if tick == 2 { &["u aborted"] } else { &[] };
            assert_eq!(diary.of(ann), told, "{way:?}, tick {tick}");
            assert_eq!(diary.of(bob), ["u run"], "{way:?}, tick {tick}");
            let aborted = population.report().counts.tasks_aborted;
            assert_eq!(aborted, u64::from(tick == 2), "{way:?}, tick {tick}");
        }
        // It begins anew, while another one is halted, and one is taken out.
        population.set(ann, flag, false).expect("its key");
        population.set(bob, flag, true).expect("its key");
        population.unload(cid).expect("it lives");
        diary.of(cid);
        for tick in 5..8 {
            way.prepare(&mut population, tick);
            population.tick(DT);
            let [anns, bobs, cids] = [ann, bob, cid].map(|actor| diary.of(actor));
            let expected: &[&str] = if tick == 5 {
                &["t enter", "t run"]
            } else {
                &["t run"]
            };
            assert_eq!(anns, expected, "{way:?}, tick {tick}");
            if tick == 5 {
                assert_eq!(bobs, ["u aborted"], "{way:?}");
                assert_eq!(cids, ["u aborted"], "{way:?}");
            } else {
                assert!(bobs.is_empty() && cids.is_empty(), "{way:?}");
            }
        }
    }
}

/// E2: with a NaN, `x < k` and `x >= k` are both false, so neither is the other's opposite.
#[test]
fn opposites_are_opposites_of_whole_numbers_only() {
    let asks = |low: &str, high: &str| {
        let ask = |text: &str, name: &str| sequence([condition(text), action(name)]);
        selector([ask(low, "low"), ask(high, "high"), action("neither")])
    };
    let predicates = |root: NodeDef| {
        let shape = compile(&small(root)).expect("compiles");
        shape.threaded().predicates.len()
    };
    for (low, high) in [
        ("level < 1.0", "level >= 1.0"),
        ("level <= 1.0", "level > 1.0"),
        ("level == 1.0", "level != 1.0"),
    ] {
        assert_eq!(predicates(asks(low, high)), 2, "{low}, {high}");
        for way in ways() {
            let mut population = population(asks(low, high), way);
            let level = population.column::<f32>("level").expect("declared");
            let actors = population.spawn_many(40).expect("memory");
            let values = [0.5, 1.0, 1.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
            for (place, &actor) in actors.iter().enumerate() {
                let value = values[place % values.len()];
                population.set(actor, level, value).expect("its key");
            }
            population.tick(DT);
            let holds = |text: &str, value: f32| match text.split(' ').nth(1) {
                Some("<") => value < 1.0,
                Some("<=") => value <= 1.0,
                Some("==") => value == 1.0,
                Some(">=") => value >= 1.0,
                Some(">") => value > 1.0,
                _ => !value.is_nan() && value != 1.0,
            };
            let expected = (0..40u32).map(|place| {
                let value = values[place as usize % values.len()];
                let name = match (holds(low, value), holds(high, value)) {
                    (true, _) => "low",
                    (_, true) => "high",
                    _ => "neither",
                };
                (place, name.to_owned())
            });
            let found = names(&population, RequestKind::Launch);
            assert!(found.into_iter().eq(expected), "{way:?}: {low}, {high}");
        }
    }
    for (low, high) in [
        ("count < 3", "count >= 3"),
        ("count <= 3", "count > 3"),
        ("count == 3", "count != 3"),
        ("flag", "not flag"),
    ] {
        assert_eq!(predicates(asks(low, high)), 1, "{low}, {high}");
        for way in ways() {
            let mut population = population(asks(low, high), way);
            let count = population.column::<i32>("count").expect("declared");
            let flag = population.column::<bool>("flag").expect("declared");
            let actors = population.spawn_many(40).expect("memory");
            let values = [i32::MIN, 2, 3, 4, i32::MAX];
            for (place, &actor) in actors.iter().enumerate() {
                population
                    .set(actor, count, values[place % 5])
                    .expect("its key");
                population
                    .set(actor, flag, place % 3 == 0)
                    .expect("its key");
            }
            population.tick(DT);
            let expected = (0..40usize).map(|place| {
                let value = values[place % 5];
                let holds = match low {
                    "count < 3" => value < 3,
                    "count <= 3" => value <= 3,
                    "count == 3" => value == 3,
                    _ => place % 3 == 0,
                };
                (place as u32, if holds { "low" } else { "high" }.to_owned())
            });
            let found = names(&population, RequestKind::Launch);
            assert!(found.into_iter().eq(expected), "{way:?}: {low}, {high}");
        }
    }
}

/// A negation is the opposite of a comparison of floats, NaN included.
#[test]
fn negations_of_floats_hold_for_nan() {
    let root = selector([
        sequence([condition("level < 1.0"), action("less")]),
        sequence([
            condition("not (level < 1.0)"),
            invert(condition("level < 1.0")),
            action("not"),
        ]),
        action("never"),
    ]);
    for way in ways() {
        let mut population = population(root.clone(), way);
        let level = population.column::<f32>("level").expect("declared");
        let actors = population.spawn_many(3).expect("memory");
        for (&actor, value) in actors.iter().zip([0.0, 1.0, f32::NAN]) {
            population.set(actor, level, value).expect("its key");
        }
        population.tick(DT);
        let expected = [(0, "less".into()), (1, "not".into()), (2, "not".into())];
        assert_eq!(names(&population, RequestKind::Launch), expected, "{way:?}");
    }
}

/// Constants that no value of a narrow column reaches.
#[test]
fn constants_beyond_a_column_are_always_or_never() {
    let tests = [
        ("a < 300", true),
        ("a <= -1", false),
        ("a > 255", false),
        ("a >= -5", true),
        ("a == 256", false),
        ("a != 256", true),
        ("b < 70000", true),
        ("b > 65535", false),
        ("b >= 65536", false),
        ("b != -1", true),
        ("b == 65536", false),
        ("a >= 300", false),
        ("b <= 65535", true),
    ];
    for (text, expected) in tests {
        for turned in [false, true] {
            for way in ways() {
                let root = if turned {
                    invert(condition(text))
                } else {
                    condition(text)
                };
                let tree = Tree::build("t")
                    .column("a", 0_u8)
                    .column("b", 0_u16)
                    .root(root);
                let mut population = way.population(compile(&tree).expect("compiles"));
                let actors = population.spawn_many(20).expect("memory");
                for (place, &actor) in actors.iter().enumerate() {
                    let values = [
                        Value::U8([0, 255, 44][place % 3]),
                        Value::U16([0, 65535, 4464][place % 3]),
                    ];
                    for (column, value) in values.into_iter().enumerate() {
                        let written = population.set_value(actor, column.into(), value);
                        written.expect("declared");
                    }
                }
                population.tick(DT);
                let expected = vec![Some(Status::from_bool(expected != turned)); 20];
                assert_eq!(statuses(&population, &actors), expected, "{way:?}: {text}");
            }
        }
    }
}

/// What was asked for a few is not known of the others.
#[test]
fn an_expression_asked_for_few_is_asked_again_for_the_others() {
    for test in ["count * 2 > 4", "count + 0 == 3 or level > 7.0"] {
        let root = selector([
            sequence([condition("flag"), condition(test), action("first")]),
            sequence([condition(test), action("second")]),
            action("third"),
        ]);
        let shape = compile(&small(root.clone())).expect("compiles");
        assert_eq!(shape.threaded().predicates.len(), 2, "{test}");
        for way in ways() {
            for few in [0, 1, 3, 8, 9, 40] {
                let mut population = population(root.clone(), way);
                let count = population.column::<i32>("count").expect("declared");
                let flag = population.column::<bool>("flag").expect("declared");
                let actors = population.spawn_many(50).expect("memory");
                for (place, &actor) in actors.iter().enumerate() {
                    let value = if place % 2 == 0 { 3 } else { 1 };
                    population.set(actor, count, value).expect("its key");
                    let set = population.set(actor, flag, place < few);
                    set.expect("its key");
                }
                population.tick(DT);
                let expected = (0..50usize).map(|place| {
                    let name = match (place % 2 == 0, place < few) {
                        (true, true) => "first",
                        (true, false) => "second",
                        _ => "third",
                    };
                    (place as u32, name.to_owned())
                });
                let found = names(&population, RequestKind::Launch);
                assert!(found.into_iter().eq(expected), "{way:?}: {test}, {few}");
            }
        }
    }
}

/// Twelve actions at different depths, with things before, between and behind them.
fn nest() -> NodeDef {
    let go = |number: usize| {
        let wanted = format!("count == {number}");
        sequence([condition(wanted.as_str()), action(format!("go{number}"))])
    };
    selector([
        go(0),
        selector([
            go(1),
            sequence([
                condition("count >= 2 and count < 5"),
                selector([go(2), go(3), go(4)]),
                fail(),
            ]),
        ]),
        reactive_sequence([
            condition("count >= 5 and count < 8 or flag"),
            selector([
                go(5),
                invert(succeeder(fail())),
                sequence([succeed(), selector([go(6), go(7)])]),
            ]),
        ]),
        reactive_selector([
            sequence([
                condition("count >= 8"),
                selector([go(8), sequence([selector([go(9), fail()]), idle()])]),
            ]),
            sequence([succeed(), fail()]),
            selector([go(10), sequence([wait(100 * DT), go(11)])]),
        ]),
    ])
}

/// An empty subtree is passed over, but not the actors who resume inside it.
#[test]
fn whoever_resumes_deep_inside_is_not_passed_over() {
    for way in ways() {
        for one in 0..10 {
            for other in 0..10 {
                let mut population = population(nest(), way);
                let count = population.column::<i32>("count").expect("declared");
                let flag = population.column::<bool>("flag").expect("declared");
                let actors = population.spawn_many(3).expect("memory");
                // The third one is out, and asks for nothing.
                population.unload(actors[2]).expect("it lives");
                for (&actor, number) in actors.iter().zip([one, other]) {
                    population.set(actor, count, number).expect("its key");
                }
                population.tick(DT);
                let expected = [(0, format!("go{one}")), (1, format!("go{other}"))];
                assert_eq!(names(&population, RequestKind::Launch), expected, "{way:?}");
                // From here on nobody would begin anything, but to go on with it.
                for &actor in &actors {
                    population.set(actor, count, -1).expect("its key");
                    population.set(actor, flag, true).expect("its key");
                }
                for tick in 1..5 {
                    way.prepare(&mut population, tick);
                    population.tick(DT);
                    let found = names(&population, RequestKind::Continue);
                    assert_eq!(found, expected, "{way:?}, tick {tick}");
                    assert_eq!(names(&population, RequestKind::Launch), []);
                }
                // One of them by itself, then both in another lane's company.
                population.unload(actors[0]).expect("it lives");
                population.tick(DT);
                let found = names(&population, RequestKind::Continue);
                assert_eq!(found, expected[1..], "{way:?}");
            }
        }
    }
}

/// Who resumes at the end of a Sequence meets those who come there from its beginning.
#[test]
fn paths_that_meet_again_are_walked_once() {
    for way in ways() {
        let root = sequence([
            selector([condition("flag"), action("first")]),
            set("count", "count + 1"),
            action("last"),
        ]);
        let mut population = population(root, way);
        let flag = population.column::<bool>("flag").expect("declared");
        let count = population.column::<i32>("count").expect("declared");
        let actors: Vec<ActorId> = population.spawn_many(70).expect("memory");
        for &actor in actors.iter().step_by(2) {
            population.set(actor, flag, true).expect("its key");
        }
        population.tick(DT);
        for &actor in &actors {
            population.set(actor, flag, true).expect("its key");
        }
        let first = population.slots("first")[0];
        for &actor in actors.iter().skip(1).step_by(2) {
            let done = population.set_result(actor, first, pleach_vm::Outcome::Success);
            done.expect("it waits");
        }
        population.tick(DT);
        for (place, &actor) in actors.iter().enumerate() {
            assert_eq!(population.get(actor, count), Ok(1), "{way:?}, {place}");
        }
        let counts = population.report().counts;
        assert_eq!(
            (counts.launches, counts.continues, counts.results_used),
            (35, 35, 35)
        );
    }
}
