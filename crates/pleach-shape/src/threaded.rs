//! The threaded stream: the guarded stream with its jumps followed to the end.
//!
//! Most guards decide nothing at run time: behind a condition in a sequence, Success goes on to the
//! next child and Failure leaves, and where leaving leads to is known when the tree is compiled. So
//! each leaf here says where each of its statuses *leads*, and most parents are gone:
//!
//! ```text
//!  plain                     threaded          Success  Failure  Running
//!  0  selector          0  region
//!  1    sequence        1  condition              2        3
//!  2      condition     2  action                 4        3        6
//!  3      action        3  wait                   4        5        6
//!  4    wait            4  root-success
//!                       5  root-failure
//!                       6  root-running
//! ```
//!
//! An IfThenElse is gone as well: its first child leads to the second or the third. What is left, beside
//! leaves:
//!
//! - a Parallel or Concurrent counts its children's answers and judges them ([`Step::Open`],
//!   [`Step::Done`], [`Step::ChildSuccess`], [`Step::ChildFailure`], [`Step::ChildRunning`],
//!   [`Step::JudgeParallel`], [`Step::JudgeConcurrent`], [`Step::FailConcurrent`]);
//! - a random composite draws its next child ([`Step::Draw`], [`Step::Passed`], [`Step::Redraw`]);
//! - tests stand before the children that they guard, one for each case of a Switch, one for a When, While,
//!   DoneWhen or AbortWhen ([`Step::Test`], [`Step::TestOrFail`], [`Step::TestThenSucceed`]);
//! - a decorator that counts, keeps time or remembers for ever has a token before its child, or behind it,
//!   or both ([`Step::LoopOpen`] to [`Step::OnceFailure`]);
//! - the root's three answers are the last tokens, and, where actors may leave the tree, a fourth;
//! - a [`Step::Region`] sends actors that run a leaf on to it.
//!
//! **Regions.** Within a region at most one leaf runs for an actor, so which one it is says where the
//! actor resumes, and parents need no state. A loop between two iterations and a Delay before its child run
//! by themselves, and count as leaves here. A region begins
//!
//! - at the root;
//! - at each child but the first of a reactive parent or WhileDoElse, since what stands before it is judged
//!   again each tick, and may take over. (The first child belongs to the region around it: nothing stands
//!   before it.);
//! - at each child of a group, since several of them run at once;
//! - at each child of a parent that tests each tick: a Switch, While, DoneWhen or AbortWhen.
//!
//! A running leaf of an inner region resumes, in the region around, at the beginning of the parent in
//! between: there its test stands, or its first child. Within a region actors resume at the leaf itself, and
//! so behind whatever starts something on the way to it: that is why a Timeout's timer goes on, and a When
//! is not judged again.
//!
//! All jumps go forward, resuming included, but for one: a Redraw goes back to the child that was drawn,
//! at most once for each child of its node. The stream is a function of the plain stream and of the
//! tables; it is derived when a [`Shape`](crate::Shape) is made, and stored nowhere.

mod derive;
mod distinct;
mod emit;
mod parents;

use alloc::boxed::Box;

use crate::op::Op;
use crate::predicate::Predicate;

pub(crate) use derive::thread;

/// What a token of the threaded stream does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Step {
    /// A leaf: see [`Op::Condition`]. (Leaves have their operation's code.)
    Condition = Op::Condition as u8,
    /// A leaf: see [`Op::Query`].
    Query = Op::Query as u8,
    /// A leaf: see [`Op::Action`].
    Action = Op::Action as u8,
    /// A leaf: see [`Op::PersistentAction`].
    PersistentAction = Op::PersistentAction as u8,
    /// A leaf: see [`Op::Task`].
    Task = Op::Task as u8,
    /// A leaf: see [`Op::Set`].
    Set = Op::Set as u8,
    /// A leaf: see [`Op::Wait`].
    Wait = Op::Wait as u8,
    /// A leaf: see [`Op::Succeed`].
    Succeed = Op::Succeed as u8,
    /// A leaf: see [`Op::Fail`].
    Fail = Op::Fail as u8,
    /// A leaf: see [`Op::Idle`].
    Idle = Op::Idle as u8,
    /// Begins a region: actors that run a leaf in it resume there, the others go on.
    Region = 128,
    /// A Parallel or Concurrent is entered.
    Open,
    /// Before a Parallel's child: actors for which it has finished go on behind it.
    Done,
    /// A Parallel's child succeeded.
    ChildSuccess,
    /// A Parallel's child failed.
    ChildFailure,
    /// A child of a Parallel or Concurrent is running.
    ChildRunning,
    /// All children of a Parallel have answered (C3).
    JudgeParallel,
    /// All children of a Concurrent have answered, none with Failure (C4).
    JudgeConcurrent,
    /// A child of a Concurrent failed (C4).
    FailConcurrent,
    /// A case of a Switch, or an AbortWhen, asks a predicate: who passes goes to the first lead, the others
    /// to the second.
    Test,
    /// The same, and for the others the node has failed: a When, a While, the last case of a Switch.
    TestOrFail,
    /// The same, and for those who pass the node has succeeded: a DoneWhen.
    TestThenSucceed,
    /// A random composite starts over and draws its first child (C2).
    Draw,
    /// A child of a random composite has finished, and it goes on.
    Passed,
    /// A random composite draws its next child, or all have finished.
    Redraw,
    /// A loop is entered: between two iterations, or afresh (D2).
    LoopOpen,
    /// An iteration of a loop has ended, and the loop goes on unless it was the last.
    Iterated,
    /// A Cooldown is entered: it leads to its child, or fails (D3).
    CooldownOpen,
    /// The child of a Cooldown has succeeded.
    CooldownSuccess,
    /// The child of a Cooldown has failed.
    CooldownFailure,
    /// A Timeout starts (D4).
    TimeoutOpen,
    /// The child of a Timeout is running.
    TimeoutRunning,
    /// A Delay runs, or leads to its child (D4).
    DelayOpen,
    /// A RunOnce is entered: it leads to its child, or answers for it (D6). Its leads are the answers'
    /// and, in the place of Running, the child's.
    OnceOpen,
    /// The child of a RunOnce has succeeded.
    OnceSuccess,
    /// The child of a RunOnce has failed.
    OnceFailure,
    /// The root succeeded.
    RootSuccess,
    /// The root failed.
    RootFailure,
    /// The root is running.
    RootRunning,
    /// The actor leaves the tree (D5).
    RootAborted,
}

