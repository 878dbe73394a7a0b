//! What is wrong with a definition is said with the path of its node.

use std::time::Duration;

use pleach::task::{
    CompileError, NodeDef, Policy, Progress, Status, Tree, condition, cooldown, delay, invert,
    parallel, random_selector, random_sequence, repeat, repeat_until_failure, repeat_until_success,
    selector, sequence, succeed, succeeder, timeout, wait,
};

type Def = NodeDef<'static, (), ()>;
type Timed = fn(Def, f64) -> Def;

fn error(def: Def) -> CompileError {
    Tree::compile(def).expect_err("something is wrong with it")
}

/// The only problem: path, message and help in lines of their own.
fn problem(def: Def) -> String {
    let error = error(def);
    assert_eq!((error.problems().len(), error.omitted()), (1, 0), "{error}");
    let problem = &error.problems()[0];
    let help = problem.help.iter().map(|help| format!("; {help}"));
    let help: String = help.collect();
    format!("{}: {}{help}", problem.path, problem.message)
}

#[test]
fn times_that_are_none_are_refused() {
    let refused = |seconds: f64| problem(sequence([succeed(), wait(seconds)]));
    let message =
        |found: &str| format!("sequence/wait-2: waits {found} s, allowed is 0 to 1152921504606 s");
    assert_eq!(refused(-0.5), message("-0.5"));
    assert_eq!(refused(f64::NAN), message("NaN"));
    assert_eq!(refused(f64::NEG_INFINITY), message("-inf"));
    let help = "; for ever is a task that answers Running";
    assert_eq!(refused(f64::INFINITY), message("inf") + help);
    assert_eq!(refused(2e12), message("2000000000000") + help);
    for allowed in [0.0, -0.0, 1e-300, 1e12] {
        let tree: Tree<'_, (), ()> = Tree::compile(wait(allowed)).expect("allowed");
        tree.tick(&mut Progress::default(), &mut (), &mut (), Duration::MAX);
    }
}

#[test]
fn times_of_decorators_are_checked_as_well() {
    let decorators: [(Timed, &str); 3] = [
        (cooldown, "cooldown: cools down for"),
        (timeout, "timeout: times out after"),
        (delay, "delay: delays by"),
    ];
    for (decorator, found) in decorators {
        for seconds in [-1.0, f64::NAN, f64::INFINITY, f64::MAX] {
            let message = problem(decorator(succeed(), seconds));
            let shown = match seconds {
                f64::MAX => format!("{seconds:e}"),
                _ => seconds.to_string(),
            };
            let expected = format!("{found} {shown} s, allowed is 0 to 1152921504606 s");
            assert!(message.starts_with(&expected), "{message}");
        }
        assert!(Tree::compile(decorator(succeed(), 1e12)).is_ok());
    }
}

#[test]
fn loops_of_no_turns_are_refused() {
    for (def, found) in [
        (repeat(succeed(), 0, None), "repeat: repeats"),
        (repeat(succeed(), 0, false), "repeat: repeats"),
        (
            repeat_until_failure(succeed(), 0),
            "repeat-until-failure: tries",
        ),
        (
            repeat_until_success(succeed(), 0),
            "repeat-until-success: tries",
        ),
    ] {
        assert_eq!(
            problem(def),
            format!("{found} 0 times, allowed is 1 to 4294967295; for ever is `None`")
        );
    }
}

#[test]
fn random_order_has_at_most_64_children() {
    for random in [
        random_sequence as fn(Vec<Def>) -> Def,
        random_selector as fn(Vec<Def>) -> Def,
    ] {
        let children = |count| (0..count).map(|_| succeed()).collect();
        assert!(Tree::compile(random(children(64))).is_ok());
        let message = problem(invert(random(children(65))));
        assert!(message.starts_with("invert/random-se"), "{message}");
        assert!(
            message.contains("64") && message.contains("65"),
            "{message}"
        );
    }
}

