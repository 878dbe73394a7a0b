//! The generator is held to what it promises, and the reference to what must hold of any tree.

use std::collections::{BTreeMap, BTreeSet};

use pleach_shape::layout::NARROW_MICROS;
use pleach_shape::{Op, Role, Status};
use pleach_tests::generate::{MAX_LEVELS, MAX_TREE_NODES, Script, tree, tree_from_seed};
use pleach_tests::host::{Exit, HostCall};
use pleach_tests::observation::{
    COOLING_BASE, ONCE_FAILURE, ONCE_SUCCESS, ORDER_BASE, Observation, Trace,
};
use pleach_tests::scenario::{Scenario, Step};
use pleach_tree::{NodeKind, Tree, compile};
use proptest::prelude::*;

fn levels(tree: &Tree) -> u32 {
    let mut deepest = 0;
    for node in tree.nodes() {
        let mut level = 1;
        let mut at = node.parent;
        while let Some(parent) = at.and_then(|id| tree.node(id)) {
            level += 1;
            at = parent.parent;
        }
        deepest = deepest.max(level);
    }
    deepest
}

fn played(tree: Tree, seed: u64) -> Vec<Vec<Step>> {
    Scenario {
        tree,
        script: Script { seed },
        actors: 3,
        ticks: 30,
    }
    .play()
}

fn is_persistent(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Cooldown(_) | NodeKind::RunOnce)
}

/// T2: a node comes behind its parent, and behind its siblings to the left unless their parent has an
/// order of its own.
fn check_order(tree: &Tree, visited: &BTreeSet<u32>, trace: &Trace) {
    let mut last_below: BTreeMap<u32, u32> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for visit in &trace.visits {
        let node = tree.node(visit.node).expect("visits are of the tree");
        let Some(parent) = node.parent.and_then(|parent| tree.node(parent)) else {
            assert!(seen.is_empty(), "the root comes first");
            seen.insert(visit.index);
            continue;
        };
        // Trees as they are built are numbered depth first.
        let parent_index = parent.id.0;
        assert!(seen.contains(&parent_index) && visited.contains(&parent_index));
        let before = last_below.insert(parent_index, visit.index);
        let random = matches!(
            parent.kind,
            NodeKind::RandomSequence | NodeKind::RandomSelector
        );
        assert!(random || before < Some(visit.index), "T2: {visit:?}");
        seen.insert(visit.index);
    }
}

/// What must hold of a tick of any tree, given the tick before.
fn check_tick(tree: &Tree, seen: &Observation, trace: &Trace, outstanding: &BTreeSet<u32>) {
    let visited: BTreeSet<u32> = trace.visits.iter().map(|visit| visit.index).collect();
    assert_eq!(visited.len(), trace.visits.len(), "T1");
    check_order(tree, &visited, trace);
    assert_eq!(trace.visits[0].answer, seen.root);
    assert!(
        trace.halts.is_sorted() && seen.state.is_sorted(),
        "stream order"
    );
    for visit in &trace.visits {
        let halted = trace.halts.contains(&visit.index);
        assert!(
            !halted || !visit.answer.is_some_and(Status::is_finished),
            "halted and finished: {visit:?}"
        );
    }
    if seen.root != Some(Status::Running) {
        // T4: what finished remembers nothing, nor does an actor that was taken out (D5).
        let lasting = |&(node, value): &(u32, u64)| {
            is_persistent(&tree.nodes().nth(node as usize).expect("its node").kind)
                && (value >= COOLING_BASE || [ONCE_SUCCESS, ONCE_FAILURE].contains(&value))
        };
        assert!(seen.state.iter().all(lasting), "{:?}", seen.state);
        assert_eq!(
            (&seen.launches[..], &seen.continues[..]),
            (&[][..], &[][..])
        );
    }
    for &(node, _) in &seen.state {
        assert!((node as usize) < tree.len());
        let node = tree.nodes().nth(node as usize).expect("its node");
        assert!(
            is_persistent(&node.kind) || !trace.halts.contains(&node.id.0),
            "a halted node remembers nothing"
        );
    }
    // L2: what was outstanding continues, is cancelled, or had a result; nothing else does either.
    let launches: BTreeSet<u32> = seen.launches.iter().copied().collect();
    assert!(launches.is_disjoint(outstanding));
    let continues: BTreeSet<u32> = seen.continues.iter().copied().collect();
    let cancels: BTreeSet<u32> = seen.cancels.iter().copied().collect();
    assert!(continues.is_subset(outstanding) && cancels.is_subset(outstanding));
    assert!(continues.is_disjoint(&cancels));
}

/// L4: one exit for each enter, and runs only in between.
fn check_calls(calls: &[HostCall], entered: &mut BTreeSet<u32>) {
    for call in calls {
        match *call {
            HostCall::Enter(node) => assert!(entered.insert(node), "entered twice"),
            HostCall::Run(node, _) => assert!(entered.contains(&node), "runs without enter"),
            HostCall::Exit(node, _) => assert!(entered.remove(&node), "exits without enter"),
            HostCall::Query(..) => {}
        }
    }
    // L6: nothing is called behind the first abort but aborts.
    let tick_start = calls
        .iter()
        .rposition(|call| !matches!(call, HostCall::Exit(_, Exit::Aborted)));
    let aborts = &calls[tick_start.map_or(0, |last| last + 1)..];
    assert!(
        aborts.is_sorted_by_key(|call| call.index()),
        "aborts in stream order"
    );
}

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/generated.proptest-regressions"
);

