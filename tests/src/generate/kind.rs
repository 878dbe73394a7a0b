//! Random kinds of parents.

use std::time::Duration;

use pleach_tree::{
    CaseValue, NodeKind, Threshold, abort_when, col, concurrent, cooldown, delay, done_when,
    failer, if_then, invert, parallel, random_selector, random_sequence, reactive_selector,
    reactive_sequence, repeat, repeat_regardless, repeat_until_failure, repeat_until_success,
    run_once, run_while, selector, sequence, succeed, succeeder, timeout, when, while_do,
};
use proptest::prelude::*;
use proptest::sample::select;

use super::LABELS;
use super::expr::bool_expr;

/// How deep the expressions of guards nest.
const GUARD_LEVELS: u32 = 2;
/// The most children of a generated parent.
pub(super) const MAX_CHILDREN: usize = 6;

/// A time that the steps of [`Script::dt`](super::Script::dt) add up to exactly, or are long past; now
/// and then one that is never over, of those that take more than 32 bits.
pub(super) fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        15 => (0..5_u64).prop_map(|step| Duration::from_micros(step * 7)),
        1 => Just(Duration::from_micros((1 << 31) + 7)),
    ]
}

/// Bounds of a time that is drawn: around the steps of [`Script::dt`](super::Script::dt), now and then from
/// no time at all or with nothing to choose; and on both sides of what 32 bits take.
pub(super) fn range() -> impl Strategy<Value = (Duration, Duration)> {
    prop_oneof![
        12 => (0..30_u64, 0..30_u64),
        2 => (0..3_u64).prop_map(|micros| (micros, 0)),
        1 => (0..30_u64).prop_map(|micros| (micros, 1 << 31)),
        1 => Just(((1 << 31) - 9, 20)),
    ]
    .prop_map(|(min, span)| {
        let [min, max] = [min, min + span].map(Duration::from_micros);
        (min, max)
    })
}

fn threshold() -> impl Strategy<Value = Threshold> {
    prop_oneof![Just(Threshold::All), (1..6_u32).prop_map(Threshold::Count)]
}

// Through the builder's functions, so that no kind is spelled here that they would not make.
macro_rules! kind {
    ($def:expr) => {
        $def.kind().clone()
    };
}

/// A composite of any kind, which takes up to [`MAX_CHILDREN`] children or, if it is one of those that
/// do not, is [`fitted`](super::tree) to what it gets.
pub(super) fn composite() -> BoxedStrategy<NodeKind> {
    prop_oneof![
        2 => Just(kind!(sequence([]))),
        2 => Just(kind!(selector([]))),
        2 => Just(kind!(reactive_sequence([]))),
        2 => Just(kind!(reactive_selector([]))),
        2 => (threshold(), threshold())
            .prop_map(|(success, failure)| kind!(parallel(success, failure, []))),
        2 => Just(kind!(concurrent([]))),
        2 => Just(kind!(random_sequence([]))),
        2 => Just(kind!(random_selector([]))),
        2 => switch(),
        2 => Just(kind!(if_then(succeed(), succeed()))),
        2 => Just(kind!(while_do(succeed(), succeed()))),
    ]
    .boxed()
}

