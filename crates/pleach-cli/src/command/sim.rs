//! `pleach sim`: runs a scenario, or a simulation that is built in, and reports what happened.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use pleach_sim::{Figures, MAX_ACTORS, MAX_THREADS, MAX_TICKS, Pass, Progress, Run, Scenario};
use pleach_vm::Kernel;

use super::colony::Colony;
use crate::failure::Failure;
use crate::import::Import;
use crate::progress;
use crate::report::Report;
use crate::style::Style;

/// Run a colony of dwarves, or a crowd through a scenario; report what they did and how long it took
#[derive(Args)]
pub(crate) struct Sim {
    /// What to run: `colony`, dwarves that cut trees, build workshops and work in them; `guards`, a
    /// crowd of 2,000, which also runs without a name; or a scenario or tree file. A file of one of
    /// these names is `./colony`, `./guards`
    #[arg(value_name = "NAME|FILE")]
    scenario: Option<PathBuf>,

    /// How many actors, instead of what the scenario says; in a colony, how many dwarves
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ACTORS)))]
    pub(super) actors: Option<u32>,

    /// How many ticks to measure, instead of what the scenario says; in a colony 3,000, if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TICKS)))]
    pub(super) ticks: Option<u32>,

    /// Which kernel walks the trees; all do the same, at different speeds
    #[arg(long, default_value = Kernel::default().name(), value_parser = kernels())]
    pub(super) kernel: Kernel,

    /// How many threads; as many as the machine has cores, if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    threads: Option<u32>,

    /// The seed of everything random, instead of the scenario's; in a colony 1, if not given
    #[arg(long)]
    pub(super) seed: Option<u64>,

    /// Print one JSON object instead of a report for people
    #[arg(long)]
    pub(super) json: bool,

    /// No progress bar
    #[arg(long)]
    pub(super) quiet: bool,

    #[command(flatten)]
    colony: Colony,

    #[command(flatten)]
    import: Import,
}

/// What can be run.
enum Subject<'a> {
    Guards,
    Colony,
    Scenario(&'a Path),
}

/// Kernels by name.
fn kernels() -> impl TypedValueParser<Value = Kernel> {
    let names = PossibleValuesParser::new(Kernel::CHOICES.map(Kernel::name));
    names.map(|name| Kernel::from_name(&name).unwrap_or_default())
}

/// Arguments that do not go together, which the grammar of the command line does not know.
pub(super) fn conflict(what: &str) -> Failure {
    let command = clap::Command::new("pleach").bin_name("pleach sim");
    let mut command = Sim::augment_args(command);
    Failure::Usage(command.error(ErrorKind::ArgumentConflict, what))
}

impl Sim {
    /// Runs it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let subject = self.subject();
        if let Some(option) = self.colony.given()
            && !matches!(subject, Subject::Colony)
        {
            return Err(conflict(&format!(
                "the argument '{option}' is only for the colony: `pleach sim colony {option} …`"
            )));
        }
        if let Some(option) = self.import.given()
            && !matches!(subject, Subject::Scenario(_))
        {
            return Err(conflict(&format!(
                "the argument '{option}' is only for files: `pleach sim TREE.xml {option} …`"
            )));
        }
        let mut scenario = match subject {
            Subject::Colony => return self.colony.run(self),
            Subject::Guards => Scenario::guards()?,
            Subject::Scenario(path) => {
                if let Some(name) = self.meant(path) {
                    return Err(Failure::Input(format!(
                        "there is no file `{}`, and no simulation of that name; did you mean `{name}`?",
                        path.display().to_string().escape_debug()
                    )));
                }
                Scenario::open_with(path, &self.import.options(&[])?)?
            }
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

    /// How many threads were asked for.
    pub(super) fn threads(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.threads? as usize)
    }

    fn subject(&self) -> Subject<'_> {
        match self.scenario.as_deref() {
            None => Subject::Guards,
            // As texts: paths would be alike if one of them ended in a slash.
            Some(path) if path.as_os_str() == "guards" => Subject::Guards,
            Some(path) if path.as_os_str() == "colony" => Subject::Colony,
            Some(path) => Subject::Scenario(path),
        }
    }

    /// The built-in simulation that a path was likely meant for.
    fn meant(&self, path: &Path) -> Option<&'static str> {
        if path.try_exists().unwrap_or(true) {
            return None;
        }
        pleach_tree::closest(&path.to_str()?.to_lowercase(), ["colony", "guards"])
    }

    fn measure(&self, scenario: &Scenario) -> Result<Figures, Failure> {
        let mut run = Run::new(scenario).kernel(self.kernel);
        if let Some(threads) = self.threads() {
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
