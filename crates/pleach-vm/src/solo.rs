//! One actor by itself, whose owner answers its callbacks.
//!
//! A [`Population`](crate::Population) owns its actors, and its callbacks live as long as it does. A
//! [`Solo`] is the other way round: whoever owns the actor owns its progress, and hands in, with each
//! tick, who answers queries and tasks: a [`Callee`], which may borrow anything. The tree is walked by
//! the [traversal-stack](crate::Kernel::TraversalStack) kernel, under the rules that hold for
//! populations; `docs/semantics.md` numbers them.
//!
//! ```
//! use pleach_tree::{compile, query, selector, sequence, task, Tree};
//! use pleach_vm::{Callee, Exit, Solo, SoloCall, SoloTree, Status};
//! use std::time::Duration;
//!
//! /// A cat, borrowed for a tick. Which function is meant, the shape says by name.
//! struct Cat<'a> {
//!     tree: &'a SoloTree,
//!     hunger: &'a mut u32,
//! }
//!
//! impl Callee for Cat<'_> {
//!     fn query(&mut self, _: SoloCall) -> bool {
//!         *self.hunger > 0
//!     }
//!     fn run(&mut self, call: SoloCall) -> Status {
//!         match self.tree.shape().function_name(call.function) {
//!             "eat" => {
//!                 *self.hunger -= 1;
//!                 Status::from_bool(true)
//!             }
//!             _ => Status::Running,
//!         }
//!     }
//! }
//!
//! let root = selector([sequence([query("hungry"), task("eat")]), task("sleep")]);
//! let tree = SoloTree::new(compile(&Tree::build("cat").root(root))?)?;
//! let mut progress = Solo::new(&tree, 7)?;
//! let mut hunger = 2;
//! let mut statuses = Vec::new();
//! for _ in 0..3 {
//!     let mut cat = Cat { tree: &tree, hunger: &mut hunger };
//!     statuses.extend(progress.tick(Duration::from_millis(16), &mut cat));
//! }
//! assert_eq!(statuses, [Status::Success, Status::Success, Status::Running]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use pleach_shape::layout::{LINES_U64, NARROW_MICROS};
use pleach_shape::{BlockLayout, FunctionIndex, Shape, Status, TokenIndex};

use crate::block::{Block, NoMemory, control, sections};
use crate::host::Exit;
use crate::kernel::lanes::Plans;
use crate::kernel::walk::Walk;
use crate::kernel::{Kernel, Place, Scratch, Tick, drop_payload, traversal_stack};
use crate::observe::Nobody;
use crate::plane::Plane;
use crate::simd::Simd;
use crate::stream::{Form, Streams};
use crate::test::Test;
use crate::timer::Timers;

/// Answers the callbacks of one actor's tick. Nothing is asked of it: it may borrow what it likes, and
/// another one may come with the next tick.
///
/// A panic in a callback follows L4: it counts as Failure (of a query: as `false`), and an `enter` that
/// panics has not entered. The status that a task has answered stays when its `exit` panics. The tick is
/// completed by the ordinary rules, and then the first panic goes on to whoever called
/// [`Solo::tick`] or [`Solo::reset`].
pub trait Callee {
    /// Whether the query's condition holds (L1).
    fn query(&mut self, call: SoloCall) -> bool;

    /// Called on the first tick of a new run, before `run`.
    fn enter(&mut self, call: SoloCall) {
        let _ = call;
    }

    /// Called in each tick while the task runs (L4).
    fn run(&mut self, call: SoloCall) -> Status;

    /// Called when the run ends: at once if it finished, behind all visits of the tick if it was
    /// aborted (L6). For each `enter` there is exactly one.
    fn exit(&mut self, call: SoloCall, reason: Exit) {
        let _ = (call, reason);
    }
}

