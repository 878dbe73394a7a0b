//! Why a command failed.

use std::io::{self, Write};

use pleach_sim::colony::ColonyError;
use pleach_sim::{OutOfRange, RunError};
use pleach_text::Diagnostics;

use crate::style::Style;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of the output is gone.
    ClosedPipe,
    /// The output cannot be written.
    Output(io::Error),
    /// Mistakes in files, each with its place.
    Files(Diagnostics),
    /// Mistakes that are shown already.
    Shown,
    /// Anything else that is wrong with the input.
    Input(String),
    /// The command line, in a way that its grammar does not know.
    Usage(clap::Error),
}

impl Failure {
    /// Tells people about it.
    pub(crate) fn show(&self) {
        let text = match self {
            Failure::ClosedPipe | Failure::Shown => return,
            Failure::Usage(error) => {
                let _ = error.print();
                return;
            }
            Failure::Output(error) => format!("error: the output cannot be written: {error}"),
            // Each of them begins with `error:`.
            Failure::Files(errors) => errors.painted(&Style::of_stderr()).to_string(),
            Failure::Input(text) => format!("error: {text}"),
        };
        // If not even that can be written, the exit code still says it.
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            _ => 1,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Output(error),
        }
    }
}

impl From<Diagnostics> for Failure {
    fn from(errors: Diagnostics) -> Failure {
        Failure::Files(errors)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<OutOfRange> for Failure {
    fn from(error: OutOfRange) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<ColonyError> for Failure {
    fn from(error: ColonyError) -> Failure {
        match error {
            ColonyError::Tree(errors) => Failure::Files(*errors),
            error => Failure::Input(error.to_string()),
        }
    }
}
