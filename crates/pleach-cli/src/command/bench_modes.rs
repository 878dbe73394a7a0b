//! `pleach bench-modes`: the kernels side by side.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use pleach_sim::modes::{self, Options, Row};
use pleach_sim::scenes::Data;
use pleach_sim::{MAX_ACTORS, MAX_THREADS};
use pleach_tree::Tree;

use crate::failure::Failure;
use crate::progress;

/// Measure the kernels side by side: pure stream against traversal stack
#[derive(Args)]
pub(crate) struct BenchModes {
    /// A tree file (KDL), its first tree; without one: a guard, a deep, a wide and a random tree
    tree: Option<PathBuf>,

    /// How many actors; several separated by commas, as in 64,1000
    #[arg(long, value_delimiter = ',', default_values_t = [1, 64, 1_000, 10_000, 100_000],
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
    /// five are run of each case, however long that takes
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,

    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON object a line instead of a table
    #[arg(long)]
    json: bool,

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
        let mut options = Options {
            data: self.data.clone(),
            actors: self.actors.iter().map(|&actors| actors as usize).collect(),
            threads: self
                .threads
                .iter()
                .map(|&threads| threads as usize)
                .collect(),
            seed: self.seed,
            budget: Duration::from_secs(self.seconds.into()),
            ..Options::default()
        };
        if let Some(path) = &self.tree {
            options.trees = vec![first_tree(path)?];
        }
        let rows = self.measure(&options)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.json {
            for row in &rows {
                serde_json::to_writer(&mut out, row).map_err(io::Error::from)?;
                writeln!(out)?;
            }
        } else {
            write!(out, "{}", modes::table(&rows))?;
            writeln!(
                out,
                "\nns an actor: the median tick by the actors, refreshing columns and results left out.\n\
                 The kernels take turns; a difference below 5 % counts as even. On a busy machine, run it twice.\n\
                 fresh: every actor starts over each tick. resumed: it goes on where it was.\n\
                 coherent: all actors see the same values. divergent: each sees its own."
            )?;
        }
        Ok(out.flush()?)
    }

    fn measure(&self, options: &Options) -> Result<Vec<Row>, Failure> {
        let template = "measuring {wide_bar:.green/dim} {pos}/{len} cases {eta:>4}";
        let bar = progress::bar(self.quiet, template);
        let rows = modes::run(options, |progress| {
            bar.set_length(progress.cases as u64);
            bar.set_position(progress.done as u64);
        });
        bar.finish_and_clear();
        rows.map_err(|error| Failure::Input(error.to_string()))
    }
}

fn first_tree(path: &Path) -> Result<Tree, Failure> {
    let source = pleach_sim::read_file(path)?;
    let document = pleach_text::parse(source.name(), source.text())?;
    // Compiled here for its errors: they carry lines and columns.
    document.compile_main()?;
    Ok(document.main().clone())
}
