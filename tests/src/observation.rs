//! What can be seen of a tick from outside, whichever engine ran it.

use std::fmt;

use pleach_shape::{NodeId, Status, Value};

/// The value of a state record of a Task that runs, and of a loop between two iterations.
pub const RUNS: u64 = u32::MAX as u64;
/// The value of a state record of a child that succeeded under a running Parallel.
pub const DONE_SUCCESS: u64 = u32::MAX as u64 - 1;
/// The value of a state record of a child that failed under a running Parallel.
pub const DONE_FAILURE: u64 = u32::MAX as u64 - 2;
/// The value of a state record of a RunOnce whose child has succeeded.
pub const ONCE_SUCCESS: u64 = u32::MAX as u64 - 3;
/// The value of a state record of a RunOnce whose child has failed.
pub const ONCE_FAILURE: u64 = u32::MAX as u64 - 4;

// The two highest bits tell what else a value can be; depth-first indices and moments of the clock
// have neither.

/// Added to the number of iterations that a loop with a limit has finished.
pub const COUNT_BASE: u64 = 1 << 62;
/// Added to the moment at which a Cooldown is over.
pub const COOLING_BASE: u64 = 2 << 62;
/// Added to the children that a random composite has finished, bit `n` for the `n`-th child. Only for
/// those with up to 62 children.
pub const ORDER_BASE: u64 = 3 << 62;

/// How a deferred action ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// It did what it should.
    Success,
    /// It could not.
    Failure,
}

impl From<Finish> for Status {
    fn from(finish: Finish) -> Status {
        match finish {
            Finish::Success => Status::Success,
            Finish::Failure => Status::Failure,
        }
    }
}

/// An actor's columns. Equal when types and bits are: a NaN equals itself, and 0.0 is not -0.0.
#[derive(Clone, Default)]
pub struct Row(pub Vec<Value>);

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        let bits = |value: &Value| (value.ty(), value.to_bits());
        self.0.iter().map(bits).eq(other.0.iter().map(bits))
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

/// What an actor's tick did. Every engine can give this, and all must give the same (T6).
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    /// What the root answered; none when the walk was aborted (D5), which unloads the actor.
    pub root: Option<Status>,
    /// Slots that are requested and were not outstanding (L2), ascending.
    pub launches: Vec<u32>,
    /// Slots that are requested and were outstanding (L2), ascending.
    pub continues: Vec<u32>,
    /// Slots that were outstanding, had no result and are not requested (L2), ascending.
    pub cancels: Vec<u32>,
    /// Results that no visit consumed (L2).
    pub dropped: u32,
    /// The actor's columns after the tick.
    pub columns: Row,
    /// What the actor remembers, in canonical form: `(depth-first index, value)`, ascending; several
    /// records of a node if it remembers several things. For what answered Running and stays running:
    ///
    /// - Sequence, Selector, RandomSequence, RandomSelector, IfThenElse, When, Timeout, Cooldown, RunOnce,
    ///   a loop or Delay whose child runs: the depth-first index of the running child;
    /// - a loop between two iterations: [`RUNS`]; one with a limit also [`COUNT_BASE`] and the iterations
    ///   that are over;
    /// - RandomSequence, RandomSelector: also [`ORDER_BASE`] and the children that are over;
    /// - Timeout, and a Delay before its child: the deadline in microseconds of the clock;
    /// - Task: [`RUNS`];
    /// - Wait: its deadline;
    /// - each finished child of a running Parallel: [`DONE_SUCCESS`] or [`DONE_FAILURE`].
    ///
    /// And what is persistent, whatever runs:
    ///
    /// - a Cooldown that is not over: [`COOLING_BASE`] and its deadline;
    /// - a RunOnce that has finished: [`ONCE_SUCCESS`] or [`ONCE_FAILURE`].
    ///
    /// Other kinds keep no record; an outstanding action is among launches or continues.
    pub state: Vec<(u32, u64)>,
}

/// What a tick did inside: for engines that can trace.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// Nodes in the order in which they were entered, parents before children.
    pub visits: Vec<Visit>,
    /// Depth-first indices of nodes of all kinds that were running before the tick or answered
    /// Running within it, and neither run after it nor finished in it. Stream order (L6).
    pub halts: Vec<u32>,
}

/// A node visited in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The node.
    pub node: NodeId,
    /// Its depth-first index.
    pub index: u32,
    /// Whether it was not running before the tick.
    pub fresh: bool,
    /// What it answered; none if an abort took the walk out of it (D5).
    pub answer: Option<Status>,
}

/// What an unload or a reset between two ticks did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Release {
    /// Depth-first indices of the nodes that were running, in stream order. Tasks among them were
    /// told to exit, in that order.
    pub halts: Vec<u32>,
    /// Slots that were outstanding and had no result, ascending.
    pub cancels: Vec<u32>,
    /// Results that were dropped.
    pub dropped: u32,
}
