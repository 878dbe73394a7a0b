//! The walk: what a visit to any node is.

use std::time::Duration;

use pleach_shape::{Status, Value};
use pleach_tree::{Expr, NodeKind};

use crate::host::Host;
use crate::observation::{Finish, Visit};

use super::Numbered;
use super::expr::{Names, evaluate};
use super::memory::{Memory, Persistent};

/// What a visit comes to: an answer, or nothing where an AbortWhen has ended the walk (D5). Then no
/// node above answers, so every visit hands the nothing on.
pub(super) type Answer = Option<Status>;

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
    /// What each node answered, if it was visited.
    pub(super) answers: Vec<Option<Status>>,
}

impl Walk<'_> {
    /// Visits a node.
    pub(super) fn visit(&mut self, at: u32) -> Answer {
        let index = at as usize;
        assert!(
            self.answers[index].is_none(),
            "T1: node {at} is visited twice"
        );
        let node = self.tree.nodes[index];
        let place = self.visits.len();
        self.visits.push(Visit {
            node: node.id,
            index: at,
            fresh: !self.before.running.contains(&at),
            answer: None,
        });
        let answer = self.answer(at, &node.kind)?;
        self.answers[index] = Some(answer);
        self.visits[place].answer = Some(answer);
        if answer == Status::Running {
            self.after.running.insert(at);
        } else {
            // T4: what finished remembers nothing, its descendants included. For a Parallel,
            // Concurrent or Timeout this halts the children that still run (C3, C4, D4).
            self.after.forget(at, self.tree.ends[index]);
        }
        Some(answer)
    }

    fn answer(&mut self, at: u32, kind: &NodeKind) -> Answer {
        match kind {
            NodeKind::Sequence => self.in_order(at, Status::Success, true),
            NodeKind::Selector => self.in_order(at, Status::Failure, true),
            NodeKind::ReactiveSequence => self.in_order(at, Status::Success, false),
            NodeKind::ReactiveSelector => self.in_order(at, Status::Failure, false),
            NodeKind::RandomSequence => self.in_random_order(at, Status::Success),
            NodeKind::RandomSelector => self.in_random_order(at, Status::Failure),
            NodeKind::Parallel { success, failure } => self.parallel(at, *success, *failure),
            NodeKind::Concurrent => self.concurrent(at),
            NodeKind::Switch { on, cases } => self.switch(at, on, cases),
            NodeKind::IfThenElse => self.if_then_else(at),
            NodeKind::WhileDoElse => self.while_do_else(at),
            NodeKind::Invert => self.mapped(at, Status::Failure, Status::Success),
            NodeKind::Succeeder => self.mapped(at, Status::Success, Status::Success),
            NodeKind::Failer => self.mapped(at, Status::Failure, Status::Failure),
            NodeKind::Repeat {
                times,
                break_on_failure,
            } => {
                let ends = break_on_failure.then_some(Status::Failure);
                self.iterations(at, *times, ends, Status::Success)
            }
            NodeKind::RepeatUntilFailure { max } => {
                self.iterations(at, *max, Some(Status::Failure), Status::Success)
            }
            NodeKind::RepeatUntilSuccess { max } => {
                self.iterations(at, *max, Some(Status::Success), Status::Failure)
            }
            NodeKind::Cooldown(time) => self.cooldown(at, *time),
            NodeKind::Timeout(time) => self.timeout(at, *time),
            NodeKind::Delay(time) => self.delay(at, *time),
            NodeKind::RunOnce => self.run_once(at),
            NodeKind::When(test) => self.when(at, test),
            NodeKind::While(test) => self.guarded(at, test, true, Some(Status::Failure)),
            NodeKind::DoneWhen(test) => self.guarded(at, test, false, Some(Status::Success)),
            NodeKind::AbortWhen(test) => self.guarded(at, test, false, None),
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
            | NodeKind::Idle => Some(self.leaf(at, kind)),
        }
    }

    /// Visits a child, and notes it as the one to resume at if it runs.
    pub(super) fn resumable(&mut self, at: u32, child: u32) -> Answer {
        let answer = self.visit(child)?;
        if answer == Status::Running {
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
