//! Decorators that write a column when their child has finished (F1) or is halted (F2).

use crate::expr::Expr;
use crate::kind::NodeKind;
use crate::node::NodeDef;

/// Notes a success: who has come home is home (F1).
///
/// When the child succeeds, the column becomes the expression's value, as [`set`](crate::set) writes it; the
/// answer stays Success. Nothing is written when the child fails, is halted or skipped.
///
/// `_onSuccess` in BehaviorTree.CPP.
///
/// ```
/// use pleach_tree::{action, compile, on_success, Tree};
/// use pleach_shape::SlotIndex;
/// use pleach_vm::{Outcome, Population};
/// use std::time::Duration;
///
/// let walk = on_success(action("walk home"), "home", true);
/// let mut people = Population::new(compile(&Tree::build("t").column("home", false).root(walk))?);
/// let home = people.column::<bool>("home")?;
/// let ann = people.spawn()?;
/// people.tick(Duration::ZERO);
/// people.set_result(ann, SlotIndex(0), Outcome::Success)?;
/// people.tick(Duration::ZERO);
/// assert!(people.get(ann, home)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_success(child: NodeDef, column: impl Into<String>, value: impl Into<Expr>) -> NodeDef {
    let (column, value) = (column.into(), value.into());
    NodeDef::new(NodeKind::OnSuccess { column, value }, [child])
}

/// Notes a failure: how often a lock was tried in vain (F1).
///
/// As [`on_success`], when the child fails. `_onFailure` in BehaviorTree.CPP.
///
/// ```
/// use pleach_tree::{compile, fail, on_failure, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("tried", 0).root(on_failure(fail(), "tried", "tried + 1"));
/// let mut people = Population::new(compile(&tree)?);
/// let tried = people.column::<i32>("tried")?;
/// let ann = people.spawn()?;
/// people.tick(Duration::ZERO);
/// people.tick(Duration::ZERO);
/// assert_eq!(people.get(ann, tried)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_failure(child: NodeDef, column: impl Into<String>, value: impl Into<Expr>) -> NodeDef {
    let (column, value) = (column.into(), value.into());
    NodeDef::new(NodeKind::OnFailure { column, value }, [child])
}

/// Notes an end, good or bad (F1).
///
/// As [`on_success`], when the child succeeds or fails. Not when it is halted: see [`on_halted`]. `_post` in
/// BehaviorTree.CPP.
///
/// ```
/// use pleach_tree::{compile, fail, on_finish, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("rounds", 0).root(on_finish(fail(), "rounds", "rounds + 1"));
/// let mut people = Population::new(compile(&tree)?);
/// let rounds = people.column::<i32>("rounds")?;
/// let ann = people.spawn()?;
/// people.tick(Duration::ZERO);
/// assert_eq!(people.get(ann, rounds)?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_finish(child: NodeDef, column: impl Into<String>, value: impl Into<Expr>) -> NodeDef {
    let (column, value) = (column.into(), value.into());
    NodeDef::new(NodeKind::OnFinish { column, value }, [child])
}

/// Cleans up: the lamp is put out when work is broken off (F2).
///
/// When the child runs and is halted, whoever halts it, the column becomes the expression's value: behind
/// all visits of the tick, together with the exits of tasks, in stream order (L6); so what is written is seen
/// by the next tick. Unloading, reset and despawn halt, too (U2). Nothing is written when the child finishes
/// or is skipped.
///
/// `_onHalted` in BehaviorTree.CPP. It costs a task for each actor that runs the child, of which no host knows.
///
/// ```
/// use pleach_tree::{action, compile, on_halted, run_while, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let work = on_halted(action("mine"), "lamp", false);
/// let tree = Tree::build("t").column("lamp", true).column("awake", true);
/// let mut dwarves = Population::new(compile(&tree.root(run_while(work, "awake")))?);
/// let (lamp, awake) = (dwarves.column::<bool>("lamp")?, dwarves.column::<bool>("awake")?);
/// let ann = dwarves.spawn()?;
/// dwarves.tick(Duration::ZERO);
/// assert!(dwarves.get(ann, lamp)?);
/// dwarves.set(ann, awake, false)?;
/// dwarves.tick(Duration::ZERO);
/// assert!(!dwarves.get(ann, lamp)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn on_halted(child: NodeDef, column: impl Into<String>, value: impl Into<Expr>) -> NodeDef {
    let (column, value) = (column.into(), value.into());
    NodeDef::new(NodeKind::OnHalted { column, value }, [child])
}