/// What a [`Callee`] is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoloCall {
    /// Which function is called: the index into the shape's functions. Queries and tasks share the
    /// numbers; nodes that call the same name have the same.
    pub function: FunctionIndex,
    /// The node that calls.
    pub node: TokenIndex,
    /// The tick's time, as it was handed in; zero in a [`reset`](Solo::reset).
    pub dt: Duration,
}

/// What all actors of a tree share. A clone is the same tree: it shares the memory.
#[derive(Clone)]
pub struct SoloTree(Arc<Shared>);

struct Shared {
    shape: Shape,
    layout: BlockLayout,
    tests: Box<[Test]>,
    plans: Plans,
}

/// How a block lies in memory of which only the first lane is used: as any other, but that each timer
/// takes a line. What a kernel holds to be the rest of its 512 deadlines are the timers behind, and spare
/// lines behind the last; it only ever touches the first deadline of a timer.
fn layout_of_one(shape: &Shape) -> BlockLayout {
    let mut layout = shape.layout().clone();
    let timers = layout.timer_firsts.len();
    if timers > 0 {
        let lines = layout.timers..layout.timers + timers;
        layout.timer_firsts = lines.clone().map(|line| line as u32).collect();
        layout.lines = lines.end + LINES_U64 - 1;
    }
    layout
}

impl SoloTree {
    /// Works out what a shape's actors share.
    ///
    /// Columns keep their defaults until a Set writes them; world values are their defaults. (Who needs
    /// to write either from outside wants a [`Population`](crate::Population).)
    ///
    /// # Errors
    /// When the tree has deferred or persistent actions. Nobody would carry them out, and their nodes
    /// would run for ever.
    pub fn new(shape: Shape) -> Result<SoloTree, SoloTreeError> {
        let tables = shape.tables();
        let slots = tables.deferred.iter().chain(&tables.persistent);
        if let Some(slot) = slots.min_by_key(|slot| slot.node) {
            let node = TokenIndex(slot.node);
            return Err(SoloTreeError {
                path: shape.node_path(node),
                action: shape.calls(node).unwrap_or_default().to_owned(),
            });
        }
        Ok(SoloTree(Arc::new(Shared {
            layout: layout_of_one(&shape),
            tests: Test::of(&shape),
            plans: Plans::of(&shape),
            shape,
        })))
    }

    /// The shape, for names, paths and functions.
    pub fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// Whether both are clones of one tree.
    pub fn is(&self, other: &SoloTree) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for SoloTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        write!(f, "tree \"{}\", {} nodes", shape.tree_name(), shape.len())
    }
}

/// Why a tree's actors cannot run by themselves: it has an action, which some system would have to carry
/// out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SoloTreeError {
    path: String,
    action: String,
}

impl fmt::Display for SoloTreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: action `{}` would wait for a system for ever; allowed are tasks: use one in its \
             place, or a population",
            self.path,
            self.action.escape_debug()
        )
    }
}

impl std::error::Error for SoloTreeError {}

/// The memory for an actor's progress could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoloError {
    /// What its block takes.
    pub bytes: u64,
}

impl fmt::Display for SoloError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for an actor's progress: {} bytes", self.bytes)
    }
}

impl std::error::Error for SoloError {}

/// One actor's progress in a tree.
///
/// Dropping it forgets what runs; nobody is told. Who wants exits for running tasks calls
/// [`reset`](Solo::reset) first.
pub struct Solo {
    tree: SoloTree,
    /// Of which only the first lane is used; the state is in the form of parents.
    block: Block,
    scratch: Scratch,
    world: Box<[u64]>,
    seed: u64,
    ticks: u64,
    now_micros: u64,
}

/// The lane of the only actor.
const LANE: usize = 0;

