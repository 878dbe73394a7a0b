//! Comparisons: what a run of the modes found, for people and programs.

use serde::Serialize;

use super::Options;
use super::crossover::{CHALLENGER, Crossover};
use super::machine::Machine;
use super::row::Row;
use pleach_vm::Kernel;

/// What a run found. Serialises to one document; `docs/benchmarks.md` describes its fields.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The version of the document: see [`Comparison::FORMAT`].
    pub format: u32,
    /// The version of Pleach.
    pub pleach: String,
    /// The machine.
    pub machine: Machine,
    /// What was asked for.
    pub options: Settings,
    /// A row for each case and kernel: by threads, trees, data, then actors ascending, and kernels
    /// in the order of [`Kernel::ALL`].
    pub rows: Vec<Row>,
    /// From how many actors on the kernel of many actors at a time is the fastest. Empty without
    /// that kernel.
    pub crossovers: Vec<Crossover>,
    /// What was not measured.
    pub skipped: Vec<Skipped>,
}

/// What was asked for, as it was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Settings {
    /// Names of the trees.
    pub trees: Vec<String>,
    /// Names of the data.
    pub data: Vec<String>,
    /// Numbers of actors.
    pub actors: Vec<usize>,
    /// Numbers of threads.
    pub threads: Vec<usize>,
    /// Names of the kernels.
    pub kernels: Vec<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// Rounds of a case at least; large ones have fewer.
    pub min_rounds: usize,
    /// About how long all cases together might take.
    pub seconds: f64,
    /// Bytes that a case might take.
    pub max_bytes: u64,
}

/// A case that would have taken too much memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skipped {
    /// The tree's name.
    pub tree: String,
    /// Number of actors.
    pub actors: usize,
    /// Bytes that the populations of all kernels would have taken.
    pub bytes: u64,
}

impl Comparison {
    /// The version of the document. It grows when a field changes its meaning or disappears, not
    /// when one is added.
    pub const FORMAT: u32 = 1;

    /// What a run on this machine found.
    pub(super) fn new(options: &Options, rows: Vec<Row>, skipped: Vec<Skipped>) -> Comparison {
        Comparison {
            format: Comparison::FORMAT,
            pleach: env!("CARGO_PKG_VERSION").to_owned(),
            machine: Machine::this(),
            options: Settings::of(options),
            crossovers: Crossover::of_rows(&rows, CHALLENGER),
            rows,
            skipped,
        }
    }

    /// The crossover of a row's tree, data and threads.
    pub fn crossover_of(&self, row: &Row) -> Option<&Crossover> {
        self.crossovers
            .iter()
            .find(|crossover| crossover.is_of(row))
    }
}

impl Settings {
    fn of(options: &Options) -> Settings {
        let names = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect();
        Settings {
            trees: names(&mut options.trees.iter().map(|tree| tree.name())),
            data: names(&mut options.data.iter().map(|data| data.name())),
            actors: options.actors.clone(),
            threads: options.threads.clone(),
            kernels: names(&mut Kernel::ALL.into_iter().map(Kernel::name)),
            seed: options.seed,
            min_rounds: options.min_rounds,
            seconds: options.budget.as_secs_f64(),
            max_bytes: options.max_bytes,
        }
    }
}
