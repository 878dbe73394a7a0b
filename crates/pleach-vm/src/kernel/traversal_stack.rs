//! The traversal-stack kernel: one pass over the plain stream, open parents on a stack.
//!
//! **Walks** one token a node. Entering a parent pushes it; when a token has answered, the top of
//! the stack reacts: it goes on to its next child, which is the token the walk stands at, or leaves
//! to the end of its range. **Keeps** the stack, as deep as the tree at most, eight bytes a parent.
//! **Costs** half the tokens of the guarded stream, and a push and a pop
//! for each parent. **Sibling**: [`pure_stream`](super::pure_stream) states the same rules in the
//! same order over guards.

use pleach_shape::{Op, StateRecord, Status, TokenFlags, TokenIndex};

use super::parent::Entered;
use super::walk::Walk;
use super::{Frame, mapped, records_on};
use crate::observe::{Event, Observer};

/// Walks the current lane's actor; gives the root's status. The innermost open parent is a local
/// value; `stack` holds those around it.
#[inline(never)]
pub(crate) fn walk<O: Observer>(walk: &mut Walk<'_, O>, stack: &mut [Frame]) -> Option<Status> {
    let shape = walk.shape;
    let stream = shape.plain();
    let mut depth = 0usize;
    let mut at = 0usize;
    while let Some(&token) = stream.get(at) {
        let node = at as u32;
        // The child that the top of the stack will react to.
        let mut child = node;
        at += 1;
        let mut status = if token.flags.is_empty() {
            walk.leaf(token.op, token.operand, node)
        } else {
            walk.see(Event::Enter(TokenIndex(node)));
            // The requirements say how deep it gets.
            stack[depth] = Frame::new(node, token);
            depth += 1;
            let flags = token.flags;
            if !flags.intersects(TokenFlags::STARTS.union(TokenFlags::CHOOSES)) {
                // C1: resume at the child that was running; others begin with the first.
                if flags.contains(TokenFlags::RECORDS)
                    && let Some(resumed) = walk.take(node)
                {
                    at = resumed as usize;
                }
                continue;
            }
            if flags.contains(TokenFlags::STARTS) {
                match walk.enter(token.op, token.operand, node) {
                    Entered::Child(first) => {
                        at = first as usize;
                        continue;
                    }
                    Entered::Answer(status) => {
                        walk.see(Event::Leave(TokenIndex(node), status));
                        depth -= 1;
                        at = token.end as usize;
                        status
                    }
                    Entered::Abort => return None,
                }
            } else {
                walk.open_group(token.operand);
                // C3: a child that has finished is not visited; the parent takes its old answer.
                let Some(done) = walk.take_done(token.op, node + 1) else {
                    continue;
                };
                child = node + 1;
                at = stream[at].end as usize;
                done
            }
        };

        // The token has answered and the walk stands at the end of its range: parents react until
        // one of them goes on.
        loop {
            let Some(&top) = stack[..depth].last() else {
                return Some(status);
            };
            let flags = top.flags();
            let last = at >= top.end();
            walk.see(Event::React {
                parent: TokenIndex(top.node()),
                child: TokenIndex(child),
            });
            if !flags.intersects(TokenFlags::MAPS.union(TokenFlags::CHOOSES)) {
                // C1: flags say for each status whether to go on; from the last child nothing does.
                if !last && (flags.bits() >> status as u8) & 1 == 0 {
                    break;
                }
                // Running leaves, and the parent remembers at which child.
                if records_on(flags, status) {
                    walk.keep(top.node(), child);
                }
            } else if flags.contains(TokenFlags::MAPS) {
                status = if flags.contains(TokenFlags::RECORDS) {
                    walk.decorate(top.node(), child, status)
                } else {
                    mapped(stream[top.node() as usize].op, status)
                };
            } else {
                match react(walk, top.node(), child, &mut status, last) {
                    Reaction::Leave => {}
                    Reaction::GoOn => break,
                    Reaction::Chosen(next) => {
                        at = next as usize;
                        break;
                    }
                    Reaction::ChildDone => {
                        child = at as u32;
                        at = stream[at].end as usize;
                        continue;
                    }
                }
            }
            walk.see(Event::Leave(TokenIndex(top.node()), status));
            (child, at) = (top.node(), top.end());
            depth -= 1;
        }
    }
    Some(Status::Failure)
}

/// What a parent that chooses its next child does about a child's status.
enum Reaction {
    /// Leave.
    Leave,
    /// Visit the next child.
    GoOn,
    /// Visit that child.
    Chosen(u32),
    /// Take the next child's old answer: it has finished before.
    ChildDone,
}

/// How such a parent reacts to its `child`, behind which the walk stands.
#[inline(never)]
fn react<O: Observer>(
    walk: &mut Walk<'_, O>,
    node: u32,
    child: u32,
    status: &mut Status,
    last: bool,
) -> Reaction {
    let parent = walk.shape.plain()[node as usize];
    match parent.op() {
        // C2, C6
        Some(Op::RandomSequence | Op::RandomSelector | Op::IfThenElse | Op::WhileDoElse) => {
            if let Some(next) = walk.choose(node, child, *status) {
                return Reaction::Chosen(next);
            }
        }
        // C3: count; behind the last child, judge.
        Some(Op::Parallel) => {
            walk.count(parent.operand, *status);
            if status.is_finished() {
                let done = StateRecord::done(TokenIndex(child), *status);
                walk.keep(done.node, done.value);
            }
            if !last {
                let next = walk.shape.plain()[child as usize].end;
                return match walk.take_done(parent.op, next) {
                    Some(done) => {
                        *status = done;
                        Reaction::ChildDone
                    }
                    None => Reaction::GoOn,
                };
            }
            *status = walk.judge_parallel(parent.operand);
        }
        // C4: the first Failure ends the visit.
        _ => {
            walk.count(parent.operand, *status);
            if *status == Status::Failure {
                walk.roll_back(parent.operand);
            } else if last {
                *status = walk.judge_concurrent(parent.operand);
            } else {
                return Reaction::GoOn;
            }
        }
    }
    Reaction::Leave
}
