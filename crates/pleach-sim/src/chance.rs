//! Chances: probabilities that are compared as integers.

/// Bits of a draw that decide. An `f64` between 0 and 1 has no finer step near 1.
const BITS: u32 = 53;

/// A probability from 0 to 1.
///
/// Kept as the number of draws out of 2^53 that hit, so that 0 never and 1 always does, and no
/// machine rounds differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    /// Never.
    pub(crate) const NEVER: Chance = Chance(0);
    /// Always.
    pub(crate) const ALWAYS: Chance = Chance(1 << BITS);
    /// Every other time.
    pub(crate) const EVEN: Chance = Chance(1 << (BITS - 1));

    /// The chance of that probability; `None` outside 0 to 1 and for NaN.
    pub(crate) fn new(probability: f64) -> Option<Chance> {
        (0.0..=1.0)
            .contains(&probability)
            .then_some(Chance((probability * (1u64 << BITS) as f64) as u64))
    }

    /// Whether a draw of 64 random bits hits.
    #[inline]
    pub(crate) fn hits(self, bits: u64) -> bool {
        (bits >> (64 - BITS)) < self.0
    }

    /// This chance or the other one, if they cannot both happen: their sum, if that is at most 1.
    pub(crate) fn or(self, other: Chance) -> Option<Chance> {
        (self.0 + other.0 <= 1 << BITS).then_some(Chance(self.0 + other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_exact() {
        assert_eq!(Chance::new(0.0), Some(Chance::NEVER));
        assert_eq!(Chance::new(1.0), Some(Chance::ALWAYS));
        for bits in [0, u64::MAX] {
            assert!(!Chance::NEVER.hits(bits));
            assert!(Chance::ALWAYS.hits(bits));
        }
        assert!(Chance::EVEN.hits(u64::MAX / 2) && !Chance::EVEN.hits(u64::MAX / 2 + 1));
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        for wrong in [-0.01, 1.01, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Chance::new(wrong), None, "{wrong}");
        }
        assert_eq!(Chance::EVEN.or(Chance::EVEN), Some(Chance::ALWAYS));
        assert_eq!(Chance::ALWAYS.or(Chance::EVEN), None);
    }
}
