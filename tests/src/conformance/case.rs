//! A case: a tree, its script, and what independent libraries made of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use pleach_shape::Status;
use pleach_tree::Tree;

use super::shown;
use crate::observation::Finish;

/// What a line of a file turned out to be.
#[derive(Clone, Debug)]
pub enum Reading {
    /// A case to run.
    Case(Box<Case>),
    /// Its tree is refused by design: a composite without a child, a loop of no iteration.
    Refused,
    /// It says nothing that an interpreter could be held to.
    NoExpectation,
}

/// A case. Leaves are tasks (and deferred actions) that are known by their names, which are
/// unique in a tree.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in the file.
    pub id: String,
    /// The tree.
    pub tree: Tree,
    /// Number of ticks.
    pub ticks: u32,
    /// What each task answers, tick by tick; as many entries as ticks at least.
    pub tasks: BTreeMap<String, Vec<Status>>,
    /// How each action's system behaves, in slot order.
    pub actions: Vec<(String, Vec<ScriptEntry>)>,
    /// After these ticks, counted from 0, everything is halted from outside.
    pub abort_after: BTreeSet<u32>,
    /// What is right.
    pub expected: Outcome,
}

impl Case {
    /// What a task answers in a tick.
    ///
    /// # Panics
    /// If the case has no such task or tick, which a case from [`json`](super::json) rules out.
    pub fn answer(&self, task: &str, tick: u32) -> Status {
        self.tasks[task][tick as usize]
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for node in self.tree.nodes() {
            let mut depth = 1;
            let mut at = node.parent.and_then(|parent| self.tree.node(parent));
            while let Some(parent) = at {
                depth += 1;
                at = parent.parent.and_then(|parent| self.tree.node(parent));
            }
            write!(
                f,
                "{:indent$}{}",
                "",
                node.kind.keyword(),
                indent = 2 * depth
            )?;
            if let pleach_tree::NodeKind::Parallel { success, failure } = node.kind {
                write!(f, " success={success:?} failure={failure:?}")?;
            }
            if let pleach_tree::NodeKind::Repeat { times: limit, .. }
            | pleach_tree::NodeKind::RepeatUntilSuccess { max: limit } = node.kind
            {
                write!(f, " {limit:?}")?;
            }
            if let Some(call) = node.kind.call() {
                write!(f, " {}", shown(&call.name))?;
                if let Some(answers) = self.tasks.get(&call.name) {
                    f.write_str(" ")?;
                    answers
                        .iter()
                        .try_for_each(|answer| write!(f, "{}", answer.letter()))?;
                }
                if let Some((_, script)) = self.actions.iter().find(|(name, _)| *name == call.name)
                {
                    write!(f, " {script:?}")?;
                }
            }
            writeln!(f)?;
        }
        if !self.abort_after.is_empty() {
            writeln!(f, "  aborted after {:?}", self.abort_after)?;
        }
        Ok(())
    }
}

/// How the n-th launch of an action goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScriptEntry {
    /// Ticks from the launch to the result; none: never.
    pub after: Option<u32>,
    /// The result.
    pub finish: Finish,
}

/// The system behind one action, following its script: what an interpreter asks at the start of
/// a tick, and tells at its end.
#[derive(Clone, Debug)]
pub struct ActionScript<'c> {
    entries: &'c [ScriptEntry],
    launches: usize,
    /// The tick at whose start the result comes in, and the result.
    due: Option<(u32, Finish)>,
}

impl<'c> ActionScript<'c> {
    /// A system that has launched nothing yet.
    pub fn new(entries: &'c [ScriptEntry]) -> ActionScript<'c> {
        ActionScript {
            entries,
            launches: 0,
            due: None,
        }
    }

    /// The result that comes in at the start of a tick. It is delivered for that tick only.
    pub fn result(&mut self, tick: u32) -> Option<Finish> {
        let (_, finish) = self.due.take_if(|(due, _)| *due == tick)?;
        Some(finish)
    }

    /// The tree launched the action in this tick.
    pub fn launch(&mut self, tick: u32) {
        let entry = self.entries[self.launches % self.entries.len()];
        self.launches += 1;
        self.due = entry
            .after
            .map(|after| (tick.saturating_add(after), entry.finish));
    }

    /// The tree cancelled the action.
    pub fn cancel(&mut self) {
        self.due = None;
    }
}

/// What an interpreter made of a case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Tick by tick.
    pub ticks: Vec<TickOutcome>,
    /// For each of [`Case::abort_after`], in order.
    pub releases: Vec<ReleaseOutcome>,
}

/// What is compared of a tick: leaves only, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TickOutcome {
    /// The root's answer. (No recorded tree takes an actor out.)
    pub root: Status,
    /// Visits of tasks in order, and whether the task was fresh, that is not running before.
    pub visits: Vec<(String, bool)>,
    /// Tasks halted. A set: L6 orders halts otherwise than the recorded libraries do.
    pub halts: BTreeSet<String>,
    /// Actions launched.
    pub launches: BTreeSet<String>,
    /// Actions cancelled.
    pub cancels: BTreeSet<String>,
}

/// What is compared of a halt of everything.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReleaseOutcome {
    /// Tasks halted.
    pub halts: BTreeSet<String>,
    /// Actions cancelled.
    pub cancels: BTreeSet<String>,
}

fn write_names(f: &mut fmt::Formatter<'_>, mark: &str, names: &BTreeSet<String>) -> fmt::Result {
    names
        .iter()
        .try_for_each(|name| write!(f, " {mark}{}", shown(name)))
}

impl fmt::Display for TickOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root.letter())?;
        for (name, fresh) in &self.visits {
            write!(f, " {}{}", if *fresh { '+' } else { '.' }, shown(name))?;
        }
        write_names(f, "-", &self.halts)?;
        write_names(f, "launch ", &self.launches)?;
        write_names(f, "cancel ", &self.cancels)
    }
}

impl fmt::Display for ReleaseOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.halts.is_empty() && self.cancels.is_empty() {
            return f.write_str("nothing");
        }
        f.write_str("halts")?;
        write_names(f, "-", &self.halts)?;
        write_names(f, "cancel ", &self.cancels)
    }
}
