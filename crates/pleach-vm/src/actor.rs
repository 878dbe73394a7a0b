//! Who is meant.

use std::fmt;

use pleach_shape::BLOCK_LANES;

/// An actor of a population. Stays unique: when its place is given to another actor, the
/// generation changes, and the old id means nobody.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId {
    index: u32,
    generation: u32,
}

impl ActorId {
    /// The id of a place and generation.
    pub const fn new(index: u32, generation: u32) -> ActorId {
        ActorId { index, generation }
    }

    /// The actor's place in its population: lane `index % 512` of block `index / 512`.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many actors had the place before.
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// The block that the actor lies in.
    pub const fn block(self) -> usize {
        self.index as usize / BLOCK_LANES
    }

    /// The lane within the block.
    pub const fn lane(self) -> usize {
        self.index as usize % BLOCK_LANES
    }

    /// Both parts in one number, the generation above.
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// The inverse of [`to_bits`](ActorId::to_bits).
    pub const fn from_bits(bits: u64) -> ActorId {
        ActorId {
            index: bits as u32,
            generation: (bits >> 32) as u32,
        }
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "actor {}", self.index),
            generation => write!(f, "actor {} (generation {generation})", self.index),
        }
    }
}

impl fmt::Debug for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
