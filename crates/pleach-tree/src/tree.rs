//! The tree: an arena of nodes, so that neither depth nor dropping costs stack.

use std::time::Duration;

use pleach_shape::{MAX_PATH_SEGMENTS, NodeId, Op, Role, Value};

use crate::compound::Compound;
use crate::expr::Expr;
use crate::node::NodeDef;

/// A behavior tree with its blackboard and the world values it reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    name: String,
    columns: Vec<Column>,
    world: Vec<WorldValue>,
    /// Indexed by `NodeId`; depth first as built.
    nodes: Vec<Node>,
    root: NodeId,
}

/// A blackboard column: each actor has a value of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Name used in expressions and parameters.
    pub name: String,
    /// What a new actor starts with; gives the type.
    pub default: Value,
    /// Of an enumeration, whose type is `u8`: what its values 0, 1, 2… are called. Else empty.
    pub labels: Vec<String>,
}

/// A world value: shared by all actors.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldValue {
    /// Name used in expressions and parameters.
    pub name: String,
    /// What it is until somebody sets it; gives the type.
    pub default: Value,
    /// Of an enumeration, whose type is `u8`: what its values 0, 1, 2… are called. Else empty.
    pub labels: Vec<String>,
}

/// A node of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its identity.
    pub id: NodeId,
    /// What it does.
    pub kind: NodeKind,
    /// A name for people: shown in paths and reports.
    pub name: Option<String>,
    /// Its parent; the root has none.
    pub parent: Option<NodeId>,
    /// Its children, in order.
    pub children: Vec<NodeId>,
    /// A parameter that was given to a kind of node that takes none.
    pub(crate) stray_param: Option<String>,
}

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

impl NodeKind {
    /// The operation that a node of this kind becomes; none for a compound one, which becomes several.
    pub const fn op(&self) -> Option<Op> {
        Some(match self {
            NodeKind::Sequence => Op::Sequence,
            NodeKind::Selector => Op::Selector,
            NodeKind::ReactiveSequence => Op::ReactiveSequence,
            NodeKind::ReactiveSelector => Op::ReactiveSelector,
            NodeKind::Parallel { .. } => Op::Parallel,
            NodeKind::Concurrent => Op::Concurrent,
            NodeKind::Invert => Op::Invert,
            NodeKind::Succeeder => Op::Succeeder,
            NodeKind::Failer => Op::Failer,
            NodeKind::RandomSequence => Op::RandomSequence,
            NodeKind::RandomSelector => Op::RandomSelector,
            NodeKind::IfThenElse => Op::IfThenElse,
            NodeKind::WhileDoElse => Op::WhileDoElse,
            NodeKind::RunOnce => Op::RunOnce,
            NodeKind::Switch { .. } => Op::Switch,
            NodeKind::Repeat { .. } => Op::Repeat,
            NodeKind::RepeatUntilFailure { .. } => Op::RepeatUntilFailure,
            NodeKind::RepeatUntilSuccess { .. } => Op::RepeatUntilSuccess,
            NodeKind::Cooldown(_) => Op::Cooldown,
            NodeKind::Timeout(_) => Op::Timeout,
            NodeKind::Delay(_) => Op::Delay,
            NodeKind::When(_) => Op::When,
            NodeKind::While(_) => Op::While,
            NodeKind::DoneWhen(_) => Op::DoneWhen,
            NodeKind::AbortWhen(_) => Op::AbortWhen,
            NodeKind::Condition(_) => Op::Condition,
            NodeKind::Query(_) => Op::Query,
            NodeKind::Action(_) => Op::Action,
            NodeKind::PersistentAction(_) => Op::PersistentAction,
            NodeKind::Task(_) => Op::Task,
            NodeKind::Set { .. } => Op::Set,
            NodeKind::Wait(_) | NodeKind::WaitBetween { .. } => Op::Wait,
            NodeKind::Succeed => Op::Succeed,
            NodeKind::Fail => Op::Fail,
            NodeKind::Idle => Op::Idle,
            NodeKind::KeepSequence
            | NodeKind::SkipIf(_)
            | NodeKind::SuccessIf(_)
            | NodeKind::SkipUnless(_)
            | NodeKind::RunOnceThenSkip
            | NodeKind::OnSuccess { .. }
            | NodeKind::OnFailure { .. }
            | NodeKind::OnFinish { .. }
            | NodeKind::OnHalted { .. }
            | NodeKind::PipelineSequence
            | NodeKind::RoundRobin
            | NodeKind::Recovery { .. }
            | NodeKind::RateController(_) => return None,
        })
    }

