//! Composites that visit their children in an order, or all at once.

use crate::kind::{NodeKind, Threshold};
use crate::node::NodeDef;

/// Does one thing after the other as long as each succeeds: go to the door, open it, walk through (C1).
///
/// From the left: a child that succeeds hands over to the next one in the same tick. The first Failure is
/// its own, and once all have succeeded it succeeds.
///
/// It keeps which child runs, and goes on there in the next tick. What stands to the left of it is over and
/// is not looked at again; a condition that has to hold all along belongs into a [`reactive_sequence`] or a
/// [`run_while`](crate::run_while). What it keeps is gone when it finishes or is halted, and the next visit
/// begins at the first child.
///
/// A sequence of nothing is refused. py_trees calls this one a Sequence with `memory=True`. In an order of
/// the actor's own: [`random_sequence`].
///
/// ```
/// use pleach_tree::{action, compile, sequence, Tree};
/// use pleach_vm::{Outcome, Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("visitor").root(sequence([action("walk"), action("knock")]));
/// let mut visitors = Population::new(compile(&tree)?);
/// let ann = visitors.spawn()?;
/// let [walk, knock] = ["walk", "knock"].map(|action| visitors.slots(action)[0]);
///
/// assert_eq!(visitors.tick(Duration::ZERO).counts.launches, 1);
/// visitors.set_result(ann, walk, Outcome::Success)?;
/// // The walk is over, so she knocks, in this same tick.
/// assert_eq!(visitors.tick(Duration::ZERO).counts.launches, 1);
/// visitors.set_result(ann, knock, Outcome::Failure)?;
/// visitors.tick(Duration::ZERO);
/// assert_eq!(visitors.status(ann)?, Some(Status::Failure));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::Sequence, children)
}

/// Tries one way after the other until one works: with the key, else with the lockpick, else with the
/// shoulder (C1).
///
/// Failure of a child leads to the next one in the same tick; the first Success is the answer, and so is
/// the Failure of the last child.
///
/// Like a [`sequence`] it resumes at the child that runs, without another look at those that failed before
/// it: a better way that opens up later is not noticed. For a list of priorities, where it shall be, take
/// [`reactive_selector`].
///
/// Refused without children. Known as Fallback (BehaviorTree.CPP) or priority node, and in py_trees as a
/// Selector with `memory=True`. Shuffled: [`random_selector`].
///
/// ```
/// use pleach_tree::{compile, condition, selector, sequence, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("burglar").column("keys", 0_u8).column("broken", false).root(selector([
///     sequence([condition("keys > 0"), set("keys", "keys - 1")]),
///     set("broken", true),
/// ]));
/// let mut burglars = Population::new(compile(&tree)?);
/// let (keys, broken) = (burglars.column::<u8>("keys")?, burglars.column::<bool>("broken")?);
/// let ann = burglars.spawn()?;
/// burglars.set(ann, keys, 1)?;
///
/// burglars.tick(Duration::ZERO);
/// assert!(!burglars.get(ann, broken)?);
/// burglars.tick(Duration::ZERO);
/// assert!(burglars.get(ann, broken)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn selector(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::Selector, children)
}

/// Holds its conditions under review while the last child works: mine as long as there is light (C1).
///
/// Answers as a [`sequence`] does, but begins at the first child each tick. A condition to the left that
/// fails halts what ran to the right of it; an action that is reached again keeps its state.
///
/// It keeps nothing itself. Children that succeed are visited anew each tick, so an action on the left
/// would be started over and over; put what is done once into a [`sequence`] below. With one expression for
/// a condition, [`run_while`](crate::run_while) says the same in one node.
///
/// Refused without children. In py_trees a Sequence with `memory=False`, in LimboAI DynamicSequence.
///
/// ```
/// use pleach_tree::{action, compile, condition, reactive_sequence, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("miner")
///     .column("light", true)
///     .root(reactive_sequence([condition("light"), action("dig")]));
/// let mut miners = Population::new(compile(&tree)?);
/// let light = miners.column::<bool>("light")?;
/// let ann = miners.spawn()?;
///
/// assert_eq!(miners.tick(Duration::ZERO).counts.launches, 1);
/// miners.set(ann, light, false)?;
/// assert_eq!(miners.tick(Duration::ZERO).counts.cancels, 1);
/// assert_eq!(miners.status(ann)?, Some(Status::Failure));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reactive_sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::ReactiveSequence, children)
}

