//! Immediate callbacks: what tasks and queries are answered by.

use pleach_shape::{NodeId, Status, Value};
use pleach_tree::Call;

/// Why a task is told to exit (L4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// It answered Success.
    Success,
    /// It answered Failure.
    Failure,
    /// It was running and was halted.
    Aborted,
}

/// What a callback is given: which node asks, and what it may touch (L4).
#[derive(Debug)]
pub struct Callback<'a> {
    /// The node.
    pub node: NodeId,
    /// The node's depth-first index.
    pub index: u32,
    /// The node's name and parameters.
    pub call: &'a Call,
    /// The actor's columns, in declared order.
    pub columns: &'a mut [Value],
    /// The world values, in declared order.
    pub world: &'a [Value],
}

/// Answers the tasks and queries of one actor.
pub trait Host {
    /// Whether a query holds (L1). It must leave the columns alone.
    fn query(&mut self, callback: Callback<'_>) -> bool;

    /// A task starts.
    fn enter(&mut self, callback: Callback<'_>);

    /// A task is visited; follows `enter` at once in the tick that starts it.
    fn run(&mut self, callback: Callback<'_>) -> Status;

    /// A task ends; exactly once for each `enter`.
    fn exit(&mut self, callback: Callback<'_>, exit: Exit);
}

/// The host of trees that have neither tasks nor queries: a query fails, a task fails at once.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoHost;

impl Host for NoHost {
    fn query(&mut self, _: Callback<'_>) -> bool {
        false
    }

    fn enter(&mut self, _: Callback<'_>) {}

    fn run(&mut self, _: Callback<'_>) -> Status {
        Status::Failure
    }

    fn exit(&mut self, _: Callback<'_>, _: Exit) {}
}

/// One call that a host received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostCall {
    /// A query, and what it was answered.
    Query(u32, bool),
    /// A task started.
    Enter(u32),
    /// A task was visited, and what it answered.
    Run(u32, Status),
    /// A task ended.
    Exit(u32, Exit),
}

impl HostCall {
    /// The depth-first index of the node that called.
    pub const fn index(self) -> u32 {
        match self {
            HostCall::Query(index, _)
            | HostCall::Enter(index)
            | HostCall::Run(index, _)
            | HostCall::Exit(index, _) => index,
        }
    }
}
