//! The walk: composites and decorators.

use pleach_shape::{Status, Value};
use pleach_tree::{NodeKind, Threshold};

use crate::host::Host;
use crate::observation::{Finish, Visit};

use super::Numbered;
use super::memory::Memory;

/// One tick's walk.
pub(super) struct Walk<'a> {
    pub(super) tree: &'a Numbered<'a>,
    pub(super) clock: u64,
    pub(super) before: &'a Memory,
    /// Starts empty: T4.
    pub(super) after: Memory,
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
    pub(super) fn visit(&mut self, at: u32) -> Status {
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
            answer: Status::Running,
        });
        let answer = match &node.kind {
            NodeKind::Sequence => self.in_order(at, Status::Success, true),
            NodeKind::Selector => self.in_order(at, Status::Failure, true),
            NodeKind::ReactiveSequence => self.in_order(at, Status::Success, false),
            NodeKind::ReactiveSelector => self.in_order(at, Status::Failure, false),
            NodeKind::Parallel { success, failure } => self.parallel(at, *success, *failure),
            NodeKind::Concurrent => self.concurrent(at),
            NodeKind::Invert => match self.only_child(at) {
                Status::Success => Status::Failure,
                Status::Failure => Status::Success,
                Status::Running => Status::Running,
            },
            NodeKind::Succeeder => match self.only_child(at) {
                Status::Running => Status::Running,
                _ => Status::Success,
            },
            NodeKind::Failer => match self.only_child(at) {
                Status::Running => Status::Running,
                _ => Status::Failure,
            },
            leaf => self.leaf(at, leaf),
        };
        self.answers[index] = Some(answer);
        self.visits[place].answer = answer;
        if answer == Status::Running {
            self.after.running.insert(at);
        } else {
            // T4: what finished remembers nothing, its descendants included. For a Parallel or
            // Concurrent this halts the children that still run (C3, C4).
            self.after.forget(at, self.tree.ends[index]);
        }
        answer
    }

    /// C1: children in order as long as they answer `onward`, which is also the answer at the end.
    fn in_order(&mut self, at: u32, onward: Status, resumes: bool) -> Status {
        let tree = self.tree;
        let children = &tree.children[at as usize];
        // A reactive parent never notes its runner, so it starts at the first child.
        let runner = self.before.child.get(&at);
        let first = runner.map_or(0, |runner| {
            let position = children.iter().position(|child| child == runner);
            position.expect("a running child is among the children")
        });
        for &child in &children[first..] {
            let answer = self.visit(child);
            if answer == Status::Running {
                if resumes {
                    self.after.child.insert(at, child);
                }
                return Status::Running;
            }
            if answer != onward {
                return answer;
            }
        }
        onward
    }

    /// C3: every unfinished child, all of them; only then the thresholds.
    fn parallel(&mut self, at: u32, success: Threshold, failure: Threshold) -> Status {
        let tree = self.tree;
        let children = &tree.children[at as usize];
        let mut answers = Vec::new();
        for &child in children {
            let answer = match self.before.done.get(&child) {
                Some(&done) => done,
                None => self.visit(child),
            };
            answers.push(answer);
        }
        let count = |status| answers.iter().filter(|&&answer| answer == status).count();
        let needed = |threshold| match threshold {
            Threshold::All => children.len(),
            Threshold::Count(count) => count as usize,
        };
        // C3: failure is judged first.
        if count(Status::Failure) >= needed(failure) {
            return Status::Failure;
        }
        if count(Status::Success) >= needed(success) {
            return Status::Success;
        }
        if count(Status::Running) == 0 {
            return Status::Failure;
        }
        for (&child, &answer) in children.iter().zip(&answers) {
            if answer.is_finished() {
                self.after.done.insert(child, answer);
            }
        }
        Status::Running
    }

    /// C4: all children from the left; the first failure stops the visit.
    fn concurrent(&mut self, at: u32) -> Status {
        let tree = self.tree;
        let mut any_runs = false;
        for &child in &tree.children[at as usize] {
            match self.visit(child) {
                Status::Failure => return Status::Failure,
                Status::Running => any_runs = true,
                Status::Success => {}
            }
        }
        if any_runs {
            Status::Running
        } else {
            Status::Success
        }
    }

    fn only_child(&mut self, at: u32) -> Status {
        let tree = self.tree;
        let [child] = tree.children[at as usize][..] else {
            panic!("a decorator has one child");
        };
        self.visit(child)
    }
}
