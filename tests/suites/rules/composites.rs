//! Composites: C1 to C4, and what they do to what runs below them.

use pleach_tests::observation::{DONE_FAILURE, DONE_SUCCESS, Finish, RUNS};
use pleach_tests::reference::Leave;
use pleach_tree::{
    Threshold, action, concurrent, parallel, query, reactive_selector, reactive_sequence, sequence,
    succeed, task,
};

use crate::stage::{F, R, S, Stage, tree, visited};

#[test]
fn c1_a_sequence_resumes_at_the_running_child_and_starts_over_after_it_finished() {
    let tree = tree(sequence([task("a"), task("b"), task("c")]));
    let mut stage = Stage::new(&tree, &[("a", "SFSS"), ("b", "RRSS"), ("c", "FFFF")]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (R, vec![0, 1, 2]));
    assert_eq!(seen.state, [(0, 2), (2, RUNS)]);
    let (_, trace) = stage.tick();
    assert_eq!(
        visited(&trace),
        [0, 2],
        "`a` would fail now, but is not asked"
    );
    assert!(trace.visits.iter().all(|visit| !visit.fresh));
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0, 2, 3]));
    assert_eq!(seen.state, []);
    let (_, trace) = stage.tick();
    assert_eq!(visited(&trace), [0, 1, 2, 3]);
    assert!(trace.visits.iter().all(|visit| visit.fresh), "T5");
}

#[test]
fn c1_a_reactive_selector_halts_what_it_no_longer_reaches_behind_all_visits() {
    let tree = tree(reactive_selector([
        query("danger"),
        task("flee"),
        sequence([task("walk"), task("rest")]),
    ]));
    let mut stage = Stage::new(
        &tree,
        &[
            ("danger", "FF"),
            ("flee", "FR"),
            ("walk", "SS"),
            ("rest", "RR"),
        ],
    );
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (R, vec![0, 1, 2, 3, 4, 5]));
    assert_eq!(
        seen.state,
        [(3, 5), (5, RUNS)],
        "reactive parents keep no record"
    );
    stage.log();
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (R, vec![0, 1, 2]));
    assert_eq!(
        trace.halts,
        [3, 5],
        "parents are halted too, in stream order"
    );
    assert_eq!(seen.state, [(2, RUNS)]);
    assert_eq!(
        stage.log(),
        ["enter flee", "run flee", "exit rest Aborted"],
        "L6"
    );
}

#[test]
fn c1_a_reactive_sequence_that_fails_early_halts_its_runner() {
    let tree = tree(reactive_sequence([query("ok"), task("work")]));
    let mut stage = Stage::new(&tree, &[("ok", "SF"), ("work", "RR")]);
    stage.tick();
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, trace.halts), (F, vec![2]));
    assert_eq!(stage.log(), ["enter work", "run work", "exit work Aborted"]);
}

#[test]
fn c3_a_parallel_remembers_its_finished_children_and_a_nested_one_its_own() {
    let tree = tree(parallel(
        Threshold::All,
        Threshold::Count(2),
        [
            task("a"),
            parallel(
                Threshold::All,
                Threshold::All,
                [task("b"), task("c"), task("d")],
            ),
            task("e"),
        ],
    ));
    //                0  1  2: inner, 3, 4, 5; 6
    let answers = [
        ("a", "FRRR"),
        ("b", "SRRR"),
        ("c", "FRRR"),
        ("d", "RRSR"),
        ("e", "RSRR"),
    ];
    let mut stage = Stage::new(&tree, &answers);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (R, vec![0, 1, 2, 3, 4, 5, 6]));
    let inner = [(3, DONE_SUCCESS), (4, DONE_FAILURE), (5, RUNS)];
    assert_eq!(
        seen.state,
        [&[(1, DONE_FAILURE)], &inner[..], &[(6, RUNS)]].concat()
    );
    let (seen, trace) = stage.tick();
    assert_eq!(
        visited(&trace),
        [0, 2, 5, 6],
        "finished children are not visited"
    );
    assert_eq!(
        seen.state,
        [&[(1, DONE_FAILURE)], &inner[..], &[(6, DONE_SUCCESS)]].concat()
    );
    let (seen, trace) = stage.tick();
    // The inner one finished with two successes of three and one failure of three: neither
    // threshold is met, so it fails, and is the outer one's second failure.
    assert_eq!((seen.root, visited(&trace)), (F, vec![0, 2, 5]));
    assert_eq!((seen.state, trace.halts), (vec![], vec![]));
    let (_, trace) = stage.tick();
    assert_eq!(
        visited(&trace),
        [0, 1, 2, 3, 4, 5, 6],
        "nothing is left of the last run"
    );
    assert!(trace.visits.iter().all(|visit| visit.fresh));
}