proptest! {
    #![proptest_config(pleach_tests::property(200, KEPT))]

    #[test]
    fn trees_compile_and_keep_their_bounds(tree in tree()) {
        prop_assert!(tree.len() <= MAX_TREE_NODES as usize, "{} nodes", tree.len());
        prop_assert!(levels(&tree) <= MAX_LEVELS, "{} levels", levels(&tree));
        if let Err(error) = compile(&tree) {
            prop_assert!(false, "{error}");
        }
    }

    #[test]
    fn ticks_of_any_tree_keep_the_rules(tree in tree(), seed in any::<u64>()) {
        let steps = played(tree.clone(), seed);
        for actor in 0..3 {
            let mut outstanding = BTreeSet::new();
            let mut entered = BTreeSet::new();
            for tick in &steps {
                let step = &tick[actor];
                if step.release.is_some() {
                    outstanding.clear();
                }
                if let (Some(seen), Some(trace)) = (&step.observation, &step.trace) {
                    check_tick(&tree, seen, trace, &outstanding);
                    outstanding = seen.launches.iter().chain(&seen.continues).copied().collect();
                }
                check_calls(&step.calls, &mut entered);
            }
        }
    }

    #[test]
    fn the_same_seed_plays_the_same(seed in any::<u64>()) {
        let tree = tree_from_seed(seed);
        prop_assert_eq!(&tree, &tree_from_seed(seed));
        prop_assert_eq!(played(tree.clone(), seed), played(tree, seed));
    }
}

/// A generator that stopped making some kind of node, or trees in which nothing happens, would leave
/// the tests above true and worthless.
#[test]
fn trees_are_varied_and_eventful() {
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut largest, mut deepest) = (0, 0);
    let (mut launches, mut cancels, mut dropped, mut halts, mut rolled_back) = (0, 0, 0, 0, 0);
    let mut roots: BTreeMap<Option<Status>, u32> = BTreeMap::new();
    let (mut releases, mut aborted, mut remembered) = (0, 0, 0);
    let (mut in_tree, mut out, mut orders) = (0, 0, BTreeSet::new());
    let mut reached: BTreeMap<&str, u32> = BTreeMap::new();
    let mut drawn: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..600 {
        let tree = tree_from_seed(seed);
        largest = largest.max(tree.len());
        deepest = deepest.max(levels(&tree));
        for node in tree.nodes() {
            *kinds.entry(node.kind.keyword()).or_default() += 1;
        }
        let mut ever = vec![false; tree.len()];
        for step in played(tree.clone(), seed).into_iter().flatten() {
            *(if step.loaded { &mut in_tree } else { &mut out }) += 1;
            for (_, value) in &step.state {
                if *value >= ORDER_BASE {
                    orders.insert(*value);
                }
            }
            for visit in step.trace.iter().flat_map(|trace| &trace.visits) {
                ever[visit.index as usize] = true;
            }
            releases += u32::from(step.release.is_some());
            aborted += step
                .calls
                .iter()
                .filter(|call| matches!(call, HostCall::Exit(_, Exit::Aborted)))
                .count();
            if let (Some(seen), Some(trace)) = (step.observation, step.trace) {
                *roots.entry(seen.root).or_default() += 1;
                launches += seen.launches.len();
                cancels += seen.cancels.len();
                dropped += seen.dropped;
                halts += trace.halts.len();
                remembered += seen.state.len();
                rolled_back += trace
                    .visits
                    .iter()
                    .filter(|visit| visit.fresh && trace.halts.contains(&visit.index))
                    .count();
            }
        }
        for (node, _) in tree.nodes().zip(&ever).filter(|(_, ever)| **ever) {
            *reached.entry(node.kind.keyword()).or_default() += 1;
            if let NodeKind::WaitBetween { min, max } = node.kind {
                let long = max.as_micros() > u128::from(NARROW_MICROS);
                let what = match (long, min == max, min.is_zero()) {
                    (true, ..) => "beyond 32 bits",
                    (_, true, _) => "nothing to draw",
                    (.., true) => "from 0",
                    _ => "drawn",
                };
                *drawn.entry(what).or_default() += 1;
            }
        }
    }
    let expected = Op::ALL.iter().filter(|op| op.role() != Role::Guard);
    for op in expected {
        assert!(
            reached.get(op.keyword()).is_some_and(|&count| count >= 40),
            "{op}: {kinds:?}, {reached:?}"
        );
    }
    assert!(
        drawn.len() == 4 && drawn.values().all(|&count| count >= 10),
        "{drawn:?}"
    );
    assert!(
        largest >= 100 && deepest >= 20,
        "{largest} nodes, {deepest} levels at most"
    );
    assert!(
        roots.len() == 4 && roots.values().all(|&count| count > 200),
        "{roots:?}"
    );
    assert!(out > 1_000 && in_tree > 6 * out, "{in_tree} in, {out} out");
    assert!(orders.len() > 10, "{orders:?}");
    let counts = [
        launches,
        cancels,
        dropped as usize,
        halts,
        rolled_back,
        releases as usize,
        aborted,
        remembered,
    ];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    eprintln!("{largest} nodes, {deepest} levels, {roots:?}, {counts:?}, {kinds:?}");
    eprintln!(
        "{in_tree} in, {out} out, {} orders, {reached:?} reached",
        orders.len()
    );
}
