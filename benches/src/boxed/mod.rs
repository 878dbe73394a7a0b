//! A behavior tree as a program would write it without Pleach: nested enums, walked by recursion.
//!
//! [`Node`] is shared by all actors; an [`Actor`] has its blackboard, the running child of each
//! composite, its results and its requests. The rules are those of Pleach (C1, C3, C4, D1, D4, L1,
//! L2, T4), so that both do the same work for the same answers; the tests of this package compare
//! them. What the baseline leaves out, on purpose and in its favour: state that another tool could
//! read, identities of nodes, tracing, actors that come and go, callbacks, arithmetic.
//!
//! State lives from Running to Running without any halting walk: a cell remembers the tick in which
//! it was written, and counts only in the next one.

mod actor;

use std::fmt;

use pleach_shape::{Comparison, Status, ValueType};
use pleach_tree::{BinaryOp, Expr, ExprKind, NodeId, NodeKind, Threshold, Tree, UnaryOp};

pub use actor::{Actor, Kind, Request};

use actor::Answer;

/// A node and its children.
#[derive(Debug)]
pub enum Node {
    /// Runs children until one fails; `cell` remembers where.
    Sequence {
        /// The actor's cell.
        cell: usize,
        /// In order.
        children: Vec<Node>,
    },
    /// Runs children until one succeeds; `cell` remembers where.
    Selector {
        /// The actor's cell.
        cell: usize,
        /// In order.
        children: Vec<Node>,
    },
    /// A sequence that starts at its first child each tick.
    ReactiveSequence(Vec<Node>),
    /// A selector that starts at its first child each tick.
    ReactiveSelector(Vec<Node>),
    /// Runs all unfinished children each tick.
    Parallel {
        /// One cell a child from here on, then those of its descendants.
        cells: usize,
        /// One past the last of them.
        cells_end: usize,
        /// How many must succeed.
        success: usize,
        /// How many must fail; judged first.
        failure: usize,
        /// In order.
        children: Vec<Node>,
    },
    /// Runs all children each tick; the first failure ends it.
    Concurrent {
        /// The first of the cells of its descendants.
        cells: usize,
        /// One past the last of them.
        cells_end: usize,
        /// In order.
        children: Vec<Node>,
    },
    /// Swaps Success and Failure.
    Invert(Box<Node>),
    /// Success once the child finishes.
    Succeeder(Box<Node>),
    /// Failure once the child finishes.
    Failer(Box<Node>),
    /// Success where the test holds.
    Condition(Test),
    /// A deferred action in that slot.
    Action(u32),
    /// Success after a time.
    Wait {
        /// The actor's cell: whether it runs.
        cell: usize,
        /// The actor's deadline.
        timer: usize,
        /// Microseconds.
        micros: u64,
    },
    /// Always that status.
    Always(Status),
}

/// A condition: one column, the position of which is `usize`, against a constant.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// A truth value.
    Bool(usize, bool),
    /// A float.
    F32(usize, Comparison, f32),
    /// Any integer of at most 32 bits.
    I32(usize, Comparison, i32),
}

/// A tree, and what an actor of it needs.
#[derive(Debug)]
pub struct BoxedTree {
    root: Node,
    columns: Vec<ValueType>,
    cells: usize,
    timers: usize,
    slots: usize,
}

/// The tree has something that the baseline does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The node's path.
    pub path: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the boxed tree knows nothing like {}", self.path)
    }
}

impl std::error::Error for Unsupported {}

impl BoxedTree {
    /// Builds it from an edit-time tree.
    ///
    /// # Errors
    /// For nodes that call the host or write columns, and for conditions that are more than one
    /// column of at most 32 bits against a constant.
    pub fn new(tree: &Tree) -> Result<BoxedTree, Unsupported> {
        let mut boxed = BoxedTree {
            root: Node::Always(Status::Failure),
            columns: tree
                .columns()
                .iter()
                .map(|column| column.default.ty())
                .collect(),
            cells: 0,
            timers: 0,
            slots: 0,
        };
        boxed.root = boxed.node(tree, tree.root())?;
        Ok(boxed)
    }

