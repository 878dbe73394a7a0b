//! Modes: the two per-actor kernels side by side, over trees, data and numbers of actors.
//!
//! What an article promises of each mode of traversal shows here: how much a token costs in either
//! stream, what resuming saves, what divergence costs, when memory begins to matter.
//!
//! Within a case the kernels take turns, round by round, on the same data; a figure is the median
//! over the rounds. The time of a refresh is left out, and so is what reading the clock takes.

mod row;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pleach_shape::Shape;
use pleach_tree::{CompileError, Tree};
use pleach_vm::{ActorId, Event, Kernel};

use crate::scenes::{Data, Scene, Stage, StageError};

pub use row::{Row, table};

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
    /// Rounds of each case at least, however long they take; fewer than 5 are made 5.
    pub min_rounds: usize,
    /// About how long all cases together may take. More time buys more rounds.
    pub budget: Duration,
}

impl Default for Options {
    /// All scenes and data, 1 to 100,000 actors, one thread, 20 seconds.
    fn default() -> Options {
        Options {
            trees: Scene::ALL.map(Scene::tree).into(),
            data: Data::ALL.into(),
            actors: vec![1, 64, 1_000, 10_000, 100_000],
            threads: vec![1],
            seed: 1,
            min_rounds: 5,
            budget: Duration::from_secs(20),
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

/// Measures every case: each tree with each kind of data, number of actors and of threads. Gives
/// two rows a case, one a kernel, in the order of [`Kernel::ALL`]. `progress` is called before the
/// first case and after each.
///
/// # Errors
/// When a tree does not compile, or memory or threads run out.
pub fn run(
    options: &Options,
    mut progress: impl FnMut(Progress) + Send,
) -> Result<Vec<Row>, ModesError> {
    let per_tree = options.data.len() * options.actors.len();
    let cases = options.trees.len() * per_tree * options.threads.len();
    let mut left = Budget {
        until: Instant::now() + options.budget,
        cases,
    };
    let mut rows = Vec::with_capacity(cases * Kernel::ALL.len());
    let clock = clock_overhead();
    progress(Progress { done: 0, cases });
    for &threads in &options.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| ModesError::Threads { threads, error })?;
        for tree in &options.trees {
            let name = || tree.name().to_owned();
            let shape = pleach_tree::compile(tree).map_err(|error| ModesError::Compile {
                tree: name(),
                error,
            })?;
            let shape = Arc::new(shape);
            for &data in &options.data {
                for &actors in &options.actors {
                    let case = Case {
                        shape: &shape,
                        data,
                        actors: actors.max(1),
                        seed: options.seed,
                        min_rounds: options.min_rounds.max(5),
                        clock,
                    };
                    let (share, until) = left.next();
                    let measured = pool.install(|| case.measure(share, until));
                    let measured = measured.map_err(|error| ModesError::Stage {
                        tree: name(),
                        error,
                    })?;
                    rows.extend(
                        Kernel::ALL
                            .into_iter()
                            .zip(measured)
                            .map(|(kernel, measured)| Row {
                                tree: name(),
                                data: data.name().to_owned(),
                                actors: case.actors,
                                kernel: kernel.name().to_owned(),
                                threads,
                                ns_per_actor_tick: measured.nanos,
                                rounds: measured.rounds,
                                ns_range: measured.range,
                                state_bytes_per_actor: shape.requirements().state_bytes_per_actor,
                                tokens_visited_per_actor_tick: measured.tokens,
                            }),
                    );
                    let done = cases - left.cases;
                    progress(Progress { done, cases });
                }
            }
        }
    }
    Ok(rows)
}

/// Shares what is left of the time evenly among the cases that are left.
struct Budget {
    until: Instant,
    cases: usize,
}

impl Budget {
    fn next(&mut self) -> (Duration, Instant) {
        let left = self.until.saturating_duration_since(Instant::now());
        let share = left / self.cases.max(1) as u32;
        self.cases -= 1;
        (share, self.until)
    }
}

/// What two readings of the clock take, at least.
fn clock_overhead() -> Duration {
    let readings = (0..1_000).map(|_| Instant::now().elapsed());
    readings.min().unwrap_or_default()
}

/// One case: two rows.
struct Case<'a> {
    shape: &'a Arc<Shape>,
    data: Data,
    actors: usize,
    seed: u64,
    min_rounds: usize,
    clock: Duration,
}

struct Measured {
    /// Median ns of an actor's tick, over that many rounds, and the least and greatest.
    nanos: f64,
    rounds: usize,
    range: [f64; 2],
    tokens: f64,
}

/// Ticks before the first round: actors have to find their stride, and memory its caches.
const WARM_TICKS: usize = 6;
/// A round is at least this many actor-ticks, so that single ticks do not decide it.
const ROUND_ACTOR_TICKS: usize = 4_096;
/// At most this many ticks, for a few actors: each of them needs a refresh.
const ROUND_TICKS: usize = 256;

