//! What parents leave behind: where their children's answers lead to, and tokens of their own before
//! and behind them.

use alloc::vec::Vec;

use super::derive::{Threader, is_random};
use super::{Step, ThreadedToken};
use crate::op::Op;
use crate::token::NONE;

impl Threader<'_> {
    /// Behind a child: the next child, or the judges.
    pub(super) fn behind(&self, index: usize) -> u32 {
        let next = self.plain[index].end as usize;
        match self.parent(index) {
            Some(parent) if self.is_last_child(index) => self.facts[parent].judge,
            _ => self.facts[next].start,
        }
    }

    /// Where a node's Success, Failure and Running lead to.
    pub(super) fn leads(&self, index: usize, exits: &[[u32; 3]]) -> [u32; 3] {
        let Some(parent) = self.parent(index) else {
            return [self.end, self.end + 1, self.end + 2];
        };
        let [success, failure, running] = exits[parent];
        let next = (!self.is_last_child(index)).then(|| self.behind(index));
        let answers = self.facts[index].judge + self.judges(index);
        let judge = self.facts[parent].judge;
        match self.facts[parent].op {
            Op::Sequence | Op::ReactiveSequence => [next.unwrap_or(success), failure, running],
            Op::Selector | Op::ReactiveSelector => [success, next.unwrap_or(failure), running],
            Op::Invert => [failure, success, running],
            Op::Succeeder => [success, success, running],
            Op::Failer => [failure, failure, running],
            Op::Parallel => [answers, answers + 1, answers + 2],
            Op::Concurrent => [self.behind(index), self.facts[parent].judge + 1, answers],
            Op::RandomSequence => [answers, failure, running],
            Op::RandomSelector => [success, answers, running],
            Op::IfThenElse | Op::WhileDoElse if self.is_first_child(index) => {
                let then = self.plain[index].end as usize;
                let otherwise = self.plain[then].end as usize;
                let otherwise = match self.is_last_child(then) {
                    true => failure,
                    false => self.facts[otherwise].start,
                };
                [self.facts[then].start, otherwise, running]
            }
            Op::Repeat => {
                let def = self.tables.loops[self.plain[parent].operand as usize];
                match def.breaks {
                    0 => [judge, judge, running],
                    _ => [judge, failure, running],
                }
            }
            Op::RepeatUntilFailure => [judge, failure, running],
            Op::RepeatUntilSuccess => [success, judge, running],
            Op::Cooldown | Op::RunOnce => [judge, judge + 1, running],
            Op::Timeout => [success, failure, judge],
            Op::IfThenElse
            | Op::WhileDoElse
            | Op::Switch
            | Op::Delay
            | Op::When
            | Op::While
            | Op::DoneWhen
            | Op::AbortWhen => [success, failure, running],
            // Nothing else has children.
            Op::Condition
            | Op::Query
            | Op::Action
            | Op::PersistentAction
            | Op::Task
            | Op::Set
            | Op::Wait
            | Op::Succeed
            | Op::Fail
            | Op::Idle
            | Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent
            | Op::GuardRandom
            | Op::GuardIf
            | Op::GuardRepeat
            | Op::GuardCooldown
            | Op::GuardTimeout
            | Op::GuardRunOnce => [success, failure, running],
        }
    }

    /// A parent's own tokens before its children. `place` gives the distinct predicate of an expression.
    pub(super) fn open(
        &self,
        index: usize,
        blank: ThreadedToken,
        tokens: &mut Vec<ThreadedToken>,
        mut place: impl FnMut(u32) -> (u32, bool),
    ) {
        let op = self.facts[index].op;
        let [success, failure, running] = blank.leads;
        let mut child = index + 1;
        let first = self.facts[child].start;
        let mut test = |step, expr, leads| {
            let (mark, negated) = place(expr);
            ThreadedToken {
                step,
                negated,
                operand: expr,
                leads,
                mark,
                ..blank
            }
        };
        let own = |step, leads| ThreadedToken {
            step,
            leads,
            mark: if op.runs_itself() { blank.mark } else { NONE },
            ..blank
        };
        tokens.push(match op {
            Op::Parallel | Op::Concurrent => own(Step::Open, [first; 3]),
            Op::RandomSequence | Op::RandomSelector => own(Step::Draw, [first; 3]),
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => {
                own(Step::LoopOpen, [first; 3])
            }
            Op::Cooldown => own(Step::CooldownOpen, [first, failure, first]),
            Op::Timeout => own(Step::TimeoutOpen, [first; 3]),
            Op::Delay => own(Step::DelayOpen, [first, first, running]),
            Op::RunOnce => own(Step::OnceOpen, [success, failure, first]),
            Op::When | Op::While => {
                test(Step::TestOrFail, blank.operand, [first, failure, failure])
            }
            Op::DoneWhen => test(
                Step::TestThenSucceed,
                blank.operand,
                [success, first, first],
            ),
            // Behind the root's other answers.
            Op::AbortWhen => test(Step::Test, blank.operand, [self.end + 3, first, first]),
            Op::Switch => {
                let def = self.tables.switches[blank.operand as usize];
                let first = def.first_case as usize;
                let cases = &self.tables.cases[first..first + def.cases as usize];
                for (number, &case) in cases.iter().enumerate() {
                    let here = self.facts[child].start;
                    let end = self.plain[child].end as usize;
                    let (step, fails) = if number + 1 < cases.len() {
                        (Step::Test, tokens.len() as u32 + 1)
                    } else if self.is_last_child(child) {
                        (Step::TestOrFail, failure)
                    } else {
                        (Step::Test, self.facts[end].start)
                    };
                    tokens.push(test(step, case, [here, fails, fails]));
                    child = end;
                }
                return;
            }
            // All that these do is known to their children.
            _ => return,
        });
    }

    /// A parent's own tokens behind its children.
    pub(super) fn judge(
        &self,
        index: usize,
        leads: [u32; 3],
        mark: u32,
        tokens: &mut Vec<ThreadedToken>,
    ) {
        let op = self.facts[index].op;
        let steps: &[Step] = match op {
            Op::Parallel => &[Step::JudgeParallel],
            Op::Concurrent => &[Step::JudgeConcurrent, Step::FailConcurrent],
            Op::RandomSequence | Op::RandomSelector => &[Step::Redraw],
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => &[Step::Iterated],
            Op::Cooldown => &[Step::CooldownSuccess, Step::CooldownFailure],
            Op::Timeout => &[Step::TimeoutRunning],
            Op::RunOnce => &[Step::OnceSuccess, Step::OnceFailure],
            _ => return,
        };
        let [success, failure, running] = leads;
        let fails = matches!(op, Op::RandomSelector | Op::RepeatUntilSuccess);
        let end = if fails { failure } else { success };
        for &step in steps {
            tokens.push(ThreadedToken {
                step,
                negated: fails,
                node: index as u32,
                operand: self.plain[index].operand,
                leads: match step {
                    Step::Redraw | Step::Iterated => [end, end, running],
                    Step::CooldownSuccess | Step::OnceSuccess => [success; 3],
                    Step::CooldownFailure | Step::OnceFailure => [failure; 3],
                    _ => leads,
                },
                skip: 0,
                mark,
            });
        }
    }

    /// A child's answers to its group or random composite.
    pub(super) fn answer(&self, index: usize, done: u32, tokens: &mut Vec<ThreadedToken>) {
        let Some(parent) = self.parent(index) else {
            return;
        };
        if is_random(self.facts[parent].op) {
            let redraw = self.facts[parent].judge;
            tokens.push(ThreadedToken {
                step: Step::Passed,
                negated: false,
                node: index as u32,
                operand: self.plain[parent].operand,
                leads: [redraw; 3],
                skip: 0,
                mark: self.facts[index].number,
            });
            return;
        }
        let steps: &[Step] = match self.facts[parent].op {
            Op::Parallel => &[Step::ChildSuccess, Step::ChildFailure, Step::ChildRunning],
            Op::Concurrent => &[Step::ChildRunning],
            _ => return,
        };
        let behind = self.behind(index);
        for &step in steps {
            if step == Step::ChildRunning && !self.facts[index].runs {
                continue;
            }
            tokens.push(ThreadedToken {
                step,
                negated: false,
                node: index as u32,
                operand: self.plain[parent].operand,
                leads: [behind; 3],
                skip: 0,
                mark: match step {
                    Step::ChildSuccess => done,
                    Step::ChildFailure => done + 1,
                    _ => NONE,
                },
            });
        }
    }
}