/// A Switch with cases enough for [`MAX_CHILDREN`] children, or all that there are.
fn switch() -> impl Strategy<Value = NodeKind> {
    let numbers = |numbers: &[i32]| {
        numbers
            .iter()
            .map(|&number| CaseValue::Int(number))
            .collect()
    };
    let bools = vec![CaseValue::Bool(true), CaseValue::Bool(false)];
    let mut pools: Vec<(&'static str, Vec<CaseValue>)> = Vec::new();
    pools.extend(["alert", "armed", "alarm"].map(|name| (name, bools.clone())));
    pools.extend(["ammo", "level"].map(|name| (name, numbers(&[0, 1, 2, 3, 255]))));
    pools.extend(["score", "budget"].map(|name| (name, numbers(&[-3, -1, 0, 1, 2, i32::MAX]))));
    pools.push(("rank", numbers(&[0, 1, 299, 40_000])));
    for (name, labels) in LABELS {
        let mut cases: Vec<CaseValue> = labels.map(CaseValue::from).into();
        cases.push(CaseValue::Int(3));
        pools.push((name, cases));
    }
    let shuffled =
        select(pools).prop_flat_map(|(on, cases)| (Just(on), Just(cases).prop_shuffle()));
    (shuffled, any::<bool>()).prop_map(|((on, cases), otherwise)| {
        let cases = cases.into_iter().map(Some);
        NodeKind::Switch {
            on: on.to_owned(),
            cases: cases.chain(otherwise.then_some(None)).collect(),
        }
    })
}

/// A decorator of any kind.
pub(super) fn decorator() -> BoxedStrategy<NodeKind> {
    let limit = || {
        prop_oneof![
            1 => Just(None),
            3 => (1..4_u32).prop_map(Some),
        ]
    };
    let test = || bool_expr(GUARD_LEVELS);
    prop_oneof![
        2 => Just(kind!(invert(succeed()))),
        2 => Just(kind!(succeeder(succeed()))),
        2 => Just(kind!(failer(succeed()))),
        2 => limit().prop_map(|times| kind!(repeat(succeed(), times))),
        2 => limit().prop_map(|times| kind!(repeat_regardless(succeed(), times))),
        2 => limit().prop_map(|max| kind!(repeat_until_failure(succeed(), max))),
        2 => limit().prop_map(|max| kind!(repeat_until_success(succeed(), max))),
        3 => time().prop_map(|time| kind!(cooldown(succeed(), time))),
        3 => time().prop_map(|time| kind!(timeout(succeed(), time))),
        3 => time().prop_map(|time| kind!(delay(succeed(), time))),
        // What is above one does the same ever after, until a reset.
        1 => Just(kind!(run_once(succeed()))),
        2 => test().prop_map(|test| kind!(when(succeed(), test))),
        2 => test().prop_map(|test| kind!(run_while(succeed(), test))),
        2 => test().prop_map(|test| kind!(done_when(succeed(), test))),
        2 => abort(),
    ]
    .boxed()
}

/// An AbortWhen that hardly ever aborts: actors are to be in their trees most of the time.
fn abort() -> impl Strategy<Value = NodeKind> {
    let column = select(vec!["mood", "ammo", "stance"]);
    (bool_expr(GUARD_LEVELS), column, 0..4_i32).prop_map(|(test, column, value)| {
        let rare = test.and(col(column).eq_to(value));
        kind!(abort_when(succeed(), rare))
    })
}

/// The kind for a node with that many children, at least one, and the most children that it can have.
/// Shrinking takes children away, so this cannot be left to how kinds are drawn.
pub(super) fn fitted(kind: &NodeKind, children: usize) -> NodeKind {
    let fit = |threshold| match threshold {
        Threshold::Count(wanted) => Threshold::Count(wanted.clamp(1, children.max(1) as u32)),
        Threshold::All => Threshold::All,
    };
    match kind {
        &NodeKind::Parallel { success, failure } => NodeKind::Parallel {
            success: fit(success),
            failure: fit(failure),
        },
        // A test without a branch.
        NodeKind::Recovery { .. } if children < 2 => NodeKind::KeepSequence,
        NodeKind::IfThenElse if children < 2 => NodeKind::Sequence,
        NodeKind::WhileDoElse if children < 2 => NodeKind::ReactiveSequence,
        NodeKind::Switch { on, cases } => {
            let mut cases = cases.clone();
            let otherwise = cases.pop_if(|case| case.is_none() && children > 1);
            cases.truncate(children - usize::from(otherwise.is_some()));
            cases.extend(otherwise);
            NodeKind::Switch {
                on: on.clone(),
                cases,
            }
        }
        kind => kind.clone(),
    }
}

/// The most children that a node of that kind can have here.
pub(super) fn capacity(kind: &NodeKind) -> usize {
    match kind {
        NodeKind::Recovery { .. } => 2,
        NodeKind::IfThenElse | NodeKind::WhileDoElse => 3,
        NodeKind::Switch { cases, .. } => cases.len(),
        _ => MAX_CHILDREN,
    }
}
