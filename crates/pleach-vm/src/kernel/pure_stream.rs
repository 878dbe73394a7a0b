//! The pure-stream kernel: one pass over the guarded stream, forward only.
//!
//! **Walks** node and guard tokens; a guard behind each child reacts to the child's status in its
//! parent's name: go on to the next token, or leave to the parent's own guard. **Keeps** nothing
//! but the position and the last status; open parents live in the guards. **Costs** twice the
//! tokens of the plain stream, and no stack. **Sibling**: [`traversal_stack`](super::traversal_stack)
//! states the same rules in the same order over a stack of frames.

use pleach_shape::{Op, StateRecord, Status, TokenFlags, TokenIndex};

use super::walk::Walk;
use crate::observe::{Event, Observer};

/// Walks the current lane's actor; gives the root's status.
pub(crate) fn walk<O: Observer>(walk: &mut Walk<'_, O>) -> Status {
    let shape = walk.shape;
    let stream = shape.guarded();
    let mut status = Status::Failure;
    let mut at = 0usize;
    while let Some(&token) = stream.get(at) {
        // The verifier let only operations through.
        let Some(op) = token.op() else {
            return Status::Failure;
        };
        match op {
            // C1: resume at the child that was running, else begin with the first.
            Op::Sequence | Op::Selector => {
                walk.see(Event::Enter(TokenIndex(token.link)));
                at = match walk.take(token.link) {
                    Some(child) => shape.guarded_of()[child as usize] as usize,
                    None => at + 1,
                };
            }
            // C1, D1: these begin with the first child each tick.
            Op::ReactiveSequence
            | Op::ReactiveSelector
            | Op::Invert
            | Op::Succeeder
            | Op::Failer => {
                walk.see(Event::Enter(TokenIndex(token.link)));
                at += 1;
            }
            Op::Parallel => {
                walk.see(Event::Enter(TokenIndex(token.link)));
                walk.open_group(token.operand);
                at += 1;
                // C3: a child that has finished is not visited; its guard takes its old answer.
                if let Some(done) = walk.take_done(stream[at].link) {
                    status = done;
                    at = stream[at].end as usize;
                }
            }
            Op::Concurrent => {
                walk.see(Event::Enter(TokenIndex(token.link)));
                walk.open_group(token.operand);
                at += 1;
            }

            Op::Condition
            | Op::Query
            | Op::Action
            | Op::PersistentAction
            | Op::Task
            | Op::Set
            | Op::Wait
            | Op::Succeed
            | Op::Fail
            | Op::Idle => {
                status = walk.leaf(op, token, token.link);
                at += 1;
            }

            // C1: flags say for each status whether to go on or to leave.
            Op::Guard => {
                react(walk, token.operand, token.link);
                if status == Status::Running && token.flags.contains(TokenFlags::RECORDS) {
                    walk.keep(token.operand, token.link);
                }
                if token.leaves_on(status) {
                    leave(walk, token.operand, status);
                    at = token.end as usize;
                } else {
                    if token.flags.contains(TokenFlags::LAST) {
                        leave(walk, token.operand, status);
                    }
                    at += 1;
                }
            }
            // D1
            Op::GuardInvert => {
                react(walk, token.operand, token.link);
                status = status.inverted();
                leave(walk, token.operand, status);
                at = token.end as usize;
            }
            Op::GuardSucceeder => {
                react(walk, token.operand, token.link);
                status = status.forced(Status::Success);
                leave(walk, token.operand, status);
                at = token.end as usize;
            }
            Op::GuardFailer => {
                react(walk, token.operand, token.link);
                status = status.forced(Status::Failure);
                leave(walk, token.operand, status);
                at = token.end as usize;
            }
            // C3: count; behind the last child, judge.
            Op::GuardParallel => {
                let group = shape.tables().groups[token.operand as usize];
                react(walk, group.node, token.link);
                walk.count(token.operand, status);
                if status.is_finished() {
                    let done = StateRecord::done(TokenIndex(token.link), status);
                    walk.keep(done.node, done.value);
                }
                if token.flags.contains(TokenFlags::LAST) {
                    status = walk.judge_parallel(token.operand);
                    leave(walk, group.node, status);
                    at = token.end as usize;
                } else {
                    at += 1;
                    if let Some(done) = walk.take_done(stream[at].link) {
                        status = done;
                        at = stream[at].end as usize;
                    }
                }
            }
            // C4: the first Failure ends the visit.
            Op::GuardConcurrent => {
                let group = shape.tables().groups[token.operand as usize];
                react(walk, group.node, token.link);
                walk.count(token.operand, status);
                if status == Status::Failure {
                    walk.roll_back(token.operand);
                    leave(walk, group.node, status);
                    at = token.end as usize;
                } else if token.flags.contains(TokenFlags::LAST) {
                    status = walk.judge_concurrent(token.operand);
                    leave(walk, group.node, status);
                    at = token.end as usize;
                } else {
                    at += 1;
                }
            }
        }
    }
    status
}

#[inline(always)]
fn react<O: Observer>(walk: &mut Walk<'_, O>, parent: u32, child: u32) {
    walk.see(Event::React {
        parent: TokenIndex(parent),
        child: TokenIndex(child),
    });
}

#[inline(always)]
fn leave<O: Observer>(walk: &mut Walk<'_, O>, parent: u32, status: Status) {
    walk.see(Event::Leave(TokenIndex(parent), status));
}
