//! What nodes of task trees do, one test a sentence.

use std::time::Duration;

use pleach::task::{
    Policy, Progress, Status, Tree, fail, failer, invert, parallel, selector, sequence, succeed,
    succeeder, task, wait,
};

mod stage;

use stage::{Def, SECOND, Stage, asks, scripted};

fn said(status: char, diary: &str) -> (char, String) {
    (status, diary.into())
}

#[test]
fn a_sequence_runs_children_in_order_until_one_fails() {
    let mut stage = Stage::new(sequence([
        scripted("a", "S"),
        scripted("b", "SF"),
        scripted("c", "S"),
    ]));
    let all = "a> a a:success b> b b:success c> c c:success";
    assert_eq!(stage.tick(), said('S', all));
    assert_eq!(stage.tick(), said('F', "a> a a:success b> b b:failure"));
}

#[test]
fn a_sequence_picks_up_where_it_left_off() {
    let mut stage = Stage::new(sequence([
        asks("seen", "SFFF"),
        scripted("a", "RRSS"),
        scripted("b", "S"),
    ]));
    assert_eq!(stage.tick(), said('R', "seen a> a"));
    // What came before is not asked again.
    assert_eq!(stage.tick(), said('R', "a"));
    assert_eq!(stage.tick(), said('S', "a a:success b> b b:success"));
    assert_eq!(stage.tick(), said('F', "seen"));
}

#[test]
fn a_selector_runs_children_in_order_until_one_succeeds() {
    let mut stage = Stage::new(selector([
        scripted("a", "F"),
        scripted("b", "SF"),
        scripted("c", "F"),
    ]));
    assert_eq!(stage.tick(), said('S', "a> a a:failure b> b b:success"));
    let all = "a> a a:failure b> b b:failure c> c c:failure";
    assert_eq!(stage.tick(), said('F', all));
}

#[test]
fn a_selector_resets_a_later_child_when_a_higher_one_takes_over() {
    // By running, and by succeeding.
    for (script, status, takes_over) in [("FFR", 'R', "a> a"), ("FFS", 'S', "a> a a:success")] {
        let mut stage = Stage::new(selector([
            scripted("a", script),
            sequence([succeed(), scripted("b", "R")]),
        ]));
        assert_eq!(stage.tick(), said('R', "a> a a:failure b> b"));
        assert_eq!(stage.tick(), said('R', "a> a a:failure b"));
        let expected = format!("{takes_over} b:aborted");
        assert_eq!(stage.tick(), said(status, &expected));
    }
}

#[test]
fn a_child_that_was_reset_starts_afresh() {
    let mut stage = Stage::new(selector([
        asks("alarm", "FFSFFF"),
        sequence([wait(2.0), scripted("rested", "S")]),
    ]));
    let ticks: Vec<(char, String)> = (0..6).map(|_| stage.tick()).collect();
    assert_eq!(
        ticks[2..],
        [
            said('S', "alarm"),
            said('R', "alarm"),
            said('R', "alarm"),
            said('S', "alarm rested> rested rested:success"),
        ]
    );
}

#[test]
fn a_parallel_ticks_every_child_each_tick_until_it_has_finished() {
    let mut stage = Stage::new(parallel(
        [scripted("a", "SRR"), scripted("b", "RRS"), asks("c", "S")],
        None,
    ));
    assert_eq!(stage.tick(), said('R', "a> a a:success b> b c"));
    assert_eq!(stage.tick(), said('R', "b"));
    assert_eq!(stage.tick(), said('S', "b b:success"));
    // It has finished, so it starts over.
    assert_eq!(stage.tick(), said('R', "a> a a:success b> b c"));
}

#[test]
fn a_parallel_fails_once_one_child_has_failed_and_resets_the_others() {
    let mut stage = Stage::new(parallel(
        [
            scripted("a", "R"),
            scripted("b", "RF"),
            sequence([scripted("c", "R")]),
        ],
        Policy::default(),
    ));
    assert_eq!(stage.tick(), said('R', "a> a b> b c> c"));
    let ends = "a b b:failure c a:aborted c:aborted";
    assert_eq!(stage.tick(), said('F', ends));
}

#[test]
fn a_parallel_succeeds_once_enough_children_have_succeeded() {
    let two = Policy {
        success: Some(2),
        failure: Some(2),
    };
    let children = |scripts: [&'static str; 3]| -> Def {
        let names = ["a", "b", "c"];
        let children = names.into_iter().zip(scripts);
        parallel(children.map(|(name, script)| scripted(name, script)), two)
    };
    let statuses = |scripts| Stage::new(children(scripts)).statuses(2);
    assert_eq!(statuses(["SR", "RS", "RR"]), "RS");
    assert_eq!(statuses(["FR", "RS", "RS"]), "RS");
    assert_eq!(statuses(["FR", "RS", "RF"]), "RF");
    // Failure is judged first.
    let either = Policy {
        success: Some(1),
        failure: Some(1),
    };
    let mut stage = Stage::new(parallel([scripted("a", "S"), scripted("b", "F")], either));
    assert_eq!(stage.statuses(1), "F");
    // And when all have finished and neither threshold is met, it fails.
    let unmet = Policy {
        success: Some(2),
        failure: Some(2),
    };
    let mut stage = Stage::new(parallel([scripted("a", "S"), scripted("b", "F")], unmet));
    assert_eq!(stage.statuses(1), "F");
}

