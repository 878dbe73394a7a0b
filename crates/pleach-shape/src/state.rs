//! State records: what an actor's state stream is made of.

use bytemuck::{Pod, Zeroable};
use core::fmt;

use crate::index::TokenIndex;
use crate::status::Status;

/// One entry of an actor's state stream: plain old data, 8 bytes.
///
/// A stream holds records in ascending `node` order, at most one a node, and only of nodes that
/// [keep](crate::op::Keeps) something and answered Running in the last tick (T4), or that finished
/// under a Parallel that is still running. `value` says what:
///
/// | `value` | of | means |
/// |---|---|---|
/// | a token index | a parent that [remembers](crate::Op::remembers): a Sequence or Selector, random ones too, an IfThenElse, a When, a loop, a Delay, Timeout, Cooldown or RunOnce | the child of it that runs |
/// | [`RUNS`](StateRecord::RUNS) | a Task, a Wait | it runs |
/// | [`RUNS`](StateRecord::RUNS) | a parent that [runs by itself](crate::Op::runs_itself) | no child of it runs: the loop is between two iterations, the Delay has not come to its child |
/// | [`DONE_SUCCESS`](StateRecord::DONE_SUCCESS), [`DONE_FAILURE`](StateRecord::DONE_FAILURE) | a child of a running Parallel, whatever kind of node it is | it has finished so |
///
/// That is the form of the pure stream and the traversal stack. On the threaded stream parents do not
/// remember children. It has `RUNS` for every running leaf, actions included, and for loops and Delays that
/// run by themselves; and the same records of finished children.
///
/// Everything else that nodes keep lies in the block, one place for each of these nodes
/// ([`layout`](crate::layout)), whatever the form: deadlines, counts and orders, which mean something only
/// while the node has a record here (a count or order says how far its node is, a deadline until when it runs),
/// and latches, which stay when a Cooldown or RunOnce is halted.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
pub struct StateRecord {
    /// Token index of the node that the record belongs to.
    pub node: u32,
    /// See above.
    pub value: u32,
}

impl StateRecord {
    /// The value of a Task or Wait that runs, of a loop between two iterations and of a Delay before its
    /// child; on the threaded stream, of any leaf that runs.
    pub const RUNS: u32 = u32::MAX;
    /// The value of a child that succeeded under a running Parallel.
    pub const DONE_SUCCESS: u32 = u32::MAX - 1;
    /// The value of a child that failed under a running Parallel.
    pub const DONE_FAILURE: u32 = u32::MAX - 2;

    /// The record of a child that finished under a Parallel.
    #[inline]
    pub const fn done(node: TokenIndex, status: Status) -> StateRecord {
        StateRecord {
            node: node.0,
            value: match status {
                Status::Success => Self::DONE_SUCCESS,
                _ => Self::DONE_FAILURE,
            },
        }
    }

    /// The status of a finished child, if the record is one.
    #[inline]
    pub const fn done_status(self) -> Option<Status> {
        match self.value {
            Self::DONE_SUCCESS => Some(Status::Success),
            Self::DONE_FAILURE => Some(Status::Failure),
            _ => None,
        }
    }
}

impl fmt::Debug for StateRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Self::RUNS => write!(f, "#{} runs", self.node),
            Self::DONE_SUCCESS => write!(f, "#{} succeeded", self.node),
            Self::DONE_FAILURE => write!(f, "#{} failed", self.node),
            child => write!(f, "#{} at #{child}", self.node),
        }
    }
}