/// A list of priorities, judged afresh each tick: flee, else fight, else work (C1).
///
/// Answers as a [`selector`] does, starting at the first child every time, so a child further up takes over
/// as soon as it does not fail. Whoever ran below it is halted behind all visits of the tick (L6): exactly
/// one Cancel goes out for an action without a result.
///
/// Keeps nothing. The usual root of a character's tree.
///
/// Without children it is refused. Other names: ReactiveFallback (BehaviorTree.CPP), DynamicSelector
/// (LimboAI), Selector with `memory=False` (py_trees); in Unreal a Selector whose branches have observer
/// aborts. By a value in place of conditions: [`switch`](crate::switch).
///
/// ```
/// use pleach_tree::{action, compile, condition, reactive_selector, sequence, Tree};
/// use pleach_vm::{Population, RequestKind};
/// use std::time::Duration;
///
/// let tree = Tree::build("hare").column("fox", false).root(reactive_selector([
///     sequence([condition("fox"), action("flee")]),
///     action("graze"),
/// ]));
/// let mut hares = Population::new(compile(&tree)?);
/// let fox = hares.column::<bool>("fox")?;
/// let ann = hares.spawn()?;
/// hares.tick(Duration::ZERO);
///
/// hares.set(ann, fox, true)?;
/// hares.tick(Duration::ZERO);
/// let wanted: Vec<_> = hares.requests().iter().map(|request| request.kind).collect();
/// assert_eq!(wanted, [RequestKind::Launch, RequestKind::Cancel]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reactive_selector(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::ReactiveSelector, children)
}

/// Works on several things at once and ends by counting: whoever of us finds the exit first (C3).
///
/// Visits every child that has not finished, each tick, all of them. Only behind the last one it counts:
/// `failure` or more Failures fail it, else `success` or more Successes make it succeed, and Failure again if
/// all are through and neither number is met. It then halts what still runs.
///
/// While it runs it keeps how its finished children ended, and does not visit these again; both is
/// forgotten when it ends or is halted. [`concurrent`] is the one that remembers nothing.
///
/// Refused: no children, and a [`Threshold::Count`] of 0 or above the number of children. The thresholds
/// "all" and 1 make what py_trees calls SuccessOnAll; BehaviorTree.CPP counts behind each child instead of
/// behind the last.
///
/// ```
/// use pleach_tree::{action, compile, parallel, Threshold, Tree};
/// use pleach_vm::{Outcome, Population, Status};
/// use std::time::Duration;
///
/// let search = parallel(Threshold::Count(1), Threshold::All, [action("east"), action("west")]);
/// let mut scouts = Population::new(compile(&Tree::build("scout").root(search))?);
/// let ann = scouts.spawn()?;
/// let [east, west] = ["east", "west"].map(|action| scouts.slots(action)[0]);
/// assert_eq!(scouts.tick(Duration::ZERO).counts.launches, 2);
///
/// scouts.set_result(ann, east, Outcome::Failure)?;
/// scouts.tick(Duration::ZERO);
/// assert_eq!(scouts.status(ann)?, Some(Status::Running));
/// scouts.set_result(ann, west, Outcome::Success)?;
/// scouts.tick(Duration::ZERO);
/// assert_eq!(scouts.status(ann)?, Some(Status::Success));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parallel(
    success: Threshold,
    failure: Threshold,
    children: impl IntoIterator<Item = NodeDef>,
) -> NodeDef {
    NodeDef::new(NodeKind::Parallel { success, failure }, children)
}

