//! Definitions of nodes: what the node functions build, and the compiler takes apart.

use std::fmt;
use std::time::Duration;

use pleach_shape::Status;
use pleach_vm::Exit;

pub(super) type Holds<'f, A, B> = Box<dyn Fn(&mut A, &mut B) -> bool + 'f>;
pub(super) type Run<'f, A, B> = Box<dyn Fn(&mut A, &mut B, Duration) -> Status + 'f>;
pub(super) type Enter<'f, A, B> = Box<dyn Fn(&mut A, &mut B) + 'f>;
pub(super) type Leave<'f, A, B> = Box<dyn Fn(&mut A, &mut B, Exit) + 'f>;

/// The functions of a task node.
pub(super) struct TaskDef<'f, A: ?Sized, B: ?Sized> {
    pub(super) run: Run<'f, A, B>,
    pub(super) on_enter: Option<Enter<'f, A, B>>,
    pub(super) on_exit: Option<Leave<'f, A, B>>,
}

/// What a node does. Times are seconds, as given.
pub(super) enum Kind<'f, A: ?Sized, B: ?Sized> {
    Sequence,
    Selector,
    RandomSequence,
    RandomSelector,
    Parallel(Policy),
    Invert,
    Succeeder,
    Failer,
    Repeat {
        times: Option<u32>,
        break_on_failure: bool,
    },
    RepeatUntilFailure(Option<u32>),
    RepeatUntilSuccess(Option<u32>),
    Cooldown(f64),
    Timeout(f64),
    Delay(f64),
    Condition(Holds<'f, A, B>),
    Task(TaskDef<'f, A, B>),
    Wait(f64),
    Succeed,
    Fail,
}

impl<A: ?Sized, B: ?Sized> Kind<'_, A, B> {
    /// The word for it in paths.
    pub(super) fn keyword(&self) -> &'static str {
        match self {
            Kind::Sequence => "sequence",
            Kind::Selector => "selector",
            Kind::RandomSequence => "random-sequence",
            Kind::RandomSelector => "random-selector",
            Kind::Parallel(_) => "parallel",
            Kind::Invert => "invert",
            Kind::Succeeder => "succeeder",
            Kind::Failer => "failer",
            Kind::Repeat { .. } => "repeat",
            Kind::RepeatUntilFailure(_) => "repeat-until-failure",
            Kind::RepeatUntilSuccess(_) => "repeat-until-success",
            Kind::Cooldown(_) => "cooldown",
            Kind::Timeout(_) => "timeout",
            Kind::Delay(_) => "delay",
            Kind::Condition(_) => "condition",
            Kind::Task(_) => "task",
            Kind::Wait(_) => "wait",
            Kind::Succeed => "succeed",
            Kind::Fail => "fail",
        }
    }

    pub(super) fn is_composite(&self) -> bool {
        matches!(
            self,
            Kind::Sequence
                | Kind::Selector
                | Kind::RandomSequence
                | Kind::RandomSelector
                | Kind::Parallel(_)
        )
    }
}

/// How many children of a [`parallel`](super::parallel) must answer alike to finish it.
///
/// ```
/// use pleach::task::Policy;
///
/// let first_one_wins = Policy { success: Some(1), ..Policy::default() };
/// assert_eq!(first_one_wins.failure, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Policy {
    /// It succeeds once that many children have succeeded; `None`: all of them.
    pub success: Option<u32>,
    /// It fails once that many children have failed; `None`: 1. Judged first.
    pub failure: Option<u32>,
}

/// A node and its children, as the node functions of [`task`](super) build it; [`Tree::compile`] takes
/// it.
///
/// `A` is the agent, `B` the board, and `'f` how long what the closures borrow lives: `'static` where
/// they borrow nothing.
///
/// [`Tree::compile`]: super::Tree::compile
pub struct NodeDef<'f, A: ?Sized, B: ?Sized> {
    pub(super) kind: Kind<'f, A, B>,
    pub(super) name: Option<String>,
    pub(super) children: Vec<NodeDef<'f, A, B>>,
    /// A method of tasks that was called on another kind of node.
    pub(super) stray: Option<&'static str>,
}

impl<'f, A: ?Sized, B: ?Sized> NodeDef<'f, A, B> {
    pub(super) fn new(
        kind: Kind<'f, A, B>,
        children: impl IntoIterator<Item = NodeDef<'f, A, B>>,
    ) -> NodeDef<'f, A, B> {
        NodeDef {
            kind,
            name: None,
            children: children.into_iter().collect(),
            stray: None,
        }
    }

    pub(super) fn leaf(kind: Kind<'f, A, B>) -> NodeDef<'f, A, B> {
        NodeDef::new(kind, [])
    }

    /// Names the node, for the paths in errors and for listings of [`Tree::shape`](super::Tree::shape).
    ///
    /// ```
    /// use pleach::task::{NodeDef, Tree, wait};
    ///
    /// let root: NodeDef<(), ()> = wait(-1.0).named("rest");
    /// let error = Tree::compile(root).unwrap_err();
    /// assert_eq!(error.problems()[0].path, "rest");
    /// ```
    pub fn named(mut self, name: impl Into<String>) -> NodeDef<'f, A, B> {
        self.name = Some(name.into());
        self
    }

    /// What a [`task`](super::task) does on the first tick of a new run, before it runs. The compiler
    /// refuses it for other nodes.
    pub fn on_enter(mut self, enter: impl Fn(&mut A, &mut B) + 'f) -> NodeDef<'f, A, B> {
        match &mut self.kind {
            Kind::Task(task) => task.on_enter = Some(Box::new(enter)),
            _ => self.stray = Some("on_enter"),
        }
        self
    }

    /// What a [`task`](super::task) does when it finishes ([`Exit::Success`], [`Exit::Failure`]) or is
    /// interrupted ([`Exit::Aborted`]): exactly once for each time that it was entered. The compiler
    /// refuses it for other nodes.
    pub fn on_exit(mut self, exit: impl Fn(&mut A, &mut B, Exit) + 'f) -> NodeDef<'f, A, B> {
        match &mut self.kind {
            Kind::Task(task) => task.on_exit = Some(Box::new(exit)),
            _ => self.stray = Some("on_exit"),
        }
        self
    }
}

impl<A: ?Sized, B: ?Sized> Drop for NodeDef<'_, A, B> {
    /// Takes the descendants apart one by one: a chain of any depth drops without recursion.
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.children);
        while let Some(mut def) = pending.pop() {
            pending.append(&mut def.children);
        }
    }
}

impl<A: ?Sized, B: ?Sized> fmt::Debug for NodeDef<'_, A, B> {
    /// The node itself and how many children it has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.keyword())?;
        if let Some(name) = &self.name {
            write!(f, " {name:?}")?;
        }
        match self.children.len() {
            0 => Ok(()),
            1 => f.write_str(" with 1 child"),
            count => write!(f, " with {count} children"),
        }
    }
}