    fn node(&mut self, tree: &Tree, id: NodeId) -> Result<Node, Unsupported> {
        let unsupported = || Unsupported {
            path: tree.path(id),
        };
        let node = tree.node(id).ok_or_else(unsupported)?;
        let count = node.children.len();
        let cells = self.cells;
        self.cells += match node.kind {
            NodeKind::Sequence | NodeKind::Selector | NodeKind::Wait(_) => 1,
            NodeKind::Parallel { .. } => count,
            _ => 0,
        };
        // Leaves number their slots before anything behind them: depth first, like the shape.
        if let NodeKind::Action(_) = node.kind {
            self.slots += 1;
            return Ok(Node::Action(self.slots as u32 - 1));
        }
        let mut children = Vec::with_capacity(count);
        for &child in &node.children {
            children.push(self.node(tree, child)?);
        }
        let cells_end = self.cells;
        let enough = |threshold: Threshold| match threshold {
            Threshold::All => count,
            Threshold::Count(count) => count as usize,
        };
        let only = |mut children: Vec<Node>| children.pop().map(Box::new).ok_or_else(unsupported);
        Ok(match &node.kind {
            NodeKind::Sequence => Node::Sequence {
                cell: cells,
                children,
            },
            NodeKind::Selector => Node::Selector {
                cell: cells,
                children,
            },
            NodeKind::ReactiveSequence => Node::ReactiveSequence(children),
            NodeKind::ReactiveSelector => Node::ReactiveSelector(children),
            NodeKind::Parallel { success, failure } => Node::Parallel {
                cells,
                cells_end,
                success: enough(*success),
                failure: enough(*failure),
                children,
            },
            NodeKind::Concurrent => Node::Concurrent {
                cells,
                cells_end,
                children,
            },
            NodeKind::Invert => Node::Invert(only(children)?),
            NodeKind::Succeeder => Node::Succeeder(only(children)?),
            NodeKind::Failer => Node::Failer(only(children)?),
            NodeKind::Condition(expr) => {
                Node::Condition(self.test(tree, expr).ok_or_else(unsupported)?)
            }
            NodeKind::Wait(duration) => {
                self.timers += 1;
                Node::Wait {
                    cell: cells,
                    timer: self.timers - 1,
                    micros: duration.as_micros() as u64,
                }
            }
            NodeKind::Succeed => Node::Always(Status::Success),
            NodeKind::Fail => Node::Always(Status::Failure),
            NodeKind::Idle => Node::Always(Status::Running),
            // Callbacks, and what none of the compared trees has.
            _ => return Err(unsupported()),
        })
    }

