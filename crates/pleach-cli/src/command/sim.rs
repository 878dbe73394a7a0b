//! `pleach sim`: runs a scenario and reports what happened.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use pleach_sim::{Figures, MAX_ACTORS, MAX_THREADS, MAX_TICKS, Pass, Progress, Run, Scenario};
use pleach_vm::Kernel;

use crate::failure::Failure;
use crate::progress;
use crate::report::Report;
use crate::style::Style;

/// Run a crowd through a scenario; report timing, the use of each node, and requests
#[derive(Args)]
pub(crate) struct Sim {
    /// A scenario file (KDL); without one, a crowd of 2,000 guards
    scenario: Option<PathBuf>,

    /// How many actors, instead of what the scenario says
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ACTORS)))]
    actors: Option<u32>,

    /// How many ticks to measure, instead of what the scenario says
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TICKS)))]
    ticks: Option<u32>,

    /// Which kernel walks the trees; all do the same, at different speeds
    #[arg(long, default_value = Kernel::default().name(), value_parser = kernels())]
    kernel: Kernel,

    /// How many threads; as many as the machine has cores, if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    threads: Option<u32>,

    /// The seed of everything random, instead of the scenario's
    #[arg(long)]
    seed: Option<u64>,

    /// Print one JSON object instead of a report for people
    #[arg(long)]
    json: bool,

    /// No progress bar
    #[arg(long)]
    quiet: bool,
}

/// Kernels by name.
fn kernels() -> impl TypedValueParser<Value = Kernel> {
    let names = PossibleValuesParser::new(Kernel::CHOICES.map(Kernel::name));
    names.map(|name| Kernel::from_name(&name).unwrap_or_default())
}

impl Sim {
    /// Runs it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut scenario = match &self.scenario {
            Some(path) => Scenario::open(path)?,
            None => Scenario::guards()?,
        };
        if let Some(actors) = self.actors {
            scenario.set_actors(actors)?;
        }
        if let Some(ticks) = self.ticks {
            scenario.set_ticks(ticks)?;
        }
        if let Some(seed) = self.seed {
            scenario.set_seed(seed);
        }
        let figures = self.measure(&scenario)?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &figures).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            let report = Report::new(&scenario, &figures, Style::of_stdout());
            write!(out, "{report}")?;
        }
        Ok(out.flush()?)
    }

    fn measure(&self, scenario: &Scenario) -> Result<Figures, Failure> {
        let mut run = Run::new(scenario).kernel(self.kernel);
        if let Some(threads) = self
            .threads
            .and_then(|threads| NonZeroUsize::new(threads as usize))
        {
            run = run.threads(threads);
        }
        let template = "{msg:>8} {wide_bar:.green/dim} {pos}/{len} ticks {eta:>4}";
        let bar = progress::bar(self.quiet, template);
        let figures = run.go_with(&mut |Progress { pass, done, total }| {
            // Messages are kept as texts: set them only when they change.
            if bar.length() != Some(total) || done == total / 2 + 1 {
                bar.set_length(total);
                bar.set_message(match pass {
                    Pass::Timing => "timing",
                    Pass::Census => "counting",
                });
            }
            bar.set_position(done);
        });
        bar.finish_and_clear();
        Ok(figures?)
    }
}
