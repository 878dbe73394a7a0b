//! The lanes kernel: one sweep over the threaded stream for all actors of a block.
//!
//! **Walks** each token once for everybody. A token has an *arrive* plane, one bit an actor; it splits
//! that plane by a comparison of a column or by a plane of results, and ORs the parts into the arrive
//! planes of the tokens that each part goes on to. All jumps go forward, so when the sweep comes to a
//! token everybody who will ever arrive has; only those whom a random composite draws a next child for are
//! sent back, and swept again (C2): in as many passes as it has children at most, and never more than
//! there are lanes, since each has somebody. Divergence costs an empty plane, and paths that meet again
//! are one. **Keeps** a bit for each leaf that runs. Nothing is reset: the next tick's marks are written
//! afresh, and who was not visited has none (T4). **Costs** a few instructions for each token that
//! somebody visits, and for each predicate that somebody asks. **Sibling**:
//! [`threaded_stream`](super::threaded_stream) walks the same stream for one actor.
//!
//! | file | |
//! |---|---|
//! | `sweep` | the loop over the stream, and what its steps do |
//! | `condition` | predicates over whole columns |
//! | `expression` | the expression machine, a column at a time |
//! | `group` | counting and judging the children of a Parallel or Concurrent |
//! | `counting` | loops and random orders |
//! | `timer` | waits and other decorators that keep time, and what outlives halts |
//! | `call` | tasks and queries |
//! | `plan` | what is worked out when a population is made |
//! | `scratch` | what a sweep works in |

mod call;
mod condition;
mod counting;
mod expression;
mod group;
mod plan;
mod scratch;
mod sweep;
mod timer;

use pleach_shape::{Mark, Op};

use super::{Place, Tick};
use crate::block::Occupied;
use crate::census::BlockCensus;
use crate::plane::Plane;
use crate::simd::Work;

pub(crate) use plan::Plans;
pub(crate) use scratch::LaneScratch;
use sweep::Sweep;

/// Ticks these lanes of a block.
pub(crate) fn sweep(
    tick: &Tick<'_>,
    place: Place<'_>,
    occupied: &mut Occupied,
    census: Option<&mut BlockCensus>,
    scratch: &mut LaneScratch,
    ticked: Plane,
) {
    if ticked.is_empty() {
        return;
    }
    tick.simd
        .run(Sweep::new(tick, place, occupied, census, scratch, ticked));
}

impl Work for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: crate::simd::Form>(mut self, form: F) {
        self.resume(form);
        self.stream(form);
        self.take_back(form);
        self.end(form);
    }
}

/// Halts what lanes that leave the tree run: tasks are aborted, in stream order; marks are dropped.
pub(crate) fn leave(
    tick: &Tick<'_>,
    mut place: Place<'_>,
    occupied: &mut Occupied,
    leaving: Plane,
) {
    let marks = &tick.shape.threaded().marks;
    for mark in occupied.marks.iter() {
        let halted = place.parts.marks[mark] & leaving;
        if let Mark::Runs { node } = marks[mark]
            && tick.shape.plain()[node as usize].op() == Some(Op::Task)
            && !halted.is_empty()
        {
            call::exit_aborted(tick, &mut place, node, halted);
        }
    }
    for word in 0..occupied.marks.words().len() {
        for bit in crate::bits::each(occupied.marks.words()[word]) {
            let mark = word * 64 + bit;
            place.parts.marks[mark] &= !leaving;
            if place.parts.marks[mark].is_empty() {
                occupied.marks.remove(mark);
            }
        }
    }
}
