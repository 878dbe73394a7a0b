//! Modes: all kernels side by side, over trees, data and numbers of actors.
//!
//! What an article promises of each mode of traversal shows here: how much a token costs in either
//! stream, what resuming saves, what divergence costs, when memory begins to matter, and from how
//! many actors on it pays to walk many of them at a time.
//!
//! Within a case the kernels take turns, round by round, on the same data; a figure is the median
//! over the rounds. The time of a refresh is left out, and so is what reading the clock takes.

mod case;
mod comparison;
mod crossover;
mod machine;
mod number;
mod plot;
mod row;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pleach_shape::Shape;
use pleach_tree::{CompileError, Tree};
use pleach_vm::Kernel;

use crate::scenes::{Data, Scene, StageError};
use case::{Case, clock_overhead};

pub use comparison::{Comparison, Settings, Skipped};
pub use crossover::{CHALLENGER, Crossover, Faster};
pub use machine::Machine;
pub(crate) use number::tick;
pub use number::{about, grouped};
pub use plot::plot;
pub use row::{Row, kernels};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// The trees.
    pub trees: Vec<Tree>,
    /// How their data moves.
    pub data: Vec<Data>,
    /// Numbers of actors.
    pub actors: Vec<usize>,
    /// Numbers of threads.
    pub threads: Vec<usize>,
    /// The seed of everything random.
    pub seed: u64,
    /// Rounds of each case at least, however long they take; fewer than 5 are made 5. Cases of
    /// hundreds of thousands of actors have 3 at least.
    pub min_rounds: usize,
    /// About how long all cases together may take. More time buys more rounds.
    pub budget: Duration,
    /// About how many bytes the populations of a case may take together; cases that need more are
    /// skipped.
    pub max_bytes: u64,
}

impl Options {
    /// Numbers of actors that are measured by default: a few more where kernels part.
    pub const ACTORS: [usize; 8] = [1, 16, 64, 256, 1_000, 10_000, 100_000, 1_000_000];
    /// Seconds that all cases may take by default.
    pub const SECONDS: u32 = 60;
    /// Bytes that a case may take by default.
    pub const MAX_BYTES: u64 = 4 << 30;
}

impl Default for Options {
    /// All scenes and data, 1 to 1,000,000 actors, one thread, 60 seconds, 4 GiB.
    fn default() -> Options {
        Options {
            trees: Scene::ALL.map(Scene::tree).into(),
            data: Data::ALL.into(),
            actors: Options::ACTORS.into(),
            threads: vec![1],
            seed: 1,
            min_rounds: 5,
            budget: Duration::from_secs(Options::SECONDS.into()),
            max_bytes: Options::MAX_BYTES,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Cases done.
    pub done: usize,
    /// Cases in all.
    pub cases: usize,
}

/// Why a run ended early.
#[derive(Debug)]
pub enum ModesError {
    /// A tree does not compile.
    Compile {
        /// The tree's name.
        tree: String,
        /// What is wrong with it.
        error: CompileError,
    },
    /// A population could not be set up.
    Stage {
        /// The tree's name.
        tree: String,
        /// Why not.
        error: StageError,
    },
    /// Threads could not be started.
    Threads {
        /// How many.
        threads: usize,
        /// Why not.
        error: rayon::ThreadPoolBuildError,
    },
}

impl fmt::Display for ModesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModesError::Compile { tree, error } => write!(f, "tree \"{tree}\": {error}"),
            ModesError::Stage { tree, error } => write!(f, "tree \"{tree}\": {error}"),
            ModesError::Threads { threads, error } => {
                write!(f, "cannot start {threads} threads: {error}")
            }
        }
    }
}

impl std::error::Error for ModesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ModesError::Compile { error, .. } => Some(error),
            ModesError::Stage { error, .. } => Some(error),
            ModesError::Threads { error, .. } => Some(error),
        }
    }
}

/// Measures every case: each tree with each kind of data, number of actors and of threads, on
/// every kernel. Whatever is named twice is measured once. `progress` is called before the first
/// case and after each.
///
/// The greatest numbers of actors come first: their rounds take as long as they take, and the
/// others share what they leave of the time.
///
/// # Errors
/// When a tree does not compile, or memory or threads run out.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(Progress),
) -> Result<Comparison, ModesError> {
    let options = options.tidied();
    let shapes = options.shapes()?;
    let (plan, skipped) = options.plan(&shapes);
    let mut budget = Budget::new(options.budget, plan.len());
    let cases = plan.len();
    progress(Progress { done: 0, cases });
    let mut tokens = Tokens::default();
    let mut rows = Vec::with_capacity(cases * Kernel::ALL.len());
    let mut done = 0;
    for of_threads in plan.chunk_by(|a, b| a.threads == b.threads) {
        let threads = of_threads[0].threads;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| ModesError::Threads { threads, error })?;
        for place in of_threads {
            let of_case = pool.install(|| place.rows(&options, budget.next(), &mut tokens));
            let of_case = of_case.map_err(|error| ModesError::Stage {
                tree: options.trees[place.tree].name().to_owned(),
                error,
            })?;
            rows.push((place.order(), of_case));
            done += 1;
            progress(Progress { done, cases });
        }
    }
    // From the order of measuring to that of reading.
    rows.sort_by_key(|(order, _)| *order);
    let rows = rows.into_iter().flat_map(|(_, rows)| rows).collect();
    Ok(Comparison::new(&options, rows, skipped))
}