#[test]
fn c3_a_halted_parallel_forgets_its_finished_children() {
    let tree = tree(reactive_selector([
        query("danger"),
        parallel(Threshold::All, Threshold::Count(1), [task("a"), task("b")]),
    ]));
    let mut stage = Stage::new(&tree, &[("danger", "FSF"), ("a", "SSR"), ("b", "RRR")]);
    let (seen, _) = stage.tick();
    assert_eq!(seen.state, [(3, DONE_SUCCESS), (4, RUNS)]);
    let (seen, trace) = stage.tick();
    assert_eq!(
        (seen.root, seen.state, trace.halts),
        (S, vec![], vec![2, 4])
    );
    let (seen, _) = stage.tick();
    assert_eq!(seen.state, [(3, RUNS), (4, RUNS)]);
}

#[test]
fn c3_failure_is_judged_first_and_only_after_all_visits() {
    let one = Threshold::Count(1);
    let tree = tree(parallel(
        one,
        one,
        [task("a"), task("b"), task("c"), task("d")],
    ));
    let mut stage = Stage::new(&tree, &[("a", "S"), ("b", "F"), ("c", "R"), ("d", "S")]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0, 1, 2, 3, 4]));
    assert_eq!(trace.halts, [3], "running children are halted");
    let log = stage.log();
    assert_eq!(log.last().map(String::as_str), Some("exit c Aborted"));
    assert_eq!(log.len(), 4 * 2 + 3 + 1);
}

#[test]
fn c4_a_concurrent_that_fails_rolls_back_requests_left_of_the_failure() {
    // 1: outstanding when it fails; 3: not reached any more; 2: fails.
    let tree = tree(concurrent([action("left"), query("ok"), action("right")]));
    let mut stage = Stage::new(&tree, &[("ok", "SSFFS")]);
    let (seen, _) = stage.tick();
    assert_eq!((seen.root, seen.launches), (R, vec![0, 1]));
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.launches, seen.continues, seen.cancels),
        (vec![], vec![0, 1], vec![])
    );
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0, 1, 2]));
    assert_eq!(
        (seen.launches, seen.continues, seen.cancels),
        (vec![], vec![], vec![0, 1])
    );
    assert_eq!(
        trace.halts,
        [1, 3],
        "visited or not; the Concurrent itself finished"
    );
    let (seen, trace) = stage.tick();
    // L2: launched and halted within one tick is neither a Launch nor a Cancel.
    assert_eq!(
        (seen.root, seen.launches, seen.cancels),
        (F, vec![], vec![])
    );
    assert_eq!(trace.halts, [1], "it answered Running, and does not run");
    let (seen, _) = stage.tick();
    assert_eq!(
        seen.launches,
        [0, 1],
        "what was rolled back is launched afresh"
    );
}

#[test]
fn c4_a_concurrent_visits_again_what_succeeded() {
    let tree = tree(concurrent([task("a"), task("b")]));
    let mut stage = Stage::new(&tree, &[("a", "SFS"), ("b", "RRS")]);
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.root, seen.state),
        (R, vec![(2, RUNS)]),
        "no memory of `a`"
    );
    let (seen, trace) = stage.tick();
    assert_eq!(
        (seen.root, visited(&trace), trace.halts),
        (F, vec![0, 1], vec![2])
    );
    assert_eq!(stage.tick().0.root, S);
}

#[test]
fn c4_a_result_consumed_before_the_failure_is_no_cancel() {
    let tree = tree(concurrent([action("left"), query("ok")]));
    let mut stage = Stage::new(&tree, &[("ok", "SF")]);
    stage.tick();
    let (seen, trace) = stage.tick_with(&[(0, Finish::Success)]);
    assert_eq!((seen.root, seen.cancels, seen.dropped), (F, vec![], 0));
    assert!(trace.halts.is_empty(), "the action finished");
}

#[test]
fn t4_a_parent_that_finishes_over_a_running_descendant_takes_it_down() {
    // The Succeeder's finish cannot hide a runner; a Parallel's can, several levels up.
    let one = Threshold::Count(1);
    let tree = tree(parallel(
        one,
        Threshold::All,
        [
            sequence([
                succeed(),
                parallel(Threshold::All, one, [task("done"), task("deep")]),
            ]),
            query("enough"),
        ],
    ));
    let mut stage = Stage::new(&tree, &[("done", "SS"), ("deep", "RR"), ("enough", "FS")]);
    let (seen, _) = stage.tick();
    assert_eq!(
        seen.state,
        [(1, 3), (4, DONE_SUCCESS), (5, RUNS), (6, DONE_FAILURE)]
    );
    stage.release(Leave::Unload, &[]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, seen.state), (S, vec![]));
    assert_eq!(trace.halts, [1, 3, 5]);
}
