//! The pure-stream kernel: one pass over the guarded stream, forward but for draws (C2).
//!
//! **Walks** node and guard tokens; a guard behind each child reacts to the child's status in its
//! parent's name: go on to the next token, or leave to the parent's own guard. **Keeps** nothing
//! but the position and the last status; open parents live in the guards. **Costs** twice the
//! tokens of the plain stream, and no stack. **Sibling**: [`traversal_stack`](super::traversal_stack)
//! states the same rules in the same order over a stack of frames.

use pleach_shape::{Op, StateRecord, Status, Token, TokenFlags, TokenIndex};

use super::parent::Entered;
use super::walk::Walk;
use super::{mapped, records_on};
use crate::observe::{Event, Observer};

/// Walks the current lane's actor; gives the root's status.
///
/// Two loops, because the position says which kind of token stands there: behind a leaf, behind a
/// last child and where a guard leaves to stands a guard, or the stream ends; everywhere else a
/// node.
pub(crate) fn walk<O: Observer>(walk: &mut Walk<'_, O>) -> Option<Status> {
    let shape = walk.shape;
    let stream = shape.guarded();
    let mut at = 0usize;
    while let Some(&token) = stream.get(at) {
        at += 1;
        let mut status = if token.flags.is_empty() {
            walk.leaf(token.op, token.operand, token.link)
        } else {
            walk.see(Event::Enter(TokenIndex(token.link)));
            let flags = token.flags;
            if !flags.intersects(TokenFlags::STARTS.union(TokenFlags::CHOOSES)) {
                // C1: resume at the child that was running; others begin with the first.
                if flags.contains(TokenFlags::RECORDS)
                    && let Some(resumed) = walk.take(token.link)
                {
                    at = shape.guarded_of()[resumed as usize] as usize;
                }
                continue;
            }
            if flags.contains(TokenFlags::STARTS) {
                match walk.enter(token.op, token.operand, token.link) {
                    Entered::Child(child) => {
                        at = shape.guarded_of()[child as usize] as usize;
                        continue;
                    }
                    Entered::Answer(status) => {
                        leave(walk, token.link, status);
                        at = token.end as usize;
                        status
                    }
                    Entered::Abort => return None,
                }
            } else {
                walk.open_group(token.operand);
                // C3: a child that has finished is not visited; its guard takes its old answer.
                let Some(done) = walk.take_done(token.op, stream[at].link) else {
                    continue;
                };
                at = stream[at].end as usize;
                done
            }
        };

        // Guards react until one of them goes on to a next child.
        loop {
            let Some(&guard) = stream.get(at) else {
                return Some(status);
            };
            if !guard
                .flags
                .intersects(TokenFlags::MAPS.union(TokenFlags::CHOOSES))
            {
                react(walk, guard.operand, guard.link);
                // C1: flags say for each status whether to go on; behind the last child nothing does.
                if !guard.leaves_on(status) {
                    at += 1;
                    break;
                }
                // Running leaves, and the parent remembers at which child.
                if records_on(guard.flags, status) {
                    walk.keep(guard.operand, guard.link);
                }
                leave(walk, guard.operand, status);
                at = guard.end as usize;
                continue;
            }
            // D1
            if guard.flags.contains(TokenFlags::MAPS) {
                react(walk, guard.operand, guard.link);
                status = if guard.flags.contains(TokenFlags::RECORDS) {
                    walk.decorate(guard.operand, guard.link, status)
                } else {
                    mapped(guard.op, status)
                };
                leave(walk, guard.operand, status);
                at = guard.end as usize;
                continue;
            }
            match choosing_guard(walk, &stream[at..], &mut status) {
                Next::Leave => at = guard.end as usize,
                Next::Child => {
                    at += 1;
                    break;
                }
                Next::Chosen(child) => {
                    at = shape.guarded_of()[child as usize] as usize;
                    break;
                }
                Next::ChildDone => at = stream[at + 1].end as usize,
            }
        }
    }
    Some(Status::Failure)
}

/// Where a guard sends the walk that does more than go on or leave.
enum Next {
    /// To the parent's guard.
    Leave,
    /// To the next child.
    Child,
    /// To that child.
    Chosen(u32),
    /// To the next child's guard: it has finished before.
    ChildDone,
}

/// Guards of parents that choose their next child; `from` begins with the guard. (In line it is an eighth faster on trees of groups,
/// and no slower on others.)
#[inline(always)]
fn choosing_guard<O: Observer>(
    walk: &mut Walk<'_, O>,
    from: &[Token],
    status: &mut Status,
) -> Next {
    let token = from[0];
    if matches!(token.op(), Some(Op::GuardRandom | Op::GuardIf)) {
        react(walk, token.operand, token.link);
        return match walk.choose(token.operand, token.link, *status) {
            Some(child) => Next::Chosen(child),
            None => {
                leave(walk, token.operand, *status);
                Next::Leave
            }
        };
    }
    let last = token.flags.contains(TokenFlags::LAST);
    let group = walk.groups[token.operand as usize];
    react(walk, group.node, token.link);
    walk.count(token.operand, *status);
    match token.op() {
        // C3: count; behind the last child, judge.
        Some(Op::GuardParallel) => {
            if status.is_finished() {
                let done = StateRecord::done(TokenIndex(token.link), *status);
                walk.keep(done.node, done.value);
            }
            if !last {
                return match walk.take_done(Op::Parallel as u8, from[1].link) {
                    Some(done) => {
                        *status = done;
                        Next::ChildDone
                    }
                    None => Next::Child,
                };
            }
            *status = walk.judge_parallel(token.operand);
        }
        // C4: the first Failure ends the visit.
        _ => {
            if *status == Status::Failure {
                walk.roll_back(token.operand);
            } else if last {
                *status = walk.judge_concurrent(token.operand);
            } else {
                return Next::Child;
            }
        }
    }
    leave(walk, group.node, *status);
    Next::Leave
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
