//! A population: actors that share a shape.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::{ActionIndex, Shape, SlotIndex};

use crate::actor::ActorId;
use crate::block::Block;
use crate::host::Function;
use crate::kernel::lanes::Plans;
use crate::kernel::{Kernel, Tick, Worker};
use crate::parallel::tick_blocks;
use crate::report::{ActionError, TickReport};
use crate::request::Requests;
use crate::simd::Simd;
use crate::test::Test;
use crate::watch::Watched;

/// 0 is nobody.
static IDENTITIES: AtomicU64 = AtomicU64::new(1);

/// Actors that share a [`Shape`], their blackboards, results and requests.
///
/// A step of a simulation has five phases:
///
/// 1. systems run persistent actions and write their status
///    ([`set_persistent`](Population::set_persistent));
/// 2. systems hand in results of deferred actions ([`set_result`](Population::set_result),
///    [`deliver`](Population::deliver)) and refresh the columns ([`set`](Population::set),
///    [`blocks_mut`](Population::blocks_mut));
/// 3. the trees decide, and
/// 4. what they want is merged into requests ([`tick`](Population::tick) does both);
/// 5. systems carry the requests out ([`requests`](Population::requests)).
///
/// [`step`](Population::step) runs all five over a [`Systems`].
///
/// ```
/// use pleach_tree::{action, compile, condition, selector, sequence, Tree};
/// use pleach_vm::{Outcome, Population, RequestKind};
/// use std::time::Duration;
///
/// let tree = Tree::build("guard")
///     .column("sees_player", false)
///     .root(selector([
///         sequence([condition("sees_player"), action("chase")]),
///         action("patrol"),
///     ]));
/// let mut guards = Population::new(compile(&tree)?);
/// let sees_player = guards.column::<bool>("sees_player")?;
/// let ann = guards.spawn()?;
/// let bob = guards.spawn()?;
///
/// guards.set(ann, sees_player, true)?;
/// guards.tick(Duration::from_millis(16));
///
/// let wanted: Vec<_> = guards
///     .requests()
///     .batches()
///     .flat_map(|batch| batch.iter().map(move |request| (batch.name(), request.actor, request.kind)))
///     .collect();
/// assert_eq!(
///     wanted,
///     [("chase", ann, RequestKind::Launch), ("patrol", bob, RequestKind::Launch)]
/// );
///
/// let patrol = guards.slots("patrol")[0];
/// guards.set_result(bob, patrol, Outcome::Success)?;
/// guards.tick(Duration::from_millis(16));
/// assert_eq!(guards.status(bob)?, Some(pleach_vm::Status::Success));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Population {
    pub(crate) shape: Arc<Shape>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) world: Vec<u64>,
    pub(crate) functions: Vec<Function>,
    /// The shape's conditions, resolved.
    tests: Box<[Test]>,
    plans: Plans,
    /// What the threads of a tick work in, one each.
    workers: Vec<Worker>,
    /// Slots of each kind of action, ascending.
    slots: Vec<Vec<SlotIndex>>,
    kernel: Kernel,
    pub(crate) simd: Simd,
    pub(crate) seed: u64,
    pub(crate) census: bool,
    /// Nodes that tables ask about, ascending.
    pub(crate) asked: Vec<u32>,
    /// What blocks tell of, if of anything.
    pub(crate) watched: Option<Arc<Watched>>,
    /// Tells this population from all others of the process.
    pub(crate) identity: u64,
    /// Which rule has written a column since the last tick, by column.
    pub(crate) conclusions: Vec<Option<&'static str>>,
    pub(crate) traced: Option<ActorId>,
    pub(crate) now_micros: u64,
    pub(crate) ticks: u64,
    /// Places below this have been given out.
    pub(crate) used: u32,
    pub(crate) alive: usize,
    /// Places to give out again, lowest first.
    pub(crate) free: BinaryHeap<Reverse<u32>>,
    /// Despawned since the last tick: the next one halts what they ran.
    pub(crate) departing: Vec<u32>,
    /// Halted in the last tick, whose requests may still be read under the old id.
    departed: Vec<u32>,
    pub(crate) pending_errors: Vec<ActionError>,
    report: TickReport,
}

/// The systems around a population: what happens in the phases that the trees do not run.
pub trait Systems {
    /// Phase 1: run persistent actions, write their status.
    fn run_persistent(&mut self, population: &mut Population) {
        let _ = population;
    }

