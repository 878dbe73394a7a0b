//! Composites: nodes with one child or more.

use crate::node::NodeDef;
use crate::tree::{CaseValue, NodeKind, Threshold};

/// Runs children in order until one fails; resumes at the one that was running.
pub fn sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::Sequence, children)
}

/// Runs children in order until one succeeds; resumes at the one that was running.
pub fn selector(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::Selector, children)
}

/// A sequence that starts at its first child each tick.
pub fn reactive_sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::ReactiveSequence, children)
}

/// A selector that starts at its first child each tick, so that a higher child can take over.
pub fn reactive_selector(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::ReactiveSelector, children)
}

/// Runs all children; succeeds once `success` of them have, fails once `failure` of them have.
pub fn parallel(
    success: Threshold,
    failure: Threshold,
    children: impl IntoIterator<Item = NodeDef>,
) -> NodeDef {
    NodeDef::new(NodeKind::Parallel { success, failure }, children)
}

/// Visits all children each tick; the first failure ends it.
pub fn concurrent(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::Concurrent, children)
}

/// Runs children in a random order until one fails: a sequence in an order of the actor's own, drawn
/// afresh each time it starts over and kept while it runs (C2). At most [`MAX_RANDOM_CHILDREN`]
/// children.
///
/// [`MAX_RANDOM_CHILDREN`]: pleach_shape::MAX_RANDOM_CHILDREN
pub fn random_sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::RandomSequence, children)
}

/// Runs children in a random order until one succeeds (C2). At most [`MAX_RANDOM_CHILDREN`] children.
///
/// [`MAX_RANDOM_CHILDREN`]: pleach_shape::MAX_RANDOM_CHILDREN
pub fn random_selector(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::RandomSelector, children)
}

/// A branch of a [`switch`]: see [`case`] and [`otherwise`].
pub struct Branch {
    value: Option<CaseValue>,
    child: NodeDef,
}

/// The branch of a [`switch`] for that value: a `bool`, an `i32`, or a text that is one of the
/// labels of an enumeration.
pub fn case(value: impl Into<CaseValue>, child: NodeDef) -> Branch {
    Branch {
        value: Some(value.into()),
        child,
    }
}

/// The branch of a [`switch`] for all values without a case. It must be the last one.
pub fn otherwise(child: NodeDef) -> Branch {
    Branch { value: None, child }
}

/// Runs the child whose case equals a column or world value, judged each tick; when it changes, the
/// old child is halted (C5).
///
/// Without a case for the value and without [`otherwise`]: Failure.
pub fn switch(on: impl Into<String>, branches: impl IntoIterator<Item = Branch>) -> NodeDef {
    let (mut cases, mut children) = (Vec::new(), Vec::new());
    for branch in branches {
        cases.push(branch.value);
        children.push(branch.child);
    }
    let on = on.into();
    NodeDef::new(NodeKind::Switch { on, cases }, children)
}

/// Runs `then` where `test` succeeds, `otherwise` where it fails. What runs is resumed without a look
/// at the test (C6).
pub fn if_then_else(test: NodeDef, then: NodeDef, otherwise: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::IfThenElse, [test, then, otherwise])
}

/// Runs `then` where `test` succeeds, and fails where it fails (C6).
pub fn if_then(test: NodeDef, then: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::IfThenElse, [test, then])
}

/// Visits `test` each tick, and runs `body` while it succeeds, `otherwise` while it fails; the one
/// that is not reached is halted (C6).
pub fn while_do_else(test: NodeDef, body: NodeDef, otherwise: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::WhileDoElse, [test, body, otherwise])
}

/// Visits `test` each tick, and runs `body` while it succeeds; fails where it fails (C6).
pub fn while_do(test: NodeDef, body: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::WhileDoElse, [test, body])
}
