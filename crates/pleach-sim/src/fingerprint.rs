//! One number for everything that happened.

use std::fmt;

use pleach_vm::Plane;
use pleach_vm::random::draw;

/// 64 bits over every actor's root status, requests, results, persistent statuses and columns, and
/// the world values, of every tick of a run, warm-up included.
///
/// Equal runs have equal fingerprints whatever kernel, number of threads or machine: each block of
/// 512 actors folds its own words in a fixed order (ticks; within a tick: results, persistent
/// statuses, root statuses, requests by slot, columns as declared, actors ascending), and the
/// blocks' numbers are folded in the order of blocks. A NaN counts as one NaN, whatever its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    /// Sixteen hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl serde::Serialize for Fingerprint {
    /// As text: JavaScript would round a number of 64 bits.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A fingerprint in the making.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Folding(u64);

impl Folding {
    /// One multiplication a word, since a big crowd has millions of them a tick. The rotation
    /// brings high bits, which the multiplication fills, back to where the next one spreads them.
    #[inline]
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    pub(crate) fn plane(&mut self, plane: Plane) {
        plane.0.iter().for_each(|&word| self.word(word));
    }

    /// Folds several into one.
    pub(crate) fn finish(parts: impl IntoIterator<Item = Folding>) -> Fingerprint {
        let folded = parts.into_iter().enumerate();
        Fingerprint(folded.fold(0, |hash, (index, part)| draw(hash, part.0, 0, index as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(words: &[u64]) -> Folding {
        let mut folding = Folding::default();
        words.iter().for_each(|&word| folding.word(word));
        folding
    }

    #[test]
    fn order_place_and_every_bit_count() {
        let base = folded(&[1, 2, 3]);
        assert_eq!(base, folded(&[1, 2, 3]));
        assert_ne!(base, folded(&[2, 1, 3]));
        assert_ne!(base, folded(&[1, 2, 3, 0]));
        for bit in 0..64 {
            assert_ne!(base, folded(&[1, 2 ^ (1 << bit), 3]));
        }
        let other = folded(&[4]);
        assert_ne!(
            Folding::finish([base, other]),
            Folding::finish([other, base])
        );
    }

    #[test]
    fn is_written_with_sixteen_digits() {
        assert_eq!(Fingerprint(0xabc).to_string(), "0000000000000abc");
        assert_eq!(
            serde_json::to_string(&Fingerprint(1)).unwrap(),
            "\"0000000000000001\""
        );
    }
}
