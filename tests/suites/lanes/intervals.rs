//! Intervals: an actor of every k-th tick does what an actor of a population does that is ticked every
//! k-th tick, with all the time in between; and nothing else.

use std::time::Duration;

use pleach_tests::generate::{
    Script, compound_tree, draw, tree_from_seed, tree_without_draws, tree_without_draws_from_seed,
};
use pleach_tree::Tree;
use pleach_vm::{ActorId, Interval, Kept, Kernel, RequestKind};
use proptest::prelude::*;

use crate::crowd::{Glance, Way, glances, ways};
use crate::requests::planes_say_the_same;
use crate::scripted::{Called, Scripted};

const TICKS: u64 = 36;

/// What actors of one interval do, in each tick of theirs.
type Turns = Vec<Vec<(Glance, Vec<Called>)>>;

const INTERVALS: [Interval; 8] = [
    Interval::ALWAYS,
    Interval::new(2, 0),
    Interval::new(2, 1),
    Interval::new(3, 2),
    Interval::new(5, 0),
    Interval::new(7, 3),
    Interval::new(1, 0),
    Interval::new(16, 9),
];

/// The interval of a place: side by side, and in runs.
fn interval(seed: u64, place: usize) -> Interval {
    let run = (place / 70) as u64;
    let pick = match run % 2 {
        0 => place as u64,
        _ => draw(seed, &[run]),
    };
    INTERVALS[(pick % INTERVALS.len() as u64) as usize]
}

fn dt(script: Script, tick: u64) -> Duration {
    Duration::from_micros(script.dt(tick))
}

/// The script's data, and a way back for those that an abort took out.
fn feed(scripted: &mut Scripted, actor: ActorId, tick: u64) {
    scripted.feed(actor, tick);
    if tick.is_multiple_of(3) {
        scripted.population.load(actor).expect("it lives");
    }
}

/// A population that is ticked in the turns of one interval only.
fn turns_alone(tree: &Tree, script: Script, actors: usize, interval: Interval) -> Turns {
    let way = Way::of(Kernel::PureStream);
    let mut scripted = Scripted::new(tree, script, way, (actors, false));
    let all = scripted.population.spawn_many(actors).expect("memory");
    let mut turns = Vec::new();
    let mut since = Duration::ZERO;
    for tick in 0..TICKS {
        for &actor in &all {
            feed(&mut scripted, actor, tick);
        }
        since += dt(script, tick);
        if interval.is_due(tick + 1) {
            scripted.tick(tick, std::mem::take(&mut since));
            let seen = glances(&scripted.population, &all).into_iter();
            let calls = all.iter().map(|&actor| scripted.calls(actor));
            turns.push(seen.zip(calls).collect());
        }
    }
    turns
}

/// What is left of a glance whatever the time: a Cooldown is over when its time is, seen or unseen.
fn but_for_time(mut glance: Glance) -> Glance {
    let cools = |kept| matches!(kept, Kept::Cooling(_));
    glance.state.retain(|record| !cools(record.kept));
    glance
}