/// One entry of the threaded stream, 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadedToken {
    /// What it does.
    pub step: Step,
    /// Condition and tests: whether the predicate is to be negated. Redraw, Iterated: whether the answer
    /// that it ends with is Failure.
    pub negated: bool,
    /// Token index of the node that it speaks of: the leaf, the region's root, the group, the child.
    pub node: u32,
    /// The operand of the node's plain token; but Region: its index; a group child's steps: the group;
    /// Passed: the random composite; tests: the expression.
    pub operand: u32,
    /// Where Success, Failure and Running lead to, by [`Status`](crate::Status). All the same for
    /// steps with one way on. A Done leads behind the child where that has finished, else into it.
    pub leads: [u32; 3],
    /// One past the largest subtree that begins here, or the next token: where to go on if no actor
    /// is here, and none resumes in between.
    pub skip: u32,
    /// Condition and tests: the place among the [distinct predicates](Threaded::predicates). A leaf that
    /// runs, a loop, a Delay: its [mark](Threaded::marks), or [`NONE`](crate::NONE). A Parallel's child: the
    /// mark of its Success, behind which that of its Failure follows. Passed: the child's number. A Region:
    /// one past its range in the plain stream.
    pub mark: u32,
}

impl ThreadedToken {
    /// Of a [`Step::Region`]: one past its root's range in the plain stream.
    #[inline]
    pub const fn region_end(&self) -> u32 {
        self.mark
    }
}

/// A part of the tree in which at most one leaf runs for an actor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The node at which it begins.
    pub node: u32,
    /// One past that node's range in the plain stream.
    pub end: u32,
    /// The region around; the root's is itself.
    pub parent: u32,
    /// The token at which actors that run a leaf of this region resume in the region around.
    pub parent_token: u32,
    /// Its resume slots: from the first index, up to but without the second.
    pub slots: [u32; 2],
}

/// A place in a region, not its beginning, at which actors may resume.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResumeSlot {
    /// The token.
    pub token: u32,
    /// The slot of the region around, or farther out, at which such actors resume; [`NONE`](crate::NONE) if that is
    /// at the beginning of each of them.
    pub up: u32,
}

/// A bit that an actor keeps from one tick to the next, beside those of its deferred slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The leaf was running; or a loop between two iterations, or a Delay before its child.
    Runs {
        /// The leaf, loop or Delay.
        node: u32,
    },
    /// A child of a running Parallel succeeded.
    DoneSuccess {
        /// The child.
        node: u32,
    },
    /// A child of a running Parallel failed.
    DoneFailure {
        /// The child.
        node: u32,
    },
}

impl Mark {
    /// The node that it is about.
    pub const fn node(self) -> u32 {
        match self {
            Mark::Runs { node } | Mark::DoneSuccess { node } | Mark::DoneFailure { node } => node,
        }
    }
}

/// The threaded stream and what it needs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Threaded {
    /// The stream. The last tokens are the root's answers.
    pub tokens: Box<[ThreadedToken]>,
    /// Regions, the root's first; outer ones before those within.
    pub regions: Box<[Region]>,
    /// How many regions are within each other at most.
    pub levels: u32,
    /// The most tokens that one sweep for a block looks at: each once, and those below random composites
    /// again in each pass, of which there are no more than lanes.
    pub sweep_tokens: u64,
    /// Resume slots, those of a region side by side, in stream order.
    pub slots: Box<[ResumeSlot]>,
    /// Marks, in stream order: those of a subtree lie side by side.
    pub marks: Box<[Mark]>,
    /// For each mark, the resume slot of actors that have it, or [`NONE`](crate::NONE).
    pub resume_of_mark: Box<[u32]>,
    /// For each deferred slot, the resume slot of actors that wait for it, or [`NONE`](crate::NONE).
    pub resume_of_deferred: Box<[u32]>,
    /// For each group, the group around it, or [`NONE`](crate::NONE). Outer groups come first.
    pub around: Box<[u32]>,
    /// For each mark, the group that it is in, or [`NONE`](crate::NONE).
    pub group_of_mark: Box<[u32]>,
    /// For each deferred slot, the group that it is in, or [`NONE`](crate::NONE).
    pub group_of_deferred: Box<[u32]>,
    /// For each node, its region and its first token in there.
    pub entries: Box<[[u32; 2]]>,
    /// The first token of each child of random composites, those of one side by side in the order of
    /// [`RandomDef`](crate::RandomDef)s.
    pub random_children: Box<[u32]>,
    /// For each random composite, its first one in there.
    pub first_random_child: Box<[u32]>,
    /// Distinct predicates: no two ask the same of the same column.
    pub predicates: Box<[Predicate]>,
}