    fn test(&self, tree: &Tree, expr: &Expr) -> Option<Test> {
        let column = |expr: &Expr| match &expr.kind {
            ExprKind::Name(name) => tree
                .columns()
                .iter()
                .position(|column| column.name == *name),
            _ => None,
        };
        match &expr.kind {
            ExprKind::Name(_) => Some(Test::Bool(column(expr)?, true)),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(Test::Bool(column(inner)?, false)),
            ExprKind::Binary(op, left, right) => {
                let column = column(left)?;
                let cmp = match op {
                    BinaryOp::Lt => Comparison::Lt,
                    BinaryOp::Le => Comparison::Le,
                    BinaryOp::Gt => Comparison::Gt,
                    BinaryOp::Ge => Comparison::Ge,
                    BinaryOp::Eq => Comparison::Eq,
                    BinaryOp::Ne => Comparison::Ne,
                    _ => return None,
                };
                match (self.columns[column], number(right)?) {
                    (ValueType::F32, value) => Some(Test::F32(column, cmp, value as f32)),
                    (ValueType::U8 | ValueType::U16 | ValueType::I32, value) => {
                        Some(Test::I32(column, cmp, value as i32))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A new actor.
    pub fn actor(&self) -> Actor {
        Actor::new(self.columns.len(), self.cells, self.timers, self.slots)
    }

    /// Number of slots of deferred actions.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Bytes of an actor, its heap blocks included, without what the allocator adds.
    pub fn actor_bytes(&self) -> usize {
        Actor::bytes(self.columns.len(), self.cells, self.timers, self.slots)
    }

    /// One tick of one actor at the clock's time `now`, microseconds; requests are pushed.
    #[inline]
    pub fn tick(&self, actor: &mut Actor, index: u32, now: u64, requests: &mut Vec<Request>) {
        actor.begin();
        let status = self.root.tick(actor, now);
        actor.finish(status, index, requests);
    }
}

/// The value of a constant, with a sign or without. Exact for both kinds that a test compares.
fn number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value as f64),
        ExprKind::Float(value) => Some((*value).into()),
        ExprKind::Unary(UnaryOp::Neg, inner) => number(inner).map(|value| -value),
        _ => None,
    }
}

impl Node {
    fn tick(&self, actor: &mut Actor, now: u64) -> Status {
        match self {
            Node::Sequence { cell, children } => {
                let first = actor.take(*cell).map_or(0, |child| child as usize);
                for (child, node) in children.iter().enumerate().skip(first) {
                    match node.tick(actor, now) {
                        Status::Success => {}
                        Status::Failure => return Status::Failure,
                        Status::Running => {
                            actor.keep(*cell, child as u32);
                            return Status::Running;
                        }
                    }
                }
                Status::Success
            }
            Node::Selector { cell, children } => {
                let first = actor.take(*cell).map_or(0, |child| child as usize);
                for (child, node) in children.iter().enumerate().skip(first) {
                    match node.tick(actor, now) {
                        Status::Failure => {}
                        Status::Success => return Status::Success,
                        Status::Running => {
                            actor.keep(*cell, child as u32);
                            return Status::Running;
                        }
                    }
                }
                Status::Failure
            }
            Node::ReactiveSequence(children) => {
                for node in children {
                    match node.tick(actor, now) {
                        Status::Success => {}
                        other => return other,
                    }
                }
                Status::Success
            }
            Node::ReactiveSelector(children) => {
                for node in children {
                    match node.tick(actor, now) {
                        Status::Failure => {}
                        other => return other,
                    }
                }
                Status::Failure
            }
            Node::Parallel {
                cells,
                cells_end,
                success,
                failure,
                children,
            } => {
                let wanted = actor.wanted.len();
                let (mut successes, mut failures, mut running) = (0, 0, 0);
                for (child, node) in children.iter().enumerate() {
                    let status = match actor.take(cells + child) {
                        Some(1) => Status::Success,
                        Some(_) => Status::Failure,
                        None => node.tick(actor, now),
                    };
                    match status {
                        Status::Success => {
                            successes += 1;
                            actor.keep(cells + child, 1);
                        }
                        Status::Failure => {
                            failures += 1;
                            actor.keep(cells + child, 2);
                        }
                        Status::Running => running += 1,
                    }
                }
                let status = if failures >= *failure {
                    Status::Failure
                } else if successes >= *success {
                    Status::Success
                } else if running == 0 {
                    Status::Failure
                } else {
                    return Status::Running;
                };
                actor.halt(*cells, *cells_end, wanted);
                status
            }
            Node::Concurrent {
                cells,
                cells_end,
                children,
            } => {
                let wanted = actor.wanted.len();
                let mut running = false;
                for node in children {
                    match node.tick(actor, now) {
                        Status::Success => {}
                        Status::Running => running = true,
                        Status::Failure => {
                            actor.halt(*cells, *cells_end, wanted);
                            return Status::Failure;
                        }
                    }
                }
                if running {
                    Status::Running
                } else {
                    Status::Success
                }
            }
            Node::Invert(child) => child.tick(actor, now).inverted(),
            Node::Succeeder(child) => child.tick(actor, now).forced(Status::Success),
            Node::Failer(child) => child.tick(actor, now).forced(Status::Failure),
            Node::Condition(test) => Status::from_bool(test.holds(&actor.blackboard)),
            Node::Action(slot) => match actor.results[*slot as usize] {
                Answer::None => {
                    actor.wanted.push(*slot);
                    Status::Running
                }
                Answer::Success => Status::Success,
                Answer::Failure => Status::Failure,
            },
            Node::Wait {
                cell,
                timer,
                micros,
            } => {
                let deadline = match actor.take(*cell) {
                    Some(_) => actor.deadlines[*timer],
                    None => now.saturating_add(*micros),
                };
                if now >= deadline {
                    return Status::Success;
                }
                actor.deadlines[*timer] = deadline;
                actor.keep(*cell, 0);
                Status::Running
            }
            Node::Always(status) => *status,
        }
    }
}

impl Test {
    #[inline]
    fn holds(self, blackboard: &[u32]) -> bool {
        match self {
            Test::Bool(column, wanted) => (blackboard[column] != 0) == wanted,
            Test::F32(column, cmp, value) => cmp.f32(f32::from_bits(blackboard[column]), value),
            Test::I32(column, cmp, value) => cmp.i32(blackboard[column] as i32, value),
        }
    }
}