#[test]
fn composites_without_children_are_refused() {
    let help = "; give it a child, or use `succeed` or `fail` in its place";
    for (def, path, kind) in [
        (sequence([]), "sequence", "sequence"),
        (selector([]), "selector", "selector"),
        (parallel([], None), "parallel", "parallel"),
        (random_sequence([]), "random-sequence", "random-sequence"),
        (random_selector([]), "random-selector", "random-selector"),
        (
            invert(selector([succeed(), sequence([])])),
            "invert/selector-1/sequence-2",
            "sequence",
        ),
    ] {
        assert_eq!(
            problem(def),
            format!("{path}: a {kind} needs at least one child{help}")
        );
    }
}

#[test]
fn thresholds_out_of_range_are_refused() {
    let refused = |success, failure| {
        problem(invert(parallel(
            [succeed(), succeed()],
            Policy { success, failure },
        )))
    };
    assert_eq!(
        refused(Some(0), None),
        "invert/parallel-1: the success threshold is 0, allowed is 1 to 2"
    );
    assert_eq!(
        refused(Some(2), Some(3)),
        "invert/parallel-1: the failure threshold is 3, allowed is 1 to 2; it has 2 children, so it \
         could never be reached"
    );
    // Without children, that is what is wrong.
    let all = Policy {
        success: Some(1),
        failure: None,
    };
    assert!(problem(parallel([], all)).contains("needs at least one child"));
}

#[test]
fn what_only_tasks_have_is_refused_elsewhere() {
    assert_eq!(
        problem(condition(|_, _| true).on_enter(|_, _| {})),
        "condition: `on_enter` of a condition, allowed is a task"
    );
    assert_eq!(
        problem(sequence([wait(1.0).named("rest").on_exit(|_, _, _| {})])),
        "sequence/rest: `on_exit` of a wait, allowed is a task"
    );
}

#[test]
fn names_beyond_the_limit_are_refused() {
    let found = problem(sequence([succeed().named("x".repeat(1_025))]));
    assert!(found.ends_with("the node's name has more than 1024 bytes"));
}

#[test]
fn all_problems_are_told_at_once_in_the_order_of_the_tree() {
    let error = error(selector([
        sequence([]).named("first"),
        parallel(
            [wait(-1.0)],
            Policy {
                success: Some(9),
                failure: None,
            },
        ),
    ]));
    assert_eq!(
        error.to_string(),
        "the tree does not compile\
         \n  selector/first: a sequence needs at least one child\
         \n    help: give it a child, or use `succeed` or `fail` in its place\
         \n  selector/parallel-2: the success threshold is 9, allowed is 1 to 1\
         \n    help: it has 1 child, so it could never be reached\
         \n  selector/parallel-2/wait-1: waits -1 s, allowed is 0 to 1152921504606 s"
    );
}

#[test]
fn of_very_many_problems_some_are_only_counted() {
    let error = error(sequence((0..1_000).map(|_| wait(-1.0))));
    assert_eq!((error.problems().len(), error.omitted()), (500, 500));
    let text = error.to_string();
    assert!(text.ends_with("\n  and 980 more"), "{text}");
}

fn nested(levels: usize) -> Def {
    (0..levels).fold(succeed(), |def, level| match level % 3 {
        0 => invert(def),
        1 => sequence([def]),
        _ => selector([def]),
    })
}

#[test]
fn deep_definitions_neither_overflow_nor_hang() {
    // Dropped, refused, and run, each on a stack that would not hold a frame for each level.
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let small = thread.spawn(|| {
        drop(nested(1_000_000));
        let message = problem(nested(100_000));
        assert!(
            message.ends_with("the tree nests deeper than 65536 levels"),
            "{message}"
        );
        let tree = Tree::compile(nested(60_000)).expect("deep enough");
        let mut progress = tree.progress();
        let status = tree.tick(&mut progress, &mut (), &mut (), Duration::ZERO);
        // 20,000 of the levels invert.
        assert_eq!(status, Status::Success);
    });
    small.expect("a thread").join().expect("it does not panic");
}

#[test]
fn trees_with_too_many_nodes_are_refused() {
    let message = problem(succeeder(sequence((0..1 << 20).map(|_| succeed()))));
    assert!(
        message.starts_with("succeeder: the tree has 1048578 nodes, allowed are 1048576"),
        "{message}"
    );
}
