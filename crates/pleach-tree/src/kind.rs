//! What nodes do.

use std::time::Duration;

use pleach_shape::{Op, Role, Value};

use crate::compound::Compound;
use crate::expr::Expr;

/// How many children of a Parallel must answer alike to finish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threshold {
    /// All of them.
    All,
    /// That many; at least 1, at most all.
    Count(u32),
}

/// A value that a Switch compares with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CaseValue {
    /// Of a `bool`.
    Bool(bool),
    /// Of a `u8`, `u16` or `i32`; must be in its range.
    Int(i32),
    /// A label of an enumeration.
    Label(String),
}

impl From<bool> for CaseValue {
    fn from(value: bool) -> CaseValue {
        CaseValue::Bool(value)
    }
}

impl From<i32> for CaseValue {
    fn from(value: i32) -> CaseValue {
        CaseValue::Int(value)
    }
}

impl From<&str> for CaseValue {
    fn from(label: &str) -> CaseValue {
        CaseValue::Label(label.to_owned())
    }
}

/// A named action, task or query, with its parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Call {
    /// The name by which its system or callback knows it.
    pub name: String,
    /// Parameters in order.
    pub params: Vec<Parameter>,
}

/// A parameter of a [`Call`].
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name, unique within the call.
    pub name: String,
    /// Its value or where that comes from.
    pub value: ParameterValue,
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterValue {
    /// A typed constant.
    Const(Value),
    /// A constant text.
    Text(String),
    /// A blackboard column or world value, read by whoever reads the request, per actor.
    Name(String),
}

macro_rules! parameter_from {
    ($($ty:ty),*) => {$(
        impl From<$ty> for ParameterValue {
            fn from(value: $ty) -> ParameterValue {
                ParameterValue::Const(value.into())
            }
        }
    )*};
}
parameter_from!(bool, u8, u16, i32, f32, u64);

impl From<Value> for ParameterValue {
    fn from(value: Value) -> ParameterValue {
        ParameterValue::Const(value)
    }
}

impl From<&str> for ParameterValue {
    fn from(text: &str) -> ParameterValue {
        ParameterValue::Text(text.to_owned())
    }
}

/// What a node does. See [`Op`] for a line on each, `docs/semantics.md` for the rules.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// Children in order until one fails; resumes (C1).
    Sequence,
    /// Children in order until one succeeds; resumes (C1).
    Selector,
    /// A Sequence that starts at its first child each tick (C1).
    ReactiveSequence,
    /// A Selector that starts at its first child each tick (C1).
    ReactiveSelector,
    /// All unfinished children each tick, until thresholds are met (C3).
    Parallel {
        /// How many children must succeed.
        success: Threshold,
        /// How many children must fail; judged first.
        failure: Threshold,
    },
    /// All children each tick; the first failure ends it (C4).
    Concurrent,
    /// A Sequence in an order of the actor's own, drawn when it starts (C2).
    RandomSequence,
    /// A Selector in an order of the actor's own, drawn when it starts (C2).
    RandomSelector,
    /// The child whose case equals a value, judged each tick (C5).
    Switch {
        /// A column or world value of type `bool`, `u8`, `u16` or `i32`.
        on: String,
        /// The case of each child; `None`, for the last one only, is for all other values.
        cases: Vec<Option<CaseValue>>,
    },
    /// Two or three children: the second where the first succeeds, else the third; resumes (C6).
    IfThenElse,
    /// The same, with the first child visited each tick (C6).
    WhileDoElse,
    /// Swaps Success and Failure (D1).
    Invert,
    /// Success once the child finishes (D1).
    Succeeder,
    /// Failure once the child finishes (D1).
    Failer,
    /// The child several times, one iteration a tick (D2).
    Repeat {
        /// How often, at least once; `None` is for ever.
        times: Option<u32>,
        /// Whether a failure of the child ends it, with Failure.
        break_on_failure: bool,
    },
    /// The child until it fails, then Failure; Success after so many successes (D2).
    RepeatUntilFailure {
        /// How many, at least one; `None` is no limit.
        max: Option<u32>,
    },
    /// The child until it succeeds; Failure after so many failures (D2).
    RepeatUntilSuccess {
        /// How many, at least one; `None` is no limit.
        max: Option<u32>,
    },
    /// Failure for a time after the child has finished (D3).
    Cooldown(Duration),
    /// Failure if the child still runs when the time is up (D4).
    Timeout(Duration),
    /// Running for a time, then the child (D4).
    Delay(Duration),
    /// The child until it has finished once; then that answer (D6).
    RunOnce,
    /// The child, if the expression holds when it starts (D5).
    When(Expr),
    /// The child, as long as the expression holds; then Failure (D5).
    While(Expr),
    /// The child, until the expression holds; then Success (D5).
    DoneWhen(Expr),
    /// The child; where the expression holds, the actor leaves the tree (D5).
    AbortWhen(Expr),
    /// Success where the expression holds (L1).
    Condition(Expr),
    /// A condition that a registered host function answers (L1).
    Query(Call),
    /// A deferred action (L2).
    Action(Call),
    /// A persistent action (L3).
    PersistentAction(Call),
    /// An immediate host callback (L4).
    Task(Call),
    /// A Sequence that keeps its place when it fails or is halted, and begins anew once it has succeeded (C7).
    KeepSequence,
    /// The child, unless the expression holds when it starts; then it is skipped (K1).
    SkipIf(Expr),
    /// The child, unless the expression holds when it starts; then Success (K2).
    SuccessIf(Expr),
    /// The child, as long as the expression holds; then it is skipped (K1).
    SkipUnless(Expr),
    /// The child until it has finished once; from then on it is skipped (K1).
    RunOnceThenSkip,
    /// Writes a column when the child succeeds (F1).
    OnSuccess {
        /// The column.
        column: String,
        /// What it becomes.
        value: Expr,
    },
    /// Writes a column when the child fails (F1).
    OnFailure {
        /// The column.
        column: String,
        /// What it becomes.
        value: Expr,
    },
    /// Writes a column when the child finishes, either way (F1).
    OnFinish {
        /// The column.
        column: String,
        /// What it becomes.
        value: Expr,
    },
    /// Writes a column when the child is halted (F2).
    OnHalted {
        /// The column.
        column: String,
        /// What it becomes.
        value: Expr,
    },
    /// A Sequence whose children go on being visited while later ones run (N1).
    PipelineSequence,
    /// A Selector that begins behind the child that succeeded last (N2).
    RoundRobin,
    /// The first child; where it fails, the second one, and then the first again (N3).
    Recovery {
        /// How often the second child may come to the help of the first.
        retries: u32,
    },
    /// In a PipelineSequence: the child, and again whenever that time has passed since it succeeded (N4).
    RateController(Duration),
    /// Writes a column; Success.
    Set {
        /// The column.
        column: String,
        /// What it becomes.
        value: Expr,
    },
    /// Runs for a time, then Success (D4).
    Wait(Duration),
    /// Runs for a time that each start draws for its actor, then Success (D4).
    WaitBetween {
        /// The shortest time.
        min: Duration,
        /// The longest time.
        max: Duration,
    },
    /// Always Success.
    Succeed,
    /// Always Failure.
    Fail,
    /// Always Running.
    Idle,
}

