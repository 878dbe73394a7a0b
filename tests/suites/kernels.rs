//! Reference ≡ kernels: statuses, requests, states, columns, callbacks, census;
//! for random trees and data, population sizes around the block size, and several thread counts.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use pleach_shape::{NodeId, Status, TokenIndex};
use pleach_tests::engine::{Engine, Seen, Setting, seen};
use pleach_tests::generate::{Script, compound_tree, tree, tree_from_seed};
use pleach_tests::scenario::{Scenario, Step};
use pleach_tree::{Node, NodeKind, Threshold, Tree, compile};
use pleach_vm::{Kernel, NodeCount, Simd};
use proptest::prelude::*;

static POOLS: LazyLock<Vec<rayon::ThreadPool>> = LazyLock::new(|| {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    [1, 2, 3, 8]
        .into_iter()
        .map(|threads| pool(threads).expect("threads"))
        .collect()
});

/// Each kernel by itself, kernels that take turns, and lanes in each form that the machine has; with and
/// without an actor that is traced and a census that is taken.
///
/// With a turn, only each kernel by itself and a few of the others, other ones in the next turn.
fn settings(threads: usize, turn: Option<u64>) -> Vec<Setting> {
    let setting = |kernel| Setting {
        kernel,
        changes_kernel: false,
        threads,
        simd: Simd::detected(),
        traces: false,
        counts: true,
    };
    let mut settings: Vec<Setting> = Kernel::ALL.map(setting).into();
    settings.push(setting(Kernel::Auto));
    settings.push(Setting {
        changes_kernel: true,
        ..setting(Kernel::PureStream)
    });
    for (index, simd) in Simd::ALL.into_iter().enumerate() {
        settings.push(Setting {
            simd,
            counts: index % 2 == 0,
            changes_kernel: index == 3,
            ..setting(Kernel::Lanes)
        });
    }
    settings.extend(Kernel::ALL.map(|kernel| Setting {
        traces: true,
        counts: kernel != Kernel::ThreadedStream,
        ..setting(kernel)
    }));
    if let Some(turn) = turn {
        let others = settings.split_off(Kernel::ALL.len());
        let first = turn as usize % others.len();
        settings.extend(others.iter().cycle().skip(first).step_by(3).take(3));
    }
    settings
}

/// What the census must say of a tick: the sum over the reference's traces.
fn expected_census(nodes: usize, steps: &[Step]) -> Vec<NodeCount> {
    let mut counts = vec![NodeCount::default(); nodes];
    for step in steps {
        for halted in step.release.iter().flat_map(|release| &release.halts) {
            counts[*halted as usize].halts += 1;
        }
        let Some(trace) = &step.trace else { continue };
        // Those that an abort cut short have no answer, and do not count.
        let answered = trace.visits.iter().filter(|visit| visit.answer.is_some());
        for visit in answered {
            let count = &mut counts[visit.index as usize];
            count.active += 1;
            count.starts += u32::from(visit.fresh);
            count.successes += u32::from(visit.answer == Some(Status::Success));
            count.failures += u32::from(visit.answer == Some(Status::Failure));
        }
        for &halted in &trace.halts {
            counts[halted as usize].halts += 1;
        }
    }
    counts
}

fn agree(
    scenario: &Scenario,
    pool: &rayon::ThreadPool,
    turn: Option<u64>,
) -> Result<(), TestCaseError> {
    let reference = scenario.play();
    for setting in settings(pool.current_num_threads(), turn) {
        let mut engine = Engine::new(scenario, setting);
        for (tick, steps) in reference.iter().enumerate() {
            let found = engine.step(pool);
            for (actor, (found, step)) in found.iter().zip(steps).enumerate() {
                let expected: Seen = seen(step);
                prop_assert_eq!(
                    found,
                    &expected,
                    "{:?}, tick {}, actor {}",
                    setting,
                    tick,
                    actor
                );
            }
            let expected = if setting.counts {
                expected_census(engine.shape().len(), steps)
            } else {
                Vec::new()
            };
            prop_assert_eq!(
                engine.census(),
                expected,
                "census, {:?}, tick {}",
                setting,
                tick
            );
            let dropped: u32 = steps
                .iter()
                .map(|step| {
                    let released = step.release.as_ref().map_or(0, |release| release.dropped);
                    released + step.observation.as_ref().map_or(0, |seen| seen.dropped)
                })
                .sum();
            let counts = engine.population().report().counts;
            let walked = steps.iter().filter_map(|step| step.observation.as_ref());
            let aborted = walked.filter(|seen| seen.root.is_none()).count();
            prop_assert_eq!(
                counts.aborted,
                aborted as u64,
                "{:?}, tick {}",
                setting,
                tick
            );
            prop_assert_eq!(
                counts.results_dropped,
                u64::from(dropped),
                "{:?}, tick {}",
                setting,
                tick
            );
            if setting.traces
                && let Some(trace) = &steps[0].trace
            {
                let (visits, walked) = engine.visits();
                let expected: Vec<u32> = trace.visits.iter().map(|visit| visit.index).collect();
                prop_assert_eq!(&visits, &expected, "visits, {:?}, tick {}", setting, tick);
                // T1: a tick costs at most the number of tokens.
                prop_assert!(walked <= engine.shape().guarded().len());
                prop_assert_eq!(
                    visits.iter().collect::<BTreeSet<_>>().len(),
                    visits.len(),
                    "T1"
                );
            }
        }
    }
    Ok(())
}

