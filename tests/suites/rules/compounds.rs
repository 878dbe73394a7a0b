//! Compound nodes: C7, K1 to K3, F1, N1 to N4.

use pleach_shape::Value;
use pleach_tests::reference::Leave;
use pleach_tree::{
    NodeDef, Threshold, concurrent, condition, failer, idle, if_then_else, invert, keep_sequence,
    on_failure, on_finish, on_halted, on_success, parallel, pipeline_sequence, rate_controller,
    reactive_selector, reactive_sequence, recovery, repeat, repeat_until_success, round_robin,
    run_once, run_once_then_skip, run_while, selector, sequence, set, skip_if, skip_unless,
    succeed, succeeder, success_if, task,
};

use crate::stage::{Stage, letters, time, tree};

/// A node that is always skipped.
fn skipped() -> NodeDef {
    skip_if(idle(), "true")
}

/// Whether a tree of a Selector of the node and a Failure answers Success, and one of a Sequence of it and
/// an Idle Running: so the node was skipped if they are Failure and Running.
fn in_both(node: impl Fn() -> NodeDef) -> [String; 2] {
    let fails = letters(selector([node(), failer(succeed())]), &[], 1);
    [fails, letters(sequence([node(), idle()]), &[], 1)]
}

fn is_skipped(node: impl Fn() -> NodeDef) -> bool {
    in_both(node) == ["F", "R"]
}

#[test]
fn k1_a_skipped_child_is_as_if_it_were_not_there() {
    assert!(is_skipped(skipped));
    assert!(is_skipped(|| skip_unless(idle(), "false")));
    // A node that succeeds or fails is told apart from one that is skipped.
    assert_eq!(in_both(succeed), ["S", "R"]);
    assert_eq!(in_both(|| failer(succeed())), ["F", "F"]);
    let a = || task("a");
    for (root, expected) in [
        (sequence([skipped(), a()]), "SFR"),
        (selector([skipped(), a()]), "SFR"),
        (reactive_sequence([skipped(), a(), skipped()]), "SFR"),
        (reactive_selector([skipped(), a(), skipped()]), "SFR"),
        (concurrent([skipped(), a()]), "SFR"),
    ] {
        assert_eq!(letters(root, &[("a", "SFR")], 3), expected);
    }
    // A tree that is skipped has succeeded.
    assert_eq!(letters(skipped(), &[], 1), "S");
}

#[test]
fn k1_parents_of_skipped_children_alone_are_skipped_themselves() {
    let two = || [skipped(), skipped()];
    assert!(is_skipped(|| sequence(two())));
    assert!(is_skipped(|| selector(two())));
    assert!(is_skipped(|| reactive_sequence(two())));
    assert!(is_skipped(|| reactive_selector(two())));
    assert!(is_skipped(|| concurrent(two())));
    assert!(is_skipped(|| keep_sequence(two())));
    assert!(is_skipped(|| parallel(
        Threshold::All,
        Threshold::Count(1),
        two()
    )));
    assert!(is_skipped(|| sequence([
        selector(two()),
        invert(skipped())
    ])));
    assert!(is_skipped(|| invert(skipped())));
    assert!(is_skipped(|| succeeder(skipped())));
    assert!(is_skipped(|| failer(skipped())));
    assert!(is_skipped(|| repeat(skipped(), 3)));
    assert!(is_skipped(|| repeat_until_success(skipped(), 3)));
    assert!(is_skipped(|| run_once(skipped())));
    assert!(is_skipped(|| on_finish(skipped(), "count", 1)));
    assert!(is_skipped(|| if_then_else(succeed(), skipped(), succeed())));
    // One that was not skipped is enough.
    assert!(!is_skipped(|| sequence([skipped(), succeed()])));
    assert!(!is_skipped(|| selector([skipped(), failer(succeed())])));
    assert_eq!(
        in_both(|| selector([skipped(), failer(succeed())])),
        ["F", "F"]
    );
}

