//! Sets of small numbers: which planes of a block hold anybody.

/// A set of numbers below a bound, one bit each.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bits {
    /// The words of a bound of up to 128; most trees need no more, and a block saves a look elsewhere.
    few: [u64; FEW_WORDS],
    /// The words of a greater one.
    many: Vec<u64>,
    /// How many of `few` are in use.
    used: usize,
}

const FEW_WORDS: usize = 2;

impl Bits {
    /// The empty set of numbers below `bound`; `None` if the memory cannot be had.
    pub(crate) fn new(bound: usize) -> Option<Bits> {
        let words = bound.div_ceil(64);
        let mut bits = Bits {
            used: words,
            ..Bits::default()
        };
        if words > FEW_WORDS {
            bits.many.try_reserve_exact(words).ok()?;
            bits.many.resize(words, 0);
        }
        Some(bits)
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, number: usize) {
        self.words_mut()[number / 64] |= 1 << (number % 64);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, number: usize) {
        self.words_mut()[number / 64] &= !(1 << (number % 64));
    }

    #[inline(always)]
    pub(crate) fn contains(&self, number: usize) -> bool {
        (self.words()[number / 64] >> (number % 64)) & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        // A call of the C library's `memset` takes longer than most of these sets are: it writes under a
        // mask, and what reads the words next waits for that.
        let zero = std::hint::black_box(0);
        for word in self.words_mut() {
            *word = zero;
        }
    }

    /// The words, 64 numbers each.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        if self.used > FEW_WORDS {
            &self.many
        } else {
            &self.few[..self.used]
        }
    }

    #[inline(always)]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        if self.used > FEW_WORDS {
            &mut self.many
        } else {
            &mut self.few[..self.used]
        }
    }

    /// The numbers in the set, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words()
            .iter()
            .enumerate()
            .flat_map(|(index, &word)| each(word).map(move |bit| index * 64 + bit))
    }

    /// The numbers from `low` up to but without `high`, ascending.
    pub(crate) fn range(&self, low: usize, high: usize) -> impl Iterator<Item = usize> + '_ {
        let words = low / 64..high.div_ceil(64).min(self.words().len());
        words.flat_map(move |index| {
            let mut word = self.words()[index];
            if index * 64 < low {
                word &= u64::MAX << (low % 64);
            }
            if high < index * 64 + 64 {
                word &= !(u64::MAX << (high % 64));
            }
            each(word).map(move |bit| index * 64 + bit)
        })
    }
}

/// The bits of a word that are set, ascending.
#[inline]
pub(crate) fn each(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_lies_within() {
        let mut bits = Bits::new(200).expect("memory");
        let members = [0, 1, 63, 64, 65, 127, 128, 190, 199];
        for member in members {
            bits.insert(member);
        }
        assert_eq!(bits.iter().collect::<Vec<_>>(), members);
        for low in 0..=200 {
            for high in low..=200 {
                let expected: Vec<usize> = members
                    .into_iter()
                    .filter(|member| (low..high).contains(member))
                    .collect();
                assert_eq!(bits.range(low, high).collect::<Vec<_>>(), expected);
            }
        }
        bits.remove(64);
        assert!(!bits.contains(64) && bits.contains(65));
    }
}
