//! The subcommands, one file each.

mod bench_modes;
mod check;
mod colony;
mod convert;
mod draw;
mod dump;
mod fmt;
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
    Fmt(fmt::Fmt),
    Convert(convert::Convert),
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
            Command::Fmt(fmt) => fmt.run(),
            Command::Convert(convert) => convert.run(),
            Command::BenchModes(modes) => modes.run(),
        }
    }
}
