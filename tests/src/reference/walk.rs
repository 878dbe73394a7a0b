//! The walk: what a visit to any node is.

use std::collections::BTreeSet;
use std::time::Duration;

use pleach_shape::{Status, Value};
use pleach_tree::{Expr, NodeKind};

use crate::host::Host;
use crate::observation::{Finish, Visit};

use super::Numbered;
use super::expr::{Names, evaluate};
use super::memory::{Memory, Persistent};

/// What a node answers within the walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    Success,
    Failure,
    Running,
    /// K1: as if it were not there.
    Skipped,
}

impl Reply {
    pub(super) fn is_finished(self) -> bool {
        matches!(self, Reply::Success | Reply::Failure)
    }

    /// Without those that were skipped.
    pub(super) fn status(self) -> Option<Status> {
        match self {
            Reply::Success => Some(Status::Success),
            Reply::Failure => Some(Status::Failure),
            Reply::Running => Some(Status::Running),
            Reply::Skipped => None,
        }
    }
}

impl From<Status> for Reply {
    fn from(status: Status) -> Reply {
        match status {
            Status::Success => Reply::Success,
            Status::Failure => Reply::Failure,
            Status::Running => Reply::Running,
        }
    }
}

/// What a visit comes to: an answer, or nothing where an AbortWhen has ended the walk (D5). Then no
/// node above answers, so every visit hands the nothing on.
pub(super) type Answer = Option<Reply>;

/// One tick's walk.
pub(super) struct Walk<'a> {
    pub(super) tree: &'a Numbered<'a>,
    pub(super) clock: u64,
    /// The tick's number, counted from 1.
    pub(super) tick: u64,
    pub(super) seed: u64,
    /// The bits of the actor's id.
    pub(super) actor: u64,
    pub(super) before: &'a Memory,
    /// Starts empty: T4.
    pub(super) after: Memory,
    pub(super) lasting: &'a mut Persistent,
    pub(super) columns: &'a mut [Value],
    pub(super) world: &'a [Value],
    pub(super) results: &'a [Option<Finish>],
    pub(super) persistent: &'a [Status],
    pub(super) host: &'a mut dyn Host,
    pub(super) visits: Vec<Visit>,
    /// The nodes that were skipped.
    pub(super) skipped: BTreeSet<u32>,
    /// What each node answered, if it was visited.
    pub(super) answers: Vec<Option<Status>>,
}

