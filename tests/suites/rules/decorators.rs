//! Decorators: D2 to D6, and what is persistent.

use pleach_shape::Value;
use pleach_tests::observation::{
    COOLING_BASE, COUNT_BASE, Finish, ONCE_FAILURE, ONCE_SUCCESS, RUNS,
};
use pleach_tests::reference::Leave;
use pleach_tree::{
    NodeDef, Threshold, abort_when, action, concurrent, cooldown, delay, done_when, idle, parallel,
    repeat, repeat_regardless, repeat_until_failure, repeat_until_success, run_once, run_while,
    sequence, set, succeed, succeeder, task, timeout, when,
};

use crate::stage::{DT, F, R, S, Stage, letters, time, tree, visited};

#[test]
fn d2_loops_run_an_iteration_a_tick_and_end_in_that_of_the_last() {
    let a = || task("a");
    for (found, expected) in [
        (letters(repeat(a(), 3), &[("a", "SRSSSSF")], 7), "RRRSRRF"),
        (letters(repeat(a(), None), &[("a", "SSSSF")], 5), "RRRRF"),
        (
            letters(repeat_regardless(a(), 3), &[("a", "SFFFFS")], 6),
            "RRSRRS",
        ),
        (
            letters(repeat_until_failure(a(), 2), &[("a", "SSSF")], 4),
            "RSRF",
        ),
        (
            letters(repeat_until_success(a(), 2), &[("a", "FFFS")], 4),
            "RFRS",
        ),
        (
            letters(repeat_until_success(a(), None), &[("a", "FFRFS")], 5),
            "RRRRS",
        ),
        (letters(repeat(a(), 1), &[("a", "SSF")], 3), "SSF"),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn d2_a_loop_counts_from_running_to_running() {
    let tree = tree(repeat(task("a"), 3));
    let mut stage = Stage::new(&tree, &[("a", "SRSR")]);
    assert_eq!(stage.tick().0.state, [(0, RUNS), (0, COUNT_BASE + 1)]);
    assert_eq!(
        stage.tick().0.state,
        [(0, 1), (0, COUNT_BASE + 1), (1, RUNS)]
    );
    assert_eq!(stage.tick().0.state, [(0, RUNS), (0, COUNT_BASE + 2)]);
    stage.release(Leave::Unload, &[]);
    assert_eq!(
        stage.tick().0.state,
        [(0, 1), (0, COUNT_BASE), (1, RUNS)],
        "T4"
    );
}

#[test]
fn d3_a_cooldown_counts_from_the_finish_and_outlives_an_unload_but_no_reset() {
    let tree = tree(cooldown(task("a"), time(2)));
    let mut stage = Stage::new(&tree, &[("a", "RFSSSSSS")]);
    assert_eq!(stage.tick().0.root, R);
    let (seen, _) = stage.tick();
    assert_eq!(
        (seen.root, seen.state),
        (F, vec![(0, COOLING_BASE + 4 * DT)])
    );
    stage.release(Leave::Unload, &[]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0]), "not visited");
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (S, vec![0, 1]), "elapsed ≥ t");
    assert_eq!(stage.tick().0.root, F);
    stage.release(Leave::Reset, &[]);
    assert_eq!(stage.actor.state(), []);
    assert_eq!(stage.tick().0.root, S);
}

#[test]
fn d3_a_halted_child_starts_no_cooldown() {
    let tree = tree(cooldown(task("a"), time(5)));
    let mut stage = Stage::new(&tree, &[("a", "RS")]);
    stage.tick();
    stage.release(Leave::Unload, &[]);
    assert_eq!(stage.actor.state(), []);
    assert_eq!(stage.tick().0.root, S);
}

#[test]
fn d4_a_timeout_visits_its_child_first_and_halts_it_within_the_tick() {
    let tree = tree(timeout(concurrent([task("a"), action("b")]), time(2)));
    let mut stage = Stage::new(&tree, &[("a", "RRRR")]);
    let (seen, _) = stage.tick();
    assert_eq!((seen.root, seen.launches), (R, vec![0]));
    assert_eq!(seen.state, [(0, 1), (0, 3 * DT), (2, RUNS)]);
    stage.tick();
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0, 1, 2, 3]));
    assert_eq!((trace.halts, seen.cancels), (vec![1, 2, 3], vec![0]));
    let answers = [("a", "RRS")];
    assert_eq!(
        letters(timeout(task("a"), time(2)), &answers, 3),
        "RRS",
        "its own answer wins"
    );
    assert_eq!(letters(timeout(task("a"), time(0)), &answers, 3), "FFS");
    // Launched and halted within one tick: neither.
    assert_eq!(letters(timeout(action("b"), time(0)), &[], 2), "FF");
}

