//! Runs a scenario and measures it.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use pleach_shape::TokenIndex;
use pleach_vm::{Kernel, NodeCount, Population, TickCounts};

use crate::director::Director;
use crate::error::RunError;
use crate::figures::{ActionFigures, Figures, NodeFigures, RootFigures, TickTimes};
use crate::fingerprint::Fingerprint;
use crate::scenario::Scenario;

/// The most threads that a run may ask for.
pub const MAX_THREADS: usize = 1024;

/// How to run a scenario: which kernel, how many threads, who is told of the progress.
///
/// A scenario is run twice. The first run is timed; the second one takes the census, which costs
/// time at every visit and would show up in the figures of the first. Both do the same, since
/// nothing in a scenario depends on anything but its seed, and their fingerprints are compared to
/// prove it. (A census on a copy of the population would need the copy's memory and disturb the
/// caches of the timed one.)
pub struct Run<'s> {
    scenario: &'s Scenario,
    kernel: Kernel,
    threads: Option<NonZeroUsize>,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub pass: Pass,
    /// Ticks done, of both passes, warm-ups included.
    pub done: u64,
    /// Ticks of both passes, warm-ups included.
    pub total: u64,
}

/// One of the two times that a scenario is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// Ticks are timed.
    Timing,
    /// Visits are counted.
    Census,
}

/// What one pass found.
struct Outcome {
    nanos: Vec<u64>,
    all_phases: Duration,
    memory_bytes: usize,
    fingerprint: Fingerprint,
    counts: TickCounts,
    nodes: Vec<NodeSums>,
    actions: Vec<ActionFigures>,
    errors: u64,
}

/// Sums of a node's census over ticks, which `u32` would not hold.
#[derive(Clone, Copy, Default)]
struct NodeSums {
    visits: u64,
    starts: u64,
    successes: u64,
    failures: u64,
    cancels: u64,
}

impl NodeSums {
    fn add(&mut self, count: &NodeCount) {
        self.visits += u64::from(count.active);
        self.starts += u64::from(count.starts);
        self.successes += u64::from(count.successes);
        self.failures += u64::from(count.failures);
        self.cancels += u64::from(count.halts);
    }
}

/// So many threads, [`MAX_THREADS`] at most; as many as the machine has cores, if not said.
pub(crate) fn thread_pool(
    threads: Option<NonZeroUsize>,
) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let threads = threads.or_else(|| std::thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get).min(MAX_THREADS);
    let builder = rayon::ThreadPoolBuilder::new();
    builder.num_threads(threads).build()
}

impl<'s> Run<'s> {
    /// A run with the default kernel, on as many threads as the machine has cores.
    pub fn new(scenario: &'s Scenario) -> Run<'s> {
        Run {
            scenario,
            kernel: Kernel::default(),
            threads: None,
        }
    }

    /// Chooses the kernel.
    pub fn kernel(mut self, kernel: Kernel) -> Run<'s> {
        self.kernel = kernel;
        self
    }