    /// Phase 2: hand in results and refresh columns.
    fn deliver_results(&mut self, population: &mut Population) {
        let _ = population;
    }

    /// Phase 5: carry out the requests.
    fn execute(&mut self, requests: Requests<'_>);
}

impl Population {
    /// An empty population.
    pub fn new(shape: impl Into<Arc<Shape>>) -> Population {
        let shape: Arc<Shape> = shape.into();
        let tables = shape.tables();
        let shape_columns = tables.columns.len();
        let mut slots = vec![Vec::new(); tables.actions.len()];
        for (index, def) in tables.deferred.iter().enumerate() {
            slots[def.action as usize].push(SlotIndex::from(index));
        }
        Population {
            world: tables.world.iter().map(|world| world.default).collect(),
            functions: tables
                .functions
                .iter()
                .map(|_| Function::default())
                .collect(),
            slots,
            tests: Test::of(&shape),
            plans: Plans::of(&shape),
            workers: Vec::new(),
            shape,
            blocks: Vec::new(),
            kernel: Kernel::default(),
            simd: Simd::detected(),
            seed: 0,
            census: false,
            asked: Vec::new(),
            watched: None,
            identity: IDENTITIES.fetch_add(1, Ordering::Relaxed),
            conclusions: vec![None; shape_columns],
            traced: None,
            now_micros: 0,
            ticks: 0,
            used: 0,
            alive: 0,
            free: BinaryHeap::new(),
            departing: Vec::new(),
            departed: Vec::new(),
            pending_errors: Vec::new(),
            report: TickReport::default(),
        }
    }

    /// Chooses the kernel; see [`set_kernel`](Population::set_kernel).
    pub fn with_kernel(mut self, kernel: Kernel) -> Population {
        self.kernel = kernel;
        self
    }

    /// Chooses the seed of everything random. Actors at the same place of two populations draw the same numbers
    /// unless the seeds differ.
    pub fn with_seed(mut self, seed: u64) -> Population {
        self.seed = seed;
        self
    }

    /// Counts actors at each node: see [`set_census`](Population::set_census).
    pub fn with_census(mut self) -> Population {
        self.set_census(true);
        self
    }

    /// Begins or ends counting actors at each node, from the next tick on; see
    /// [`census`](Population::census). Costs seven bits an actor and node, and for each block and node a
    /// few dozen instructions a tick, whatever the kernel; those that walk one actor at a time also tell of
    /// each leaf. Best called before anything is spawned: what
    /// runs at that moment counts as a start when it is visited next, and a block for which there is no
    /// memory is not counted.
    pub fn set_census(&mut self, counts: bool) {
        if self.census != counts {
            self.watch_all(counts);
        }
    }

    /// The shape.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// The kernel that walks.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Changes the kernel, between any two ticks: the future stays the same.
    ///
    /// Kernels keep an actor's state in three forms. A block whose state has another one than the new
    /// kernel reads is converted at the start of its next tick, actor by actor; that may take longer than
    /// the tick itself, and allocates. Where the memory cannot be had, the block goes on with a kernel of
    /// its form.
    ///
    /// ```
    /// use pleach_tree::{action, compile, sequence, wait, Tree};
    /// use pleach_vm::{Kernel, Population, RequestKind};
    /// use std::time::Duration;
    ///
    /// let tree = Tree::build("sentry").root(sequence([wait(Duration::from_secs(1)), action("turn")]));
    /// let mut sentries = Population::new(compile(&tree)?);
    /// assert_eq!(sentries.kernel(), Kernel::Auto);
    /// let ann = sentries.spawn()?;
    /// sentries.tick(Duration::from_millis(500)); // the wait begins
    ///
    /// for kernel in Kernel::ALL {
    ///     let state = sentries.state(ann)?;
    ///     sentries.set_kernel(kernel);
    ///     sentries.tick(Duration::ZERO);
    ///     assert_eq!(sentries.state(ann)?, state);
    /// }
    /// sentries.tick(Duration::from_secs(1)); // the wait is over
    /// let request = sentries.requests().iter().next().unwrap();
    /// assert_eq!(request.kind, RequestKind::Launch);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_kernel(&mut self, kernel: Kernel) {
        self.kernel = kernel;
    }

    /// The instruction set that lanes are computed with: at first [`Simd::detected`].
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Changes the instruction set: the same bits, at another speed. One that this machine lacks stands
    /// for the best one below it.
    pub fn set_simd(&mut self, simd: Simd) {
        self.simd = simd;
    }