impl Solo {
    /// An actor that has not started; everything random in its tree depends on the seed. All memory that
    /// it will need is had here.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(tree: &SoloTree, seed: u64) -> Result<Solo, SoloError> {
        let shape = tree.shape();
        let needs = shape.requirements();
        let bytes = tree.0.layout.block_bytes() as u64;
        let parts = || -> Result<(Block, Scratch), NoMemory> {
            let mut block = Block::of_lines(shape, tree.0.layout.lines, None, 0)?;
            block.form = Form::Parents;
            block.streams = Streams::for_lanes(Form::Parents, needs, LANE + 1)?;
            block.settle(shape, LANE, 0);
            Ok((block, Scratch::for_shape(shape).ok_or(NoMemory)?))
        };
        let (block, scratch) = parts().map_err(|NoMemory| SoloError { bytes })?;
        let world = &shape.tables().world;
        Ok(Solo {
            tree: tree.clone(),
            block,
            scratch,
            world: world.iter().map(|world| world.default).collect(),
            seed,
            ticks: 0,
            now_micros: 0,
        })
    }

    /// Walks the tree once; gives the root's status. `None` when an AbortWhen took the actor out of the
    /// tree (D5): it starts afresh with the next tick.
    ///
    /// The actor's clock advances by `dt` first; fractions of a microsecond are dropped. Nothing is
    /// allocated.
    ///
    /// # Panics
    /// When a callback panicked, with what it panicked with; see [`Callee`]. The tick is complete, and
    /// the next one can follow.
    pub fn tick(&mut self, dt: Duration, callee: &mut dyn Callee) -> Option<Status> {
        let dt_micros = u64::try_from(dt.as_micros()).unwrap_or(u64::MAX);
        self.ticks += 1;
        self.now_micros = self.now_micros.saturating_add(dt_micros);
        self.advance_timers();
        let layout = &self.tree.0.layout;
        let block = &mut self.block;
        let due = block.paces.begin(self.ticks, self.now_micros);
        block.tally.counts = Default::default();
        for status in Status::ALL {
            *block.control_mut(layout, control::STATUS + status as usize) = Plane::EMPTY;
        }
        // D5: an AbortWhen has unloaded it, and who ticks it loads it again.
        block.control_mut(layout, control::LOADED).put(LANE, true);
        let panic = self.walk(dt, callee, |walk| {
            // Beside the walk for the time being, so that both can be borrowed.
            let mut frames = std::mem::take(&mut walk.scratch.frames);
            let status = traversal_stack::walk(walk, &mut frames);
            walk.scratch.frames = frames;
            walk.finish(status);
        });
        self.block.paces.end(due);
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
        self.status()
    }

    /// Throws the progress away. Running tasks get `exit(Aborted)`, in stream order, now; then everything
    /// is as in a new actor, blackboard and persistent state included. Only clock and numbers of ticks go
    /// on, so that a random order is not drawn again.
    ///
    /// # Panics
    /// When an `exit` panicked, with what it panicked with. The progress is thrown away all the same.
    pub fn reset(&mut self, callee: &mut dyn Callee) {
        let panic = self.walk(Duration::ZERO, callee, |walk| walk.abort_all());
        self.block.settle(&self.tree.0.shape, LANE, self.now_micros);
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    }

    /// Moves the moment from which deadlines are counted up to the clock, where that has come too far from
    /// it: see [`Timers`].
    fn advance_timers(&mut self) {
        let Shared { shape, layout, .. } = &*self.tree.0;
        let block = &mut self.block;
        if self.now_micros - block.timer_epoch < NARROW_MICROS {
            return;
        }
        let mut timers = Timers {
            lines: &mut block.lines[layout.timers..],
            layout,
            defs: &shape.tables().timers,
            epoch: block.timer_epoch,
        };
        for timer in 0..layout.timer_firsts.len() as u32 {
            timers.epoch = block.timer_epoch;
            let deadline = timers.get(timer, LANE);
            timers.epoch = self.now_micros;
            timers.set(timer, LANE, deadline);
        }
        block.timer_epoch = self.now_micros;
    }

    /// Does something with the actor's walk; gives the first panic of a callback.
    fn walk(
        &mut self,
        dt: Duration,
        callee: &mut dyn Callee,
        run: impl FnOnce(&mut Walk<'_, Nobody>),
    ) -> Option<Payload> {
        let shared = &*self.tree.0;
        let tick = Tick {
            shape: &shared.shape,
            world: &self.world,
            functions: &[],
            tests: &shared.tests,
            plans: &shared.plans,
            kernel: Kernel::TraversalStack,
            simd: Simd::Portable,
            seed: self.seed,
            number: self.ticks,
            now_micros: self.now_micros,
            traced: None,
        };
        let Block {
            lines,
            streams,
            occupied,
            timer_epoch,
            generations,
            paces,
            tally,
            ..
        } = &mut self.block;
        let place = Place {
            parts: sections(lines, &shared.layout),
            tally,
            timer_epoch: *timer_epoch,
            generations,
            paces,
            first_actor: 0,
        };
        let mut nobody = Nobody;
        let slots = &mut occupied.slots;
        let mut walk = Walk::new(&tick, place, streams, slots, &mut self.scratch, &mut nobody);
        walk.timers.layout = &shared.layout;
        walk.callee = Some(Guarded {
            callee,
            dt,
            panic: None,
        });
        walk.begin(LANE);
        run(&mut walk);
        walk.callee.and_then(|guarded| guarded.panic)
    }

    /// What the last tick gave; `None` before the first and after a reset.
    pub fn status(&self) -> Option<Status> {
        self.block.status(&self.tree.0.layout, LANE)
    }

    /// The tree.
    pub fn tree(&self) -> &SoloTree {
        &self.tree
    }

    /// Bytes that the progress takes, without what it shares with others.
    pub fn bytes(&self) -> usize {
        size_of::<Solo>()
            + self.block.bytes()
            + self.scratch.bytes()
            + size_of_val::<[u64]>(&self.world)
    }
}

