//! C2, T6: the order of a RandomSequence or RandomSelector is drawn afresh each time it starts over, is kept
//! while it runs, is any order as likely as any other, and is the same whoever computes it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::{MAX_RANDOM_CHILDREN, Status};
use pleach_tree::{NodeDef, Tree, compile, random_selector, random_sequence, task};
use pleach_vm::{ActorId, Call, Kernel, Population};

/// A visit to a task: which one, and whether it ended.
type Visit = (usize, bool);
type Diary = Arc<Mutex<BTreeMap<ActorId, Vec<Visit>>>>;

/// What a crowd does.
#[derive(Clone, Copy, Debug)]
struct Way {
    kernel: Kernel,
    seed: u64,
    /// A RandomSelector, else a RandomSequence.
    selects: bool,
    /// Whether tasks run on by chance; else they end at once, and a round takes one tick.
    lingers: bool,
    children: usize,
    threads: usize,
}

const WAY: Way = Way {
    kernel: Kernel::Auto,
    seed: 1,
    selects: false,
    lingers: false,
    children: 3,
    threads: 1,
};

/// Both composites, at once and lingering.
fn kinds(way: Way) -> [Way; 4] {
    [(false, false), (false, true), (true, false), (true, true)].map(|(selects, lingers)| Way {
        selects,
        lingers,
        ..way
    })
}

/// What so many actors do in so many ticks: a random composite whose tasks answer so that the others
/// follow.
fn played(way: Way, actors: usize, ticks: u64) -> BTreeMap<ActorId, Vec<Visit>> {
    let children = (0..way.children).map(|number| task(number.to_string()));
    let root: NodeDef = match way.selects {
        true => random_selector(children),
        false => random_sequence(children),
    };
    let tree = Tree::build("order").root(root);
    let mut population = Population::new(compile(&tree).expect("it compiles"))
        .with_kernel(way.kernel)
        .with_seed(way.seed);
    let diary = Diary::default();
    for number in 0..way.children {
        let diary = diary.clone();
        let run = move |call: &mut Call<'_>| {
            let ends = !way.lingers || call.random(0).is_multiple_of(3);
            let mut diary = diary.lock().expect("no panics here");
            let visits = diary.entry(call.actor()).or_default();
            visits.push((number, ends));
            match ends {
                true => Status::from_bool(!way.selects),
                false => Status::Running,
            }
        };
        let registered = population.on_task(&number.to_string(), run);
        registered.expect("the tree calls it");
    }
    population.spawn_many(actors).expect("memory");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(way.threads)
        .build();
    pool.expect("threads").install(|| {
        for _ in 0..ticks {
            population.tick(Duration::from_millis(16));
        }
    });
    std::mem::take(&mut diary.lock().expect("no panics here"))
}

/// The orders of an actor's rounds, without one that is not over.
///
/// # Panics
/// If a task is left before it ended, or comes up twice in a round.
fn rounds(visits: &[Visit], children: usize) -> Vec<Vec<usize>> {
    let mut rounds: Vec<Vec<usize>> = vec![Vec::new()];
    let mut runner = None;
    for &(task, ends) in visits {
        let order = rounds.last_mut().expect("there is a last round");
        match runner {
            Some(runner) => assert_eq!(runner, task, "left before it ended"),
            None => {
                assert!(!order.contains(&task), "{task} twice in a round");
                order.push(task);
            }
        }
        runner = (!ends).then_some(task);
        if ends && order.len() == children {
            rounds.push(Vec::new());
        }
    }
    rounds.pop();
    rounds
}

/// Pearson's statistic of counts that should all be about the same.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let terms = counts.iter().map(|&count| {
        let off = f64::from(count) - expected;
        off * off / expected
    });
    terms.sum()
}

/// The number, from 0 to 5, of an order of three.
fn number(order: &[usize]) -> usize {
    order[0] * 2 + usize::from(order[1] > order[2])
}

#[test]
fn c2_every_order_of_three_is_as_likely_whatever_the_one_before() {
    for kernel in Kernel::CHOICES {
        for seed in [1, 2] {
            for way in kinds(Way {
                kernel,
                seed,
                ..WAY
            }) {
                let (mut orders, mut pairs) = ([0; 6], [0; 36]);
                for visits in played(way, 600, 60).values() {
                    let numbers: Vec<usize> = rounds(visits, 3)
                        .iter()
                        .map(|order| number(order))
                        .collect();
                    numbers.iter().for_each(|&order| orders[order] += 1);
                    for pair in numbers.windows(2) {
                        pairs[pair[0] * 6 + pair[1]] += 1;
                    }
                }
                assert!(orders.iter().sum::<u32>() > 2_000, "{way:?}: {orders:?}");
                // One in ten thousand lies above, with 5 and with 35 degrees of freedom.
                assert!(chi_square(&orders) < 25.7, "{way:?}: {orders:?}");
                assert!(chi_square(&pairs) < 76.0, "{way:?}: {pairs:?}");
            }
        }
    }
}

/// Nor do neighbours draw alike.
#[test]
fn c2_actors_draw_by_themselves() {
    let diary = played(WAY, 601, 60);
    let firsts: Vec<Vec<usize>> = diary
        .values()
        .map(|visits| {
            rounds(visits, 3)
                .iter()
                .map(|order| number(order))
                .collect()
        })
        .collect();
    let mut pairs = [0; 36];
    for neighbours in firsts.windows(2) {
        for (one, other) in neighbours[0].iter().zip(&neighbours[1]) {
            pairs[one * 6 + other] += 1;
        }
    }
    assert_eq!(pairs.iter().sum::<u32>(), 600 * 60);
    assert!(chi_square(&pairs) < 76.0, "{pairs:?}");
}

#[test]
fn t6_orders_are_the_same_for_every_kernel_and_number_of_threads() {
    for way in kinds(Way { children: 5, ..WAY }) {
        let first = played(way, 1_100, 20);
        for kernel in Kernel::CHOICES {
            for threads in [1, 2, 3, 8] {
                let other = Way {
                    kernel,
                    threads,
                    ..way
                };
                assert!(played(other, 1_100, 20) == first, "{other:?}");
            }
        }
        // Nor do they depend on how many there are; but on the seed they do.
        let fewer = played(way, 3, 20);
        assert!(fewer.iter().all(|(actor, visits)| first[actor] == *visits));
        let other = Way { seed: 2, ..way };
        assert!(played(other, 1_100, 20) != first);
    }
}

#[test]
fn c2_as_many_children_as_are_allowed_come_up_once_each() {
    for kernel in Kernel::CHOICES {
        let children = MAX_RANDOM_CHILDREN;
        for way in kinds(Way {
            kernel,
            children,
            ..WAY
        }) {
            for visits in played(way, 9, 400).values() {
                let rounds = rounds(visits, children);
                assert!(!rounds.is_empty(), "{way:?}");
                assert_ne!(rounds.first(), rounds.get(1), "{way:?}");
            }
        }
    }
}
