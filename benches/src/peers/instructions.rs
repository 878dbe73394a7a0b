//! Instructions: which vector instructions a loop is compiled for, chosen when it runs.
//!
//! A loop's body is an `#[inline(always)]` function; here it is compiled once for each set of
//! instructions, and the compiler makes it as wide as the set's registers are.

use std::fmt;

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

/// A set of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Instructions {
    /// What the build's target has.
    Baseline,
    /// AVX2 and what came before it: registers of 256 bits.
    Avx2,
    /// AVX-512 F, BW, CD, DQ and VL: registers of 512 bits, and masks.
    Avx512,
}

impl Instructions {
    const ALL: [Instructions; 3] = [
        Instructions::Baseline,
        Instructions::Avx2,
        Instructions::Avx512,
    ];

    /// Whether this processor has them.
    fn present(self) -> bool {
        match self {
            Instructions::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => V3::try_new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => V4::try_new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The widest set of this processor.
    pub fn best() -> Instructions {
        let present = Self::ALL.into_iter().filter(|set| set.present());
        present.max().unwrap_or(Instructions::Baseline)
    }

    /// The narrower ones, widest first.
    pub fn below_best() -> impl Iterator<Item = Instructions> {
        let best = Self::best();
        Self::ALL.into_iter().rev().filter(move |&set| set < best)
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Instructions::Baseline => "baseline",
            Instructions::Avx2 => "AVX2",
            Instructions::Avx512 => "AVX-512",
        })
    }
}

/// A loop over columns.
pub(super) trait Loop {
    /// The whole loop. Implementations are `#[inline(always)]`, or nothing is gained.
    fn run(self);
}

/// Runs a loop as compiled for the set, or for less where the processor does not have the set.
pub(super) fn run(set: Instructions, body: impl Loop) {
    #[cfg(target_arch = "x86_64")]
    {
        if set == Instructions::Avx512
            && let Some(found) = V4::try_new()
        {
            return found.vectorize(Whole(body));
        }
        if set == Instructions::Avx2
            && let Some(found) = V3::try_new()
        {
            return found.vectorize(Whole(body));
        }
    }
    body.run();
}

/// A loop, as the crate that compiles it for each set takes it.
#[cfg(target_arch = "x86_64")]
struct Whole<L>(L);

#[cfg(target_arch = "x86_64")]
impl<L: Loop> pulp::NullaryFnOnce for Whole<L> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.run();
    }
}