impl Walk<'_> {
    /// Visits a node.
    pub(super) fn visit(&mut self, at: u32) -> Answer {
        let place = self.enter(at);
        let answer = self.answer(at, &self.tree.nodes[at as usize].kind)?;
        self.leave(at, place, answer);
        Some(answer)
    }

    /// Begins a visit; gives its place among the visits.
    pub(super) fn enter(&mut self, at: u32) -> usize {
        let index = at as usize;
        assert!(
            self.answers[index].is_none(),
            "T1: node {at} is visited twice"
        );
        self.visits.push(Visit {
            node: self.tree.nodes[index].id,
            index: at,
            fresh: !self.before.running.contains(&at),
            answer: None,
        });
        self.visits.len() - 1
    }

    /// Ends a visit.
    pub(super) fn leave(&mut self, at: u32, place: usize, answer: Reply) {
        let index = at as usize;
        self.answers[index] = answer.status();
        if answer == Reply::Skipped {
            self.skipped.insert(at);
        }
        self.visits[place].answer = answer.status();
        if answer == Reply::Running {
            self.after.running.insert(at);
        } else {
            // T4: what finished remembers nothing, its descendants included. For a Parallel,
            // Concurrent or Timeout this halts the children that still run (C3, C4, D4).
            self.after.forget(at, self.tree.ends[index]);
        }
    }

    fn answer(&mut self, at: u32, kind: &NodeKind) -> Answer {
        match kind {
            NodeKind::Sequence => self.in_order(at, Reply::Success, true),
            NodeKind::Selector => self.in_order(at, Reply::Failure, true),
            NodeKind::ReactiveSequence => self.in_order(at, Reply::Success, false),
            NodeKind::ReactiveSelector => self.in_order(at, Reply::Failure, false),
            NodeKind::RandomSequence => self.in_random_order(at, Reply::Success),
            NodeKind::RandomSelector => self.in_random_order(at, Reply::Failure),
            NodeKind::Parallel { success, failure } => self.parallel(at, *success, *failure),
            NodeKind::Concurrent => self.concurrent(at),
            NodeKind::Switch { on, cases } => self.switch(at, on, cases),
            NodeKind::IfThenElse => self.if_then_else(at),
            NodeKind::WhileDoElse => self.while_do_else(at),
            NodeKind::Invert => self.mapped(at, Reply::Failure, Reply::Success),
            NodeKind::Succeeder => self.mapped(at, Reply::Success, Reply::Success),
            NodeKind::Failer => self.mapped(at, Reply::Failure, Reply::Failure),
            NodeKind::Repeat {
                times,
                break_on_failure,
            } => {
                let ends = break_on_failure.then_some(Reply::Failure);
                self.iterations(at, *times, ends, Reply::Success)
            }
            NodeKind::RepeatUntilFailure { max } => {
                self.iterations(at, *max, Some(Reply::Failure), Reply::Success)
            }
            NodeKind::RepeatUntilSuccess { max } => {
                self.iterations(at, *max, Some(Reply::Success), Reply::Failure)
            }
            NodeKind::Cooldown(time) => self.cooldown(at, *time),
            NodeKind::Timeout(time) => self.timeout(at, *time),
            NodeKind::Delay(time) => self.delay(at, *time),
            NodeKind::RunOnce => self.run_once(at),
            NodeKind::When(test) => self.when(at, test),
            NodeKind::While(test) => self.guarded(at, test, true, Some(Reply::Failure)),
            NodeKind::DoneWhen(test) => self.guarded(at, test, false, Some(Reply::Success)),
            NodeKind::AbortWhen(test) => self.guarded(at, test, false, None),
            NodeKind::KeepSequence => self.keep_sequence(at),
            NodeKind::SkipIf(test) => self.unless(at, test, Reply::Skipped),
            NodeKind::SuccessIf(test) => self.unless(at, test, Reply::Success),
            NodeKind::SkipUnless(test) => self.guarded(at, test, true, Some(Reply::Skipped)),
            NodeKind::RunOnceThenSkip => self.run_once_then_skip(at),
            NodeKind::OnSuccess { column, value } => {
                self.effect(at, |reply| reply == Reply::Success, column, value)
            }
            NodeKind::OnFailure { column, value } => {
                self.effect(at, |reply| reply == Reply::Failure, column, value)
            }
            NodeKind::OnFinish { column, value } => {
                self.effect(at, Reply::is_finished, column, value)
            }
            // What it writes is written behind the walk.
            NodeKind::OnHalted { .. } => self.resumable(at, self.only_child(at)),
            NodeKind::PipelineSequence => self.pipeline(at),
            NodeKind::RoundRobin => self.round_robin(at),
            NodeKind::Recovery { retries } => self.recovery(at, *retries),
            NodeKind::RateController(_) => self.resumable(at, self.only_child(at)),
            NodeKind::Condition(_)
            | NodeKind::Query(_)
            | NodeKind::Action(_)
            | NodeKind::PersistentAction(_)
            | NodeKind::Task(_)
            | NodeKind::Set { .. }
            | NodeKind::Wait(_)
            | NodeKind::WaitBetween { .. }
            | NodeKind::Succeed
            | NodeKind::Fail
            | NodeKind::Idle => Some(self.leaf(at, kind).into()),
        }
    }

    /// Visits a child, and notes it as the one to resume at if it runs.
    pub(super) fn resumable(&mut self, at: u32, child: u32) -> Answer {
        let answer = self.visit(child)?;
        if answer == Reply::Running {
            self.after.child.insert(at, child);
        }
        Some(answer)
    }

    /// The numbers of a node's children, in order.
    pub(super) fn children(&self, at: u32) -> Vec<u32> {
        self.tree.children[at as usize].clone()
    }

    /// The one child of a decorator.
    pub(super) fn only_child(&self, at: u32) -> u32 {
        let [child] = self.tree.children[at as usize][..] else {
            panic!("a decorator has one child");
        };
        child
    }

    /// D4: the deadline of a node that measures a time. The tick that starts it counts nothing, so it
    /// lies a whole duration ahead of that tick's clock.
    pub(super) fn deadline(&self, at: u32, time: Duration) -> u64 {
        let started = self.before.deadline.get(&at).copied();
        started.unwrap_or_else(|| self.deadline_of(time))
    }

    /// The clock's moment that lies a duration ahead.
    pub(super) fn deadline_of(&self, time: Duration) -> u64 {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.clock.saturating_add(micros)
    }

    pub(super) fn holds(&self, test: &Expr) -> bool {
        evaluate(test, &self.names()).truth()
    }

    pub(super) fn names(&self) -> Names<'_> {
        Names {
            tree: self.tree.tree,
            columns: self.columns,
            world: self.world,
        }
    }
}
