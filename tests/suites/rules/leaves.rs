//! Leaves: L2 to L6 and D4, and the release of a whole actor.

use std::time::Duration;

use pleach_shape::Status;
use pleach_shape::Value;
use pleach_tests::observation::{Finish, Release};
use pleach_tests::reference::Leave;
use pleach_tree::{
    Threshold, action, concurrent, condition, fail, idle, invert, parallel, persistent_action,
    query, reactive_selector, selector, sequence, set, task, wait,
};

use crate::stage::{DT, F, R, S, Stage, tree, visited};

#[test]
fn l2_a_result_is_consumed_by_the_visit_and_the_next_visit_launches() {
    let tree = tree(sequence([action("a"), action("b")]));
    let mut stage = Stage::new(&tree, &[]);
    assert_eq!(stage.tick().0.launches, [0]);
    assert_eq!(stage.tick().0.continues, [0]);
    let (seen, _) = stage.tick_with(&[(0, Finish::Success)]);
    assert_eq!(
        (seen.root, seen.launches, seen.cancels),
        (R, vec![1], vec![])
    );
    assert_eq!(seen.state, [(0, 2)], "actions keep no record");
    let (seen, _) = stage.tick_with(&[(1, Finish::Failure)]);
    assert_eq!((seen.root, seen.launches, seen.dropped), (F, vec![], 0));
    assert_eq!(stage.tick().0.launches, [0]);
}

#[test]
fn l2_a_result_that_is_not_visited_is_dropped_without_a_cancel() {
    let tree = tree(reactive_selector([query("danger"), action("a")]));
    let mut stage = Stage::new(&tree, &[("danger", "FSFSF")]);
    stage.tick();
    let (seen, trace) = stage.tick_with(&[(0, Finish::Success)]);
    assert_eq!((seen.root, seen.dropped, seen.cancels), (S, 1, vec![]));
    assert_eq!(trace.halts, [2], "it was running, and did not finish");
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.root, seen.launches),
        (R, vec![0]),
        "the dropped result is gone"
    );
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.dropped, seen.cancels),
        (0, vec![0]),
        "without a result: one Cancel"
    );
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.launches, seen.cancels),
        (vec![0], vec![]),
        "exactly one"
    );
}

#[test]
fn l3_a_persistent_action_answers_and_never_requests() {
    let tree = tree(sequence([persistent_action("p"), idle()]));
    let mut stage = Stage::new(&tree, &[]);
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.root, seen.launches, seen.state),
        (R, vec![], vec![(0, 1)])
    );
    stage.persistent[0] = Status::Success;
    let (seen, _) = stage.tick();
    assert_eq!((seen.root, seen.state), (R, vec![(0, 2)]));
    let (_, trace) = stage.tick();
    assert_eq!(visited(&trace), [0, 2]);
}

#[test]
fn l4_a_task_that_finishes_exits_within_its_visit() {
    let tree = tree(sequence([task("a"), task("b")]));
    let mut stage = Stage::new(&tree, &[("a", "RS"), ("b", "FF")]);
    stage.tick();
    assert_eq!(stage.log(), ["enter a", "run a"]);
    stage.tick();
    assert_eq!(
        stage.log(),
        [
            "run a",
            "exit a Success",
            "enter b",
            "run b",
            "exit b Failure"
        ]
    );
}

#[test]
fn l6_aborts_come_behind_all_visits_in_stream_order() {
    let all = Threshold::All;
    let tree = tree(sequence([
        invert(concurrent([
            task("a"),
            parallel(all, all, [task("b"), task("c")]),
            task("d"),
        ])),
        task("e"),
    ]));
    let mut stage = Stage::new(
        &tree,
        &[("a", "R"), ("b", "R"), ("c", "S"), ("d", "F"), ("e", "R")],
    );
    let (_, trace) = stage.tick();
    assert_eq!(trace.halts, [3, 4, 5], "`c` finished, its parent did not");
    let log = stage.log();
    let behind = log.len() - 3;
    assert_eq!(log[behind..], ["run e", "exit a Aborted", "exit b Aborted"]);
}

#[test]
fn d4_a_wait_counts_from_its_first_visit_and_starts_afresh_when_halted() {
    let tree = tree(reactive_selector([
        query("danger"),
        wait(Duration::from_micros(2 * DT)),
    ]));
    let mut stage = Stage::new(&tree, &[("danger", "FFSFFF")]);
    let (seen, _) = stage.tick();
    assert_eq!((seen.root, seen.state), (R, vec![(2, DT + 2 * DT)]));
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.root, seen.state),
        (R, vec![(2, 3 * DT)]),
        "the deadline is absolute"
    );
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, trace.halts), (S, vec![2]));
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.root, seen.state),
        (R, vec![(2, 4 * DT + 2 * DT)]),
        "T4: nothing is left"
    );
    assert_eq!(stage.tick().0.root, R);
    assert_eq!(
        stage.tick().0.root,
        S,
        "done when the elapsed time is the duration"
    );
}

#[test]
fn d4_a_wait_of_no_time_succeeds_at_once_and_skipped_time_counts() {
    let tree = tree(sequence([
        wait(Duration::ZERO),
        wait(Duration::from_micros(3 * DT)),
    ]));
    let mut stage = Stage::new(&tree, &[]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (R, vec![0, 1, 2]));
    stage.actor.skip(2 * DT);
    assert_eq!(
        stage.tick().0.root,
        S,
        "T3: an actor that is not ticked loses no time"
    );
}

#[test]
fn a_release_halts_all_cancels_what_has_no_result_and_drops_what_has() {
    let all = Threshold::All;
    let children = [
        task("a"),
        action("x"),
        action("y"),
        action("z"),
        sequence([task("b")]),
    ];
    let tree = tree(parallel(all, all, children));
    let mut stage = Stage::new(&tree, &[("a", "RR"), ("b", "RR")]);
    stage.tick_with(&[]);
    stage.log();
    let release = stage.release(Leave::Unload, &[(1, Finish::Success)]);
    assert_eq!(release.halts, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!((release.cancels, release.dropped), (vec![0, 2], 1));
    assert_eq!(stage.log(), ["exit a Aborted", "exit b Aborted"]);
    assert_eq!(stage.actor.state(), []);
    assert_eq!(
        stage.release(Leave::Unload, &[]),
        Release::default(),
        "nothing is left to release"
    );
    let (seen, trace) = stage.tick();
    assert_eq!(seen.launches, [0, 1, 2]);
    assert!(trace.visits.iter().all(|visit| visit.fresh));
}

#[test]
fn a_set_is_seen_by_conditions_behind_it_in_the_same_tick() {
    let tree = tree(sequence([
        selector([condition("flag"), set("flag", "not flag")]),
        condition("flag"),
        set("count", "count + 1"),
        fail(),
    ]));
    let mut stage = Stage::new(&tree, &[]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0, 1, 2, 3, 4, 5, 6]));
    assert_eq!(stage.columns, [Value::Bool(true), Value::I32(1)]);
    let (_, trace) = stage.tick();
    assert_eq!(visited(&trace), [0, 1, 2, 4, 5, 6]);
    assert_eq!(stage.columns[1], Value::I32(2));
}