#[test]
fn k1_skip_if_is_judged_at_the_start_and_skip_unless_each_tick() {
    let flagged = |node: NodeDef| {
        reactive_sequence([set("flag", "not flag"), selector([node, failer(succeed())])])
    };
    // The flag is true in the first tick, false in the second, and so on.
    assert_eq!(
        letters(flagged(skip_if(task("a"), "flag")), &[("a", "-RRS")], 4),
        "FRRS"
    );
    assert_eq!(
        letters(flagged(skip_unless(task("a"), "flag")), &[("a", "R-R-")], 4),
        "RFRF"
    );
    assert_eq!(
        letters(flagged(success_if(task("a"), "flag")), &[("a", "-RRF")], 4),
        "SRRF"
    );
}

#[test]
fn k1_a_run_once_is_skipped_once_its_child_has_finished() {
    let root = || selector([run_once_then_skip(task("a")), failer(succeed())]);
    assert_eq!(letters(root(), &[("a", "RS--")], 4), "RSFF");
    assert_eq!(letters(root(), &[("a", "RF--")], 4), "RFFF");
    // U4
    let tree = tree(root());
    let mut stage = Stage::new(&tree, &[("a", "S--S")]);
    let mut found: Vec<_> = (0..2).map(|_| stage.tick().0.root).collect();
    stage.release(Leave::Unload, &[]);
    found.push(stage.tick().0.root);
    stage.release(Leave::Reset, &[]);
    found.push(stage.tick().0.root);
    let found: String = found.iter().flatten().map(|root| root.letter()).collect();
    assert_eq!(found, "SFFS");
}

#[test]
fn k3_parallels_count_skipped_children_or_let_them_wait() {
    let all = parallel(Threshold::All, Threshold::Count(1), [skipped(), task("a")]);
    assert_eq!(letters(all, &[("a", "RS")], 2), "RS");
    // It waits until the flag is false, and is then visited.
    let one = parallel(
        Threshold::Count(1),
        Threshold::All,
        [
            skip_if(task("a"), "count < 2"),
            repeat(set("count", "count + 1"), 9),
        ],
    );
    assert_eq!(letters(one, &[("a", "--RS")], 4), "RRRS");
}

#[test]
fn f1_effects_write_when_the_child_has_answered() {
    let count = |node: NodeDef, answers, ticks| {
        let tree = tree(node);
        let mut stage = Stage::new(&tree, &[("a", answers)]);
        for _ in 0..ticks {
            stage.tick();
        }
        stage.columns[1]
    };
    let a = || task("a");
    assert_eq!(
        count(on_success(a(), "count", "count + 1"), "RSFS", 4),
        Value::I32(2)
    );
    assert_eq!(
        count(on_failure(a(), "count", "count + 1"), "RSFS", 4),
        Value::I32(1)
    );
    assert_eq!(
        count(on_finish(a(), "count", "count + 1"), "RSFS", 4),
        Value::I32(3)
    );
    assert_eq!(
        count(on_finish(skipped(), "count", 9), "", 1),
        Value::I32(0)
    );
    let once = sequence([condition("flag"), idle()]);
    let raise = on_finish(a(), "count", 9);
    let halted = reactive_selector([once, sequence([set("flag", true), raise])]);
    assert_eq!(count(halted, "R-", 2), Value::I32(0));
}

#[test]
fn c7_a_keep_sequence_goes_on_where_it_failed_and_begins_anew_when_it_has_succeeded() {
    let root = || keep_sequence([task("a"), task("b")]);
    let answers = &[("a", "RS---S"), ("b", "-FRFS-")];
    // The sixth tick begins anew: b has answered S in the fifth.
    assert_eq!(
        letters(root(), &[("a", "RS---S"), ("b", "-FRFSR")], 6),
        "RFRFSR"
    );
    // It outlives unloading; a reset forgets it.
    let tree = tree(root());
    let mut stage = Stage::new(&tree, answers);
    stage.tick();
    stage.tick();
    stage.release(Leave::Unload, &[]);
    assert_eq!(stage.tick().0.root.map(|root| root.letter()), Some('R'));
    let mut stage = Stage::new(&tree, &[("a", "SR"), ("b", "F-")]);
    stage.tick();
    stage.release(Leave::Reset, &[]);
    assert_eq!(stage.tick().0.root.map(|root| root.letter()), Some('R'));
}

