//! What every kernel is held to.
//!
//! - [`reference`](mod@reference): the reference interpreter. It walks the `Tree`, recursively, one
//!   actor at a time, and shares nothing with the kernels but types.
//! - [`observation`]: what can be seen of a tick, from whichever engine ran it.
//! - [`host`]: the immediate callbacks an engine makes.
//! - [`generate`]: random trees, inputs and host scripts, all functions of a seed.
//! - [`scenario`]: a generated tree, its inputs and many actors, played tick by tick.
//! - [`engine`]: a population that plays a scenario, to be held against the reference.
//! - [`cases`](mod@cases): trees and expectations as data, written by hand from the rules.
//! - [`conformance`]: cases recorded from independent libraries, run by every interpreter.

pub mod cases;
pub mod conformance;
pub mod engine;
pub mod generate;
pub mod host;
pub mod observation;
pub mod reference;
pub mod scenario;

use proptest::test_runner::{Config as ProptestConfig, FileFailurePersistence};

/// How many cases a property runs: `usual` ones, times what the environment variable
/// `PLEACH_SOAK` says.
pub fn cases(usual: u32) -> u32 {
    let soak = std::env::var("PLEACH_SOAK").ok();
    let times = soak.and_then(|times| times.parse().ok()).unwrap_or(1);
    usual.saturating_mul(times)
}

/// How a suite's properties run: so many [`cases()`]; failing seeds are kept in that file beside the suite,
/// which proptest would not find by itself.
pub fn property(usual: u32, kept: &'static str) -> ProptestConfig {
    ProptestConfig {
        cases: cases(usual),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
        ..ProptestConfig::default()
    }
}
