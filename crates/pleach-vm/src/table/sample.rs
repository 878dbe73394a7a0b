//! Some of a set: the first, or any.

use pleach_shape::layout::BLOCK_LANES;

use super::dice::Dice;
use crate::plane::{PLANE_WORDS, Plane};

/// The first lanes of a plane.
pub(super) fn first_lanes(plane: Plane, count: usize) -> Plane {
    if plane.count() as usize <= count {
        return plane;
    }
    let mut first = Plane::EMPTY;
    for lane in plane.lanes().take(count) {
        first.put(lane, true);
    }
    first
}

/// Draws `count` of the numbers below `all` without regard to order, as bits of the planes: Floyd's
/// algorithm (Bentley and Floyd, "A sample of brilliance", 1987). No number is thrown for twice.
pub(super) fn draw_ranks(count: usize, all: usize, dice: Dice, planes: &mut [Plane]) {
    planes.fill(Plane::EMPTY);
    for last in all - count..all {
        let bound = last as u64 + 1;
        let drawn = crate::random::below(dice.throw(last as u64), bound) as usize;
        let is_taken = planes[drawn / BLOCK_LANES].get(drawn % BLOCK_LANES);
        let rank = if is_taken { last } else { drawn };
        planes[rank / BLOCK_LANES].put(rank % BLOCK_LANES, true);
    }
}

/// Turns ranks within a set of `all` actors into the actors that have them. A block's ranks lie before
/// the end of the block, so from the last block down each is read before its place is written.
pub(super) fn ranks_to_lanes(planes: &mut [Plane], all: usize, set: impl Fn(usize) -> Plane) {
    let mut end = all;
    for block in (0..planes.len()).rev() {
        let members = set(block);
        let first = end - members.count() as usize;
        let mut chosen = Plane::EMPTY;
        if holds_any(planes, first, end) {
            for (rank, lane) in (first..end).zip(members.lanes()) {
                if planes[rank / BLOCK_LANES].get(rank % BLOCK_LANES) {
                    chosen.put(lane, true);
                }
            }
        }
        planes[block] = chosen;
        end = first;
    }
}

/// Whether a bit of these ranks is set.
fn holds_any(planes: &[Plane], first: usize, end: usize) -> bool {
    if first >= end {
        return false;
    }
    (first / 64..=(end - 1) / 64).any(|word| {
        let mut bits = planes[word / PLANE_WORDS].0[word % PLANE_WORDS];
        if word == first / 64 {
            bits &= u64::MAX << (first % 64);
        }
        if word == (end - 1) / 64 {
            bits &= u64::MAX >> (63 - (end - 1) % 64);
        }
        bits != 0
    })
}