/// What the compiler makes of a node.
enum Becomes {
    Token(Op),
    Several(Compound),
}

/// The expression of a kind, by a reference of either sort.
macro_rules! expr_of {
    ($kind:expr) => {
        match $kind {
            NodeKind::Condition(expr)
            | NodeKind::Set { value: expr, .. }
            | NodeKind::When(expr)
            | NodeKind::While(expr)
            | NodeKind::DoneWhen(expr)
            | NodeKind::AbortWhen(expr)
            | NodeKind::SkipIf(expr)
            | NodeKind::SuccessIf(expr)
            | NodeKind::SkipUnless(expr)
            | NodeKind::OnSuccess { value: expr, .. }
            | NodeKind::OnFailure { value: expr, .. }
            | NodeKind::OnFinish { value: expr, .. }
            | NodeKind::OnHalted { value: expr, .. } => Some(expr),
            _ => None,
        }
    };
}

impl NodeKind {
    /// What it is for the compiler: the one list of all kinds.
    const fn becomes(&self) -> Becomes {
        match self {
            NodeKind::Sequence => Becomes::Token(Op::Sequence),
            NodeKind::Selector => Becomes::Token(Op::Selector),
            NodeKind::ReactiveSequence => Becomes::Token(Op::ReactiveSequence),
            NodeKind::ReactiveSelector => Becomes::Token(Op::ReactiveSelector),
            NodeKind::Parallel { .. } => Becomes::Token(Op::Parallel),
            NodeKind::Concurrent => Becomes::Token(Op::Concurrent),
            NodeKind::Invert => Becomes::Token(Op::Invert),
            NodeKind::Succeeder => Becomes::Token(Op::Succeeder),
            NodeKind::Failer => Becomes::Token(Op::Failer),
            NodeKind::RandomSequence => Becomes::Token(Op::RandomSequence),
            NodeKind::RandomSelector => Becomes::Token(Op::RandomSelector),
            NodeKind::IfThenElse => Becomes::Token(Op::IfThenElse),
            NodeKind::WhileDoElse => Becomes::Token(Op::WhileDoElse),
            NodeKind::RunOnce => Becomes::Token(Op::RunOnce),
            NodeKind::Switch { .. } => Becomes::Token(Op::Switch),
            NodeKind::Repeat { .. } => Becomes::Token(Op::Repeat),
            NodeKind::RepeatUntilFailure { .. } => Becomes::Token(Op::RepeatUntilFailure),
            NodeKind::RepeatUntilSuccess { .. } => Becomes::Token(Op::RepeatUntilSuccess),
            NodeKind::Cooldown(_) => Becomes::Token(Op::Cooldown),
            NodeKind::Timeout(_) => Becomes::Token(Op::Timeout),
            NodeKind::Delay(_) => Becomes::Token(Op::Delay),
            NodeKind::When(_) => Becomes::Token(Op::When),
            NodeKind::While(_) => Becomes::Token(Op::While),
            NodeKind::DoneWhen(_) => Becomes::Token(Op::DoneWhen),
            NodeKind::AbortWhen(_) => Becomes::Token(Op::AbortWhen),
            NodeKind::Condition(_) => Becomes::Token(Op::Condition),
            NodeKind::Query(_) => Becomes::Token(Op::Query),
            NodeKind::Action(_) => Becomes::Token(Op::Action),
            NodeKind::PersistentAction(_) => Becomes::Token(Op::PersistentAction),
            NodeKind::Task(_) => Becomes::Token(Op::Task),
            NodeKind::Set { .. } => Becomes::Token(Op::Set),
            NodeKind::Wait(_) | NodeKind::WaitBetween { .. } => Becomes::Token(Op::Wait),
            NodeKind::Succeed => Becomes::Token(Op::Succeed),
            NodeKind::Fail => Becomes::Token(Op::Fail),
            NodeKind::Idle => Becomes::Token(Op::Idle),
            NodeKind::KeepSequence => Becomes::Several(Compound::KeepSequence),
            NodeKind::SkipIf(_) => Becomes::Several(Compound::SkipIf),
            NodeKind::SuccessIf(_) => Becomes::Several(Compound::SuccessIf),
            NodeKind::SkipUnless(_) => Becomes::Several(Compound::SkipUnless),
            NodeKind::RunOnceThenSkip => Becomes::Several(Compound::RunOnceThenSkip),
            NodeKind::OnSuccess { .. } => Becomes::Several(Compound::OnSuccess),
            NodeKind::OnFailure { .. } => Becomes::Several(Compound::OnFailure),
            NodeKind::OnFinish { .. } => Becomes::Several(Compound::OnFinish),
            NodeKind::OnHalted { .. } => Becomes::Several(Compound::OnHalted),
            NodeKind::PipelineSequence => Becomes::Several(Compound::PipelineSequence),
            NodeKind::RoundRobin => Becomes::Several(Compound::RoundRobin),
            NodeKind::Recovery { .. } => Becomes::Several(Compound::Recovery),
            NodeKind::RateController(_) => Becomes::Several(Compound::RateController),
        }
    }

