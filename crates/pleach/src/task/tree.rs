//! The compiled tree, and how it calls its closures.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use pleach_shape::{Shape, Status};
use pleach_vm::{Callee, Exit, Solo, SoloCall, SoloTree};

use super::compile::{Compiled, Function, compile};
use super::error::CompileError;
use super::node::NodeDef;
use super::progress::Progress;

/// A compiled tree: drives any number of agents, each with a [`Progress`] of its own.
///
/// Ticking borrows the tree shared, so a closure may tick it again for another agent, or tick other
/// trees. It stays in its thread, since its closures need not be [`Send`]; a thread compiles its own.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, sequence, task, wait};
/// use std::time::Duration;
///
/// let tree = Tree::compile(sequence([
///     task(|name: &mut str, log: &mut Vec<String>, _| {
///         log.push(format!("{name} chirps"));
///         Status::Success
///     }),
///     wait(1.0),
/// ]))?;
/// let mut log = Vec::new();
/// let mut crickets = [("Cri".to_owned(), Progress::default()), ("Cra".to_owned(), Progress::default())];
/// for _ in 0..3 {
///     for (name, progress) in &mut crickets {
///         tree.tick(progress, name.as_mut_str(), &mut log, Duration::from_millis(500));
///     }
/// }
/// assert_eq!(log, ["Cri chirps", "Cra chirps"]);
/// assert_eq!(crickets[0].1.last_status(), Some(Status::Success));
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub struct Tree<'f, A: ?Sized, B: ?Sized> {
    shared: SoloTree,
    functions: Box<[Function<'f, A, B>]>,
    seed: u64,
    /// How many agents have started.
    started: Cell<u64>,
    /// By its address the tree is known; who holds it weakly learns when the tree is gone.
    identity: Arc<()>,
}

impl<'f, A: ?Sized, B: ?Sized> Tree<'f, A, B> {
    /// Turns a definition into a runnable tree.
    ///
    /// ```
    /// use pleach::task::{Tree, selector, sequence, succeed, wait};
    ///
    /// let error = Tree::<(), ()>::compile(selector([
    ///     sequence([succeed(), wait(f64::NAN)]),
    ///     sequence([]).named("nothing to do"),
    /// ]));
    /// assert_eq!(error.unwrap_err().to_string(), "\
    /// the tree does not compile
    ///   selector/sequence-1/wait-2: waits NaN s, allowed is 0 to 1152921504606 s
    ///   selector/nothing to do: a sequence needs at least one child
    ///     help: give it a child, or use `succeed` or `fail` in its place");
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with the definition, each with the path of its node: composites without
    /// children, thresholds, counts and times out of range, and trees beyond a million nodes or 65,536
    /// levels.
    pub fn compile(def: NodeDef<'f, A, B>) -> Result<Tree<'f, A, B>, CompileError> {
        let Compiled { shape, functions } = compile(def)?;
        let shared = SoloTree::new(shape).map_err(CompileError::of_tree)?;
        Ok(Tree {
            shared,
            functions,
            seed: 0,
            started: Cell::new(0),
            identity: Arc::new(()),
        })
    }

    /// Chooses the seed of everything random, 0 if not chosen. What an agent draws depends on it, on how
    /// many agents of the tree have started before, and on the agent's own number of ticks, and on
    /// nothing else.
    pub fn with_seed(mut self, seed: u64) -> Tree<'f, A, B> {
        self.seed = seed;
        self
    }

