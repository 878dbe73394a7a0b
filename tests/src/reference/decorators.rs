//! The walk: decorators.

use std::time::Duration;

use pleach_shape::Status;
use pleach_tree::Expr;

use super::walk::{Answer, Walk};

impl Walk<'_> {
    /// D1: another answer for each finished one.
    pub(super) fn mapped(&mut self, at: u32, success: Status, failure: Status) -> Answer {
        Some(match self.visit(self.only_child(at))? {
            Status::Success => success,
            Status::Failure => failure,
            Status::Running => Status::Running,
        })
    }

    /// D2: one iteration a tick, until one answers `ends`, or as many as the limit have not.
    pub(super) fn iterations(
        &mut self,
        at: u32,
        limit: Option<u32>,
        ends: Option<Status>,
        at_limit: Status,
    ) -> Answer {
        let mut over = self.before.iterations.get(&at).copied().unwrap_or(0);
        let answer = self.resumable(at, self.only_child(at))?;
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
        Some(Status::Running)
    }

    /// D3: after the child's finish nothing but Failure for a time. The deadline is persistent.
    pub(super) fn cooldown(&mut self, at: u32, time: Duration) -> Answer {
        let resumes = self.before.child.contains_key(&at);
        let cools = |until: &u64| self.clock < *until;
        if !resumes && self.lasting.cooling.get(&at).is_some_and(cools) {
            return Some(Status::Failure);
        }
        let answer = self.resumable(at, self.only_child(at))?;
        if answer.is_finished() {
            self.lasting.cooling.insert(at, self.deadline_of(time));
        }
        Some(answer)
    }

    /// D4: the child's own answer, unless it still runs when the time is up.
    pub(super) fn timeout(&mut self, at: u32, time: Duration) -> Answer {
        let deadline = self.deadline(at, time);
        let answer = self.resumable(at, self.only_child(at))?;
        if answer == Status::Running {
            if self.clock >= deadline {
                return Some(Status::Failure);
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
            return Some(Status::Running);
        }
        self.resumable(at, self.only_child(at))
    }

    /// D6: the child until it has finished once, ever.
    pub(super) fn run_once(&mut self, at: u32) -> Answer {
        if let Some(&answer) = self.lasting.once.get(&at) {
            return Some(answer);
        }
        let answer = self.resumable(at, self.only_child(at))?;
        if answer.is_finished() {
            self.lasting.once.insert(at, answer);
        }
        Some(answer)
    }

    /// D5: judged only when the child is not running already.
    pub(super) fn when(&mut self, at: u32, test: &Expr) -> Answer {
        let resumes = self.before.child.contains_key(&at);
        if !resumes && !self.holds(test) {
            return Some(Status::Failure);
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
