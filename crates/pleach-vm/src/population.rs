//! A population: actors that share a shape.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::{ActionIndex, FunctionIndex, FunctionKind, Shape, SlotIndex};

use crate::actor::ActorId;
use crate::batch::Batch;
use crate::block::{Block, control};
use crate::error::SpawnError;
use crate::host::{Call, Function, Query, Task, UnknownFunction};
use crate::kernel::lanes::Plans;
use crate::kernel::{Kernel, Tick, Worker};
use crate::parallel::tick_blocks;
use crate::plane::Plane;
use crate::report::{ActionError, TickReport};
use crate::request::Requests;
use crate::results::NoSuchActor;
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
    functions: Vec<Function>,
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
    used: u32,
    alive: usize,
    /// Places to give out again, lowest first.
    free: BinaryHeap<Reverse<u32>>,
    /// Despawned since the last tick: the next one halts what they ran.
    departing: Vec<u32>,
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

    // Actors.

    /// Adds an actor: default columns, loaded, its tree not yet started.
    ///
    /// # Errors
    /// When ids or memory run out.
    pub fn spawn(&mut self) -> Result<ActorId, SpawnError> {
        self.place(true)
    }

    /// Adds an actor that is not in the tree: it is not walked until it is [loaded](Population::load), one
    /// by itself or [with a set](Population::load_set) that a rule has found.
    ///
    /// # Errors
    /// When ids or memory run out.
    pub fn spawn_unloaded(&mut self) -> Result<ActorId, SpawnError> {
        self.place(false)
    }

    fn place(&mut self, loaded: bool) -> Result<ActorId, SpawnError> {
        let index = match self.free.pop() {
            Some(Reverse(index)) => index,
            None => {
                if self.used == u32::MAX {
                    return Err(SpawnError::Full);
                }
                if self.used as usize == self.blocks.len() * BLOCK_LANES {
                    self.add_block()?;
                }
                self.used += 1;
                self.used - 1
            }
        };
        let (block, lane) = (index as usize / BLOCK_LANES, index as usize % BLOCK_LANES);
        self.blocks[block].settle(&self.shape, lane, self.now_micros);
        if !loaded {
            *self.blocks[block].control_mut(self.shape.layout(), control::LOADED) &=
                !Plane::single(lane);
        }
        self.alive += 1;
        Ok(self.blocks[block].actor(block, lane))
    }

    /// Adds several actors; gives their ids.
    ///
    /// # Errors
    /// When ids or memory run out; the actors added until then stay.
    pub fn spawn_many(&mut self, count: usize) -> Result<Vec<ActorId>, SpawnError> {
        let mut actors = Vec::new();
        let bytes = (count as u64).saturating_mul(size_of::<ActorId>() as u64);
        let no_memory = |_| SpawnError::NoMemory { bytes };
        actors.try_reserve_exact(count).map_err(no_memory)?;
        for _ in 0..count {
            actors.push(self.spawn()?);
        }
        Ok(actors)
    }

    #[cold]
    fn add_block(&mut self) -> Result<(), SpawnError> {
        let bytes = self.shape.requirements().block_bytes;
        let no_memory = |_| SpawnError::NoMemory { bytes };
        self.blocks
            .try_reserve(1)
            .map_err(|_| SpawnError::NoMemory { bytes })?;
        let block =
            Block::new(&self.shape, self.watched.as_ref(), self.now_micros).map_err(no_memory)?;
        self.blocks.push(block);
        Ok(())
    }

    #[inline]
    pub(crate) fn find(&self, actor: ActorId) -> Result<(usize, usize), NoSuchActor> {
        let layout = self.shape.layout();
        let (index, lane) = (actor.block(), actor.lane());
        let block = self.blocks.get(index).ok_or(NoSuchActor(actor))?;
        let lives = block.control(layout, control::ALIVE).get(lane)
            && block.generation(lane) == actor.generation();
        if lives {
            Ok((index, lane))
        } else {
            Err(NoSuchActor(actor))
        }
    }

    /// Removes an actor. What it ran is halted in the next tick: running tasks get their exit,
    /// outstanding actions their Cancel, under the old id. Its place is given out again after
    /// that.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn despawn(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        self.mark(
            actor,
            &[
                (control::ALIVE, false),
                (control::LOADED, false),
                (control::LEAVING, true),
            ],
        )?;
        self.alive -= 1;
        self.blocks[actor.block()].count_generations();
        self.departing.push(actor.index());
        Ok(())
    }

    /// Takes an actor out of the tree. What it ran is halted in the next tick; it is not walked
    /// until it is loaded again, and then starts afresh.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn unload(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        self.mark(actor, &[(control::LOADED, false), (control::LEAVING, true)])
    }

    /// Puts an actor into the tree: it is walked from the next tick on. Nothing happens to one
    /// that is in.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn load(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        self.mark(actor, &[(control::LOADED, true)])
    }

    /// Throws an actor's progress away: in the next tick what it ran is halted, before any visit,
    /// and, if it is loaded, its tree starts afresh.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn reset(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        self.blocks[block].forget_latches(self.shape.layout(), lane);
        self.mark(actor, &[(control::LEAVING, true)])
    }

    fn mark(&mut self, actor: ActorId, marks: &[(usize, bool)]) -> Result<(), NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        for &(plane, value) in marks {
            self.blocks[block]
                .control_mut(self.shape.layout(), plane)
                .put(lane, value);
        }
        Ok(())
    }

    /// Whether the actor exists.
    pub fn is_alive(&self, actor: ActorId) -> bool {
        self.find(actor).is_ok()
    }

    /// Whether the actor exists and is in the tree.
    pub fn is_loaded(&self, actor: ActorId) -> bool {
        self.find(actor).is_ok_and(|(block, lane)| {
            self.blocks[block]
                .control(self.shape.layout(), control::LOADED)
                .get(lane)
        })
    }

    /// How many actors there are.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// All actors, by place.
    pub fn actors(&self) -> impl Iterator<Item = ActorId> + '_ {
        let layout = self.shape.layout();
        self.blocks
            .iter()
            .enumerate()
            .flat_map(move |(index, block)| {
                let alive = block.control(layout, control::ALIVE).lanes();
                alive.map(move |lane| block.actor(index, lane))
            })
    }

    // Callbacks.

    /// Registers the task of that name; best before the first tick. A task that takes another's place
    /// while actors run it is called for the rest of those runs, without an `enter`.
    ///
    /// # Errors
    /// When the tree calls no task of that name.
    pub fn on_task(
        &mut self,
        name: &str,
        task: impl Task + 'static,
    ) -> Result<(), UnknownFunction> {
        let index = self.function(name, FunctionKind::Task)?;
        self.functions[index] = Function::Task(Box::new(task));
        Ok(())
    }

    /// Registers the query of that name. A panic in it is caught and counts as `false`.
    ///
    /// # Errors
    /// When the tree calls no query of that name.
    pub fn on_query(
        &mut self,
        name: &str,
        query: impl Fn(&mut Call<'_>) -> bool + Send + Sync + 'static,
    ) -> Result<(), UnknownFunction> {
        let index = self.function(name, FunctionKind::Query)?;
        self.functions[index] = Function::Query(Query::Each(Box::new(query)));
        Ok(())
    }

    /// Registers a query that answers for all actors of a block at once: a plane of those for which it
    /// holds, of which only the lanes of the batch count. The lanes kernel calls it once for each block
    /// and node, the others with one actor at a time. A panic in it is caught and counts as `false` for
    /// each of these actors.
    ///
    /// ```
    /// use pleach_tree::{action, compile, query, selector, sequence, Tree};
    /// use pleach_vm::{Batch, Plane, Population};
    /// use std::time::Duration;
    ///
    /// let tree = Tree::build("moth")
    ///     .column("x", 0.0_f32)
    ///     .root(selector([sequence([query("sees light"), action("fly")]), action("rest")]));
    /// let mut moths = Population::new(compile(&tree)?);
    /// let x = moths.column::<f32>("x")?;
    /// moths.on_query_batch("sees light", move |batch: &mut Batch<'_>| {
    ///     let mut sees = Plane::EMPTY;
    ///     if let Some(x) = batch.values(x) {
    ///         // 512 values, one a lane.
    ///         for lane in batch.lanes().lanes() {
    ///             sees.put(lane, x[lane].abs() < 10.0);
    ///         }
    ///     }
    ///     sees
    /// })?;
    ///
    /// let ids = moths.spawn_many(100)?;
    /// for (distance, &moth) in ids.iter().enumerate() {
    ///     moths.set(moth, x, distance as f32)?;
    /// }
    /// moths.tick(Duration::from_millis(16));
    /// let fly = moths.shape().action("fly").unwrap();
    /// assert_eq!(moths.requests().of(fly).iter().count(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the tree calls no query of that name.
    pub fn on_query_batch(
        &mut self,
        name: &str,
        query: impl Fn(&mut Batch<'_>) -> Plane + Send + Sync + 'static,
    ) -> Result<(), UnknownFunction> {
        let index = self.function(name, FunctionKind::Query)?;
        self.functions[index] = Function::Query(Query::Batch(Box::new(query)));
        Ok(())
    }

    fn function(&self, name: &str, kind: FunctionKind) -> Result<usize, UnknownFunction> {
        let functions = &self.shape.tables().functions;
        let of_kind = |index: &usize| functions[*index].kind() == Some(kind);
        let text = |index: usize| self.shape.function_name(FunctionIndex::from(index));
        let found = (0..functions.len())
            .filter(of_kind)
            .find(|&index| text(index) == name);
        found.ok_or_else(|| UnknownFunction {
            name: name.to_owned(),
            kind,
            known: (0..functions.len())
                .filter(of_kind)
                .map(|index| text(index).to_owned())
                .collect(),
        })
    }

    /// The names of tasks and queries that nobody has registered.
    pub fn unbound(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.iter().enumerate();
        functions
            .filter(|(_, function)| matches!(function, Function::Unbound))
            .map(|(index, _)| self.shape.function_name(FunctionIndex::from(index)))
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
        tick_blocks(&mut self.blocks, &mut self.workers, fresh, &tick);
        self.departed.append(&mut self.departing);
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
