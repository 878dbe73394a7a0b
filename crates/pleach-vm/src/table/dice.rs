//! Chance for rules: dice, and samples that are drawn with them.

use pleach_shape::layout::BLOCK_LANES;

use crate::plane::{PLANE_WORDS, Plane};
use crate::population::Population;
use crate::random::{below, draw};

/// Where a rule's random numbers come from: a seed, a stream that tells the rules of a program apart, and a
/// round. Equal dice throw equal numbers, on any machine (T6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dice {
    seed: u64,
    stream: u32,
    round: u64,
}

/// Streams of rules have this bit, which no node's number has: what rules draw is no tree's draw.
const RULES: u32 = 1 << 31;

impl Dice {
    /// Dice of a seed, stream (of which 31 bits count) and round.
    pub const fn new(seed: u64, stream: u32, round: u64) -> Dice {
        Dice {
            seed,
            stream: stream | RULES,
            round,
        }
    }

    /// 64 random bits for a key, such as an actor's [`to_bits`](crate::ActorId::to_bits). Some three
    /// nanoseconds.
    #[inline(always)]
    pub const fn throw(self, key: u64) -> u64 {
        draw(self.seed, key, self.stream, self.round)
    }
}

impl Population {
    /// Dice of the population's seed that are others in every tick. `stream` tells rules apart: two that
    /// throw in one tick, chances or samples, need two numbers, or they are lucky together. So are actors of two
    /// populations at the same place: give populations seeds of their own.
    pub fn dice(&self, stream: u32) -> Dice {
        Dice::new(self.seed, stream, self.ticks)
    }
}

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
        let drawn = below(dice.throw(last as u64), bound) as usize;
        let is_taken = planes[drawn / BLOCK_LANES].get(drawn % BLOCK_LANES);
        let rank = if is_taken { last } else { drawn };
        planes[rank / BLOCK_LANES].put(rank % BLOCK_LANES, true);
    }
}

/// Turns ranks within a set of `all` actors into the actors that have them. A block's ranks lie before
/// the end of the block, so from the last block down each is read before its place is written.
///
/// A set that changes while it is asked, by a closure that answers differently each time, keeps fewer.
pub(super) fn ranks_to_lanes(planes: &mut [Plane], all: usize, set: impl Fn(usize) -> Plane) {
    let mut end = all;
    for block in (0..planes.len()).rev() {
        let members = set(block);
        let first = end.saturating_sub(members.count() as usize);
        let mut chosen = Plane::EMPTY;
        let mut places = Places::of(members);
        for_each_rank(planes, first, end, |rank| {
            if let Some(lane) = places.find(rank - first) {
                chosen.put(lane, true);
            }
        });
        planes[block] = chosen;
        end = first;
    }
}

/// Calls back for each of these ranks whose bit is set, ascending.
fn for_each_rank(planes: &[Plane], first: usize, end: usize, mut each: impl FnMut(usize)) {
    if first >= end {
        return;
    }
    for word in first / 64..=(end - 1) / 64 {
        let mut bits = planes[word / PLANE_WORDS].0[word % PLANE_WORDS];
        if word == first / 64 {
            bits &= u64::MAX << (first % 64);
        }
        if word == (end - 1) / 64 {
            bits &= u64::MAX >> (63 - (end - 1) % 64);
        }
        while bits != 0 {
            each(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// Finds the lanes of a plane by their number in it, asked for in ascending order.
struct Places {
    plane: Plane,
    word: usize,
    /// How many lanes lie in the words before.
    before: usize,
}

impl Places {
    fn of(plane: Plane) -> Places {
        Places {
            plane,
            word: 0,
            before: 0,
        }
    }

    fn find(&mut self, number: usize) -> Option<usize> {
        loop {
            let mut bits = *self.plane.0.get(self.word)?;
            let count = bits.count_ones() as usize;
            if number < self.before + count {
                for _ in self.before..number {
                    bits &= bits - 1;
                }
                return Some(self.word * 64 + bits.trailing_zeros() as usize);
            }
            self.before += count;
            self.word += 1;
        }
    }
}
