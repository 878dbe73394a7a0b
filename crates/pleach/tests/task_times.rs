//! Cooldowns, time-outs and delays in task trees.

use pleach::task::{cooldown, delay, selector, sequence, timeout, wait};

mod stage;

use stage::{SECOND, Stage, asks, scripted};

fn said(status: char, diary: &str) -> (char, String) {
    (status, diary.into())
}

#[test]
fn a_cooldown_fails_for_its_seconds_without_running_the_child() {
    let mut stage = Stage::new(cooldown(scripted("a", "S"), 3.0));
    assert_eq!(stage.tick(), said('S', "a> a a:success"));
    assert_eq!(stage.tick(), said('F', ""));
    assert_eq!(stage.tick(), said('F', ""));
    assert_eq!(stage.tick(), said('S', "a> a a:success"));
    // After a failure as well.
    let mut stage = Stage::new(cooldown(scripted("a", "F"), 2.0));
    assert_eq!(stage.tick(), said('F', "a> a a:failure"));
    assert_eq!(stage.tick(), said('F', ""));
    assert_eq!(stage.tick(), said('F', "a> a a:failure"));
}

#[test]
fn a_cooldown_begins_when_the_child_finishes() {
    let mut stage = Stage::new(cooldown(scripted("a", "RRRS"), 2.0));
    assert_eq!(stage.statuses(4), "RRRS");
    assert_eq!(stage.tick(), said('F', ""));
    assert_eq!(stage.tick(), said('R', "a> a"));
}

#[test]
fn a_cooldown_goes_on_whatever_the_tree_does_and_a_reset_forgets_it() {
    let mut stage = Stage::new(selector([
        asks("busy", "FSSF"),
        cooldown(scripted("a", "S"), 5.0),
        wait(60.0),
    ]));
    assert_eq!(stage.tick(), said('S', "busy a> a a:success"));
    // The selector does not come by here.
    assert_eq!(stage.statuses(2), "SS");
    assert_eq!(stage.tick(), said('R', "busy"));
    assert_eq!(stage.tick(), said('R', "busy"));
    stage.reset();
    stage.agent.ticks = 3;
    assert_eq!(stage.tick(), said('S', "busy a> a a:success"));
}

#[test]
fn a_child_that_is_interrupted_starts_no_cooldown() {
    let mut stage = Stage::new(selector([
        asks("busy", "FSF"),
        cooldown(scripted("a", "R"), 60.0),
    ]));
    assert_eq!(stage.tick(), said('R', "busy a> a"));
    assert_eq!(stage.tick(), said('S', "busy a:aborted"));
    assert_eq!(stage.tick(), said('R', "busy a> a"));
}

#[test]
fn a_timeout_fails_and_resets_a_child_that_still_runs() {
    let mut stage = Stage::new(timeout(sequence([scripted("a", "R")]), 2.0));
    assert_eq!(stage.tick(), said('R', "a> a"));
    assert_eq!(stage.tick(), said('R', "a"));
    assert_eq!(stage.tick(), said('F', "a a:aborted"));
    assert_eq!(stage.tick(), said('R', "a> a"));
}

#[test]
fn a_child_that_finishes_in_time_or_just_then_gives_its_own_answer() {
    let statuses = |script| Stage::new(timeout(scripted("a", script), 2.0)).statuses(3);
    assert_eq!(statuses("RSR"), "RSR");
    assert_eq!(statuses("RRS"), "RRS");
    assert_eq!(statuses("RRF"), "RRF");
    // The time of an earlier run does not count.
    assert_eq!(
        Stage::new(timeout(scripted("a", "RSRRS"), 2.0)).statuses(5),
        "RSRRS"
    );
}

#[test]
fn a_delay_runs_its_child_when_its_seconds_are_over() {
    let mut stage = Stage::new(delay(scripted("a", "SSRRS"), 2.0));
    assert_eq!(stage.tick(), said('R', ""));
    assert_eq!(stage.tick(), said('R', ""));
    assert_eq!(stage.tick(), said('R', "a> a"));
    // A child that runs is not delayed again.
    assert_eq!(stage.tick(), said('R', "a"));
    assert_eq!(stage.tick(), said('S', "a a:success"));
    assert_eq!(stage.tick(), said('R', ""));
}

#[test]
fn a_delay_that_was_interrupted_begins_again() {
    let mut stage = Stage::new(selector([
        asks("busy", "FFSFFF"),
        delay(scripted("a", "S"), 2.0),
    ]));
    assert_eq!(stage.statuses(6), "RRSRRS");
}

#[test]
fn no_time_at_all_is_over_at_once() {
    assert_eq!(
        Stage::new(cooldown(scripted("a", "S"), 0.0)).statuses(3),
        "SSS"
    );
    assert_eq!(
        Stage::new(delay(scripted("a", "S"), 0.0)).statuses(3),
        "SSS"
    );
    assert_eq!(
        Stage::new(timeout(scripted("a", "R"), 0.0)).statuses(3),
        "FFF"
    );
}

#[test]
fn hours_and_years_are_counted_as_well() {
    let year = 365.0 * 86_400.0;
    let mut stage = Stage::new(cooldown(scripted("a", "S"), 10.0 * year));
    let mut tick = |seconds: f64| stage.tick_for(SECOND.mul_f64(seconds));
    let statuses = [tick(1.0), tick(9.0 * year), tick(year - 1.0), tick(1.0)];
    let letters: String = statuses.map(stage::status_letter).iter().collect();
    assert_eq!(letters, "SFFS");
}
