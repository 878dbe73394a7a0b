//! T3, D3, D4: what nodes with a time do depends on how much of it went by, not on how often their actor is
//! ticked; and it stays right for months. What a Wait draws is even, and nobody else's (T6).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::Status;
use pleach_shape::layout::NARROW_MICROS;
use pleach_tree::{
    NodeDef, Threshold, Tree, compile, cooldown, delay, idle, parallel, repeat_regardless,
    selector, sequence, task, timeout, wait, wait_between,
};
use pleach_vm::{ActorId, Call, Interval, Kernel, Population};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MICRO: Duration = Duration::from_micros(1);

/// When each actor's tasks ran, by their names: moments of the clock.
type Diary = Arc<Mutex<BTreeMap<(ActorId, String), Vec<Duration>>>>;

/// A population of that tree whose tasks succeed at once, and the diary that they write.
fn kept(root: NodeDef, kernel: Kernel) -> (Population, Diary) {
    let shape = compile(&Tree::build("time").root(root)).expect("it compiles");
    let names: Vec<String> = shape
        .tables()
        .functions
        .iter()
        .map(|function| shape.tables().names[function.name as usize].to_string())
        .collect();
    let mut population = Population::new(shape).with_kernel(kernel);
    let diary = Diary::default();
    for name in names {
        let (diary, entry) = (diary.clone(), name.clone());
        let note = move |call: &mut Call<'_>| {
            let mut diary = diary.lock().expect("no panics here");
            let moments = diary.entry((call.actor(), entry.clone())).or_default();
            moments.push(call.now());
            Status::Success
        };
        population.on_task(&name, note).expect("the tree calls it");
    }
    (population, diary)
}

