//! The walk: decorators.

use std::time::Duration;

use pleach_tree::Expr;

use super::walk::{Answer, Reply, Walk};

impl Walk<'_> {
    /// D1: another answer for each finished one.
    pub(super) fn mapped(&mut self, at: u32, success: Reply, failure: Reply) -> Answer {
        Some(match self.visit(self.only_child(at))? {
            Reply::Success => success,
            Reply::Failure => failure,
            other => other,
        })
    }

    /// D2: one iteration a tick, until one answers `ends`, or as many as the limit have not.
    pub(super) fn iterations(
        &mut self,
        at: u32,
        limit: Option<u32>,
        ends: Option<Reply>,
        at_limit: Reply,
    ) -> Answer {
        let mut over = self.before.iterations.get(&at).copied().unwrap_or(0);
        let mut answer = self.resumable(at, self.only_child(at))?;
        if answer == Reply::Skipped {
            // K3: a loop that any failure or success ends is skipped with its child.
            if ends.is_some() {
                return Some(answer);
            }
            answer = Reply::Success;
        }
        if answer.is_finished() {
            if ends == Some(answer) {
                return Some(answer);
            }
            over = over.saturating_add(1);
            if limit == Some(over) {
                return Some(at_limit);
            }
            self.after.between.insert(at);
        }
        if limit.is_some() {
            self.after.iterations.insert(at, over);
        }
        Some(Reply::Running)
    }

    /// D3: after the child's finish nothing but Failure for a time. The deadline is persistent.
    pub(super) fn cooldown(&mut self, at: u32, time: Duration) -> Answer {
        let resumes = self.before.child.contains_key(&at);
        let cools = |until: &u64| self.clock < *until;
        if !resumes && self.lasting.cooling.get(&at).is_some_and(cools) {
            return Some(Reply::Failure);
        }
        let answer = self.resumable(at, self.only_child(at))?;
        if answer != Reply::Running {
            self.lasting.cooling.insert(at, self.deadline_of(time));
        }
        Some(answer)
    }

    /// D4: the child's own answer, unless it still runs when the time is up.
    pub(super) fn timeout(&mut self, at: u32, time: Duration) -> Answer {
        let deadline = self.deadline(at, time);
        let answer = self.resumable(at, self.only_child(at))?;
        if answer == Reply::Running {
            if self.clock >= deadline {
                return Some(Reply::Failure);
            }
            self.after.deadline.insert(at, deadline);
        }
        Some(answer)
    }

    /// D4: nothing for a time, then the child; once that runs, no delay again.
    pub(super) fn delay(&mut self, at: u32, time: Duration) -> Answer {
        let resumes = self.before.child.contains_key(&at);
        let deadline = self.deadline(at, time);
        if !resumes && self.clock < deadline {
            self.after.deadline.insert(at, deadline);
            return Some(Reply::Running);
        }
        self.resumable(at, self.only_child(at))
    }

    /// D6: the child until it has finished once, ever.
    pub(super) fn run_once(&mut self, at: u32) -> Answer {
        if let Some(&answer) = self.lasting.once.get(&at) {
            return Some(answer.into());
        }
        let answer = self.resumable(at, self.only_child(at))?;
        if answer.is_finished() {
            self.lasting
                .once
                .extend(answer.status().map(|status| (at, status)));
        }
        Some(answer)
    }

    /// K1: the same, but then it is skipped.
    pub(super) fn run_once_then_skip(&mut self, at: u32) -> Answer {
        if self.lasting.once.contains_key(&at) {
            return Some(Reply::Skipped);
        }
        self.run_once(at)
    }

    /// K1, K2: judged only when the child is not running already.
    pub(super) fn unless(&mut self, at: u32, test: &Expr, otherwise: Reply) -> Answer {
        let resumes = self.before.child.contains_key(&at);
        if !resumes && self.holds(test) {
            return Some(otherwise);
        }
        self.resumable(at, self.only_child(at))
    }

    /// F1: writes a column if the child's answer is one of those that it is written for.
    pub(super) fn effect(
        &mut self,
        at: u32,
        is_written: fn(Reply) -> bool,
        column: &str,
        value: &Expr,
    ) -> Answer {
        let answer = self.resumable(at, self.only_child(at))?;
        if is_written(answer) {
            self.write(column, value);
        }
        Some(answer)
    }

    /// D5: judged only when the child is not running already.
    pub(super) fn when(&mut self, at: u32, test: &Expr) -> Answer {
        let resumes = self.before.child.contains_key(&at);
        if !resumes && !self.holds(test) {
            return Some(Reply::Failure);
        }
        self.resumable(at, self.only_child(at))
    }

    /// D5: the child where the test comes out as `wanted`; elsewhere `otherwise`, the end of the walk
    /// included.
    pub(super) fn guarded(
        &mut self,
        at: u32,
        test: &Expr,
        wanted: bool,
        otherwise: Answer,
    ) -> Answer {
        if self.holds(test) == wanted {
            self.visit(self.only_child(at))
        } else {
            otherwise
        }
    }
}
