//! What a tick did, in numbers.

use std::time::Duration;

use pleach_shape::{NodeId, SlotIndex, TokenIndex};

use crate::actor::ActorId;

/// Counts of one tick. Sums over blocks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TickCounts {
    /// Actors whose tree was walked.
    pub ticked: u64,
    /// Of those, roots that succeeded.
    pub succeeded: u64,
    /// Roots that failed.
    pub failed: u64,
    /// Roots that are running.
    pub running: u64,
    /// Actors that an AbortWhen took out of the tree: of those that were walked, the ones without a root
    /// status.
    pub aborted: u64,
    /// Deferred actions requested for the first time.
    pub launches: u64,
    /// Deferred actions requested again.
    pub continues: u64,
    /// Deferred actions cancelled.
    pub cancels: u64,
    /// Results that a visit consumed.
    pub results_used: u64,
    /// Results that no visit consumed, dropped (L2).
    pub results_dropped: u64,
    /// Tasks that were aborted.
    pub tasks_aborted: u64,
    /// Visits to tasks or queries that nobody registered; each answered Failure.
    pub unbound_calls: u64,
}

impl TickCounts {
    pub(crate) fn add(&mut self, other: &TickCounts) {
        self.ticked += other.ticked;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.running += other.running;
        self.aborted += other.aborted;
        self.launches += other.launches;
        self.continues += other.continues;
        self.cancels += other.cancels;
        self.results_used += other.results_used;
        self.results_dropped += other.results_dropped;
        self.tasks_aborted += other.tasks_aborted;
        self.unbound_calls += other.unbound_calls;
    }
}

/// What a tick did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TickReport {
    /// The tick's number, from 1.
    pub tick: u64,
    /// The clock after the tick's `dt`.
    pub now: Duration,
    /// Counts over all actors.
    pub counts: TickCounts,
    /// Errors that action systems reported since the tick before (L5), in the order they came in.
    pub errors: Vec<ActionError>,
    /// Callbacks that panicked, by actor, then node.
    pub panics: Vec<CallbackPanic>,
}

/// An action that its system could not carry out (L5). Its node failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionError {
    /// Whose action it was.
    pub actor: ActorId,
    /// The action's slot.
    pub slot: SlotIndex,
    /// The node in its tree.
    pub node: NodeId,
    /// The system's own code.
    pub code: u32,
}

/// A task or query that panicked. The visit answered Failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CallbackPanic {
    /// Whose callback it was.
    pub actor: ActorId,
    /// The node.
    pub node: TokenIndex,
}

/// A block's part of the report.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) counts: TickCounts,
    /// Tokens that somebody visited; see [`Population::tokens_visited`](crate::Population).
    pub(crate) tokens: u64,
    pub(crate) panics: Vec<CallbackPanic>,
}