    /// Which compound kind it is, if it is one.
    pub const fn compound(&self) -> Option<Compound> {
        Some(match self {
            NodeKind::KeepSequence => Compound::KeepSequence,
            NodeKind::SkipIf(_) => Compound::SkipIf,
            NodeKind::SuccessIf(_) => Compound::SuccessIf,
            NodeKind::SkipUnless(_) => Compound::SkipUnless,
            NodeKind::RunOnceThenSkip => Compound::RunOnceThenSkip,
            NodeKind::OnSuccess { .. } => Compound::OnSuccess,
            NodeKind::OnFailure { .. } => Compound::OnFailure,
            NodeKind::OnFinish { .. } => Compound::OnFinish,
            NodeKind::OnHalted { .. } => Compound::OnHalted,
            NodeKind::PipelineSequence => Compound::PipelineSequence,
            NodeKind::RoundRobin => Compound::RoundRobin,
            NodeKind::Recovery { .. } => Compound::Recovery,
            NodeKind::RateController(_) => Compound::RateController,
            _ => return None,
        })
    }

    /// The keyword used in text files and paths.
    pub const fn keyword(&self) -> &'static str {
        match (self.op(), self.compound()) {
            (Some(op), _) => op.keyword(),
            (None, Some(compound)) => compound.keyword(),
            (None, None) => "?",
        }
    }

    /// How many children it has: none, one, or one or more.
    pub const fn role(&self) -> Role {
        match (self.op(), self.compound()) {
            (Some(op), _) => op.role(),
            (None, Some(compound)) => compound.role(),
            (None, None) => Role::Leaf,
        }
    }

    /// The expression that it judges or writes.
    pub const fn expr(&self) -> Option<&Expr> {
        match self {
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
    }

    /// The same, to change it.
    pub const fn expr_mut(&mut self) -> Option<&mut Expr> {
        match self {
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

/// Whether a text can name a column, world value or parameter: a letter or `_`, then letters,
/// digits, `_` and `.`, and none of the words that expressions use.
pub fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    first
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
        && !is_expression_word(text)
}

/// Whether a text is one of the words that expressions use, so that it can name nothing in a tree.
pub fn is_expression_word(text: &str) -> bool {
    matches!(text, "true" | "false" | "and" | "or" | "not")
}

/// Collects what a tree declares; [`root`](TreeBuilder::root) finishes it.
#[derive(Clone, Debug)]
pub struct TreeBuilder {
    name: String,
    columns: Vec<Column>,
    world: Vec<WorldValue>,
}

impl TreeBuilder {
    /// Declares a blackboard column; the default gives its type.
    pub fn column(mut self, name: impl Into<String>, default: impl Into<Value>) -> TreeBuilder {
        self.columns.push(Column {
            name: name.into(),
            default: default.into(),
            labels: Vec::new(),
        });
        self
    }

    /// Declares a blackboard column that is an enumeration: a `u8` whose values 0, 1, 2… have names.
    /// It starts with the first one. Expressions compare it with `name.label`, a Switch with labels.
    pub fn enumeration<L: Into<String>>(
        mut self,
        name: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> TreeBuilder {
        self.columns.push(Column {
            name: name.into(),
            default: Value::U8(0),
            labels: labels.into_iter().map(L::into).collect(),
        });
        self
    }

    /// Declares a world value that is an enumeration; see [`enumeration`](TreeBuilder::enumeration).
    pub fn world_enumeration<L: Into<String>>(
        mut self,
        name: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> TreeBuilder {
        self.world.push(WorldValue {
            name: name.into(),
            default: Value::U8(0),
            labels: labels.into_iter().map(L::into).collect(),
        });
        self
    }

    /// Declares columns as another tree has them.
    pub fn with_columns(mut self, columns: impl IntoIterator<Item = Column>) -> TreeBuilder {
        self.columns.extend(columns);
        self
    }

    /// Declares world values as another tree has them.
    pub fn with_world(mut self, world: impl IntoIterator<Item = WorldValue>) -> TreeBuilder {
        self.world.extend(world);
        self
    }

    /// Declares a world value; the default gives its type.
    pub fn world(mut self, name: impl Into<String>, default: impl Into<Value>) -> TreeBuilder {
        self.world.push(WorldValue {
            name: name.into(),
            default: default.into(),
            labels: Vec::new(),
        });
        self
    }

    /// Takes the nodes and numbers them depth first.
    pub fn root(self, root: NodeDef) -> Tree {
        let mut nodes: Vec<Node> = Vec::new();
        // Definitions still to be numbered, with their parent; the last one is next.
        let mut pending: Vec<(NodeDef, Option<NodeId>)> = vec![(root, None)];
        while let Some((mut def, parent)) = pending.pop() {
            let id = NodeId(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
            let children = def.take_children();
            if let Some(parent) = parent {
                nodes[parent.0 as usize].children.push(id);
            }
            nodes.push(Node {
                id,
                kind: def.take_kind(),
                name: def.take_name(),
                parent,
                children: Vec::with_capacity(children.len()),
                stray_param: def.take_stray_param(),
            });
            pending.extend(children.into_iter().rev().map(|child| (child, Some(id))));
        }
        Tree {
            name: self.name,
            columns: self.columns,
            world: self.world,
            nodes,
            root: NodeId(0),
        }
    }
}

impl Tree {
    /// Starts a tree of that name.
    pub fn build(name: impl Into<String>) -> TreeBuilder {
        TreeBuilder {
            name: name.into(),
            columns: Vec::new(),
            world: Vec::new(),
        }
    }

    /// The tree's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Blackboard columns, in declared order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// World values, in declared order.
    pub fn world(&self) -> &[WorldValue] {
        &self.world
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node that is known to be there.
    pub(crate) fn node_at(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_at_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// Adds a node that has no parent yet.
    pub(crate) fn add_node(&mut self, kind: NodeKind, children: Vec<NodeId>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            id,
            kind,
            name: None,
            parent: None,
            children,
            stray_param: None,
        });
        id
    }

    /// Adds columns behind the tree's own.
    pub(crate) fn with_inner_columns(mut self, columns: Vec<Column>) -> Tree {
        self.columns.extend(columns);
        self
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// All nodes, parents before their children, children in order.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        let mut pending = vec![self.root];
        std::iter::from_fn(move || {
            let node = self.node(pending.pop()?)?;
            pending.extend(node.children.iter().rev());
            Some(node)
        })
    }

    /// A node's path from the root, as a shape gives it too: names where there are, else the
    /// keyword with the child's number under its parent.
    pub fn path(&self, id: NodeId) -> String {
        let mut segments: Vec<String> = Vec::new();
        let mut at = self.node(id);
        while let Some(node) = at {
            if segments.len() == MAX_PATH_SEGMENTS {
                segments.push("…".into());
                break;
            }
            let parent = node.parent.and_then(|parent| self.node(parent));
            segments.push(match (&node.name, parent) {
                (Some(name), _) => name.escape_debug().to_string(),
                (None, None) => self.name.escape_debug().to_string(),
                (None, Some(parent)) => {
                    let number = parent.children.iter().position(|&child| child == node.id);
                    format!("{}-{}", node.kind.keyword(), number.unwrap_or(0) + 1)
                }
            });
            at = parent;
        }
        segments.reverse();
        segments.join("/")
    }
}
