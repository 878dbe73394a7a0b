//! Guards: decorators that test an expression before their one child (D5).

use crate::expr::Expr;
use crate::kind::NodeKind;
use crate::node::NodeDef;

/// Starts something only where an expression holds, and then lets it finish: reload when the magazine is
/// low, and do not stop half way because it is fuller now (D5).
///
/// Judged when the node starts; where it does not hold, Failure without a visit. While the child runs the
/// expression is not looked at. The answer is the child's.
///
/// Keeps its running child, which is how it knows that it has started; a halt forgets it, and the next
/// visit judges again. To look every tick, take [`run_while`].
///
/// An expression that does not parse, names what the tree does not declare or is no bool is refused, as
/// for all guards. In Unreal: a Blackboard decorator with observer aborts "None".
///
/// ```
/// use pleach_tree::{action, compile, when, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("rounds", 3_u8).root(when(action("reload"), "rounds < 5"));
/// let mut soldiers = Population::new(compile(&tree)?);
/// let rounds = soldiers.column::<u8>("rounds")?;
/// let [ann, bob] = [soldiers.spawn()?, soldiers.spawn()?];
/// soldiers.set(bob, rounds, 30)?;
/// soldiers.tick(Duration::ZERO);
/// assert_eq!(soldiers.status(bob)?, Some(Status::Failure));
///
/// soldiers.set(ann, rounds, 5)?;
/// soldiers.tick(Duration::ZERO);
/// assert_eq!(soldiers.status(ann)?, Some(Status::Running));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn when(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::When(test.into()), [child])
}

/// Works as long as an expression holds: stay in the water while it is warm (D5). In text the keyword is
/// `while`, which Rust keeps for itself.
///
/// Judged in each tick before the child. Where it holds, the answer is the child's; where it does not, the
/// child is not visited, so that it is halted if it ran, and the answer is Failure. For Success at that
/// point, see [`done_when`].
///
/// Nothing is kept. It is not a loop: it ends with its child; wrap that in a
/// [`repeat`](crate::repeat) to start it over.
///
/// EternalGuard in py_trees; in Unreal a Blackboard decorator with observer aborts "Self". With
/// a subtree for a test: [`while_do`](crate::while_do).
///
/// ```
/// use pleach_tree::{action, compile, run_while, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let bathe = run_while(action("bathe"), "celsius >= 18.0");
/// let mut bathers = Population::new(compile(&Tree::build("t").world("celsius", 21.0_f32).root(bathe))?);
/// let celsius = bathers.world_key::<f32>("celsius")?;
/// bathers.spawn_many(50)?;
/// assert_eq!(bathers.tick(Duration::ZERO).counts.running, 50);
/// bathers.set_world(celsius, 12.5);
/// let counts = bathers.tick(Duration::ZERO).counts;
/// assert_eq!((counts.failed, counts.cancels), (50, 50));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_while(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::While(test.into()), [child])
}

/// Has a goal: walk around until the coffee is ready (D5).
///
/// In each tick the expression comes first. Once it holds the answer is Success and the child, if it ran,
/// is halted; that may be before the child was ever started. Until then the child answers for itself: its own
/// Success or Failure ends the node as well.
///
/// It has no state. Since it asks each tick, a [`sequence`](crate::sequence) goes on with what follows in
/// the very tick in which the goal is reached. [`run_while`] with `not` in front of the expression is the
/// same but for its Failure.
///
/// Refused like [`when`]. BehaviorTree.CPP's `_successIf` comes near, but is judged at the start only.
///
/// ```
/// use pleach_tree::{compile, done_when, idle, sequence, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("brewed", false).column("cups", 0);
/// let root = sequence([done_when(idle(), "brewed"), set("cups", "cups + 1")]);
/// let mut people = Population::new(compile(&tree.root(root))?);
/// let (brewed, cups) = (people.column::<bool>("brewed")?, people.column::<i32>("cups")?);
/// let ann = people.spawn()?;
/// assert_eq!(people.tick(Duration::ZERO).counts.running, 1);
/// people.set(ann, brewed, true)?;
/// assert_eq!(people.tick(Duration::ZERO).counts.succeeded, 1);
/// assert_eq!(people.get(ann, cups)?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn done_when(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::DoneWhen(test.into()), [child])
}

/// The emergency exit: a character that is stunned, captured or dead stops everything and leaves its tree
/// until somebody puts it back (D5).
///
/// Judged each tick before the child. Where the expression holds the walk ends at once. All that the actor
/// runs is halted: tasks exit with Aborted, outstanding actions get their Cancel, and what was wanted in
/// this tick is not launched. No node above answers, the root has no status, and the actor is unloaded (U1).
/// Elsewhere the node is the child.
///
/// Keeps nothing. What was written to columns in this tick stays written. `Population::load` brings the
/// actor back, starting afresh; the expression should be false by then. A tick's report
/// counts these actors as `aborted`.
///
/// Other libraries do this from outside, by halting a tree or switching it off. Where the tree shall go on
/// with something else: [`run_while`] under a [`selector`](crate::selector).
///
/// ```
/// use pleach_tree::{abort_when, action, compile, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("stunned", false).root(abort_when(action("fight"), "stunned"));
/// let mut orcs = Population::new(compile(&tree)?);
/// let stunned = orcs.column::<bool>("stunned")?;
/// let ann = orcs.spawn()?;
/// orcs.tick(Duration::ZERO);
///
/// orcs.set(ann, stunned, true)?;
/// let counts = orcs.tick(Duration::ZERO).counts;
/// assert_eq!((counts.aborted, counts.cancels), (1, 1));
/// assert_eq!((orcs.status(ann)?, orcs.is_loaded(ann)), (None, false));
///
/// orcs.set(ann, stunned, false)?;
/// orcs.load(ann)?;
/// assert_eq!(orcs.tick(Duration::ZERO).counts.launches, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn abort_when(child: NodeDef, test: impl Into<Expr>) -> NodeDef {
    NodeDef::new(NodeKind::AbortWhen(test.into()), [child])
}
