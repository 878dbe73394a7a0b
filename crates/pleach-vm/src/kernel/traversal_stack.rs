//! The traversal-stack kernel: one pass over the plain stream, open parents on a stack.
//!
//! **Walks** one token a node. Entering a parent pushes a frame; when a token has answered, the
//! top frame reacts: it goes on to its next child, which is the token the walk stands at, or
//! leaves to the end of its range. **Keeps** the stack, as deep as the tree at most. **Costs** half
//! the tokens of the guarded stream, and a frame for each open parent. **Sibling**:
//! [`pure_stream`](super::pure_stream) states the same rules in the same order over guards.

use pleach_shape::{Op, StateRecord, Status, TokenIndex};

use super::Frame;
use super::walk::Walk;
use crate::observe::{Event, Observer};

/// What a parent does about a child's status.
enum Reaction {
    /// Visit the next child.
    GoOn,
    /// Leave with this status.
    Leave(Status),
}

/// Walks the current lane's actor; gives the root's status.
pub(crate) fn walk<O: Observer>(walk: &mut Walk<'_, O>) -> Status {
    let shape = walk.shape;
    let stream = shape.plain();
    walk.scratch.frames.clear();
    let mut at = 0usize;
    while let Some(&token) = stream.get(at) {
        // The verifier let only operations through.
        let Some(op) = token.op() else {
            return Status::Failure;
        };
        let node = at as u32;
        let mut status = match op {
            // C1: resume at the child that was running, else begin with the first.
            Op::Sequence | Op::Selector => {
                walk.see(Event::Enter(TokenIndex(node)));
                let child = walk.take(node).unwrap_or(node + 1);
                open(walk, node, token.end, child);
                at = child as usize;
                continue;
            }
            // C1, D1: these begin with the first child each tick.
            Op::ReactiveSequence
            | Op::ReactiveSelector
            | Op::Invert
            | Op::Succeeder
            | Op::Failer => {
                walk.see(Event::Enter(TokenIndex(node)));
                open(walk, node, token.end, node + 1);
                at += 1;
                continue;
            }
            Op::Parallel => {
                walk.see(Event::Enter(TokenIndex(node)));
                walk.open_group(token.operand);
                open(walk, node, token.end, node + 1);
                at += 1;
                // C3: a child that has finished is not visited; the parent takes its old answer.
                match walk.take_done(node + 1) {
                    Some(done) => {
                        at = stream[at].end as usize;
                        done
                    }
                    None => continue,
                }
            }
            Op::Concurrent => {
                walk.see(Event::Enter(TokenIndex(node)));
                walk.open_group(token.operand);
                open(walk, node, token.end, node + 1);
                at += 1;
                continue;
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
                at += 1;
                walk.leaf(op, token, node)
            }

            Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent => return Status::Failure,
        };

        // The token has answered and the walk stands at the end of its range: parents react until
        // one of them goes on.
        loop {
            let Some(&frame) = walk.scratch.frames.last() else {
                return status;
            };
            let parent = stream[frame.node as usize];
            let last = at >= frame.end as usize;
            walk.see(Event::React {
                parent: TokenIndex(frame.node),
                child: TokenIndex(frame.child),
            });
            let reaction = react(
                walk,
                parent.op().unwrap_or(Op::Fail),
                parent.operand,
                frame,
                status,
                last,
            );
            match reaction {
                Reaction::GoOn if !last => {
                    let child = at as u32;
                    if let Some(top) = walk.scratch.frames.last_mut() {
                        top.child = child;
                    }
                    if parent.op == Op::Parallel as u8
                        && let Some(done) = walk.take_done(child)
                    {
                        status = done;
                        at = stream[at].end as usize;
                        continue;
                    }
                    break;
                }
                Reaction::GoOn => {}
                Reaction::Leave(answer) => status = answer,
            }
            walk.see(Event::Leave(TokenIndex(frame.node), status));
            walk.scratch.frames.pop();
            at = frame.end as usize;
        }
    }
    Status::Failure
}

#[inline(always)]
fn open<O: Observer>(walk: &mut Walk<'_, O>, node: u32, end: u32, child: u32) {
    debug_assert!(
        walk.scratch.frames.len() < walk.scratch.frames.capacity(),
        "maximum depth"
    );
    walk.scratch.frames.push(Frame { node, end, child });
}

/// How a parent reacts to `status` of its current child; going on from the last child leaves with
/// that status.
#[inline(always)]
fn react<O: Observer>(
    walk: &mut Walk<'_, O>,
    op: Op,
    operand: u32,
    frame: Frame,
    status: Status,
    last: bool,
) -> Reaction {
    match op {
        // C1: Running leaves, and the parent remembers at which child.
        Op::Sequence => {
            if status == Status::Running {
                walk.keep(frame.node, frame.child);
            }
            go_on_if(status == Status::Success, status)
        }
        Op::Selector => {
            if status == Status::Running {
                walk.keep(frame.node, frame.child);
            }
            go_on_if(status == Status::Failure, status)
        }
        Op::ReactiveSequence => go_on_if(status == Status::Success, status),
        Op::ReactiveSelector => go_on_if(status == Status::Failure, status),
        // D1
        Op::Invert => Reaction::Leave(status.inverted()),
        Op::Succeeder => Reaction::Leave(status.forced(Status::Success)),
        Op::Failer => Reaction::Leave(status.forced(Status::Failure)),
        // C3: count; behind the last child, judge.
        Op::Parallel => {
            walk.count(operand, status);
            if status.is_finished() {
                let done = StateRecord::done(TokenIndex(frame.child), status);
                walk.keep(done.node, done.value);
            }
            if last {
                Reaction::Leave(walk.judge_parallel(operand))
            } else {
                Reaction::GoOn
            }
        }
        // C4: the first Failure ends the visit.
        Op::Concurrent => {
            walk.count(operand, status);
            if status == Status::Failure {
                walk.roll_back(operand);
                Reaction::Leave(status)
            } else if last {
                Reaction::Leave(walk.judge_concurrent(operand))
            } else {
                Reaction::GoOn
            }
        }
        // Leaves and guards open no frame.
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
        | Op::GuardConcurrent => Reaction::Leave(Status::Failure),
    }
}

#[inline(always)]
fn go_on_if(goes_on: bool, status: Status) -> Reaction {
    if goes_on {
        Reaction::GoOn
    } else {
        Reaction::Leave(status)
    }
}