#[test]
fn invert_succeeder_and_failer_map_what_has_finished() {
    let statuses = |def| Stage::new(def).statuses(3);
    assert_eq!(statuses(invert(scripted("a", "SFR"))), "FSR");
    assert_eq!(statuses(succeeder(scripted("a", "SFR"))), "SSR");
    assert_eq!(statuses(failer(scripted("a", "SFR"))), "FFR");
}

#[test]
fn succeed_and_fail_always_do() {
    assert_eq!(Stage::new(succeed()).statuses(2), "SS");
    assert_eq!(Stage::new(fail()).statuses(2), "FF");
}

#[test]
fn a_condition_is_success_when_it_holds_and_failure_otherwise() {
    assert_eq!(Stage::new(asks("a", "SFS")).statuses(3), "SFS");
}

#[test]
fn a_wait_runs_for_its_seconds_and_then_succeeds() {
    // The tick that starts it counts nothing.
    assert_eq!(Stage::new(wait(2.0)).statuses(6), "RRSRRS");
    assert_eq!(Stage::new(wait(0.0)).statuses(2), "SS");
    let mut stage = Stage::new(wait(0.3));
    let tenth = Duration::from_millis(100);
    let statuses = [tenth; 4].map(|dt| stage.tick_for(dt));
    let [running, success] = [Status::Running, Status::Success];
    assert_eq!(statuses, [running, running, running, success]);
    // A long tick is over at once, and a long wait lasts.
    let mut stage = Stage::new(wait(100.0 * 365.0 * 86_400.0));
    assert_eq!(stage.tick_for(SECOND), running);
    assert_eq!(stage.tick_for(SECOND * 86_400 * 365 * 99), running);
    assert_eq!(stage.tick_for(SECOND * 86_400 * 365), success);
}

#[test]
fn enter_comes_on_the_first_tick_of_a_run_and_exit_when_it_has_finished() {
    let mut stage = Stage::new(scripted("a", "RRSRF"));
    assert_eq!(stage.tick(), said('R', "a> a"));
    assert_eq!(stage.tick(), said('R', "a"));
    assert_eq!(stage.tick(), said('S', "a a:success"));
    assert_eq!(stage.tick(), said('R', "a> a"));
    assert_eq!(stage.tick(), said('F', "a a:failure"));
}

#[test]
fn run_is_told_the_time_of_its_tick() {
    let dts = task(|_: &mut (), dts: &mut Vec<Duration>, dt| {
        dts.push(dt);
        Status::Running
    });
    let tree = Tree::compile(dts).unwrap();
    let (mut progress, mut found) = (Progress::default(), Vec::new());
    let expected = [0, 1, 16_666_667, 3_600_000_000_000].map(Duration::from_nanos);
    for dt in expected {
        tree.tick(&mut progress, &mut (), &mut found, dt);
    }
    assert_eq!(found, expected);
}

#[test]
fn a_reset_aborts_running_tasks_in_order_and_the_next_tick_starts_afresh() {
    let mut stage = Stage::new(parallel(
        [
            scripted("a", "R"),
            sequence([scripted("b", "S"), scripted("c", "R")]),
            wait(2.0),
        ],
        None,
    ));
    // Nothing runs yet.
    assert_eq!(stage.reset(), "");
    let starts = "a> a b> b b:success c> c";
    assert_eq!(stage.tick(), said('R', starts));
    assert_eq!(stage.reset(), "a:aborted c:aborted");
    assert_eq!(stage.reset(), "");
    assert_eq!(stage.tick(), said('R', starts));
}

#[test]
fn the_last_status_is_what_the_last_tick_gave() {
    let mut stage = Stage::new(scripted("a", "RSF"));
    let last = |stage: &Stage| {
        let status = stage.tree.last_status(&stage.progress);
        assert_eq!(status, stage.progress.last_status());
        status
    };
    assert_eq!(last(&stage), None);
    for status in [Status::Running, Status::Success, Status::Failure] {
        stage.tick();
        assert_eq!(last(&stage), Some(status));
    }
    stage.reset();
    assert_eq!(last(&stage), None);
    // A progress that has its memory has not started either.
    let progress = stage.tree.progress();
    assert_eq!(stage.tree.last_status(&progress), None);
}

#[test]
fn one_tree_drives_many_agents_each_with_its_own_progress() {
    let tree: Tree<'_, u64, Vec<u64>> = Tree::compile(sequence([
        wait(3.0),
        task(|agent: &mut u64, done: &mut Vec<u64>, _| {
            done.push(*agent);
            Status::Success
        }),
    ]))
    .unwrap();
    let mut agents: Vec<(u64, Progress)> = (0..100).map(|n| (n, Progress::default())).collect();
    let mut done = Vec::new();
    for tick in 0..103u64 {
        // One more starts in each tick.
        for (agent, progress) in agents.iter_mut().filter(|(agent, _)| *agent <= tick) {
            if tree.last_status(progress) != Some(Status::Success) {
                tree.tick(progress, agent, &mut done, SECOND);
            }
        }
        let expected: Vec<u64> = (0..(tick + 1).saturating_sub(3)).collect();
        assert_eq!(done, expected);
    }
}