impl fmt::Debug for Solo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one actor of {:?}, {} ticks", self.tree, self.ticks)?;
        match self.status() {
            Some(status) => write!(f, ", {status:?}"),
            None => Ok(()),
        }
    }
}

/// What a panic carries.
type Payload = Box<dyn Any + Send>;

/// A callee whose panics are caught; the first is kept.
pub(crate) struct Guarded<'a> {
    callee: &'a mut (dyn Callee + 'a),
    dt: Duration,
    panic: Option<Payload>,
}

impl Guarded<'_> {
    /// `None` if the callback panicked.
    fn call<R>(
        &mut self,
        function: u32,
        node: u32,
        callback: impl FnOnce(&mut dyn Callee, SoloCall) -> R,
    ) -> Option<R> {
        let call = SoloCall {
            function: FunctionIndex(function),
            node: TokenIndex(node),
            dt: self.dt,
        };
        match catch_unwind(AssertUnwindSafe(|| callback(self.callee, call))) {
            Ok(result) => Some(result),
            Err(payload) => {
                if self.panic.is_some() {
                    drop_payload(payload);
                } else {
                    self.panic = Some(payload);
                }
                None
            }
        }
    }

    #[inline(never)]
    pub(crate) fn query(&mut self, function: u32, node: u32) -> bool {
        let holds = self.call(function, node, |callee, call| callee.query(call));
        holds.unwrap_or(false)
    }

    /// L4: a task's visit. Exactly one exit for each enter; one that panicked did not enter.
    #[inline(never)]
    pub(crate) fn visit(&mut self, function: u32, node: u32, was_running: bool) -> Status {
        if !was_running
            && self
                .call(function, node, |callee, call| callee.enter(call))
                .is_none()
        {
            return Status::Failure;
        }
        let answer = self.call(function, node, |callee, call| callee.run(call));
        let status = answer.unwrap_or(Status::Failure);
        match status {
            Status::Running => {}
            Status::Success => self.exit(function, node, Exit::Success),
            Status::Failure => self.exit(function, node, Exit::Failure),
        }
        status
    }

    #[inline(never)]
    pub(crate) fn exit(&mut self, function: u32, node: u32, reason: Exit) {
        self.call(function, node, |callee, call| callee.exit(call, reason));
    }
}