    /// The progress of a new agent, with all memory that ticks will need. ([`Progress::default`] has
    /// none; then the first tick requests it.)
    ///
    /// # Aborts
    /// When there is no memory, as collections do.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        self.of(&mut progress);
        progress
    }

    /// Evaluates the tree once for an agent. `dt` is the time since the agent's last tick: timers add it
    /// up, in whole microseconds, and tasks are told it.
    ///
    /// ```
    /// use pleach::task::{Progress, Status, Tree, wait};
    /// use std::time::Duration;
    ///
    /// let tree: Tree<(), ()> = Tree::compile(wait(0.3))?;
    /// let mut progress = Progress::default();
    /// let mut tick = || tree.tick(&mut progress, &mut (), &mut (), Duration::from_millis(200));
    /// // The tick that starts a wait counts nothing.
    /// assert_eq!([tick(), tick(), tick()], [Status::Running, Status::Running, Status::Success]);
    /// # Ok::<(), pleach::task::CompileError>(())
    /// ```
    ///
    /// # Panics
    /// When a closure panicked, with what it panicked with; but first the tick is completed. The closure
    /// counts as failed (a condition as `false`; an `on_enter` has not entered, so it gets no `on_exit`;
    /// the answer of a task whose `on_exit` panics stays), every other entered task gets its `on_exit`
    /// by the ordinary rules, and the next tick can follow.
    ///
    /// # Aborts
    /// When it is the agent's first tick and there is no memory, as collections do.
    pub fn tick(
        &self,
        progress: &mut Progress,
        agent: &mut A,
        board: &mut B,
        dt: Duration,
    ) -> Status {
        let mut caller = self.caller(agent, board);
        // No node of these trees takes its agent out of the tree.
        let status = self.of(progress).tick(dt, &mut caller);
        status.unwrap_or(Status::Failure)
    }

    /// Throws the agent's progress away: running tasks get their `on_exit` with [`Exit::Aborted`], in the
    /// order of the tree, and the next tick starts afresh.
    ///
    /// ```
    /// use pleach::task::{Exit, Progress, Status, Tree, task};
    /// use std::time::Duration;
    ///
    /// let root = task(|_: &mut (), _: &mut Vec<Exit>, _| Status::Running)
    ///     .on_exit(|_, exits, reason| exits.push(reason));
    /// let tree = Tree::compile(root)?;
    /// let (mut progress, mut exits) = (Progress::default(), Vec::new());
    /// tree.tick(&mut progress, &mut (), &mut exits, Duration::ZERO);
    /// tree.reset(&mut progress, &mut (), &mut exits);
    /// assert_eq!((exits, progress.last_status()), (vec![Exit::Aborted], None));
    /// # Ok::<(), pleach::task::CompileError>(())
    /// ```
    ///
    /// # Panics
    /// When an `on_exit` panicked, with what it panicked with. The progress is thrown away all the same.
    pub fn reset(&self, progress: &mut Progress, agent: &mut A, board: &mut B) {
        if let Some(solo) = progress.of(&self.identity) {
            solo.reset(&mut self.caller(agent, board));
        }
    }

    /// What the last tick of this tree gave for that agent; `None` before the first and after a reset.
    pub fn last_status(&self, progress: &Progress) -> Option<Status> {
        progress.status_of(&self.identity)
    }

    /// The shape that the tree has become; its `Debug` is a listing. (A selector is a reactive
    /// selector there, a condition a query; queries and tasks are called by number.)
    pub fn shape(&self) -> &Shape {
        self.shared.shape()
    }

    fn caller<'a>(&'a self, agent: &'a mut A, board: &'a mut B) -> Caller<'a, 'f, A, B> {
        Caller {
            functions: &self.functions,
            agent,
            board,
        }
    }

    fn of<'a>(&self, progress: &'a mut Progress) -> &'a mut Solo {
        progress.of_or_new(&self.identity, |seed| {
            let started = self.started.get();
            self.started.set(started.wrapping_add(1));
            let seed = seed.unwrap_or_else(|| pleach_vm::random::draw(self.seed, started, 0, 0));
            Solo::new(&self.shared, seed)
        })
    }
}

impl<A: ?Sized, B: ?Sized> fmt::Debug for Tree<'_, A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, started) = (self.shape().len(), self.started.get());
        write!(f, "task tree of {nodes} nodes, started by {started} agents")
    }
}

/// A tick's agent and board, with whom the tree's closures are called.
struct Caller<'a, 'f, A: ?Sized, B: ?Sized> {
    functions: &'a [Function<'f, A, B>],
    agent: &'a mut A,
    board: &'a mut B,
}

impl<A: ?Sized, B: ?Sized> Callee for Caller<'_, '_, A, B> {
    fn query(&mut self, call: SoloCall) -> bool {
        match &self.functions[call.function.at()] {
            Function::Condition(holds) => holds(self.agent, self.board),
            Function::Task(_) => false,
        }
    }

    fn enter(&mut self, call: SoloCall) {
        if let Function::Task(task) = &self.functions[call.function.at()]
            && let Some(enter) = &task.on_enter
        {
            enter(self.agent, self.board);
        }
    }

    fn run(&mut self, call: SoloCall) -> Status {
        match &self.functions[call.function.at()] {
            Function::Task(task) => (task.run)(self.agent, self.board, call.dt),
            Function::Condition(_) => Status::Failure,
        }
    }

    fn exit(&mut self, call: SoloCall, reason: Exit) {
        if let Function::Task(task) = &self.functions[call.function.at()]
            && let Some(exit) = &task.on_exit
        {
            exit(self.agent, self.board, reason);
        }
    }
}