/// A job with monitors beside it: follow the player while he is in sight and the way is clear (C4).
///
/// Visits all children from the left in every tick. The first Failure stops the visit there and halts all
/// that run in it, whatever was launched in this very tick included. Success takes all of them succeeding in
/// one tick; anything else is Running.
///
/// Unlike a [`parallel`] it remembers no one who finished: a child that succeeded is visited again as long
/// as others run. So conditions are watched, and an action that is through starts over.
///
/// Childless ones are refused. Near relatives elsewhere: Parallel with `synchronise=False` (py_trees),
/// with `repeat` (LimboAI); both visit what stands behind a failed child too.
///
/// ```
/// use pleach_tree::{action, compile, concurrent, condition, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("dog")
///     .column("in_sight", true)
///     .root(concurrent([action("follow"), condition("in_sight")]));
/// let mut dogs = Population::new(compile(&tree)?);
/// let in_sight = dogs.column::<bool>("in_sight")?;
/// let ann = dogs.spawn()?;
/// dogs.tick(Duration::ZERO);
/// assert_eq!(dogs.status(ann)?, Some(Status::Running));
///
/// dogs.set(ann, in_sight, false)?;
/// let counts = dogs.tick(Duration::ZERO).counts;
/// assert_eq!((counts.failed, counts.cancels), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn concurrent(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::Concurrent, children)
}

/// Does all of it, but never in a fixed order: the guard looks at the gate, the well and the stable (C2).
///
/// A [`sequence`] whose next child is drawn from those that have not had their turn, all equally likely.
/// Success once every child has succeeded, Failure with the first that fails.
///
/// It keeps the child that runs and who had a turn in this round, one bit a child. Starting over, after an
/// end or a halt, is a new round with new draws. These depend on the population's seed, the actor, the node
/// and the tick (T6), so a run can be repeated exactly; the numbers are those of `pleach_vm::random`.
///
/// Refused: no child, or more than [`MAX_RANDOM_CHILDREN`] (64). LimboAI has it under this name;
/// BehaviorTree.CPP and py_trees have none.
///
/// [`MAX_RANDOM_CHILDREN`]: pleach_shape::MAX_RANDOM_CHILDREN
///
/// ```
/// use pleach_tree::{compile, random_sequence, set, Tree};
/// use pleach_vm::Population;
/// use std::{collections::BTreeSet, time::Duration};
///
/// // Each child appends its digit.
/// let digits = [1, 2, 3].map(|digit| set("way", format!("way * 10 + {digit}")));
/// let tree = Tree::build("guard").column("way", 0).root(random_sequence(digits));
/// let mut guards = Population::new(compile(&tree)?);
/// let way = guards.column::<i32>("way")?;
/// guards.spawn_many(500)?;
/// guards.tick(Duration::ZERO);
///
/// let ways: BTreeSet<i32> = guards.actors().flat_map(|guard| guards.get(guard, way)).collect();
/// assert!(ways.into_iter().eq([123, 132, 213, 231, 312, 321]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn random_sequence(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::RandomSequence, children)
}

/// Picks something to do, so that a crowd does not do the same all at once: sit, chat or wander (C2).
///
/// A [`selector`] in an order of the actor's own: it visits a child drawn at random, and where that fails
/// another one of the rest. The first Success ends it; when all have failed, it has.
///
/// While the chosen child runs no new choice is made. The choice is forgotten at the end of the round and by
/// a halt. All children are equally likely; for weights, list a child several times.
///
/// Takes 1 to 64 children ([`MAX_RANDOM_CHILDREN`]), others are refused. LimboAI: RandomSelector.
/// With every child in turn: [`random_sequence`]. By a value that somebody else chose:
/// [`switch`](crate::switch).
///
/// [`MAX_RANDOM_CHILDREN`]: pleach_shape::MAX_RANDOM_CHILDREN
///
/// ```
/// use pleach_tree::{action, compile, random_selector, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("villager").root(random_selector([action("chat"), action("wander")]));
/// let mut villagers = Population::new(compile(&tree)?);
/// villagers.spawn_many(1_000)?;
/// villagers.tick(Duration::ZERO);
/// let chatting = villagers.requests().named("chat").map_or(0, |batch| batch.iter().count());
/// assert!((400..600).contains(&chatting));
///
/// // Who chats goes on chatting.
/// villagers.tick(Duration::ZERO);
/// let still = villagers.requests().named("chat").map_or(0, |batch| batch.iter().count());
/// assert_eq!(still, chatting);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn random_selector(children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
    NodeDef::new(NodeKind::RandomSelector, children)
}
