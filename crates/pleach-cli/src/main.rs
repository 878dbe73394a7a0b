//! The `pleach` command.
//!
//! One file for each subcommand, in `command/`. A new one is a file there, a variant of
//! [`Command`] and an arm of its `run`.
//!
//! Exit codes: 0, all is well; 1, the input is wrong; 2, the command line is wrong.

mod chart;
mod colony;
mod command;
mod destination;
mod difference;
mod explain;
mod failure;
mod format;
mod import;
mod number;
mod outline;
mod progress;
mod project;
mod report;
mod style;
mod table;
mod tokens;

use std::process::ExitCode;

use clap::Parser;
use pleach_vm::Simd;

use crate::command::Command;
use crate::failure::Failure;

/// Behavior trees for crowds: simulate, check, draw and list them.
#[derive(Parser)]
#[command(name = "pleach", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Says so if the environment asks lanes for instructions that they will not use.
fn check_environment() {
    let Ok(asked) = std::env::var("PLEACH_SIMD") else {
        return;
    };
    let used = Simd::detected();
    if Simd::from_name(&asked) != Some(used) {
        let known = Simd::ALL.into_iter().filter(|simd| simd.is_available());
        let known: Vec<&str> = known.map(Simd::name).collect();
        eprintln!(
            "warning: PLEACH_SIMD={} names none of this machine's instruction sets ({}); using {}",
            asked.escape_debug(),
            known.join(", "),
            used.name()
        );
    }
}

fn main() -> ExitCode {
    check_environment();
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
