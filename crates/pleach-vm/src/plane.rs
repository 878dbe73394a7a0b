//! Planes: one bit a lane, 512 lanes, one cache line.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use bytemuck::{Pod, Zeroable};
use pleach_shape::BLOCK_LANES;

/// Words of a plane.
pub const PLANE_WORDS: usize = BLOCK_LANES / 64;

/// A predicate over the 512 lanes of a block: lane `i` is bit `i % 64` of word `i / 64`.
///
/// Also the unit in which a block's memory is laid out: 64 bytes, aligned to 64.
#[repr(C, align(64))]
#[derive(Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
pub struct Plane(pub [u64; PLANE_WORDS]);

const _: () = assert!(size_of::<Plane>() == 64 && align_of::<Plane>() == 64);

impl Plane {
    /// No lane.
    pub const EMPTY: Plane = Plane([0; PLANE_WORDS]);
    /// Every lane.
    pub const FULL: Plane = Plane([u64::MAX; PLANE_WORDS]);

    /// The lanes below `count`.
    pub fn first(count: usize) -> Plane {
        let mut plane = Plane::EMPTY;
        for (index, word) in plane.0.iter_mut().enumerate() {
            let below = count.saturating_sub(index * 64);
            *word = if below >= 64 {
                u64::MAX
            } else {
                (1 << below) - 1
            };
        }
        plane
    }

    /// That lane alone; none for lanes from 512 on.
    pub fn single(lane: usize) -> Plane {
        let mut plane = Plane::EMPTY;
        plane.put(lane, true);
        plane
    }

    /// Whether the lane is in. Lanes from 512 on never are.
    #[inline]
    pub fn get(&self, lane: usize) -> bool {
        self.0
            .get(lane / 64)
            .is_some_and(|word| (word >> (lane % 64)) & 1 != 0)
    }

    /// Puts the lane in or out. Lanes from 512 on are ignored.
    #[inline]
    pub fn put(&mut self, lane: usize, value: bool) {
        if let Some(word) = self.0.get_mut(lane / 64) {
            let bit = 1u64 << (lane % 64);
            *word = if value { *word | bit } else { *word & !bit };
        }
    }

    /// How many lanes are in.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether no lane is in.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The lanes that are in, ascending.
    #[inline]
    pub fn lanes(&self) -> Lanes {
        Lanes {
            plane: *self,
            word: 0,
        }
    }
}

/// Iterates over the lanes of a plane, ascending.
#[derive(Clone, Debug)]
pub struct Lanes {
    plane: Plane,
    word: usize,
}

impl Iterator for Lanes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            let word = self.plane.0.get_mut(self.word)?;
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.word * 64 + bit);
            }
            self.word += 1;
        }
    }
}

macro_rules! plane_operators {
    ($($trait:ident $method:ident, $assign_trait:ident $assign:ident, $op:tt;)*) => {$(
        impl $trait for Plane {
            type Output = Plane;
            #[inline]
            fn $method(mut self, other: Plane) -> Plane {
                self.$assign(other);
                self
            }
        }
        impl $assign_trait for Plane {
            #[inline]
            fn $assign(&mut self, other: Plane) {
                for (word, other) in self.0.iter_mut().zip(other.0) {
                    *word $op other;
                }
            }
        }
    )*};
}
plane_operators! {
    BitAnd bitand, BitAndAssign bitand_assign, &=;
    BitOr bitor, BitOrAssign bitor_assign, |=;
    BitXor bitxor, BitXorAssign bitxor_assign, ^=;
}

impl Not for Plane {
    type Output = Plane;
    #[inline]
    fn not(mut self) -> Plane {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl fmt::Debug for Plane {
    /// Runs of lanes: `{0..3, 17, 64..128}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        let mut lanes = self.lanes().peekable();
        let mut separator = "";
        while let Some(first) = lanes.next() {
            let mut end = first + 1;
            while lanes.next_if_eq(&end).is_some() {
                end += 1;
            }
            f.write_str(separator)?;
            separator = ", ";
            match end - first {
                1 => write!(f, "{first}")?,
                _ => write!(f, "{first}..{end}")?,
            }
        }
        f.write_str("}")
    }
}