fn as_if_alone(
    tree: &Tree,
    script: Script,
    actors: usize,
    ways: &[Way],
) -> Result<(), TestCaseError> {
    let alone = INTERVALS.map(|interval| turns_alone(tree, script, actors, interval));
    for &way in ways {
        let mut scripted = Scripted::new(tree, script, way, (actors, false));
        let all = scripted.population.spawn_many(actors).expect("memory");
        for (place, &actor) in all.iter().enumerate() {
            let interval = interval(script.seed, place);
            let population = &mut scripted.population;
            population.set_interval(actor, interval).expect("it lives");
            prop_assert_eq!(population.interval(actor), Ok(interval));
        }
        let mut turns = vec![0; actors];
        for tick in 0..TICKS {
            for &actor in &all {
                feed(&mut scripted, actor, tick);
            }
            let before = glances(&scripted.population, &all);
            // An abort may have taken it out.
            let loaded: Vec<bool> = all
                .iter()
                .map(|&actor| scripted.population.is_loaded(actor))
                .collect();
            way.prepare(&mut scripted.population, tick);
            scripted.tick(tick, dt(script, tick));
            let after = glances(&scripted.population, &all);
            planes_say_the_same(&scripted.population);
            let mut due = 0;
            for (place, (after, before)) in after.into_iter().zip(before).enumerate() {
                let interval = interval(script.seed, place);
                let calls = scripted.calls(all[place]);
                let tell = format!("{way:?}, tick {tick}, place {place}, {interval:?}");
                if interval.is_due(tick + 1) {
                    let kind = INTERVALS.iter().position(|&known| known == interval);
                    let turn = &alone[kind.expect("one of them")][turns[place]];
                    prop_assert_eq!(&(after, calls), &turn[place], "{}", tell);
                    turns[place] += 1;
                    due += u64::from(loaded[place]);
                } else {
                    // The last requests can no longer be read; all else stays.
                    let expected = Glance {
                        requests: Vec::new(),
                        ..before
                    };
                    let (after, expected) = (but_for_time(after), but_for_time(expected));
                    prop_assert_eq!(&after, &expected, "{}", tell);
                    prop_assert_eq!(calls, Vec::new(), "{}", tell);
                }
            }
            prop_assert_eq!(scripted.population.report().counts.ticked, due);
        }
    }
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: pleach_tests::cases(cases),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn each_actor_does_in_its_turns_what_it_would_do_alone(
        tree in tree_without_draws(),
        seed in any::<u64>(),
        actors in 1usize..24,
    ) {
        as_if_alone(&tree, Script { seed }, actors, &ways())?;
    }

    /// What compound nodes remember, too, waits for its actor's turn.
    #[test]
    fn compound_nodes_take_turns(tree in compound_tree(), seed in any::<u64>(), actors in 1usize..24) {
        as_if_alone(&tree, Script { seed }, actors, &ways())?;
    }
}

