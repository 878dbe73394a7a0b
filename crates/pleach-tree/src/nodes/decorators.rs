//! Decorators: nodes with exactly one child.

use std::time::Duration;

use crate::expr::Expr;
use crate::node::NodeDef;
use crate::tree::NodeKind;

/// Swaps the child's Success and Failure.
pub fn invert(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::Invert, [child])
}

/// Success once the child finishes.
pub fn succeeder(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::Succeeder, [child])
}

/// Failure once the child finishes.
pub fn failer(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::Failer, [child])
}

/// Runs the child that many times, one iteration a tick at most; `None` is for ever. Fails when the
/// child fails (D2).
///
/// Running between two iterations: the tick in which the last one ends is the tick in which the loop
/// ends. See [`repeat_regardless`] for one that goes on after a failure.
pub fn repeat(child: NodeDef, times: impl Into<Option<u32>>) -> NodeDef {
    let (times, break_on_failure) = (times.into(), true);
    let kind = NodeKind::Repeat {
        times,
        break_on_failure,
    };
    NodeDef::new(kind, [child])
}

/// Runs the child that many times, whatever it answers; `None` is for ever (D2).
pub fn repeat_regardless(child: NodeDef, times: impl Into<Option<u32>>) -> NodeDef {
    let (times, break_on_failure) = (times.into(), false);
    let kind = NodeKind::Repeat {
        times,
        break_on_failure,
    };
    NodeDef::new(kind, [child])
}

/// Repeats the child until it fails, then fails; succeeds after `max` successes (D2).
pub fn repeat_until_failure(child: NodeDef, max: impl Into<Option<u32>>) -> NodeDef {
    NodeDef::new(NodeKind::RepeatUntilFailure { max: max.into() }, [child])
}

/// Repeats the child until it succeeds, then succeeds; fails after `max` failures (D2).
pub fn repeat_until_success(child: NodeDef, max: impl Into<Option<u32>>) -> NodeDef {
    NodeDef::new(NodeKind::RepeatUntilSuccess { max: max.into() }, [child])
}

/// After the child has finished, either way, fails for a time without visiting it (D3).
pub fn cooldown(child: NodeDef, time: Duration) -> NodeDef {
    NodeDef::new(NodeKind::Cooldown(time), [child])
}

/// Fails, and halts the child, if that still runs when the time is up (D4).
pub fn timeout(child: NodeDef, time: Duration) -> NodeDef {
    NodeDef::new(NodeKind::Timeout(time), [child])
}

/// Runs for a time, then runs the child (D4).
pub fn delay(child: NodeDef, time: Duration) -> NodeDef {
    NodeDef::new(NodeKind::Delay(time), [child])
}

/// Runs the child until it has finished once, and answers what it answered then for ever after (D6).
pub fn run_once(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::RunOnce, [child])
}

/// Starts the child only where the expression holds; elsewhere Failure. Not judged again while the
/// child runs (D5).
pub fn when(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::When(test.into()), [child])
}

/// Runs the child as long as the expression holds: where it does not, the child is halted, and the
/// answer is Failure (D5). (`while` is a word of Rust's own.)
pub fn run_while(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::While(test.into()), [child])
}

/// Runs the child until the expression holds: then the child is halted, and the answer is Success
/// (D5).
pub fn done_when(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::DoneWhen(test.into()), [child])
}

/// Where the expression holds, halts all that the actor runs and takes it out of the tree: no node
/// above answers, and it is not walked until it is loaded again (D5).
pub fn abort_when(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::AbortWhen(test.into()), [child])
}
