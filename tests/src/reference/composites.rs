//! The walk: composites.

use std::collections::BTreeSet;

use pleach_shape::{Status, Value};
use pleach_tree::{CaseValue, Threshold};
use pleach_vm::random::{below, draw};

use super::walk::{Answer, Reply, Walk};

impl Walk<'_> {
    /// C1: children in order as long as they answer `onward`, which is also the answer at the end.
    pub(super) fn in_order(&mut self, at: u32, onward: Reply, resumes: bool) -> Answer {
        let children = self.children(at);
        // A reactive parent never notes its runner, so it starts at the first child.
        let runner = self.before.child.get(&at);
        let first = runner.map_or(0, |runner| {
            let position = children.iter().position(|child| child == runner);
            position.expect("a running child is among the children")
        });
        let mut skipped = self.before.skipped.get(&at).copied().unwrap_or(0);
        for &child in &children[first..] {
            let answer = if resumes {
                self.resumable(at, child)?
            } else {
                self.visit(child)?
            };
            if answer == Reply::Skipped {
                skipped += 1;
            } else if answer != onward {
                if resumes && answer == Reply::Running {
                    self.after.skipped.insert(at, skipped);
                }
                return Some(answer);
            }
        }
        Some(unless_all(skipped, children.len(), onward))
    }

    /// C2: like [`in_order`](Walk::in_order), but each next child is drawn from those that are not over.
    pub(super) fn in_random_order(&mut self, at: u32, onward: Reply) -> Answer {
        let children = self.children(at);
        let mut over: BTreeSet<u32> = self.before.order.get(&at).cloned().unwrap_or_default();
        let mut runner = self.before.child.get(&at).copied();
        let mut skipped = self.before.skipped.get(&at).copied().unwrap_or(0);
        while over.len() < children.len() {
            let child = match runner.take() {
                Some(runner) => runner,
                None => {
                    let left = (0..children.len()).filter(|&place| !over.contains(&(place as u32)));
                    let left: Vec<usize> = left.collect();
                    let number = self.tick << 32 | over.len() as u64;
                    let bits = draw(self.seed, self.actor, at, number);
                    children[left[below(bits, left.len() as u64) as usize]]
                }
            };
            let answer = self.resumable(at, child)?;
            if answer == Reply::Running {
                self.after.order.insert(at, over);
                self.after.skipped.insert(at, skipped);
                return Some(answer);
            }
            if answer == Reply::Skipped {
                skipped += 1;
            } else if answer != onward {
                return Some(answer);
            }
            let place = children.iter().position(|&other| other == child);
            over.insert(place.expect("a running child is among the children") as u32);
        }
        Some(unless_all(skipped, children.len(), onward))
    }

    /// C3: every unfinished child, all of them; only then the thresholds.
    pub(super) fn parallel(&mut self, at: u32, success: Threshold, failure: Threshold) -> Answer {
        let children = self.children(at);
        let mut skipped = self.before.skipped.get(&at).copied().unwrap_or(0);
        let mut answers = Vec::new();
        for &child in &children {
            let answer = match self.before.done.get(&child) {
                Some(&done) => done.into(),
                None => self.visit(child)?,
            };
            answers.push(match (answer, success) {
                // K3
                (Reply::Skipped, Threshold::All) => {
                    skipped += 1;
                    Reply::Success
                }
                (Reply::Skipped, Threshold::Count(_)) => Reply::Running,
                (answer, _) => answer,
            });
        }
        let count = |reply| answers.iter().filter(|&&answer| answer == reply).count();
        let needed = |threshold| match threshold {
            Threshold::All => children.len(),
            Threshold::Count(count) => count as usize,
        };
        // C3: failure is judged first.
        if count(Reply::Failure) >= needed(failure) {
            return Some(Reply::Failure);
        }
        if count(Reply::Success) >= needed(success) {
            return Some(unless_all(skipped, children.len(), Reply::Success));
        }
        if count(Reply::Running) == 0 {
            return Some(Reply::Failure);
        }
        for (&child, answer) in children.iter().zip(&answers) {
            if let Some(status @ (Status::Success | Status::Failure)) = answer.status() {
                self.after.done.insert(child, status);
            }
        }
        self.after.skipped.insert(at, skipped);
        Some(Reply::Running)
    }

    /// C4: all children from the left; the first failure stops the visit.
    pub(super) fn concurrent(&mut self, at: u32) -> Answer {
        let mut any_runs = false;
        let mut skipped = 0;
        let children = self.children(at);
        for &child in &children {
            match self.visit(child)? {
                Reply::Failure => return Some(Reply::Failure),
                Reply::Running => any_runs = true,
                Reply::Success => {}
                Reply::Skipped => skipped += 1,
            }
        }
        Some(if any_runs {
            Reply::Running
        } else {
            unless_all(skipped, children.len(), Reply::Success)
        })
    }

    /// C5: the child whose case equals the value now.
    pub(super) fn switch(&mut self, at: u32, on: &str, cases: &[Option<CaseValue>]) -> Answer {
        let equal = cases.iter().position(|case| match case {
            Some(case) => self.is_case(on, case),
            // Only the last one can be for all other values.
            None => true,
        });
        match equal {
            Some(place) => self.visit(self.children(at)[place]),
            None => Some(Reply::Failure),
        }
    }

    fn is_case(&self, on: &str, case: &CaseValue) -> bool {
        let tree = self.tree.tree;
        let columns = tree.columns().iter().zip(&*self.columns);
        let columns = columns.map(|(column, value)| (&column.name, &column.labels, *value));
        let world = tree.world().iter().zip(self.world);
        let world = world.map(|(world, value)| (&world.name, &world.labels, *value));
        let (_, labels, value) = columns
            .chain(world)
            .find(|(name, ..)| *name == on)
            .expect("a Switch names a declared column or world value");
        let number = match value {
            Value::Bool(value) => return *case == CaseValue::Bool(value),
            Value::U8(value) => i32::from(value),
            Value::U16(value) => i32::from(value),
            Value::I32(value) => value,
            Value::F32(_) | Value::U64(_) => panic!("`{on}` is nothing that a Switch can be on"),
        };
        match case {
            CaseValue::Int(case) => *case == number,
            CaseValue::Label(label) => labels.get(number as usize) == Some(label),
            CaseValue::Bool(_) => panic!("`{on}` is no bool"),
        }
    }

    /// C6: the test until it finishes, then the branch that it chose, until that finishes.
    pub(super) fn if_then_else(&mut self, at: u32) -> Answer {
        let children = self.children(at);
        let runner = self.before.child.get(&at).copied();
        if let Some(branch) = runner.filter(|&runner| runner != children[0]) {
            return self.resumable(at, branch);
        }
        match self.resumable(at, children[0])? {
            Reply::Running => Some(Reply::Running),
            Reply::Success => self.resumable(at, children[1]),
            Reply::Failure | Reply::Skipped => match children.get(2) {
                Some(&otherwise) => self.resumable(at, otherwise),
                None => Some(Reply::Failure),
            },
        }
    }

    /// C6: the test, and the branch that it chooses, in each tick.
    pub(super) fn while_do_else(&mut self, at: u32) -> Answer {
        let children = self.children(at);
        match self.visit(children[0])? {
            Reply::Running => Some(Reply::Running),
            Reply::Success => self.visit(children[1]),
            Reply::Failure | Reply::Skipped => match children.get(2) {
                Some(&otherwise) => self.visit(otherwise),
                None => Some(Reply::Failure),
            },
        }
    }
}

/// K1: an answer, unless all children were skipped.
fn unless_all(skipped: usize, children: usize, answer: Reply) -> Reply {
    match skipped == children {
        true => Reply::Skipped,
        false => answer,
    }
}