impl Options {
    /// The same without what is named twice, actors ascending.
    fn tidied(&self) -> Options {
        let mut options = self.clone();
        options.actors = options.actors.iter().map(|&actors| actors.max(1)).collect();
        options.actors.sort_unstable();
        options.actors.dedup();
        options.data = distinct(&options.data);
        options.threads = distinct(&options.threads);
        options.min_rounds = options.min_rounds.max(5);
        options
    }

    fn shapes(&self) -> Result<Vec<Arc<Shape>>, ModesError> {
        let shapes = self.trees.iter().map(|tree| {
            let shape = pleach_tree::compile(tree).map_err(|error| ModesError::Compile {
                tree: tree.name().to_owned(),
                error,
            })?;
            Ok(Arc::new(shape))
        });
        shapes.collect()
    }

    /// Cases in the order in which they are measured, and what takes too much memory.
    fn plan<'a>(&self, shapes: &'a [Arc<Shape>]) -> (Vec<Place<'a>>, Vec<Skipped>) {
        let clock = clock_overhead();
        let (mut plan, mut skipped) = (Vec::new(), Vec::new());
        for (turn, &threads) in self.threads.iter().enumerate() {
            for &actors in self.actors.iter().rev() {
                for (tree, shape) in shapes.iter().enumerate() {
                    for (which, &data) in self.data.iter().enumerate() {
                        let case = Case {
                            shape,
                            data,
                            actors,
                            seed: self.seed,
                            min_rounds: self.min_rounds,
                            clock,
                        };
                        let bytes = case.bytes();
                        if bytes <= self.max_bytes {
                            plan.push(Place {
                                turn,
                                threads,
                                tree,
                                which,
                                case,
                            });
                        } else if (turn, which) == (0, 0) {
                            skipped.push(Skipped {
                                tree: self.trees[tree].name().to_owned(),
                                actors,
                                bytes,
                            });
                        }
                    }
                }
            }
        }
        skipped.reverse();
        (plan, skipped)
    }
}

fn distinct<T: Copy + PartialEq>(list: &[T]) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in list {
        if !distinct.contains(item) {
            distinct.push(*item);
        }
    }
    distinct
}

/// A case and where it stands in the options.
struct Place<'a> {
    turn: usize,
    threads: usize,
    tree: usize,
    which: usize,
    case: Case<'a>,
}

/// Tokens visited, by tree, data and number of traced actors: for each kernel.
type Tokens = BTreeMap<(usize, usize, usize), Vec<Option<f64>>>;

impl Place<'_> {
    /// Where its rows stand among those of others.
    fn order(&self) -> impl Ord + Copy + use<> {
        (self.turn, self.tree, self.which, self.case.actors)
    }

    /// Its rows, one for each kernel.
    fn rows(
        &self,
        options: &Options,
        share: Duration,
        tokens: &mut Tokens,
    ) -> Result<Vec<Row>, StageError> {
        let case = &self.case;
        let key = (self.tree, self.which, case.traced_actors());
        let tokens = match tokens.entry(key) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let found = Kernel::ALL.into_iter().map(|kernel| case.tokens(kernel));
                entry.insert(found.collect::<Result<_, _>>()?)
            }
        };
        let measured = case.measure(share)?;
        let needs = case.shape.requirements();
        let rows = Kernel::ALL.into_iter().zip(measured).zip(tokens);
        let rows = rows.map(|((kernel, measured), tokens)| Row {
            tree: options.trees[self.tree].name().to_owned(),
            nodes: needs.plain_tokens,
            data: case.data.name().to_owned(),
            threads: self.threads,
            actors: case.actors,
            kernel: kernel.name().to_owned(),
            ns_per_actor_tick: measured.nanos,
            ns_quartiles: measured.quartiles,
            ns_range: measured.range,
            rounds: measured.rounds,
            state_bytes_per_actor: kernel.state_bytes_per_actor(needs),
            column_bytes_per_actor: needs.column_bytes_per_actor,
            tokens_visited_per_actor_tick: *tokens,
        });
        Ok(rows.collect())
    }
}

/// Shares what is left of the time evenly among the cases that are left.
struct Budget {
    until: Instant,
    cases: usize,
    /// What each case gets even if others have taken it all: half of an even share, in reason.
    least: Duration,
}

impl Budget {
    fn new(budget: Duration, cases: usize) -> Budget {
        let half_share = budget / (2 * cases.max(1)) as u32;
        Budget {
            until: Instant::now() + budget,
            cases,
            least: half_share.min(Duration::from_millis(50)),
        }
    }

    fn next(&mut self) -> Duration {
        let left = self.until.saturating_duration_since(Instant::now());
        let share = left / self.cases.max(1) as u32;
        self.cases = self.cases.saturating_sub(1);
        share.max(self.least)
    }
}

#[cfg(test)]
mod tests;