/// The same for trees with compound nodes, of which kernels see only what they have become: everything that
/// can be seen from outside, and no states.
fn agree_outside(
    scenario: &Scenario,
    pool: &rayon::ThreadPool,
    turn: Option<u64>,
) -> Result<(), TestCaseError> {
    let reference = scenario.play();
    for setting in settings(pool.current_num_threads(), turn) {
        let mut engine = Engine::new(scenario, setting);
        let nodes: Vec<usize> = engine.shape().nodes().map(TokenIndex::at).collect();
        for (tick, steps) in reference.iter().enumerate() {
            let found = engine.step(pool);
            if setting.counts {
                let told: Vec<NodeCount> = nodes.iter().map(|&at| engine.census()[at]).collect();
                counts_agree(&scenario.tree, steps, &told)
                    .map_err(|error| format!("{error}, {setting:?}, tick {tick}"))
                    .map_err(TestCaseError::fail)?;
            }
            for (actor, (mut found, step)) in found.into_iter().zip(steps).enumerate() {
                let mut expected: Seen = seen(step);
                found.state.clear();
                expected.state.clear();
                prop_assert_eq!(
                    found,
                    expected,
                    "{:?}, tick {}, actor {}",
                    setting,
                    tick,
                    actor
                );
            }
        }
    }
    Ok(())
}

/// What the census says of the nodes of a tree with compound ones, by their first tokens. A node that was
/// skipped has answered whatever lets its parent go on.
fn counts_agree(tree: &Tree, steps: &[Step], told: &[NodeCount]) -> Result<(), String> {
    let mut expected = expected_census(told.len(), steps);
    let mut skipped = vec![0; told.len()];
    for step in steps {
        let visits = step.trace.iter().flat_map(|trace| &trace.visits);
        let is_aborted = step
            .observation
            .as_ref()
            .is_none_or(|seen| seen.root.is_none());
        // The AbortWhen that took the actor out, and all above it: their visits were cut short.
        let last = visits.clone().next_back().filter(|_| is_aborted);
        let above = |node: &Node| node.parent.and_then(|parent| tree.node(parent));
        let cut = std::iter::successors(last.and_then(|last| tree.node(last.node)), |&node| {
            above(node)
        });
        let cut: BTreeSet<u32> = cut.map(|node| node.id.0).collect();
        for visit in visits.filter(|visit| visit.answer.is_none() && !cut.contains(&visit.node.0)) {
            let index = visit.index as usize;
            expected[index].active += 1;
            expected[index].starts += u32::from(visit.fresh);
            skipped[index] += 1;
        }
    }
    let all = tree.nodes().zip(&expected).zip(told).zip(skipped);
    for (((node, expected), told), skipped) in all {
        let parent = node.parent.and_then(|parent| tree.node(parent));
        let waits = matches!(
            parent.map(|parent| &parent.kind),
            Some(NodeKind::Parallel {
                success: Threshold::Count(_),
                ..
            })
        );
        if waits && matches!(node.kind, NodeKind::SkipIf(_) | NodeKind::SkipUnless(_)) {
            // K3: it runs while it is skipped.
            continue;
        }
        let is_same = (told.active, told.starts, told.halts)
            == (expected.active, expected.starts, expected.halts)
            && told.successes >= expected.successes
            && told.failures >= expected.failures
            && told.successes + told.failures == expected.successes + expected.failures + skipped;
        if !is_same {
            let path = tree.path(node.id);
            return Err(format!(
                "census of `{path}`: {told:?}, expected {expected:?}, {skipped} skipped"
            ));
        }
    }
    Ok(())
}

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/kernels.proptest-regressions"
);

