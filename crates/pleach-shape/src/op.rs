//! The one table of operations.
//!
//! A row gives the Rust name, the keyword used in text and listings, the role, what it keeps from
//! one tick to the next, and what it does. Everything else about an operation is a plain
//! exhaustive `match` over [`Op`] somewhere, so that a new row is a compile error in every place
//! that has to know about it; `docs/adding-a-node.md` walks through them.
//!
//! How names are made: a node's operation has the node's name. The token behind a child is
//! `Guard`, followed by the parent's name where the parent does more than choose between "go on"
//! and "leave".

use core::fmt;

/// What part of a stream an operation can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A parent of one or more children.
    Composite,
    /// A parent of exactly one child.
    Decorator,
    /// A node without children.
    Leaf,
    /// The token behind a child in the guarded stream; never in the plain one.
    Guard,
}

/// What an operation keeps from one tick to the next, for an actor that it left Running (T4): in the
/// canonical form of state, that of the pure stream and the traversal stack. The threaded stream and
/// lanes keep what runs at the leaves, and derive the rest ([`threaded`](crate::threaded)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeps {
    /// Nothing: the state of its children says it all.
    Nothing,
    /// A record (node, running child).
    Child,
    /// A record (node, running child), and which children have finished: planes of its own.
    Order,
    /// A record (node, running child), or one saying that it runs, between two iterations; a counter.
    Count,
    /// A record (node, running child), and a deadline in its timer slot.
    TimedChild,
    /// A record (node, running child). Beside that, for ever: a deadline in its timer slot, and whether
    /// there is one.
    Cooling,
    /// A record (node, running child). Beside that, for ever: whether it has finished, and how.
    Once,
    /// Records (finished child, its status), one for each finished child.
    DoneChildren,
    /// A record saying that it runs.
    Mark,
    /// A record saying that it runs, and a deadline in its timer slot.
    Deadline,
    /// Its request: the planes of its slot.
    Request,
}

macro_rules! ops {
    ($($name:ident = $code:literal, $keyword:literal, $role:ident, $keeps:ident, $doc:literal;)*) => {
        /// An operation: what a token does.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = $doc] $name = $code,)*
        }

        impl Op {
            /// All operations, by code.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];

            /// The checked conversion from a token's first byte. Zero is no operation, so zeroed
            /// memory is never a stream.
            #[inline]
            pub const fn from_u8(code: u8) -> Option<Op> {
                match code {
                    $($code => Some(Op::$name),)*
                    _ => None,
                }
            }

            /// The keyword used in text files and listings.
            pub const fn keyword(self) -> &'static str {
                match self {
                    $(Op::$name => $keyword,)*
                }
            }

            /// What part of a stream the operation can be.
            pub const fn role(self) -> Role {
                match self {
                    $(Op::$name => Role::$role,)*
                }
            }

            /// What the operation keeps from Running to Running.
            pub const fn keeps(self) -> Keeps {
                match self {
                    $(Op::$name => Keeps::$keeps,)*
                }
            }

            /// One line on what the operation does.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Op::$name => $doc,)*
                }
            }
        }
    };
}