#[test]
fn intervals_side_by_side_in_several_blocks() {
    for seed in [2, 9] {
        let played = as_if_alone(
            &tree_without_draws_from_seed(seed),
            Script { seed },
            1_100,
            &ways(),
        );
        played.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Whole blocks by `stagger` and `set_block_interval`: each in its turn, and everybody there.
#[test]
fn blocks_take_turns() {
    let (tree, script) = (tree_from_seed(4), Script { seed: 6 });
    let actors = 3 * 512 + 1;
    for way in [Way::of(Kernel::Lanes), Way::of(Kernel::Auto)] {
        let mut scripted = Scripted::new(&tree, script, way, (actors, false));
        let all = scripted.population.spawn_many(actors).expect("memory");
        scripted.population.stagger(3);
        let of = |scripted: &Scripted, place: usize| scripted.population.interval(all[place]);
        for (block, phase) in [0, 1, 2, 0].into_iter().enumerate() {
            assert_eq!(of(&scripted, block * 512), Ok(Interval::new(3, phase)));
        }
        assert!(
            scripted
                .population
                .set_block_interval(3, Interval::new(4, 1))
        );
        assert!(!scripted.population.set_block_interval(4, Interval::ALWAYS));
        for tick in 1..=12u64 {
            scripted.tick(tick - 1, Duration::from_micros(7));
            let blocks = [
                tick.is_multiple_of(3),
                tick % 3 == 2,
                tick % 3 == 1,
                tick % 4 == 3,
            ];
            let places: Vec<u64> = vec![512, 512, 512, 1];
            let due = places.into_iter().zip(blocks).filter(|(_, due)| *due);
            let expected: u64 = due.map(|(places, _)| places).sum();
            let counts = scripted.population.report().counts;
            assert_eq!(counts.ticked, expected, "{way:?}, tick {tick}");
            for (block, due) in blocks.into_iter().enumerate() {
                let asks = scripted.population.requests().iter();
                let mut asks = asks.filter(|request| request.actor.block() == block);
                assert!(due || asks.next().is_none(), "{way:?}, tick {tick}");
            }
        }
    }
}

/// The actor's own last tick counts, whoever shares its new interval.
#[test]
fn an_interval_that_changes_loses_no_time_and_makes_none_up() {
    use crate::crowd::population;
    use pleach_tree::{sequence, task};
    use pleach_vm::{Call, Status};
    use std::sync::{Arc, Mutex};

    for way in ways() {
        let mut population = population(sequence([task("look")]), way);
        let told: Arc<Mutex<Vec<(ActorId, Duration)>>> = Arc::default();
        let notes = told.clone();
        let look = move |call: &mut Call<'_>| {
            let mut told = notes.lock().expect("no panics here");
            told.push((call.actor(), call.dt()));
            Status::Success
        };
        population.on_task("look", look).expect("the tree calls it");
        let actors = population.spawn_many(12).expect("memory");
        let mut last = vec![Duration::ZERO; actors.len()];
        let mut now = Duration::ZERO;
        for tick in 1..200u64 {
            for (place, &actor) in actors.iter().enumerate() {
                let bits = draw(5, &[tick, place as u64]);
                if bits.is_multiple_of(6) {
                    let pick = (bits >> 8) as usize % INTERVALS.len();
                    let changed = population.set_interval(actor, INTERVALS[pick]);
                    changed.expect("it lives");
                }
            }
            let dt = Duration::from_micros(tick);
            now += dt;
            population.tick(dt);
            for (actor, dt) in told.lock().expect("no panics here").drain(..) {
                let last = &mut last[actor.index() as usize];
                assert_eq!(dt, now - *last, "{way:?}, tick {tick}, {actor}");
                *last = now;
            }
        }
    }
}

/// L2: between two turns an action goes on without being asked for, and its result waits.
#[test]
fn a_result_waits_for_the_actors_turn() {
    use crate::crowd::{DT, population, statuses, wanted};
    use pleach_tree::{action, sequence};
    use pleach_vm::{Outcome, ResultError, Status};

    for way in ways() {
        let mut population = population(sequence([action("a"), action("b")]), way);
        let actors = population.spawn_many(2).expect("memory");
        let (slow, fast) = (actors[0], actors[1]);
        let every_third = Interval::new(3, 0);
        population
            .set_interval(slow, every_third)
            .expect("it lives");
        let slot = population.slots("a")[0];
        let ask = |action: &str, place, kind| (action.to_owned(), place, kind);
        for tick in 1..=9u64 {
            way.prepare(&mut population, tick);
            if tick == 4 {
                let result = population.set_result(slow, slot, Outcome::Success);
                assert_eq!(result, Ok(()));
            }
            if tick == 5 {
                let result = population.set_result(slow, slot, Outcome::Failure);
                let twice = Err(ResultError::AlreadyAnswered(slow, slot));
                assert_eq!(result, twice);
            }
            population.tick(DT);
            let slows = match tick {
                3 => vec![ask("a", 0, RequestKind::Launch)],
                6 => vec![ask("b", 0, RequestKind::Launch)],
                9 => vec![ask("b", 0, RequestKind::Continue)],
                _ => vec![],
            };
            let found = wanted(&population).into_iter();
            let (found, fasts): (Vec<_>, Vec<_>) = found.partition(|(_, place, _)| *place == 0);
            assert_eq!(found, slows, "{way:?}, tick {tick}");
            assert_eq!(fasts.len(), 1);
            let status = statuses(&population, &[slow])[0];
            let expected = (tick >= 3).then_some(Status::Running);
            assert_eq!(status, expected, "{way:?}, tick {tick}");
            assert!(population.is_loaded(fast));
            assert_eq!(population.report().counts.results_dropped, 0);
        }
    }
}
