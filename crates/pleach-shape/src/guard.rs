//! The guarded stream: derived from the plain one, never stored on trust.
//!
//! Behind the last token of each child stands a guard, which reacts to the child's status in its
//! parent's name: the "pure stream" of Bjoern Knafla's series on data-oriented behavior trees
//! (2011). A guard either goes on to the token behind it (the next child, or behind the last child
//! nothing) or leaves to the parent's own guard. Both lie ahead, so every jump goes forward and a
//! walk visits a token at most once (T1). Behind a child of a random composite a walk may go back, to the
//! child that is drawn next: to each one at most once (C2).
//!
//! The guarded stream is a function of the plain stream and of the group table. The compiler calls
//! [`guarded_stream`], and the verifier calls it again and compares: a guarded stream that says
//! anything else is refused.

use alloc::vec::Vec;

use crate::op::Op;
use crate::token::{Token, TokenFlags};

/// The guard operation that stands behind a child of `parent`, which may be the first.
const fn guard_of(parent: Op, first: bool) -> Op {
    match parent {
        Op::RandomSequence | Op::RandomSelector => Op::GuardRandom,
        Op::IfThenElse | Op::WhileDoElse if first => Op::GuardIf,
        Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => Op::GuardRepeat,
        Op::Cooldown => Op::GuardCooldown,
        Op::Timeout => Op::GuardTimeout,
        Op::RunOnce => Op::GuardRunOnce,
        Op::Switch
        | Op::IfThenElse
        | Op::WhileDoElse
        | Op::Delay
        | Op::When
        | Op::While
        | Op::DoneWhen
        | Op::AbortWhen => Op::Guard,
        Op::Invert => Op::GuardInvert,
        Op::Succeeder => Op::GuardSucceeder,
        Op::Failer => Op::GuardFailer,
        Op::Parallel => Op::GuardParallel,
        Op::Concurrent => Op::GuardConcurrent,
        Op::Sequence | Op::Selector | Op::ReactiveSequence | Op::ReactiveSelector => Op::Guard,
        // Leaves and guards have no children; the verifier never lets them come here.
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
        | Op::GuardRunOnce => Op::Guard,
    }
}

/// Behind the last child there is nothing to go on to.
const LAST: TokenFlags = TokenFlags::LAST
    .union(TokenFlags::SUCCESS_LEAVES)
    .union(TokenFlags::FAILURE_LEAVES)
    .union(TokenFlags::RUNNING_LEAVES);

/// What the guard behind a child that ends at `end` does with its status.
fn guard_flags(guard: Op, parent: &Token, end: usize) -> TokenFlags {
    // Being entered is the parent's own.
    let flags = parent.flags - TokenFlags::STARTS;
    match (guard, parent.op()) {
        // Any child may be the last one drawn, and the first one of several only branches.
        (Op::GuardRandom | Op::GuardIf, _) => flags,
        // Behind the branch there is nothing to choose.
        (_, Some(Op::IfThenElse | Op::WhileDoElse)) => (flags | LAST) - TokenFlags::CHOOSES,
        _ if parent.end as usize == end => flags | LAST,
        _ => flags,
    }
}

/// Derives the guarded stream from a plain stream whose ranges nest. The result has
/// `2 * plain.len() - 1` tokens: one a node and one guard for each node but the root.
///
/// `plain` must be structurally sound (properties P1 to P6 of the [verifier](crate::verify)); for
/// any other input the result is unspecified but the call still returns.
pub fn guarded_stream(plain: &[Token]) -> Vec<Token> {
    let mut stream = Vec::with_capacity((plain.len() * 2).saturating_sub(1));
    // Nodes whose range is open, innermost last.
    let mut open: Vec<u32> = Vec::new();
    for (index, token) in plain.iter().enumerate() {
        let mut node = *token;
        node.link = index as u32;
        stream.push(node);
        open.push(index as u32);
        while let Some(&top) = open.last() {
            let end = plain[top as usize].end as usize;
            if end > index + 1 {
                break;
            }
            open.pop();
            let Some(&parent) = open.last() else { break };
            let above = &plain[parent as usize];
            let first = top == parent + 1;
            let op = guard_of(above.op().unwrap_or(Op::Fail), first);
            let flags = guard_flags(op, above, end);
            let operand = match op {
                Op::GuardParallel | Op::GuardConcurrent => above.operand,
                _ => parent,
            };
            stream.push(Token {
                op: op as u8,
                flags,
                reserved: 0,
                end: 0,
                operand,
                link: top,
            });
        }
    }
    let guarded_of = guarded_positions(plain);
    let len = stream.len() as u32;
    for token in &mut stream {
        // A node's range ends at its guard; a guard leaves to its parent's guard. Both are "the
        // position of the guard of node X", the root's being the end of the stream.
        let of = match token.op().map(Op::role) {
            Some(crate::op::Role::Guard) => plain[token.link as usize].link,
            _ => token.link,
        };
        token.end = guard_position(plain, &guarded_of, of, len);
    }
    stream
}

/// The position of the guard behind `node`: one past the guarded range of its last descendant.
fn guard_position(plain: &[Token], guarded_of: &[u32], node: u32, len: u32) -> u32 {
    let Some(token) = plain.get(node as usize) else {
        return len;
    };
    if node == 0 {
        return len;
    }
    // Between a node and the end of its range stand two tokens for each descendant.
    let descendants = token.end.saturating_sub(node + 1);
    guarded_of[node as usize] + 1 + 2 * descendants
}

/// For each plain token, its position in the guarded stream.
pub fn guarded_positions(plain: &[Token]) -> Vec<u32> {
    let mut positions = Vec::with_capacity(plain.len());
    let mut open_ends: Vec<u32> = Vec::new();
    let mut closed = 0u32;
    for (index, token) in plain.iter().enumerate() {
        while open_ends.last().is_some_and(|&end| end as usize <= index) {
            open_ends.pop();
            closed += 1;
        }
        positions.push(index as u32 + closed);
        open_ends.push(token.end);
    }
    positions
}
