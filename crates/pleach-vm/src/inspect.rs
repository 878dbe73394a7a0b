//! Looking into a population: statuses, states, the census, one actor's trace.

use pleach_shape::{Op, StateRecord, Status, TokenIndex};

use crate::actor::ActorId;
use crate::census::NodeCount;
use crate::kernel::convert;
use crate::observe::Event;
use crate::population::Population;
use crate::results::NoSuchActor;
use crate::timer::deadline;

/// One entry of an actor's state, the same for every kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CanonicalRecord {
    /// The node.
    pub node: TokenIndex,
    /// What is kept for it.
    pub kept: Kept,
}

/// What is kept for a node from one tick to the next (T4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kept {
    /// A Sequence or Selector: its running child.
    Child(TokenIndex),
    /// A Task: it runs.
    Runs,
    /// A Wait: when it is over, in microseconds of the clock. One that passed while its actor was not
    /// due may be another moment that has passed (T3).
    Deadline(u64),
    /// A child of a running Parallel: it finished so.
    Done(Status),
}

impl Population {
    /// Root status of an actor's last walk; `None` before the first and after an unload.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn status(&self, actor: ActorId) -> Result<Option<Status>, NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        Ok(self.blocks[block].status(self.shape.layout(), lane))
    }

    /// An actor's traversal state in canonical form: sorted by node, the same for every kernel.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn state(&self, actor: ActorId) -> Result<Vec<CanonicalRecord>, NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        let layout = self.shape.layout();
        let block = &self.blocks[block];
        let canonical_records = convert::canonical(&self.shape, block, lane);
        let defs = &self.shape.tables().timers;
        let canonical = |record: &StateRecord| {
            let token = self.shape.plain()[record.node as usize];
            let kept = match (record.done_status(), record.value) {
                (Some(status), _) => Kept::Done(status),
                (None, StateRecord::RUNS) if token.op == Op::Wait as u8 => {
                    let lines = &block.lines[layout.timers..];
                    let from = (lines, block.timer_epoch);
                    Kept::Deadline(deadline(layout, defs, from, token.operand, lane))
                }
                (None, StateRecord::RUNS) => Kept::Runs,
                (None, child) => Kept::Child(TokenIndex(child)),
            };
            CanonicalRecord {
                node: TokenIndex(record.node),
                kept,
            }
        };
        Ok(canonical_records.iter().map(canonical).collect())
    }

    /// How many actors were at each node in the last tick, indexed by token; empty without
    /// [`with_census`](Population::with_census). Written into `counts`, whose memory is reused.
    pub fn census(&self, counts: &mut Vec<NodeCount>) {
        counts.clear();
        if !self.census {
            return;
        }
        counts.resize(self.shape.len(), NodeCount::default());
        for block in &self.blocks {
            let Some(census) = &block.census else {
                continue;
            };
            for (total, count) in counts.iter_mut().zip(&census.counts) {
                total.add(*count);
            }
        }
    }

    /// How many tokens the last tick swept or walked over: with lanes, tokens that anybody of a block
    /// visited, once for each block; with other kernels, and only
    /// [with the census](Population::with_census), once for each actor.
    pub fn tokens_visited(&self) -> u64 {
        self.blocks.iter().map(|block| block.tally.tokens).sum()
    }

    /// Records each step of one actor's walks from now on, or of nobody's. What was recorded before
    /// is forgotten. Under a kernel whose stream has no parents (threaded stream, lanes), the traced actor
    /// alone is walked by the pure stream: the same result, told in full.
    pub fn trace(&mut self, actor: Option<ActorId>) {
        self.traced = actor;
        for block in &mut self.blocks {
            block.events.clear();
        }
    }

    /// What happened in the traced actor's last walk, in order.
    pub fn trace_events(&self) -> &[Event] {
        let block = self.traced.and_then(|actor| self.blocks.get(actor.block()));
        block.map_or(&[], |block| &block.events)
    }
}