fn moments(diary: &Diary, actor: ActorId, name: &str) -> Vec<Duration> {
    let diary = diary.lock().expect("no panics here");
    diary
        .get(&(actor, name.to_owned()))
        .cloned()
        .unwrap_or_default()
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn all(children: Vec<NodeDef>) -> NodeDef {
    parallel(Threshold::All, Threshold::All, children)
}

/// Times that all tick rates below step on: even seconds. Nothing in here starts over, since that takes
/// a tick, whose length is not the same for all; but for cooldowns, which are visited in every tick.
fn timetable() -> NodeDef {
    let shots = |name, time| repeat_regardless(cooldown(task(name), time), None);
    all(vec![
        sequence([
            wait(seconds(4)),
            task("wait 4"),
            wait(seconds(6)),
            task("wait 10"),
            idle(),
        ]),
        sequence([
            delay(task("delay 8"), seconds(8)),
            delay(task("delay 14"), seconds(6)),
            idle(),
        ]),
        sequence([
            selector([timeout(wait(seconds(6)), seconds(4)), task("timeout 4")]),
            // Its own answer wins, also in the tick in which the time is up.
            selector([timeout(wait(seconds(4)), seconds(4)), task("never")]),
            task("in time 8"),
            selector([
                timeout(delay(idle(), seconds(2)), seconds(10)),
                task("timeout 18"),
            ]),
            idle(),
        ]),
        shots("shot 2", seconds(2)),
        shots("shot 6", seconds(6)),
        idle(),
    ])
}

/// How an actor is ticked.
#[derive(Clone, Copy, Debug)]
struct Rate {
    /// Ticks a second. Moments that are no whole microseconds are rounded down, not lengths.
    hertz: u64,
    interval: u32,
}

const RATES: [Rate; 6] = [
    Rate {
        hertz: 240,
        interval: 1,
    },
    Rate {
        hertz: 60,
        interval: 1,
    },
    Rate {
        hertz: 10,
        interval: 1,
    },
    // Twenty ticks go by without it: every other second.
    Rate {
        hertz: 10,
        interval: 20,
    },
    Rate {
        hertz: 60,
        interval: 20,
    },
    Rate {
        hertz: 240,
        interval: 20,
    },
];

/// What happened at a rate until the clock stands at that many seconds.
fn at_rate(rate: Rate, kernel: Kernel, end: u64) -> BTreeMap<String, Vec<Duration>> {
    let (mut population, diary) = kept(timetable(), kernel);
    // In some other lanes than the first, beside actors of other turns.
    let actors = population.spawn_many(40).expect("memory");
    for (index, &actor) in (0..).zip(&actors) {
        let interval = Interval::new(1 + index % 7, index);
        population.set_interval(actor, interval).expect("it lives");
    }
    let actor = actors[35];
    // Due in the first tick, when the clock stands at 0, and then in each so many.
    let interval = Interval::new(rate.interval, rate.interval - 1);
    population.set_interval(actor, interval).expect("it lives");
    let at = |tick: u64| Duration::from_micros(tick * 1_000_000 / rate.hertz);
    population.tick(Duration::ZERO);
    for tick in 1..=end * rate.hertz {
        population.tick(at(tick) - at(tick - 1));
    }
    let diary = diary.lock().expect("no panics here");
    let its = diary.iter().filter(|((who, _), _)| *who == actor);
    its.map(|((_, name), moments)| (name.clone(), moments.clone()))
        .collect()
}

#[test]
fn t3_the_rate_of_ticks_and_ticks_left_out_change_nothing() {
    let mut expected = BTreeMap::new();
    for (name, moment) in [
        ("wait 4", 4),
        ("wait 10", 10),
        ("delay 8", 8),
        ("delay 14", 14),
        ("timeout 4", 4),
        ("in time 8", 8),
        ("timeout 18", 18),
    ] {
        expected.insert(name.to_owned(), vec![seconds(moment)]);
    }
    for every in [2, 6] {
        let moments = (0..=24).step_by(every as usize).map(seconds);
        expected.insert(format!("shot {every}"), moments.collect());
    }
    for kernel in Kernel::CHOICES {
        for rate in RATES {
            let found = at_rate(rate, kernel, 24);
            assert_eq!(found, expected, "{rate:?}, {}", kernel.name());
        }
    }
}

/// An actor that is out while its cooldown ends loses no time of it; what ran starts afresh.
#[test]
fn t3_d3_time_goes_by_while_an_actor_is_unloaded() {
    for kernel in Kernel::CHOICES {
        let (mut population, diary) = kept(timetable(), kernel);
        let actor = population.spawn().expect("memory");
        let tenth = Duration::from_millis(100);
        let pass = |population: &mut Population, ticks: u32| {
            (0..ticks).for_each(|_| _ = population.tick(tenth));
        };
        population.tick(Duration::ZERO);
        population.unload(actor).expect("it lives");
        // Twenty ticks, two seconds: the first shot is free again, the other is not.
        pass(&mut population, 19);
        population.load(actor).expect("it lives");
        pass(&mut population, 81);
        let told = kernel.name();
        let every =
            |from: u64, to, step| (from..=to).step_by(step).map(seconds).collect::<Vec<_>>();
        assert_eq!(moments(&diary, actor, "shot 2"), every(0, 10, 2), "{told}");
        assert_eq!(moments(&diary, actor, "shot 6"), every(0, 6, 6), "{told}");
        assert_eq!(moments(&diary, actor, "wait 4"), [seconds(6)], "{told}");
        assert_eq!(moments(&diary, actor, "timeout 4"), [seconds(6)], "{told}");
        assert_eq!(moments(&diary, actor, "delay 8"), [seconds(10)], "{told}");
        // A reset forgets cooldowns, too.
        population.reset(actor).expect("it lives");
        population.tick(MICRO);
        let last = moments(&diary, actor, "shot 6").last().copied();
        assert_eq!(last, Some(seconds(10) + MICRO), "{told}");
    }
}

/// Each node with a time, over and over, noting when it is over.
fn clockwork(time: Duration) -> Vec<NodeDef> {
    let name = |what: &str| task(format!("{what} {}", time.as_micros()));
    let forever = |child| repeat_regardless(child, None);
    vec![
        forever(sequence([wait(time), name("wait")])),
        forever(delay(name("delay"), time)),
        forever(selector([timeout(idle(), time), name("timeout")])),
        forever(cooldown(name("cooldown"), time)),
    ]
}

const MONTH: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Half an hour; both sides of the border between deadlines of 32 and of 64 bits; a day and a week.
const LONG_TIMES: [Duration; 6] = [
    Duration::from_secs(30 * 60),
    Duration::from_micros(NARROW_MICROS - 1),
    Duration::from_micros(NARROW_MICROS),
    Duration::from_micros(NARROW_MICROS + 1),
    DAY,
    Duration::from_secs(7 * 24 * 60 * 60),
];

fn multiples(time: Duration, from: u32) -> Vec<Duration> {
    let all = (from..).map(|number| number * time);
    all.take_while(|&moment| moment <= MONTH).collect()
}

/// D3, D4 over a month: to the microsecond, without drift, and no clock of 32 bits wraps.
#[test]
fn a_month_of_timers_of_every_length_ends_where_it_should() {
    // The clock stops a microsecond before each moment, at it, and at it again: so what starts over
    // starts where it ended, and a month of errors would add up.
    let mut stops: Vec<Duration> = vec![MONTH];
    for time in LONG_TIMES {
        for moment in multiples(time, 1) {
            stops.extend([moment - MICRO, moment, moment]);
        }
    }
    stops.sort_unstable();
    let nodes = LONG_TIMES.into_iter().flat_map(clockwork).collect();
    let root: NodeDef = all(nodes);
    for kernel in Kernel::CHOICES {
        let (mut population, diary) = kept(root.clone(), kernel);
        let actors = population.spawn_many(3).expect("memory");
        population.tick(Duration::ZERO);
        let mut now = Duration::ZERO;
        for &stop in &stops {
            population.tick(stop - now);
            now = stop;
        }
        for time in LONG_TIMES {
            let over = multiples(time, 1);
            for what in ["wait", "delay", "timeout"] {
                let name = format!("{what} {}", time.as_micros());
                let found = moments(&diary, actors[1], &name);
                assert_eq!(found.len(), over.len(), "{name}, {}", kernel.name());
                assert_eq!(found, over, "{name}, {}", kernel.name());
            }
            // The first one is free.
            let name = format!("cooldown {}", time.as_micros());
            let found = moments(&diary, actors[1], &name);
            assert_eq!(found, multiples(time, 0), "{name}, {}", kernel.name());
        }
    }
}

/// A clock that jumps by days passes every shorter deadline, however often 32 bits would have wrapped; an
/// actor that is due only every tenth day notices as well.
#[test]
fn deadlines_that_are_long_past_have_passed() {
    let jump = 5 * DAY + MICRO;
    let nodes = LONG_TIMES.into_iter().flat_map(clockwork).collect();
    let root: NodeDef = all(nodes);
    for kernel in Kernel::CHOICES {
        let (mut population, diary) = kept(root.clone(), kernel);
        let actors = population.spawn_many(2).expect("memory");
        let every_other = Interval::new(2, 1);
        population
            .set_interval(actors[1], every_other)
            .expect("it lives");
        population.tick(Duration::ZERO);
        for tick in 1..=12_u32 {
            population.tick(jump);
            // What starts over does so in the actor's next turn, where no time has gone by.
            for _ in 0..4 {
                population.tick(Duration::ZERO);
            }
            let now = tick * jump;
            for (&actor, turn) in actors.iter().zip(1_u32..) {
                for time in LONG_TIMES.into_iter().filter(|&time| time <= DAY) {
                    for what in ["wait", "delay", "timeout", "cooldown"] {
                        let name = format!("{what} {}", time.as_micros());
                        let found = moments(&diary, actor, &name);
                        let told = format!("{name}, {}, turn {turn}", kernel.name());
                        let first = usize::from(what == "cooldown");
                        assert_eq!(found.len(), tick as usize + first, "{told}");
                        assert_eq!(found.last(), Some(&now), "{told}");
                    }
                }
            }
        }
    }
}

const SHORTEST: u64 = 10;
/// As many times, of a microsecond each, as a wait draws from.
const TIMES: u64 = 16;

/// The times that each actor drew, start by start, in microseconds: all waits begin together, and each
/// anew in the tick behind the one in which it is over.
fn drawn(kernel: Kernel, seed: u64, actors: usize, ticks: u64) -> Vec<Vec<u64>> {
    let longest = SHORTEST + TIMES - 1;
    let rests = wait_between(
        Duration::from_micros(SHORTEST),
        Duration::from_micros(longest),
    );
    let root = repeat_regardless(sequence([rests, task("over")]), None);
    let (population, diary) = kept(root, kernel);
    let mut population = population.with_seed(seed);
    let actors = population.spawn_many(actors).expect("memory");
    for _ in 0..ticks {
        population.tick(MICRO);
    }
    let times = actors.into_iter().map(|actor| {
        let mut started = MICRO;
        let over = moments(&diary, actor, "over").into_iter();
        let times = over.map(|moment| {
            let time = moment - started;
            started = moment + MICRO;
            time.as_micros() as u64
        });
        times.collect()
    });
    times.collect()
}

/// Pearson's statistic of pairs of drawn times, all of which should be about as many.
fn chi_square(pairs: impl Iterator<Item = (u64, u64)>) -> f64 {
    let mut counts = vec![0_u32; (TIMES * TIMES) as usize];
    for (one, other) in pairs {
        counts[((one - SHORTEST) * TIMES + other - SHORTEST) as usize] += 1;
    }
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    assert!(expected > 10.0, "{expected}");
    let off = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
    counts.iter().map(off).sum()
}

/// Every time within the bounds is as likely as any other, whatever the actor drew before, and whatever
/// its neighbour draws in the same tick.
#[test]
fn t6_d4_drawn_times_are_even_and_independent() {
    for seed in [1, 2] {
        let of_seed = drawn(Kernel::PureStream, seed, 4_000, 100);
        let allowed = SHORTEST..SHORTEST + TIMES;
        assert!(of_seed.iter().flatten().all(|time| allowed.contains(time)));
        let starts = of_seed.iter().map(|times| (times[0], times[1]));
        let neighbours = of_seed.windows(2).map(|two| (two[0][0], two[1][0]));
        let (starts, neighbours) = (chi_square(starts), chi_square(neighbours));
        // One in ten thousand lies above, with 255 degrees of freedom.
        assert!(starts < 346.0, "{seed}: {starts}");
        assert!(neighbours < 346.0, "{seed}: {neighbours}");
    }
}

/// Whoever computes it, and however many others there are: the same times. Another seed gives others.
#[test]
fn t6_d4_drawn_times_are_the_same_for_every_kernel_and_size() {
    let expected = drawn(Kernel::PureStream, 7, 700, 200);
    for kernel in Kernel::CHOICES {
        let told = kernel.name();
        assert_eq!(drawn(kernel, 7, 700, 200), expected, "{told}");
        assert_eq!(drawn(kernel, 7, 3, 200), expected[..3], "{told}");
        let other = drawn(kernel, 8, 700, 200);
        let firsts = other.iter().zip(&expected);
        let same = firsts.filter(|(one, other)| one[0] == other[0]).count();
        // One in sixteen: 44, with a standard deviation of 6.4.
        assert!((15..75).contains(&same), "{told}: {same}");
    }
}