impl Case<'_> {
    fn stage(&self, actors: usize, kernel: Kernel) -> Result<Stage, StageError> {
        Stage::new(self.shape.clone(), self.data, actors, kernel, self.seed)
    }

    fn measure(&self, share: Duration, until: Instant) -> Result<[Measured; 2], StageError> {
        let begin = Instant::now();
        let tokens = [self.tokens(Kernel::ALL[0])?, self.tokens(Kernel::ALL[1])?];
        let mut stages = [
            self.stage(self.actors, Kernel::ALL[0])?,
            self.stage(self.actors, Kernel::ALL[1])?,
        ];
        for stage in &mut stages {
            for _ in 0..WARM_TICKS {
                stage.refresh();
                stage.tick();
            }
        }
        let ticks = ROUND_ACTOR_TICKS.div_ceil(self.actors).min(ROUND_TICKS);
        let mut samples: [Vec<f64>; 2] = Default::default();
        loop {
            let rounds = samples[0].len();
            let now = Instant::now();
            if rounds >= self.min_rounds && (now >= until || now - begin >= share) {
                break;
            }
            // Whoever begins finds the other's data in the cache: take turns at that, too.
            for turn in 0..2 {
                let who = (rounds + turn) % 2;
                let nanos = self.round(&mut stages[who], ticks);
                samples[who].push(nanos / (ticks * self.actors) as f64);
            }
        }
        let measured = |mut samples: Vec<f64>, tokens| {
            samples.sort_unstable_by(f64::total_cmp);
            let end = |sample: Option<&f64>| sample.copied().unwrap_or(f64::NAN);
            Measured {
                rounds: samples.len(),
                range: [end(samples.first()), end(samples.last())],
                nanos: median(samples),
                tokens,
            }
        };
        let [first, second] = samples;
        Ok([measured(first, tokens[0]), measured(second, tokens[1])])
    }

    /// Nanoseconds of that many ticks.
    fn round(&self, stage: &mut Stage, ticks: usize) -> f64 {
        let mut total = Duration::ZERO;
        for _ in 0..ticks {
            stage.refresh();
            let start = Instant::now();
            stage.tick();
            total += start.elapsed().saturating_sub(self.clock);
        }
        total.as_nanos() as f64
    }

    /// Tokens that an actor's walk visits: entries of parents, leaves, and reactions of parents to
    /// their children, on average over a sample of actors and ticks.
    fn tokens(&self, kernel: Kernel) -> Result<f64, StageError> {
        const SAMPLE: usize = 256;
        let mut stage = self.stage(self.actors.min(64), kernel)?;
        let actors: Vec<ActorId> = stage.population().actors().collect();
        let mut visits = 0usize;
        for tick in 0..WARM_TICKS + SAMPLE {
            stage
                .population_mut()
                .trace(Some(actors[tick * 7 % actors.len()]));
            stage.refresh();
            stage.tick();
            if tick >= WARM_TICKS {
                let events = stage.population().trace_events().iter();
                visits += events.filter(|event| is_visit(event)).count();
            }
        }
        Ok(visits as f64 / SAMPLE as f64)
    }
}

fn is_visit(event: &Event) -> bool {
    match event {
        Event::Enter(_) | Event::Leaf(..) | Event::React { .. } => true,
        Event::Leave(..) | Event::RollBack(..) => false,
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    let middle = samples.len() / 2;
    match samples.len() {
        0 => f64::NAN,
        even if even % 2 == 0 => (samples[middle - 1] + samples[middle]) / 2.0,
        _ => samples[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_gives_two_rows_that_agree_on_tokens() {
        let options = Options {
            actors: vec![1, 70],
            budget: Duration::ZERO,
            ..Options::default()
        };
        let mut calls = Vec::new();
        let rows = run(&options, |progress| calls.push(progress.done)).unwrap();
        assert_eq!(calls, (0..=32).collect::<Vec<_>>());
        assert_eq!(rows.len(), 64);
        for pair in rows.as_chunks::<2>().0 {
            let [pure, stack] = pair;
            assert_eq!(
                (pure.kernel.as_str(), stack.kernel.as_str()),
                ("pure-stream", "traversal-stack")
            );
            assert_eq!(
                pure.tokens_visited_per_actor_tick,
                stack.tokens_visited_per_actor_tick
            );
            assert!(pure.tokens_visited_per_actor_tick >= 1.0);
            assert!(pure.ns_per_actor_tick.is_finite());
        }
    }

    #[test]
    fn resuming_visits_fewer_tokens() {
        let tokens = |data| {
            let options = Options {
                trees: vec![Scene::Guard.tree()],
                data: vec![data],
                actors: vec![64],
                budget: Duration::ZERO,
                ..Options::default()
            };
            run(&options, |_| {}).unwrap()[0].tokens_visited_per_actor_tick
        };
        assert!(tokens(Data::Resumed) < tokens(Data::Fresh));
    }

    #[test]
    fn a_tree_that_does_not_compile_is_named() {
        let tree = Tree::build("broken").root(pleach_tree::condition("no_such_column"));
        let options = Options {
            trees: vec![tree],
            ..Options::default()
        };
        let error = run(&options, |_| {}).unwrap_err().to_string();
        assert!(error.starts_with("tree \"broken\": "), "{error}");
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
