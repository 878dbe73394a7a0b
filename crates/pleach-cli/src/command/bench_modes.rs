//! `pleach bench-modes`: the kernels side by side.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use pleach_sim::modes::{self, Comparison, Options};
use pleach_sim::scenes::Data;
use pleach_sim::{MAX_ACTORS, MAX_THREADS};
use pleach_tree::Tree;

use crate::destination::Destination;
use crate::failure::Failure;
use crate::progress;
use crate::style::Style;
use crate::table::Table;

/// Measure all kernels side by side: from 1 actor to a million, on four kinds of data
#[derive(Args)]
pub(crate) struct BenchModes {
    /// A tree file, its first tree; without one: a guard, a deep, a wide, a random tree, …
    tree: Option<PathBuf>,

    /// How many actors; several separated by commas, as in 64,1000
    #[arg(long, value_delimiter = ',', default_values_t = Options::ACTORS.map(|actors| actors as u32),
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_ACTORS)))]
    actors: Vec<u32>,

    /// How the data moves; several separated by commas
    #[arg(long, value_delimiter = ',', default_values = Data::ALL.map(Data::name), value_parser = data())]
    data: Vec<Data>,

    /// How many threads; several separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [1],
        value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    threads: Vec<u32>,

    /// About how many seconds all cases together may take. More seconds buy more rounds; at least
    /// five are run of each case (three of those with hundreds of thousands of actors), however
    /// long that takes
    #[arg(long, default_value_t = Options::SECONDS, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,

    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON document instead of a table; docs/benchmarks.md describes it
    #[arg(long)]
    json: bool,

    /// Also draw a plot into this file, which is replaced if it exists and the run succeeds; `-`
    /// prints the plot instead of the table
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// No progress bar
    #[arg(long)]
    quiet: bool,
}

/// Kinds of data by name.
fn data() -> impl TypedValueParser<Value = Data> {
    let names = PossibleValuesParser::new(Data::ALL.map(Data::name));
    names.map(|name| Data::from_name(&name).unwrap_or(Data::ALL[0]))
}

impl BenchModes {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let options = self.options()?;
        let destination = match &self.svg {
            Some(path) => Some(Destination::at(path)?),
            None => None,
        };
        if self.json && matches!(destination, Some(Destination::Stdout)) {
            return Err(one_output());
        }
        let comparison = self.measure(&options)?;
        let drawn = match &destination {
            Some(Destination::File(file)) => file.write(&modes::plot(&comparison)),
            Some(Destination::Stdout) | None => Ok(()),
        };
        // Whatever became of the plot, the figures are not lost.
        let mut out = io::BufWriter::new(io::stdout().lock());
        if matches!(destination, Some(Destination::Stdout)) {
            write!(out, "{}", modes::plot(&comparison))?;
        } else if self.json {
            serde_json::to_writer(&mut out, &comparison).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", Table::new(&comparison, Style::of_stdout()))?;
        }
        out.flush()?;
        drawn
    }

    fn options(&self) -> Result<Options, Failure> {
        let sizes = |list: &[u32]| list.iter().map(|&size| size as usize).collect();
        let mut options = Options {
            data: self.data.clone(),
            actors: sizes(&self.actors),
            threads: sizes(&self.threads),
            seed: self.seed,
            budget: Duration::from_secs(self.seconds.into()),
            ..Options::default()
        };
        if let Some(path) = &self.tree {
            options.trees = vec![first_tree(path)?];
        }
        Ok(options)
    }

    fn measure(&self, options: &Options) -> Result<Comparison, Failure> {
        let template = "measuring {wide_bar:.green/dim} {pos}/{len} cases {eta:>4}";
        let bar = progress::bar(self.quiet, template);
        let comparison = modes::run(options, |progress| {
            bar.set_length(progress.cases as u64);
            bar.set_position(progress.done as u64);
        });
        bar.finish_and_clear();
        comparison.map_err(|error| Failure::Input(error.to_string()))
    }
}

/// Two things cannot be printed at once.
fn one_output() -> Failure {
    let command = clap::Command::new("pleach").bin_name("pleach bench-modes");
    let mut command = BenchModes::augment_args(command);
    Failure::Usage(command.error(
        ErrorKind::ArgumentConflict,
        "the argument '--svg -' cannot be used with '--json': both print; name a file for the plot",
    ))
}

fn first_tree(path: &Path) -> Result<Tree, Failure> {
    let document = pleach_sim::open_trees(path)?;
    // Compiled here for its errors: they carry lines and columns.
    document.compile_main()?;
    Ok(document.main().clone())
}
