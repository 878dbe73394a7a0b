//! Parents that do more than go on or leave, for the two kernels that walk through parents (pure stream,
//! traversal stack): what being entered does, what a decorator makes of its child's answer, and which
//! child is next.
//!
//! Both kernels call this with plain token indices; where those lie in their stream is their own affair.
//! The threaded stream has the same rules as steps: see [`threaded_stream`](super::threaded_stream).

use pleach_shape::{Op, StateRecord, Status};

use super::walk::Walk;
use crate::observe::Observer;

/// What being entered leads to.
pub(super) enum Entered {
    /// A child is visited: its token.
    Child(u32),
    /// The node answers without a visit to a child.
    Answer(Status),
    /// D5: the actor leaves the tree.
    Abort,
}

impl<O: Observer> Walk<'_, O> {
    /// Enters a parent that starts something. (Cold, so that what the walks keep in registers is saved
    /// around this call and not around theirs.)
    #[cold]
    #[inline(never)]
    pub(super) fn enter(&mut self, op: u8, operand: u32, node: u32) -> Entered {
        // The verifier let only operations through.
        let Some(op) = Op::from_u8(op) else {
            return Entered::Answer(Status::Failure);
        };
        let first = node + 1;
        // C1: resume at the child that was running.
        let mut went_on = false;
        if op.remembers() {
            match self.take(node) {
                Some(StateRecord::RUNS) => went_on = true,
                Some(child) => return Entered::Child(child),
                None => {}
            }
        }
        match op {
            // C2
            Op::RandomSequence | Op::RandomSelector => {
                self.start_order(operand);
                // There is at least one child.
                let number = self.draw(operand).unwrap_or(0);
                Entered::Child(self.child(node, number))
            }
            // C5
            Op::Switch => self.switch(operand, node),
            // D2
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => {
                if !went_on {
                    self.start_count(operand);
                }
                Entered::Child(first)
            }
            // D3
            Op::Cooldown if self.is_cooling(operand) => Entered::Answer(Status::Failure),
            // D4
            Op::Timeout => {
                self.start_timer(self.groups[operand as usize].timer);
                Entered::Child(first)
            }
            Op::Delay => {
                if !went_on {
                    self.start_timer(operand);
                }
                if self.is_over(operand) {
                    return Entered::Child(first);
                }
                self.keep(node, StateRecord::RUNS);
                Entered::Answer(Status::Running)
            }
            // D6
            Op::RunOnce => match self.ended(operand) {
                Some(success) => Entered::Answer(Status::from_bool(success)),
                None => Entered::Child(first),
            },
            // D5
            Op::When | Op::While if !self.test(operand) => Entered::Answer(Status::Failure),
            Op::DoneWhen if self.test(operand) => Entered::Answer(Status::Success),
            Op::AbortWhen if self.test(operand) => Entered::Abort,
            _ => Entered::Child(first),
        }
    }

    /// C5: the child whose case holds, or the one for all other values; Failure without it.
    fn switch(&mut self, index: u32, node: u32) -> Entered {
        let tables = self.shape.tables();
        let def = tables.switches[index as usize];
        let plain = self.shape.plain();
        let mut child = node + 1;
        for case in def.first_case..def.first_case + def.cases {
            if self.test(tables.cases[case as usize]) {
                return Entered::Child(child);
            }
            child = plain[child as usize].end;
        }
        if child < plain[node as usize].end {
            Entered::Child(child)
        } else {
            Entered::Answer(Status::Failure)
        }
    }

    /// The token of a random composite's child of that number.
    fn child(&self, node: u32, number: u32) -> u32 {
        let plain = self.shape.plain();
        (0..number).fold(node + 1, |child, _| plain[child as usize].end)
    }

    /// What a decorator that keeps something answers to its child's status.
    #[cold]
    #[inline(never)]
    pub(super) fn decorate(&mut self, node: u32, child: u32, status: Status) -> Status {
        let token = self.shape.plain()[node as usize];
        let operand = token.operand;
        match token.op() {
            // D2
            Some(op @ (Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess))
                if status.is_finished() =>
            {
                return self.iterate(op, operand, node, status);
            }
            // D3
            Some(Op::Cooldown) if status.is_finished() => {
                self.cool(operand);
                return status;
            }
            // D4
            Some(Op::Timeout) if status.is_finished() => return status,
            Some(Op::Timeout) if self.time_is_up(operand) => return Status::Failure,
            // D6
            Some(Op::RunOnce) if status.is_finished() => {
                self.end(operand, status == Status::Success);
                return status;
            }
            _ => {}
        }
        self.keep(node, child);
        status
    }

    /// D2: an iteration has ended so.
    fn iterate(&mut self, op: Op, index: u32, node: u32, status: Status) -> Status {
        let breaks = self.shape.tables().loops[index as usize].breaks != 0;
        match (op, status) {
            (Op::Repeat, Status::Failure) if breaks => return status,
            (Op::RepeatUntilFailure, Status::Failure) => return status,
            (Op::RepeatUntilSuccess, Status::Success) => return status,
            _ => {}
        }
        if self.count_iteration(index) {
            return Status::from_bool(op != Op::RepeatUntilSuccess);
        }
        self.keep(node, StateRecord::RUNS);
        Status::Running
    }

    /// The next child of a parent that draws (C2) or branches (C6), or `None` if it leaves with its
    /// child's status.
    #[inline(never)]
    pub(super) fn choose(&mut self, node: u32, child: u32, status: Status) -> Option<u32> {
        let plain = self.shape.plain();
        let token = plain[node as usize];
        let next = match token.op() {
            Some(Op::RandomSequence | Op::RandomSelector) if !token.leaves_on(status) => {
                let first = node + 1;
                let mut before = first;
                let mut number = 0;
                while before < child {
                    before = plain[before as usize].end;
                    number += 1;
                }
                self.pass_child(token.operand, number);
                self.draw(token.operand)
                    .map(|number| self.child(node, number))
            }
            Some(Op::IfThenElse | Op::WhileDoElse) if child == node + 1 => {
                let then = plain[child as usize].end;
                let otherwise = plain[then as usize].end;
                match status {
                    Status::Success => Some(then),
                    Status::Failure if otherwise < token.end => Some(otherwise),
                    _ => None,
                }
            }
            _ => None,
        };
        if next.is_none() && status == Status::Running && token.op().is_some_and(Op::remembers) {
            self.keep(node, child);
        }
        next
    }
}