#[test]
fn n1_a_pipeline_visits_earlier_children_while_later_ones_run() {
    let root = || pipeline_sequence([task("a"), task("b"), task("c")]);
    let answers = &[("a", "RSRSR"), ("b", "-RSRR"), ("c", "--RRS")];
    assert_eq!(letters(root(), answers, 5), "RRRRS");
    let answers = &[("a", "SSF"), ("b", "RR-"), ("c", "---")];
    assert_eq!(letters(root(), answers, 3), "RRF");
    // Begun anew, the way is closed.
    let answers = &[("a", "SR"), ("b", "S-"), ("c", "S-")];
    assert_eq!(letters(root(), answers, 2), "SR");
}

#[test]
fn n2_a_round_robin_begins_behind_the_last_success() {
    let root = || round_robin([task("a"), task("b"), task("c")]);
    let answers = &[("a", "S--FF"), ("b", "-S-F-"), ("c", "--S-F")];
    assert_eq!(letters(root(), answers, 3), "SSS");
    // From b on: b and c fail, and a in the next tick.
    let answers = &[("a", "S-FS"), ("b", "-F--"), ("c", "-F--")];
    assert_eq!(letters(root(), answers, 4), "SRFS");
}

#[test]
fn n3_a_recovery_tries_again_from_the_next_tick_on() {
    let root = |retries| recovery(task("a"), task("b"), retries);
    assert_eq!(letters(root(2), &[("a", "F-FS"), ("b", "RSS-")], 4), "RRRS");
    assert_eq!(letters(root(1), &[("a", "FF"), ("b", "S-")], 2), "RF");
    assert_eq!(letters(root(0), &[("a", "F"), ("b", "-")], 1), "F");
    assert_eq!(letters(root(5), &[("a", "F"), ("b", "F")], 1), "F");
}

#[test]
fn n4_a_rate_controller_visits_its_child_again_when_its_time_has_passed() {
    let root = pipeline_sequence([rate_controller(task("a"), time(2)), task("b")]);
    // Success in the first tick, the wait is over in the third, and the next visit in the fourth.
    assert_eq!(
        letters(root, &[("a", "S--S--F"), ("b", "RRRRRR-")], 7),
        "RRRRRRF"
    );
    // Anywhere else it is its child.
    let root = sequence([rate_controller(task("a"), time(9)), task("b")]);
    assert_eq!(letters(root, &[("a", "SS"), ("b", "SS")], 2), "SS");
}

#[test]
fn f2_a_halted_child_writes_behind_all_visits_and_one_that_finished_does_not() {
    let raise = |node| on_halted(node, "count", "count * 2 + 1");
    let flip = || set("flag", "not flag");
    let count = |root: NodeDef, answers, ticks| {
        let tree = tree(root);
        let mut stage = Stage::new(&tree, &[("a", answers)]);
        let read = |stage: &mut Stage<'_>| match (stage.tick(), stage.columns[1]) {
            (_, Value::I32(count)) => count,
            (_, other) => panic!("{other:?}"),
        };
        (0..ticks).map(|_| read(&mut stage)).collect::<Vec<i32>>()
    };
    // The flag is true in every other tick, in which the child is visited; in the others it is halted.
    let halted = || reactive_sequence([flip(), succeeder(run_while(raise(task("a")), "flag"))]);
    assert_eq!(count(halted(), "R-R-", 4), [0, 1, 1, 3]);
    assert_eq!(count(halted(), "S-F-", 4), [0, 0, 0, 0]);
    // The inner one first.
    let nested = run_while(on_halted(raise(task("a")), "count", "count + 5"), "flag");
    let nested = reactive_sequence([flip(), succeeder(nested)]);
    assert_eq!(count(nested, "R-", 2), [0, 6]);
    // An unload halts, too.
    let tree = tree(raise(task("a")));
    let mut stage = Stage::new(&tree, &[("a", "R")]);
    stage.tick();
    stage.release(Leave::Unload, &[]);
    assert_eq!(stage.columns[1], Value::I32(1));
}
