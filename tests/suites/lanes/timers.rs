//! Deadlines around 35 minutes 47 seconds, where they take 64 bits instead of 32; clocks that jump, and
//! the end of all clocks.

use std::time::Duration;

use pleach_shape::layout::NARROW_MICROS;
use pleach_tree::{Threshold, action, parallel, sequence, wait};
use pleach_vm::{ActorId, Kept, Population, Status};

use crate::crowd::{population, statuses, ways};

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
const MICRO: Duration = Duration::from_micros(1);

fn micros(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

fn deadline(population: &Population, actor: ActorId) -> Option<u64> {
    let state = population.state(actor).expect("it lives");
    state.iter().find_map(|record| match record.kept {
        Kept::Deadline(deadline) => Some(deadline),
        _ => None,
    })
}

/// Waits on both sides of the border, and on it.
fn times() -> [Duration; 9] {
    let minutes = Duration::from_secs(35 * 60);
    [
        MICRO,
        Duration::from_secs(1),
        minutes + Duration::from_secs(47),
        micros(NARROW_MICROS - 1),
        micros(NARROW_MICROS),
        micros(NARROW_MICROS + 1),
        minutes + Duration::from_secs(48),
        micros(u32::MAX.into()),
        micros(1 << 33),
    ]
}

/// D4, to the microsecond, wherever the clock stands when the wait begins.
#[test]
fn a_wait_ends_at_its_time_and_not_a_microsecond_before() {
    let starts = [
        Duration::ZERO,
        MICRO,
        micros(NARROW_MICROS / 2),
        micros(NARROW_MICROS - 1),
        micros(NARROW_MICROS),
        micros(NARROW_MICROS + 1),
        micros(2 * NARROW_MICROS - 1),
        micros(2 * NARROW_MICROS),
        micros(u32::MAX.into()),
        YEAR,
    ];
    for way in ways() {
        for time in times() {
            for start in starts {
                let mut population = population(wait(time), way);
                let actors = population.spawn_many(3).expect("memory");
                let tell = format!("{way:?}: {time:?} from {start:?}");
                population.tick(start);
                let running = [Some(Status::Running); 3];
                assert_eq!(statuses(&population, &actors), running, "{tell}");
                let end = (start + time).as_micros() as u64;
                assert_eq!(deadline(&population, actors[2]), Some(end), "{tell}");
                population.tick(time - MICRO);
                assert_eq!(statuses(&population, &actors), running, "{tell}, before");
                population.tick(MICRO);
                let over = [Some(Status::Success); 3];
                assert_eq!(statuses(&population, &actors), over, "{tell}, then");
            }
        }
    }
}

/// Many starts in one block, each at another distance from the block's epoch.
#[test]
fn deadlines_of_many_starts_come_one_after_another() {
    const STEP: u64 = NARROW_MICROS / 5;
    for way in ways() {
        let mut population = population(wait(micros(NARROW_MICROS)), way);
        let actors = population.spawn_many(23).expect("memory");
        for &actor in &actors {
            population.unload(actor).expect("it lives");
        }
        let mut ends = Vec::new();
        for tick in 1..40u64 {
            way.prepare(&mut population, tick);
            if let Some(&actor) = actors.get(ends.len()) {
                population.load(actor).expect("it lives");
                ends.push(tick * STEP + NARROW_MICROS);
            }
            population.tick(micros(STEP));
            for (&actor, end) in actors.iter().zip(&mut ends) {
                let now = tick * STEP;
                let status = population.status(actor).expect("it lives");
                if now >= *end {
                    assert_eq!(status, Some(Status::Success), "{way:?}, {now}");
                    // It starts anew in the next tick.
                    *end = now + STEP + NARROW_MICROS;
                } else if now + NARROW_MICROS >= *end {
                    assert_eq!(status, Some(Status::Running), "{way:?}, {now}");
                    assert_eq!(deadline(&population, actor), Some(*end), "{way:?}");
                }
            }
        }
    }
}

#[test]
fn jumps_of_hours_and_years_end_all_waits_and_only_those() {
    let jumps = [
        Duration::from_secs(60 * 60),
        Duration::from_secs(5 * 60 * 60),
        micros(u32::MAX.into()),
        micros(1 << 32),
        YEAR,
        100 * YEAR,
    ];
    for way in ways() {
        for jump in jumps {
            let tree = parallel(
                Threshold::All,
                Threshold::All,
                times().map(|time| sequence([wait(time), action("end")])),
            );
            let mut population = population(tree, way);
            population.spawn_many(30).expect("memory");
            population.tick(MICRO);
            assert_eq!(population.requests().iter().count(), 0);
            for (tick, past) in [jump, 2 * jump].into_iter().enumerate() {
                way.prepare(&mut population, tick as u64);
                population.tick(jump);
                let over = times().into_iter().filter(|&time| time <= past).count();
                let ended = population.requests().iter().count();
                assert_eq!(ended, 30 * over, "{way:?}: {past:?}");
            }
        }
    }
}

/// The clock stands still at its end, and there all waits are over.
#[test]
fn at_the_clocks_end_all_waits_are_over() {
    for way in ways() {
        for time in times() {
            for left in [0, 1, 2, NARROW_MICROS, 1 << 34] {
                let tell = format!("{way:?}: {time:?}, {left} left");
                let mut population = population(wait(time), way);
                let actors = population.spawn_many(2).expect("memory");
                population.tick(micros(u64::MAX - left));
                let begins = if left == 0 {
                    Status::Success
                } else {
                    Status::Running
                };
                let expected = [Some(begins); 2];
                assert_eq!(statuses(&population, &actors), expected, "{tell}");
                population.tick(Duration::MAX);
                let expected = [Some(Status::Success); 2];
                assert_eq!(statuses(&population, &actors), expected, "{tell}");
                population.tick(YEAR);
                assert_eq!(statuses(&population, &actors), expected, "{tell}");
                assert_eq!(population.report().now, micros(u64::MAX));
            }
        }
    }
}

/// An epoch that moved on while actors did not tick: what had passed has passed.
#[test]
fn deadlines_that_pass_unseen_have_passed() {
    use pleach_vm::Interval;
    for way in ways() {
        let mut population = population(wait(Duration::from_secs(10)), way);
        let actors = population.spawn_many(2).expect("memory");
        population.tick(Duration::from_secs(1));
        let never = Interval::new(1_000, 0);
        population.set_interval(actors[0], never).expect("it lives");
        for tick in 2..1_000 {
            population.tick(Duration::from_secs(60));
            let status = population.status(actors[0]).expect("it lives");
            assert_eq!(status, Some(Status::Running), "{way:?}, tick {tick}");
        }
        population.tick(Duration::ZERO);
        let status = population.status(actors[0]).expect("it lives");
        assert_eq!(status, Some(Status::Success), "{way:?}");
    }
}
