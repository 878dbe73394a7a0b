//! The subcommands, one file each.

mod bench_modes;
mod check;
mod colony;
mod draw;
mod dump;
mod sim;

use clap::Subcommand;

use crate::failure::Failure;

/// A subcommand and its arguments.
#[derive(Subcommand)]
pub(crate) enum Command {
    Sim(sim::Sim),
    Check(check::Check),
    Dump(dump::Dump),
    Draw(draw::Draw),
    BenchModes(bench_modes::BenchModes),
}

impl Command {
    /// Runs it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Sim(sim) => sim.run(),
            Command::Check(check) => check.run(),
            Command::Dump(dump) => dump.run(),
            Command::Draw(draw) => draw.run(),
            Command::BenchModes(modes) => modes.run(),
        }
    }
}