ops! {
    Sequence = 1, "sequence", Composite, Child,
        "Runs its children in order until one fails; resumes at the child that was running (C1).";
    Selector = 2, "selector", Composite, Child,
        "Runs its children in order until one succeeds; resumes at the child that was running (C1).";
    ReactiveSequence = 3, "reactive-sequence", Composite, Nothing,
        "A Sequence that starts at its first child each tick; a runner not reached is halted (C1).";
    ReactiveSelector = 4, "reactive-selector", Composite, Nothing,
        "A Selector that starts at its first child each tick; a runner not reached is halted (C1).";
    Parallel = 5, "parallel", Composite, DoneChildren,
        "Visits every unfinished child each tick; finishes by thresholds, failures judged first (C3).";
    Concurrent = 6, "concurrent", Composite, Nothing,
        "Visits all children each tick; the first failure ends it, success when all succeed at once (C4).";
    Invert = 7, "invert", Decorator, Nothing,
        "Swaps its child's Success and Failure (D1).";
    Succeeder = 8, "succeeder", Decorator, Nothing,
        "Success once its child finishes (D1).";
    Failer = 9, "failer", Decorator, Nothing,
        "Failure once its child finishes (D1).";
    Condition = 10, "condition", Leaf, Nothing,
        "Success where an expression over blackboard and world holds, Failure elsewhere (L1).";
    Query = 11, "query", Leaf, Nothing,
        "A condition answered by a registered host function (L1).";
    Action = 12, "action", Leaf, Request,
        "Requests a deferred action and runs until its result is in (L2).";
    PersistentAction = 13, "persistent-action", Leaf, Nothing,
        "Answers what the action's system last wrote; never requests (L3).";
    Task = 14, "task", Leaf, Mark,
        "An immediate host callback with enter, run and exit (L4).";
    Set = 15, "set", Leaf, Nothing,
        "Writes an expression's value to a blackboard column; Success.";
    Wait = 16, "wait", Leaf, Deadline,
        "Runs for a time, then Success (D4).";
    Succeed = 17, "succeed", Leaf, Nothing,
        "Always Success.";
    Fail = 18, "fail", Leaf, Nothing,
        "Always Failure.";
    Idle = 19, "idle", Leaf, Nothing,
        "Always Running: does nothing until a parent takes over.";
    Guard = 20, "guard", Guard, Nothing,
        "Behind a child of a Sequence, Selector or a reactive one: goes on or leaves by its flags.";
    GuardInvert = 21, "guard-invert", Guard, Nothing,
        "Behind the child of an Invert: swaps the finished status.";
    GuardSucceeder = 22, "guard-succeeder", Guard, Nothing,
        "Behind the child of a Succeeder.";
    GuardFailer = 23, "guard-failer", Guard, Nothing,
        "Behind the child of a Failer.";
    GuardParallel = 24, "guard-parallel", Guard, Nothing,
        "Behind a child of a Parallel: counts its status; behind the last one, judges.";
    GuardConcurrent = 25, "guard-concurrent", Guard, Nothing,
        "Behind a child of a Concurrent: leaves on Failure; behind the last one, judges.";
    RandomSequence = 26, "random-sequence", Composite, Order,
        "A Sequence in an order of the actor's own, drawn when it starts over (C2).";
    RandomSelector = 27, "random-selector", Composite, Order,
        "A Selector in an order of the actor's own, drawn when it starts over (C2).";
    Switch = 28, "switch", Composite, Nothing,
        "Runs the child whose case a value equals, judged each tick; a change halts the old child (C5).";
    IfThenElse = 29, "if-then-else", Composite, Child,
        "Runs the second child where the first succeeds, else the third; resumes at the one that was running (C6).";
    WhileDoElse = 30, "while-do-else", Composite, Nothing,
        "Visits the first child each tick, and runs the second where it succeeds, else the third (C6).";
    Repeat = 31, "repeat", Decorator, Count,
        "Runs its child several times, one iteration a tick (D2).";
    RepeatUntilFailure = 32, "repeat-until-failure", Decorator, Count,
        "Repeats its child until it fails, then fails; succeeds after so many successes (D2).";
    RepeatUntilSuccess = 33, "repeat-until-success", Decorator, Count,
        "Repeats its child until it succeeds, then succeeds; fails after so many failures (D2).";
    Cooldown = 34, "cooldown", Decorator, Cooling,
        "After its child has finished, fails for a time without visiting it (D3).";
    Timeout = 35, "timeout", Decorator, TimedChild,
        "Fails, and halts its child, if that still runs when the time is up (D4).";
    Delay = 36, "delay", Decorator, TimedChild,
        "Runs for a time, then runs its child (D4).";
    RunOnce = 37, "run-once", Decorator, Once,
        "Runs its child until it has finished once, and repeats that answer for ever after (D6).";
    When = 38, "when", Decorator, Child,
        "Fails unless an expression holds when it starts; not judged again while its child runs (D5).";
    While = 39, "while", Decorator, Nothing,
        "Runs its child as long as an expression holds; else halts it and fails (D5).";
    DoneWhen = 40, "done-when", Decorator, Nothing,
        "Runs its child until an expression holds; then halts it and succeeds (D5).";
    AbortWhen = 41, "abort-when", Decorator, Nothing,
        "Where an expression holds, halts all that the actor runs and takes it out of the tree (D5).";
    GuardRandom = 42, "guard-random", Guard, Nothing,
        "Behind a child of a RandomSequence or RandomSelector: goes on to the next child drawn, or leaves.";
    GuardIf = 43, "guard-if", Guard, Nothing,
        "Behind the first child of an IfThenElse or WhileDoElse: goes on to the second or the third.";
    GuardRepeat = 44, "guard-repeat", Guard, Nothing,
        "Behind the child of a loop: counts, and says whether the loop goes on.";
    GuardCooldown = 45, "guard-cooldown", Guard, Nothing,
        "Behind the child of a Cooldown: notes when it may run again.";
    GuardTimeout = 46, "guard-timeout", Guard, Nothing,
        "Behind the child of a Timeout: fails it if it runs and the time is up.";
    GuardRunOnce = 47, "guard-run-once", Guard, Nothing,
        "Behind the child of a RunOnce: notes how it finished.";
}

impl Op {
    /// Whether tokens of this operation have children.
    pub const fn is_parent(self) -> bool {
        matches!(self.role(), Role::Composite | Role::Decorator)
    }

    /// Whether a parent keeps a record of its running child (in the canonical form).
    pub const fn remembers(self) -> bool {
        crate::token::reaction(self).contains(crate::token::TokenFlags::RECORDS)
    }

    /// Whether a parent can run while no child of it does: a loop between two iterations, a Delay before
    /// its child.
    pub const fn runs_itself(self) -> bool {
        matches!(
            self,
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess | Op::Delay
        )
    }

    /// Whether it may halt within a tick what runs below it: see [`GroupDef`](crate::GroupDef).
    pub const fn halts(self) -> bool {
        matches!(self, Op::Parallel | Op::Concurrent | Op::Timeout)
    }

    /// The node operation of that keyword.
    pub fn from_keyword(keyword: &str) -> Option<Op> {
        Op::ALL
            .iter()
            .copied()
            .find(|op| op.role() != Role::Guard && op.keyword() == keyword)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.keyword())
    }
}
