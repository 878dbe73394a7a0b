//! Decorators whose child may be skipped, as if it were not there (K1, K2).

use crate::expr::Expr;
use crate::kind::NodeKind;
use crate::node::NodeDef;

/// Leaves its child out where an expression holds when it starts: no need to go home for who is home (K1).
///
/// Judged when the node starts; while the child runs the expression is not looked at. Where it holds, the
/// node is *skipped*: its parent takes it as if it were not there. A [`sequence`](crate::sequence) goes on
/// as after a success, a [`selector`](crate::selector) as after a failure; a decorator, and a composite all
/// of whose children are skipped, is skipped itself; a tree that is skipped has succeeded.
///
/// `_skipIf` in BehaviorTree.CPP. To fail instead: [`when`](crate::when) with the opposite. To succeed,
/// whatever the parent: [`success_if`].
///
/// ```
/// use pleach_tree::{compile, selector, sequence, set, skip_if, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let go = skip_if(set("walked", "walked + 1"), "home");
/// let tree = Tree::build("t").column("home", false).column("walked", 0).column("slept", 0);
/// let tree = tree.root(sequence([go, set("slept", "slept + 1")]));
/// let mut people = Population::new(compile(&tree)?);
/// let [home, walked, slept] = ["home", "walked", "slept"];
/// let (walked, slept) = (people.column::<i32>(walked)?, people.column::<i32>(slept)?);
/// let home = people.column::<bool>(home)?;
/// let ann = people.spawn()?;
/// people.tick(Duration::ZERO);
/// people.set(ann, home, true)?;
/// people.tick(Duration::ZERO);
/// assert_eq!((people.get(ann, walked)?, people.get(ann, slept)?), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn skip_if(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::SkipIf(test.into()), [child])
}

/// Runs its child only as long as an expression holds, and leaves it out otherwise (K1).
///
/// Judged in each tick before the child. Where it does not hold the child is halted if it ran, and the node
/// is skipped, as [`skip_if`] says.
///
/// `_while` in BehaviorTree.CPP. To fail instead: [`run_while`](crate::run_while).
///
/// ```
/// use pleach_tree::{action, compile, sequence, skip_unless, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let swim = skip_unless(action("swim"), "warm");
/// let tree = Tree::build("t").column("warm", true).root(sequence([swim, action("walk")]));
/// let mut people = Population::new(compile(&tree)?);
/// let warm = people.column::<bool>("warm")?;
/// let ann = people.spawn()?;
/// assert_eq!(people.tick(Duration::ZERO).counts.launches, 1);
/// people.set(ann, warm, false)?;
/// let counts = people.tick(Duration::ZERO).counts;
/// assert_eq!((counts.cancels, counts.launches), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn skip_unless(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::SkipUnless(test.into()), [child])
}

/// Has succeeded already where an expression holds when it starts (K2).
///
/// Judged when the node starts; where it holds, Success without a visit. While the child runs the expression
/// is not looked at: for that see [`done_when`](crate::done_when).
///
/// `_successIf` in BehaviorTree.CPP. The same as a [`selector`](crate::selector) of a
/// [`condition`](crate::condition) and the child.
///
/// ```
/// use pleach_tree::{action, compile, success_if, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("open", true).root(success_if(action("open door"), "open"));
/// let mut people = Population::new(compile(&tree)?);
/// let ann = people.spawn()?;
/// people.tick(Duration::ZERO);
/// assert_eq!(people.status(ann)?, Some(Status::Success));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn success_if(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::SuccessIf(test.into()), [child])
}

/// Once in a lifetime, and from then on as if it were not there (K1).
///
/// As [`run_once`](crate::run_once), but once its child has finished it is skipped, as [`skip_if`] says,
/// where that one repeats its answer. Persistent in the same way (U4).
///
/// RunOnce in BehaviorTree.CPP, unless its `then_skip` is false.
///
/// ```
/// use pleach_tree::{compile, fail, run_once_then_skip, selector, set, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("greeted", 0);
/// let tree = tree.root(selector([run_once_then_skip(set("greeted", "greeted + 1")), fail()]));
/// let mut hosts = Population::new(compile(&tree)?);
/// let ann = hosts.spawn()?;
/// hosts.tick(Duration::ZERO);
/// assert_eq!(hosts.status(ann)?, Some(Status::Success));
/// hosts.tick(Duration::ZERO);
/// assert_eq!(hosts.status(ann)?, Some(Status::Failure));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_once_then_skip(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::RunOnceThenSkip, [child])
}
