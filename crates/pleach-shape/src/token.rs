//! The token: sixteen plain bytes.

use bitflags::bitflags;
use bytemuck::{Pod, Zeroable};
use core::fmt;

use crate::op::Op;
use crate::status::Status;

/// "No index": the root's parent, a node without a name.
pub const NONE: u32 = u32::MAX;

bitflags! {
    /// What a parent does with its child's status. Parents carry it in both streams, and so do the
    /// guards behind their children; leaves have none. It follows from the operation: see
    /// [`reaction`].
    ///
    /// The first three sit at the bit position of the [`Status`] they speak of, so that a kernel
    /// reads "leave or go on" with one shift.
    #[repr(transparent)]
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
    pub struct TokenFlags: u8 {
        /// On Success leave the parent; otherwise go on to its next child.
        const SUCCESS_LEAVES = 1 << 0;
        /// On Failure leave the parent.
        const FAILURE_LEAVES = 1 << 1;
        /// On Running leave the parent.
        const RUNNING_LEAVES = 1 << 2;
        /// On Running the parent keeps a state record (parent, child), and resumes there.
        const RECORDS = 1 << 3;
        /// The parent maps its child's status (D1).
        const MAPS = 1 << 4;
        /// Which child is next is more than these flags say: the parent counts (C3, C4), draws (C2) or
        /// branches (C6).
        const CHOOSES = 1 << 5;
        /// A guard behind the last child: whatever the status, it leaves.
        const LAST = 1 << 6;
        /// Being entered is more than going on to the first child, or to the one that resumes: the parent
        /// tests, draws, starts a timer or a counter. (A branching one has it only so that walks meet all
        /// rare parents at one place.)
        const STARTS = 1 << 7;
    }
}

/// What a parent of that operation does with its child's status; empty for leaves.
pub const fn reaction(op: Op) -> TokenFlags {
    use TokenFlags as F;
    let success = F::SUCCESS_LEAVES.bits();
    let failure = F::FAILURE_LEAVES.bits();
    let running = F::RUNNING_LEAVES.bits();
    let all = success | failure | running;
    let records = F::RECORDS.bits();
    let starts = F::STARTS.bits();
    let chooses = F::CHOOSES.bits();
    F::from_bits_retain(match op {
        Op::Sequence => failure | running | records,
        Op::Selector => success | running | records,
        Op::ReactiveSequence => failure | running,
        Op::ReactiveSelector => success | running,
        Op::Parallel => chooses,
        Op::Concurrent => failure | chooses,
        Op::RandomSequence => failure | running | records | starts | chooses,
        Op::RandomSelector => success | running | records | starts | chooses,
        Op::IfThenElse => running | records | starts | chooses,
        Op::WhileDoElse => running | starts | chooses,
        Op::Switch | Op::While | Op::DoneWhen | Op::AbortWhen => all | starts,
        Op::When | Op::Delay => all | records | starts,
        Op::Repeat
        | Op::RepeatUntilFailure
        | Op::RepeatUntilSuccess
        | Op::Cooldown
        | Op::Timeout
        | Op::RunOnce => all | records | starts | F::MAPS.bits(),
        Op::Invert | Op::Succeeder | Op::Failer => all | F::MAPS.bits(),
        Op::Condition
        | Op::Query
        | Op::Action
        | Op::PersistentAction
        | Op::Task
        | Op::Set
        | Op::Wait
        | Op::Succeed
        | Op::Fail
        | Op::Idle => 0,
        // A guard has its parent's reaction, not one of its own.
        Op::Guard
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
        | Op::GuardRunOnce => 0,
    })
}

/// One entry of a stream: plain old data, 16 bytes, no padding, valid for every bit pattern.
///
/// What the fields mean depends on the stream and on the operation:
///
/// | field | node, plain stream | node, guarded stream | guard |
/// |---|---|---|---|
/// | `op` | the node's [`Op`] | the same | a guard [`Op`] |
/// | `flags` | what a parent does with a child's status | the same | the same, for this child |
/// | `reserved` | 0 | 0 | 0 |
/// | `end` | one past the node's range | its guard (the root: one past the stream) | where to go on leaving: the parent's own guard (under the root: one past the stream) |
/// | `operand` | index into a side table, or 0 | the same | the parent's token index; for GuardParallel and GuardConcurrent its group |
/// | `link` | the parent's token index, [`NONE`] for the root | the node's token index | the child's token index |
///
/// A token read from anywhere is only bytes; it means something once a [`Shape`](crate::Shape) has
/// been made of its stream, and that takes the verifier.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct Token {
    /// The code of an [`Op`].
    pub op: u8,
    /// What a parent, or a guard in its name, does with a child's status.
    pub flags: TokenFlags,
    /// Always 0.
    pub reserved: u16,
    /// End of a range, or where a guard leaves to.
    pub end: u32,
    /// Index into the side table that belongs to the operation.
    pub operand: u32,
    /// Parent, own, or child token index.
    pub link: u32,
}

const _: () = assert!(size_of::<Token>() == 16 && align_of::<Token>() == 4);

impl Token {
    /// A node token; its flags follow from the operation.
    pub const fn node(op: Op, end: u32, operand: u32, link: u32) -> Token {
        Token {
            op: op as u8,
            flags: reaction(op),
            reserved: 0,
            end,
            operand,
            link,
        }
    }

    /// The operation, if the byte is one.
    #[inline]
    pub const fn op(&self) -> Option<Op> {
        Op::from_u8(self.op)
    }

    /// Whether `status` leaves the parent instead of going on to its next child.
    #[inline]
    pub const fn leaves_on(&self, status: Status) -> bool {
        (self.flags.bits() >> (status as u8)) & 1 != 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op() {
            Some(op) => write!(f, "{op}")?,
            None => write!(f, "op {}?", self.op)?,
        }
        if !self.flags.is_empty() {
            write!(f, " {:?}", self.flags.0)?;
        }
        write!(f, " end {} operand {}", self.end, self.operand)?;
        if self.link != NONE {
            write!(f, " link {}", self.link)?;
        }
        Ok(())
    }
}