    /// Chooses how many threads walk; more than [`MAX_THREADS`] are not started.
    pub fn threads(mut self, threads: NonZeroUsize) -> Run<'s> {
        self.threads = Some(threads);
        self
    }

    /// Runs.
    ///
    /// # Errors
    /// When there is not enough memory, or the threads cannot be started.
    pub fn go(&self) -> Result<Figures, RunError> {
        self.go_with(&mut |_| {})
    }

    /// Runs, and calls `progress` behind each tick, outside of what is timed.
    ///
    /// # Errors
    /// As [`go`](Run::go).
    pub fn go_with(
        &self,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Figures, RunError> {
        let pool = thread_pool(self.threads).map_err(RunError::Threads)?;
        let threads = pool.current_num_threads();
        let (timed, counted) = pool.install(|| {
            let timed = self.pass(Pass::Timing, progress)?;
            let counted = self.pass(Pass::Census, progress)?;
            Ok((timed, counted))
        })?;
        if timed.fingerprint != counted.fingerprint {
            return Err(RunError::Diverged {
                timed: timed.fingerprint,
                counted: counted.fingerprint,
            });
        }
        Ok(self.figures(threads, timed, counted))
    }

    fn pass(
        &self,
        pass: Pass,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Outcome, RunError> {
        let Scenario {
            ticks, warm_up, dt, ..
        } = *self.scenario;
        let (mut director, mut population) =
            Director::new(self.scenario, self.kernel, pass == Pass::Census)?;
        let mut outcome = Outcome {
            nanos: Vec::with_capacity(if pass == Pass::Timing {
                ticks as usize
            } else {
                0
            }),
            all_phases: Duration::ZERO,
            memory_bytes: population.memory_bytes(),
            fingerprint: Fingerprint(0),
            counts: TickCounts::default(),
            nodes: vec![NodeSums::default(); self.scenario.shape.len()],
            actions: Vec::new(),
            errors: 0,
        };
        let length = u64::from(warm_up) + u64::from(ticks);
        let before = if pass == Pass::Timing { 0 } else { length };
        let mut census = Vec::new();
        for tick in 0..length {
            if tick == u64::from(warm_up) {
                director.forget_tallies();
            }
            let begun = Instant::now();
            director.refresh(&mut population);
            let refreshed = Instant::now();
            population.tick(dt);
            let decided = Instant::now();
            director.carry_out(&population);
            let carried_out = Instant::now();
            director.fold(&mut population);
            if tick >= u64::from(warm_up) {
                match pass {
                    Pass::Timing => {
                        let nanos = (decided - refreshed).as_nanos();
                        outcome.nanos.push(u64::try_from(nanos).unwrap_or(u64::MAX));
                        outcome.all_phases += carried_out - begun;
                    }
                    Pass::Census => outcome.count(&population, &mut census),
                }
            }
            progress(Progress {
                pass,
                done: before + tick + 1,
                total: 2 * length,
            });
        }
        outcome.fingerprint = director.fingerprint();
        outcome.actions = director.actions();
        Ok(outcome)
    }

    fn figures(&self, threads: usize, timed: Outcome, counted: Outcome) -> Figures {
        let scenario = self.scenario;
        let needs = scenario.shape.requirements();
        let decision_nanos: u128 = timed.nanos.iter().map(|&nanos| u128::from(nanos)).sum();
        let decision_seconds = decision_nanos.max(1) as f64 / 1e9;
        let actor_ticks = f64::from(scenario.actors) * f64::from(scenario.ticks);
        Figures {
            scenario: scenario.name.clone(),
            tree: scenario.shape.tree_name().to_owned(),
            actors: scenario.actors,
            ticks: scenario.ticks,
            warm_up: scenario.warm_up,
            dt: scenario.dt.as_secs_f64(),
            kernel: self.kernel.name(),
            threads,
            seed: scenario.seed,
            hash: timed.fingerprint,
            tick_ns: TickTimes::of(timed.nanos),
            decision_seconds,
            loop_seconds: timed.all_phases.as_secs_f64(),
            // Who has left the tree is not decided for.
            actor_ticks_per_second: counted.counts.ticked as f64 / decision_seconds,
            state_bytes_per_actor: self.kernel.state_bytes_per_actor(needs),
            column_bytes_per_actor: needs.column_bytes_per_actor,
            memory_bytes: timed.memory_bytes,
            roots: RootFigures {
                succeeded: counted.counts.succeeded,
                failed: counted.counts.failed,
                running: counted.counts.running,
                aborted: counted.counts.aborted,
            },
            nodes: self.node_figures(&counted.nodes, actor_ticks),
            actions: counted.actions,
            results_dropped: counted.counts.results_dropped,
            errors: counted.errors,
            undescribed: scenario.undescribed.clone(),
        }
    }

    /// Figures of the tree's nodes, in stream order. (Of one that became several tokens, those of the first,
    /// which answers for it.)
    fn node_figures(&self, sums: &[NodeSums], actor_ticks: f64) -> Vec<NodeFigures> {
        let tree = self.scenario.tree();
        let shape = &self.scenario.shape;
        let mut depths: Vec<u32> = Vec::with_capacity(sums.len());
        let nodes = shape.plain().iter().zip(shape.node_paths()).zip(sums);
        nodes
            .enumerate()
            .filter_map(|(index, ((token, path), sums))| {
                let node = TokenIndex::from(index);
                let is_part = shape.is_part(node);
                let above = depths.get(token.link as usize);
                let depth = above.map_or(0, |depth| depth + u32::from(!is_part));
                depths.push(depth);
                if is_part {
                    return None;
                }
                let id = shape.node_id(node)?;
                Some(NodeFigures {
                    id: id.0,
                    path,
                    kind: tree.node(id).map_or("?", |node| node.kind.keyword()),
                    calls: shape.calls(node).map(str::to_owned),
                    depth,
                    active_share: sums.visits as f64 / actor_ticks,
                    visits: sums.visits,
                    starts: sums.starts,
                    successes: sums.successes,
                    failures: sums.failures,
                    cancels: sums.cancels,
                })
            })
            .collect()
    }
}

impl Outcome {
    /// Adds what the population's census and report say of the last tick.
    fn count(&mut self, population: &Population, census: &mut Vec<NodeCount>) {
        population.census(census);
        for (sums, count) in self.nodes.iter_mut().zip(census.iter()) {
            sums.add(count);
        }
        let report = population.report();
        self.counts.succeeded += report.counts.succeeded;
        self.counts.failed += report.counts.failed;
        self.counts.running += report.counts.running;
        self.counts.aborted += report.counts.aborted;
        self.counts.ticked += report.counts.ticked;
        self.counts.results_dropped += report.counts.results_dropped;
        self.errors += report.errors.len() as u64;
    }
}
