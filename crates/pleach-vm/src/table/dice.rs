//! Chance for rules.

use crate::population::Population;
use crate::random::draw;

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

    /// 64 random bits for a key, such as an actor's [`to_bits`](crate::ActorId::to_bits).
    #[inline]
    pub const fn throw(self, key: u64) -> u64 {
        draw(self.seed, key, self.stream, self.round)
    }
}

impl Population {
    /// Dice of the population's seed that are others in every tick. `stream` tells rules apart: two that
    /// throw for the same actors in one tick need two numbers.
    pub fn dice(&self, stream: u32) -> Dice {
        Dice::new(self.seed, stream, self.ticks)
    }
}
