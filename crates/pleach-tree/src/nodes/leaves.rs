//! Leaves: nodes without children.

use std::time::Duration;

use crate::expr::Expr;
use crate::node::NodeDef;
use crate::tree::{Call, NodeKind};

fn leaf(kind: NodeKind) -> NodeDef {
    NodeDef::new(kind, [])
}

fn call(name: impl Into<String>) -> Call {
    Call {
        name: name.into(),
        params: Vec::new(),
    }
}

/// Success where the expression holds. A text that is no expression is reported by the compiler.
pub fn condition(test: impl Into<Expr>) -> NodeDef {
    leaf(NodeKind::Condition(test.into()))
}

/// A condition that a registered host function answers.
pub fn query(function: impl Into<String>) -> NodeDef {
    leaf(NodeKind::Query(call(function)))
}

/// A deferred action: requested by the tree, carried out by its system, answered later.
pub fn action(name: impl Into<String>) -> NodeDef {
    leaf(NodeKind::Action(call(name)))
}

/// An action that its system runs every tick before the trees are walked.
pub fn persistent_action(name: impl Into<String>) -> NodeDef {
    leaf(NodeKind::PersistentAction(call(name)))
}

/// An immediate host callback.
pub fn task(function: impl Into<String>) -> NodeDef {
    leaf(NodeKind::Task(call(function)))
}

/// Writes the expression's value to a blackboard column.
pub fn set(column: impl Into<String>, value: impl Into<Expr>) -> NodeDef {
    leaf(NodeKind::Set {
        column: column.into(),
        value: value.into(),
    })
}

/// Runs for a time, then succeeds. Fractions of a microsecond are dropped.
pub fn wait(duration: Duration) -> NodeDef {
    leaf(NodeKind::Wait(duration))
}

/// Always succeeds.
pub fn succeed() -> NodeDef {
    leaf(NodeKind::Succeed)
}

/// Always fails.
pub fn fail() -> NodeDef {
    leaf(NodeKind::Fail)
}

/// Always runs: nothing to do until a parent takes over.
pub fn idle() -> NodeDef {
    leaf(NodeKind::Idle)
}