#[test]
fn d4_a_delay_counts_from_its_first_visit_and_once() {
    let answers = [("a", "xxRRSxxS")];
    assert_eq!(letters(delay(task("a"), time(2)), &answers, 8), "RRRRSRRS");
    assert_eq!(
        letters(delay(task("a"), time(0)), &[("a", "SRF")], 3),
        "SRF"
    );
    let tree = tree(delay(task("a"), time(1)));
    let mut stage = Stage::new(&tree, &[("a", "xR")]);
    assert_eq!(stage.tick().0.state, [(0, 2 * DT)]);
    assert_eq!(stage.tick().0.state, [(0, 1), (1, RUNS)]);
}

/// Ticks a guard over a running task with the flag as the letters say, `1` for true.
fn guarded(guard: fn(NodeDef) -> NodeDef, flags: &str) -> (String, Vec<String>) {
    let tree = tree(guard(task("a")));
    let mut stage = Stage::new(&tree, &[("a", "RRRRRRRR")]);
    let roots = flags.chars().map(|flag| {
        stage.columns[0] = Value::Bool(flag == '1');
        stage.tick().0.root.map_or('-', |root| root.letter())
    });
    (roots.collect(), stage.log())
}

#[test]
fn d5_guards_are_judged_when_they_start_or_in_each_tick() {
    let (found, log) = guarded(|child| when(child, "flag"), "0100");
    assert_eq!((found.as_str(), log.len()), ("FRRR", 4), "{log:?}");
    let (found, log) = guarded(|child| run_while(child, "flag"), "110");
    assert_eq!(found, "RRF");
    assert_eq!(log, ["enter a", "run a", "run a", "exit a Aborted"]);
    let (found, log) = guarded(|child| done_when(child, "flag"), "001");
    assert_eq!(found, "RRS");
    assert_eq!(log, ["enter a", "run a", "run a", "exit a Aborted"]);
}

#[test]
fn d5_an_abort_halts_everything_and_no_node_above_answers() {
    let root = succeeder(parallel(
        Threshold::All,
        Threshold::All,
        [
            action("before"),
            cooldown(succeed(), time(9)),
            sequence([set("count", "count + 1"), action("fresh")]),
            abort_when(sequence([task("a"), idle()]), "flag"),
            task("behind"),
        ],
    ));
    let tree = tree(root);
    let mut stage = Stage::new(&tree, &[("a", "RR"), ("behind", "RR")]);
    let (seen, _) = stage.tick();
    assert_eq!((seen.root, seen.launches), (R, vec![0, 1]));
    stage.log();
    stage.columns[0] = Value::Bool(true);
    let (seen, trace) = stage.tick_with(&[(1, Finish::Success)]);
    assert_eq!(seen.root, None);
    // The result was used by a visit before the abort; the other action gets its one Cancel.
    assert_eq!((seen.cancels, seen.dropped), (vec![0], 0));
    assert_eq!((seen.launches, seen.continues), (vec![], vec![]));
    assert_eq!(
        seen.state,
        [(3, COOLING_BASE + 10 * DT)],
        "only what is persistent"
    );
    assert_eq!(
        trace.visits.last().map(|visit| visit.index),
        Some(8),
        "nothing behind it"
    );
    let answers: Vec<_> = trace.visits.iter().map(|visit| visit.answer).collect();
    assert_eq!(answers, [None, None, R, S, S, None]);
    assert_eq!(stage.log(), ["exit a Aborted", "exit behind Aborted"]);
    assert_eq!(trace.halts, [0, 1, 2, 8, 9, 10, 12]);
}

#[test]
fn d6_a_run_once_answers_for_ever_what_its_child_answered_until_a_reset() {
    let tree = tree(run_once(task("a")));
    let mut stage = Stage::new(&tree, &[("a", "RFxxS")]);
    assert_eq!(stage.tick().0.state, [(0, 1), (1, RUNS)]);
    assert_eq!(stage.tick().0.state, [(0, ONCE_FAILURE)]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (F, vec![0]));
    stage.release(Leave::Unload, &[]);
    assert_eq!(stage.tick().0.root, F);
    stage.release(Leave::Reset, &[]);
    let (seen, _) = stage.tick();
    assert_eq!((seen.root, seen.state), (S, vec![(0, ONCE_SUCCESS)]));
}