/// Of a run that takes long, a line now and then: `--nocapture` shows it.
fn progress(property: &str, done: &AtomicU32, cases: u32) {
    let done = 1 + done.fetch_add(1, Ordering::Relaxed);
    if done.is_multiple_of(1_000) && cases > 1_000 {
        eprintln!("{property}: {done} of {cases} trees");
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(1_000, KEPT))]

    #[test]
    fn reference_and_kernels_agree(tree in tree(), seed in any::<u64>(), actors in 1u64..6) {
        static DONE: AtomicU32 = AtomicU32::new(0);
        progress("a few actors", &DONE, pleach_tests::cases(1_000));
        let scenario = Scenario { tree, script: Script { seed }, actors, ticks: 60 };
        agree(&scenario, &POOLS[0], Some(seed))?;
    }

    #[test]
    fn reference_and_kernels_agree_in_crowds(tree in tree(), seed in any::<u64>(), actors in 6u64..30) {
        static DONE: AtomicU32 = AtomicU32::new(0);
        progress("crowds", &DONE, pleach_tests::cases(1_000));
        let scenario = Scenario { tree, script: Script { seed }, actors, ticks: 30 };
        agree(&scenario, &POOLS[0], Some(seed))?;
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(10, KEPT))]

    #[test]
    fn threads_and_sizes_do_not_matter(tree in tree(), seed in any::<u64>()) {
        let sizes = [1, 63, 64, 511, 512, 513, 2_000];
        for (index, actors) in sizes.into_iter().enumerate() {
            let scenario = Scenario { tree: tree.clone(), script: Script { seed }, actors, ticks: 60 };
            let turn = seed.wrapping_add(index as u64);
            agree(&scenario, &POOLS[(index + 1) % POOLS.len()], Some(turn))?;
        }
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(400, KEPT))]

    #[test]
    fn compound_trees_agree(tree in compound_tree(), seed in any::<u64>(), actors in 1u64..6) {
        static DONE: AtomicU32 = AtomicU32::new(0);
        progress("compound nodes", &DONE, pleach_tests::cases(400));
        let scenario = Scenario { tree, script: Script { seed }, actors, ticks: 40 };
        agree_outside(&scenario, &POOLS[0], Some(seed))?;
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(1_000, KEPT))]

    /// Nodes are called by what they are in the tree, whatever has become of them.
    #[test]
    fn compound_nodes_keep_their_paths(tree in compound_tree()) {
        let shape = compile(&tree).expect("it compiles");
        let nodes: Vec<TokenIndex> = shape.nodes().collect();
        let ids: Vec<NodeId> = tree.nodes().map(|node| node.id).collect();
        let told: Vec<NodeId> = nodes.iter().filter_map(|&node| shape.node_id(node)).collect();
        prop_assert_eq!(&told, &ids);
        let paths = shape.node_paths();
        for (&id, &token) in ids.iter().zip(&nodes) {
            let path = tree.path(id);
            prop_assert_eq!(&paths[token.at()], &path);
            prop_assert_eq!(&shape.node_path(token), &path);
            prop_assert_eq!(shape.node_of(id), Some(token));
            let whole: Vec<_> = shape.nodes_at(&path).filter(|(_, whole)| *whole).map(|(at, _)| at).collect();
            let same: Vec<_> = nodes.iter().copied().filter(|node| paths[node.at()] == path).collect();
            prop_assert_eq!(whole, same);
        }
    }
}

/// The largest size once for each thread count, on one tree in which nodes of 31 kinds are reached.
#[test]
fn two_thousand_actors_on_every_thread_count() {
    let scenario = Scenario {
        tree: tree_from_seed(846),
        script: Script { seed: 5 },
        actors: 2_000,
        ticks: 60,
    };
    for (turn, pool) in (0..).zip(POOLS.iter()) {
        // Every setting with one thread, and with more some of them.
        let turn = (turn > 0).then_some(turn);
        if let Err(error) = agree(&scenario, pool, turn) {
            panic!("{} threads: {error}", pool.current_num_threads());
        }
    }
}

/// T1: whatever the tree, no token is entered twice and no guard reacts twice; `agree` checks it on
/// every walk of the first actor. Here is the least that must be there to see.
#[test]
fn no_token_is_visited_twice() {
    let scenario = Scenario {
        tree: tree_from_seed(3),
        script: Script { seed: 8 },
        actors: 1,
        ticks: 60,
    };
    for setting in settings(1, None)
        .into_iter()
        .filter(|setting| setting.traces)
    {
        let mut engine = Engine::new(&scenario, setting);
        let mut seen_any = false;
        for _ in 0..scenario.ticks {
            engine.step(&POOLS[0]);
            let (visits, walked) = engine.visits();
            let distinct: BTreeSet<u32> = visits.iter().copied().collect();
            assert_eq!(distinct.len(), visits.len(), "{visits:?}");
            assert!(walked <= engine.shape().guarded().len());
            seen_any |= visits.len() > 1;
        }
        assert!(seen_any);
    }
}
