//! Looking into a population: statuses, states, the census, one actor's trace.

use pleach_shape::{NONE, Op, StateRecord, Status, TokenIndex};

use crate::actor::ActorId;
use crate::block::latch;
use crate::census::NodeCount;
use crate::kernel::{convert, memory};
use crate::observe::Event;
use crate::population::Population;
use crate::results::NoSuchActor;
use crate::timer::deadline;

/// One entry of an actor's state, the same for every kernel. A node that keeps several things has several,
/// side by side.
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
    /// A parent that remembers which child of it runs.
    Child(TokenIndex),
    /// A Task: it runs. A loop: it is between two iterations.
    Runs,
    /// A Wait or Timeout, or a Delay before its child: when its time is up, in microseconds of the clock.
    /// One that passed while its actor was not due may be another moment that has passed (T3).
    Deadline(u64),
    /// A child of a running Parallel: it finished so.
    Done(Status),
    /// A loop that counts: how many iterations it has behind it.
    Count(u32),
    /// A random composite: which of its children have finished in this round, a bit each, the first child
    /// lowest.
    Order(u64),
    /// A Cooldown: until when it fails, in microseconds of the clock. Outlives halts (D3).
    Cooling(u64),
    /// A RunOnce: how its child finished. Outlives halts (D6).
    Once(Status),
}

impl Population {
    /// Root status of an actor's last walk. `None` before the first, when an AbortWhen ended the last one, and
    /// from the tick on that carries out an unload or a reset (U2), until the actor is walked again.
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
        let tables = self.shape.tables();
        let from = (&block.lines[layout.timers..], block.timer_epoch);
        let deadline = |timer| deadline(layout, &tables.timers, from, timer, lane);
        let counters = &block.lines[layout.counters..];
        let mut state = Vec::new();
        for record in convert::canonical(&self.shape, block, lane) {
            let token = self.shape.plain()[record.node as usize];
            let operand = token.operand as usize;
            let op = token.op().unwrap_or(Op::Fail);
            let mut keep = |kept| {
                let node = TokenIndex(record.node);
                state.push(CanonicalRecord { node, kept });
            };
            keep(match (record.done_status(), record.value) {
                (Some(status), _) => Kept::Done(status),
                (None, StateRecord::RUNS) => match op {
                    Op::Wait | Op::Delay => Kept::Deadline(deadline(token.operand)),
                    _ => Kept::Runs,
                },
                (None, child) => Kept::Child(TokenIndex(child)),
            });
            if record.done_status().is_some() {
                continue;
            }
            match op {
                Op::Timeout => keep(Kept::Deadline(deadline(tables.groups[operand].timer))),
                Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess
                    if tables.loops[operand].limit > 0 =>
                {
                    keep(Kept::Count(memory::count(counters, layout, operand, lane)));
                }
                Op::RandomSequence | Op::RandomSelector => {
                    let order = (operand, tables.randoms[operand].children);
                    keep(Kept::Order(memory::finished(counters, layout, order, lane)));
                }
                _ => {}
            }
        }
        for (def, &first) in tables.latches.iter().zip(&layout.latch_firsts) {
            let planes = &block.lines[first as usize..];
            if !planes[latch::SET].get(lane) {
                continue;
            }
            let kept = if def.timer == NONE {
                Kept::Once(Status::from_bool(planes[latch::OK].get(lane)))
            } else {
                Kept::Cooling(deadline(def.timer))
            };
            // One that is over has nothing left to say.
            if matches!(kept, Kept::Cooling(until) if until <= self.now_micros) {
                continue;
            }
            let node = TokenIndex(def.node);
            state.push(CanonicalRecord { node, kept });
        }
        state.sort_by_key(|record| record.node);
        Ok(state)
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
    /// visited, once for each block; with other kernels, and only [with the census](Population::with_census) or
    /// while nodes are [watched](Population::watch), once for each actor.
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
