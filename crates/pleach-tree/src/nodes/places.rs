//! Composites that keep a place of their own among their children, and the nodes of Nav2 (C7, N1 to N4).

use std::time::Duration;

use crate::kind::NodeKind;
use crate::node::NodeDef;

/// Steps that are not done twice: the recipe goes on where it failed (C7).
///
/// A [`sequence`](crate::sequence) that keeps its place: children that have succeeded are not visited again
/// when one behind them has failed, or when the node was halted, until all have succeeded. The place outlives
/// unloading (U4); reset and despawn forget it. At most 65,535 children.
///
/// SequenceWithMemory in BehaviorTree.CPP, SequenceStar in its version 3 and in Beehave.
///
/// ```
/// use pleach_tree::{compile, condition, keep_sequence, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let recipe = keep_sequence([set("eggs", "eggs + 1"), condition("flour"), set("baked", "baked + 1")]);
/// let tree = Tree::build("t").column("eggs", 0).column("flour", false).column("baked", 0);
/// let mut cooks = Population::new(compile(&tree.root(recipe))?);
/// let (eggs, baked) = (cooks.column::<i32>("eggs")?, cooks.column::<i32>("baked")?);
/// let flour = cooks.column::<bool>("flour")?;
/// let ann = cooks.spawn()?;
/// cooks.tick(Duration::ZERO);
/// cooks.set(ann, flour, true)?;
/// cooks.tick(Duration::ZERO);
/// assert_eq!((cooks.get(ann, eggs)?, cooks.get(ann, baked)?), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keep_sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::KeepSequence, children)
}

/// A pipe: plan a way, and follow it while it is planned anew (N1).
///
/// Visits its children from the first in each tick. One that has succeeded opens the way to the next; from
/// then on that next one is visited even where earlier ones run. A child's failure fails the node, success of
/// the last child makes it succeed; in both cases whoever runs is halted.
///
/// PipelineSequence in Nav2.
///
/// ```
/// use pleach_tree::{action, compile, pipeline_sequence, Tree};
/// use pleach_shape::SlotIndex;
/// use pleach_vm::{Outcome, Population};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").root(pipeline_sequence([action("plan"), action("follow")]));
/// let mut robots = Population::new(compile(&tree)?);
/// let ann = robots.spawn()?;
/// robots.tick(Duration::ZERO);
/// robots.set_result(ann, SlotIndex(0), Outcome::Success)?;
/// assert_eq!(robots.tick(Duration::ZERO).counts.launches, 1);
/// // Planned again, and followed at the same time.
/// let counts = robots.tick(Duration::ZERO).counts;
/// assert_eq!((counts.launches, counts.continues), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pipeline_sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::PipelineSequence, children)
}

/// Everybody's turn: next time the remedy that comes behind the one that helped (N2).
///
/// A [`selector`](crate::selector) that begins behind the child that succeeded last, and behind the last
/// child goes on with the first, in the next tick (T1); it fails once all have failed. The place outlives a
/// success; a failure, and a halt of the node while it runs, forget it, as reset and despawn do. At most 65,535 children.
///
/// RoundRobin in Nav2, where all this is done within one tick.
///
/// ```
/// use pleach_tree::{compile, round_robin, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("spun", 0).column("waited", 0);
/// let tree = tree.root(round_robin([set("spun", "spun + 1"), set("waited", "waited + 1")]));
/// let mut robots = Population::new(compile(&tree)?);
/// let (spun, waited) = (robots.column::<i32>("spun")?, robots.column::<i32>("waited")?);
/// let ann = robots.spawn()?;
/// for _ in 0..3 {
///     robots.tick(Duration::ZERO);
/// }
/// assert_eq!((robots.get(ann, spun)?, robots.get(ann, waited)?), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn round_robin(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::RoundRobin, children)
}

/// Something that may go wrong, and what then helps (N3).
///
/// Visits its first child. Where that fails, the second one; where that succeeds, the first again, from the
/// next tick on. It fails when the second child fails, and when the first fails after the second has helped
/// `retries` times. Needs exactly two children. How often it has helped is forgotten when the node finishes or
/// is halted.
///
/// RecoveryNode in Nav2, where the first child is tried again in the same tick.
///
/// ```
/// use pleach_tree::{compile, condition, recovery, set, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("fuel", 0);
/// let tree = tree.root(recovery(condition("fuel > 1"), set("fuel", "fuel + 1"), 3));
/// let mut robots = Population::new(compile(&tree)?);
/// let ann = robots.spawn()?;
/// let mut answers = Vec::new();
/// for _ in 0..3 {
///     robots.tick(Duration::ZERO);
///     answers.extend(robots.status(ann)?);
/// }
/// assert_eq!(answers, [Status::Running, Status::Running, Status::Success]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn recovery(main: NodeDef, remedy: NodeDef, retries: u32) -> NodeDef {
    NodeDef::new(NodeKind::Recovery { retries }, [main, remedy])
}

/// Not too often: plan a new way once a second, while the old one is followed (N4).
///
/// As a child of a [`pipeline_sequence`], but for the last: visits its child when the pipeline starts, and
/// after each success of the child waits for `period` and visits it again in the tick behind the one in which
/// that has passed; Running in between, which holds up nobody. A failure is its own. Anywhere else it is as
/// if it were not there.
///
/// RateController in Nav2.
///
/// ```
/// use pleach_tree::{action, compile, pipeline_sequence, rate_controller, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let plan = rate_controller(set("plans", "plans + 1"), Duration::from_secs(1));
/// let tree = Tree::build("t").column("plans", 0).root(pipeline_sequence([plan, action("follow")]));
/// let mut robots = Population::new(compile(&tree)?);
/// let plans = robots.column::<i32>("plans")?;
/// let ann = robots.spawn()?;
/// for _ in 0..30 {
///     robots.tick(Duration::from_millis(100));
/// }
/// assert_eq!(robots.get(ann, plans)?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate_controller(child: NodeDef, period: Duration) -> NodeDef {
    NodeDef::new(NodeKind::RateController(period), [child])
}
