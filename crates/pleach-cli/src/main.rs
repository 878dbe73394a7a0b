//! The `pleach` command.
//!
//! One file for each subcommand, in `command/`. A new one is a file there, a variant of
//! [`Command`] and an arm of its `run`.
//!
//! Exit codes: 0, all is well; 1, the input is wrong; 2, the command line is wrong.

mod command;
mod destination;
mod failure;
mod number;
mod outline;
mod progress;
mod report;
mod style;
mod table;

use std::process::ExitCode;

use clap::Parser;

use crate::command::Command;
use crate::failure::Failure;

/// Behavior trees for crowds: simulate, check and list them.
#[derive(Parser)]
#[command(name = "pleach", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough, as `head` does.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.show();
            ExitCode::from(failure.code())
        }
    }
}
