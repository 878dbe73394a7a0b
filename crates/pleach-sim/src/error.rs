//! Why a scenario could not be run.

use std::fmt;

use pleach_vm::SpawnError;

use crate::fingerprint::Fingerprint;
use crate::scenario::MAX_MEMORY;

/// Why a scenario could not be run to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// It would take more than [`MAX_MEMORY`] bytes.
    TooLarge {
        /// What it would take.
        bytes: u64,
    },
    /// The memory could not be had.
    NoMemory {
        /// What it takes.
        bytes: u64,
    },
    /// An actor could not be added.
    Spawn(SpawnError),
    /// The threads could not be started.
    Threads(rayon::ThreadPoolBuildError),
    /// The run that was timed and the one that was counted did different things. This is a bug in
    /// Pleach, and no figure of either can be trusted.
    Diverged {
        /// What the timed run did.
        timed: Fingerprint,
        /// What the counted run did.
        counted: Fingerprint,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = |bytes: &u64| bytes.div_ceil(1 << 20);
        match self {
            RunError::TooLarge { bytes } => write!(
                f,
                "the actors would take {} MiB, allowed are {}: run fewer of them, or a smaller tree",
                mebibytes(bytes),
                mebibytes(&MAX_MEMORY)
            ),
            RunError::NoMemory { bytes } => write!(
                f,
                "there is no memory for the actors, which take {} MiB: run fewer of them",
                mebibytes(bytes)
            ),
            RunError::Spawn(error) => write!(f, "an actor could not be added: {error}"),
            RunError::Threads(error) => write!(f, "the threads could not be started: {error}"),
            RunError::Diverged { timed, counted } => write!(
                f,
                "the timed run did {timed}, the counted run of the same scenario {counted}: this is a bug in Pleach"
            ),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Spawn(error) => Some(error),
            RunError::Threads(error) => Some(error),
            _ => None,
        }
    }
}
