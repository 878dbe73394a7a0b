//! Instructions: which vector instructions a loop is compiled for, chosen when it runs.
//!
//! A loop's body is an `#[inline(always)]` function; here it is compiled once for each set of
//! instructions, and the compiler makes it as wide as the set's registers are.

use std::fmt;

/// A set of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Instructions {
    /// What the build's target has.
    Baseline,
    /// AVX2: registers of 256 bits.
    Avx2,
    /// AVX-512 F, BW, DQ and VL: registers of 512 bits, and masks.
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
            Instructions::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
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
#[allow(
    unsafe_code,
    reason = "code for instructions that not every processor has"
)]
pub(super) fn run(set: Instructions, body: impl Loop) {
    if !set.present() {
        return body.run();
    }
    match set {
        // SAFETY: `present` has found every feature that the function is compiled for.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { run_avx512(body) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { run_avx2(body) },
        _ => body.run(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512(body: impl Loop) {
    body.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(body: impl Loop) {
    body.run();
}