    /// The operation that a node of this kind becomes; none for a compound one, which becomes several.
    pub const fn op(&self) -> Option<Op> {
        match self.becomes() {
            Becomes::Token(op) => Some(op),
            Becomes::Several(_) => None,
        }
    }

    /// Which compound kind it is, if it is one.
    pub const fn compound(&self) -> Option<Compound> {
        match self.becomes() {
            Becomes::Token(_) => None,
            Becomes::Several(compound) => Some(compound),
        }
    }

    /// The keyword used in text files and paths.
    pub const fn keyword(&self) -> &'static str {
        match self.becomes() {
            Becomes::Token(op) => op.keyword(),
            Becomes::Several(compound) => compound.keyword(),
        }
    }

    /// How many children it has: none, one, or one or more.
    pub const fn role(&self) -> Role {
        match self.becomes() {
            Becomes::Token(op) => op.role(),
            Becomes::Several(compound) => compound.role(),
        }
    }

    /// The expression that it judges or writes.
    pub const fn expr(&self) -> Option<&Expr> {
        expr_of!(self)
    }

    /// The same, to change it.
    pub const fn expr_mut(&mut self) -> Option<&mut Expr> {
        expr_of!(self)
    }

    /// The column that it writes.
    pub fn written(&self) -> Option<&str> {
        match self {
            NodeKind::Set { column, .. }
            | NodeKind::OnSuccess { column, .. }
            | NodeKind::OnFailure { column, .. }
            | NodeKind::OnFinish { column, .. }
            | NodeKind::OnHalted { column, .. } => Some(column),
            _ => None,
        }
    }

    /// The call of an action, task or query.
    pub const fn call(&self) -> Option<&Call> {
        match self {
            NodeKind::Query(call)
            | NodeKind::Action(call)
            | NodeKind::PersistentAction(call)
            | NodeKind::Task(call) => Some(call),
            _ => None,
        }
    }
}