    // Actions.

    /// The deferred slots of an action by name, ascending: one for each leaf. Empty if the tree
    /// has no such action.
    pub fn slots(&self, action: &str) -> &[SlotIndex] {
        self.shape
            .action(action)
            .map_or(&[], |action| self.slots_of(action))
    }

    /// The deferred slots of a kind of action, ascending.
    pub fn slots_of(&self, action: ActionIndex) -> &[SlotIndex] {
        self.slots.get(action.at()).map_or(&[], Vec::as_slice)
    }

    /// The persistent slots of an action by name, ascending.
    pub fn persistent_slots(&self, action: &str) -> impl Iterator<Item = SlotIndex> + '_ {
        let action = self.shape.action(action);
        let slots = self.shape.tables().persistent.iter().enumerate();
        slots
            .filter(move |(_, def)| action.is_some_and(|action| action.0 == def.action))
            .map(|(index, _)| SlotIndex::from(index))
    }

    // Ticks.

    /// Phases 3 and 4: walks the tree of every loaded actor whose turn it is once, then merges what
    /// they want into requests. The clock advances by `dt` first; fractions of a microsecond are dropped.
    /// (After 584,000 years it stands still, and all waits are over.)
    ///
    /// In a steady tick, one that neither spawns nor reports errors or panics, and in which no block's
    /// state is converted for another [kernel](Kernel), nothing is allocated. With the `rayon` feature,
    /// blocks are walked by the threads of the current rayon pool where there are enough of them to pay;
    /// the result is the same bits for any number of threads.
    pub fn tick(&mut self, dt: Duration) -> &TickReport {
        let dt_micros = u64::try_from(dt.as_micros()).unwrap_or(u64::MAX);
        self.recycle();
        self.conclusions.fill(None);
        self.ticks += 1;
        self.now_micros = self.now_micros.saturating_add(dt_micros);
        let tick = Tick {
            shape: &self.shape,
            world: &self.world,
            functions: &self.functions,
            tests: &self.tests,
            plans: &self.plans,
            kernel: self.kernel,
            simd: self.simd,
            seed: self.seed,
            number: self.ticks,
            now_micros: self.now_micros,
            traced: self.traced,
        };
        let fresh = || Worker::new(&self.shape, &self.plans);
        if tick_blocks(&mut self.blocks, &mut self.workers, fresh, &tick) {
            self.departed.append(&mut self.departing);
        }
        self.merge_reports();
        &self.report
    }

    /// All five phases over the systems around the population.
    pub fn step(&mut self, systems: &mut impl Systems, dt: Duration) -> &TickReport {
        systems.run_persistent(self);
        systems.deliver_results(self);
        self.tick(dt);
        systems.execute(self.requests());
        &self.report
    }

    /// Places whose last requests can no longer be read are given out again, lowest first.
    fn recycle(&mut self) {
        if self.departed.is_empty() {
            return;
        }
        for index in self.departed.drain(..) {
            let (block, lane) = (index as usize / BLOCK_LANES, index as usize % BLOCK_LANES);
            let generations = &mut self.blocks[block].generations;
            if let Some(generation) = generations.get_mut(lane) {
                *generation = generation.wrapping_add(1);
            }
            self.free.push(Reverse(index));
        }
    }

    fn merge_reports(&mut self) {
        let report = &mut self.report;
        report.tick = self.ticks;
        report.now = Duration::from_micros(self.now_micros);
        report.counts = Default::default();
        report.panics.clear();
        for block in &self.blocks {
            report.counts.add(&block.tally.counts);
            report.panics.extend_from_slice(&block.tally.panics);
        }
        report.panics.sort_unstable();
        report.errors.clear();
        report.errors.append(&mut self.pending_errors);
    }

    /// What the last tick did.
    pub fn report(&self) -> &TickReport {
        &self.report
    }

    /// The requests of the last tick.
    pub fn requests(&self) -> Requests<'_> {
        Requests::new(self)
    }

    /// How many blocks of 512 places there are.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Bytes that the actors' blocks take, state streams and generations included where blocks have them;
    /// without the [census](Population::census).
    pub fn memory_bytes(&self) -> usize {
        self.blocks.iter().map(Block::bytes).sum()
    }
}

impl fmt::Debug for Population {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "population of {} actors of \"{}\", {} kernel, {} ticks",
            self.alive,
            self.shape.tree_name(),
            self.kernel,
            self.ticks
        )
    }
}
