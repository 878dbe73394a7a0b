//! Leaves: nodes without children.

use std::time::Duration;

use crate::expr::Expr;
use crate::kind::{Call, NodeKind};
use crate::node::NodeDef;

fn leaf(kind: NodeKind) -> NodeDef {
    NodeDef::new(kind, [])
}

fn call(name: impl Into<String>) -> Call {
    Call {
        name: name.into(),
        params: Vec::new(),
    }
}

/// Asks the blackboard: Success where an expression holds, Failure elsewhere, never Running (L1).
///
/// The expression is a text, `"health < 0.3 and not alarm"`, or put together with [`col`](crate::col) and
/// [`lit`](crate::lit); it may name columns and world values. It is compiled, and for whole blocks of actors
/// computed at once, which makes it the cheapest way to ask. For what needs code there is [`query`]; to put
/// a test in front of a single node, a guard such as [`when`](crate::when) saves the sequence around it.
///
/// [`compile`](crate::compile) reports what does not parse, names nothing that the tree declares, mixes types
/// that do not fit, or is no bool; each with its place in the text.
///
/// ```
/// use pleach_tree::{col, compile, condition, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let build = |test| compile(&Tree::build("t").column("health", 1.0_f32).root(test));
/// let mut all = Population::new(build(condition("health < 0.3"))?);
/// let health = all.column::<f32>("health")?;
/// let ann = all.spawn()?;
/// assert_eq!(all.tick(Duration::ZERO).counts.failed, 1);
/// all.set(ann, health, 0.1)?;
/// assert_eq!(all.tick(Duration::ZERO).counts.succeeded, 1);
///
/// assert!(build(condition(col("health").lt(0.3_f32))).is_ok());
/// assert!(build(condition("helth < 0.3")).unwrap_err().to_string().contains("helth"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn condition(test: impl Into<Expr>) -> NodeDef {
    leaf(NodeKind::Condition(test.into()))
}

/// Asks the host: is there a path, does the ray hit (L1)?
///
/// `function` is registered with `Population::on_query`, or with `on_query_batch` for all actors of a block
/// in one call (L8). `true` is Success, `false` Failure, and the answer comes at once. It is called in every
/// visit, possibly from several threads, and may read and write its own actor's row.
///
/// Nothing is kept. Without a registered function it fails, and `TickCounts::unbound_calls` counts that; a
/// panic in it is Failure and listed. It takes parameters ([`param`](NodeDef::param)); an empty name is
/// refused. What takes time is a [`task`] or an [`action`].
///
/// ```
/// use pleach_tree::{compile, query, Tree};
/// use pleach_vm::{Population, Status, Value};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("x", 3.0_f32).root(query("near").param("range", 5.0_f32));
/// let mut all = Population::new(compile(&tree)?);
/// let x = all.column::<f32>("x")?;
/// all.on_query("near", move |call| match (call.get(x), call.param("range")) {
///     (Some(x), Some(Value::F32(range))) => x.abs() <= range,
///     _ => false,
/// })?;
/// let ann = all.spawn()?;
/// all.tick(Duration::ZERO);
/// assert_eq!(all.status(ann)?, Some(Status::Success));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn query(function: impl Into<String>) -> NodeDef {
    leaf(NodeKind::Query(call(function)))
}

/// Wants something done that takes time and that others do: walk, aim, play an animation (L2).
///
/// The first visit is a request, a Launch, and Running. Further visits are Continues, until a system hands
/// in a result (`Population::set_result` and its like): the next visit answers that and uses it up. So an
/// action takes two ticks at least. An error reported in place of a result is Failure, and listed (L5).
///
/// What it keeps is its request. If the tree goes another way first, exactly one Cancel follows; a result
/// that no visit takes is dropped.
///
/// Each leaf has a slot of its own, several leaves may name the same action. Parameters are read by whoever
/// reads the request: constants, or with [`param_from`](NodeDef::param_from) the actor's values. Refused:
/// an empty name, a parameter given twice. Other libraries run actions within the tick; for that there is
/// [`task`].
///
/// ```
/// use pleach_tree::{action, compile, Tree};
/// use pleach_vm::{Outcome, Population, RequestKind, Value};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").root(action("walk").param("speed", 1.5_f32));
/// let mut all = Population::new(compile(&tree)?);
/// let ann = all.spawn()?;
/// for kind in [RequestKind::Launch, RequestKind::Continue] {
///     all.tick(Duration::ZERO);
///     let request = all.requests().iter().next().expect("she wants to walk");
///     assert_eq!((request.actor, request.kind), (ann, kind));
///     assert_eq!(request.param("speed"), Some(Value::F32(1.5)));
/// }
/// let slot = all.slots("walk")[0];
/// all.set_result(ann, slot, Outcome::Success)?;
/// assert_eq!(all.tick(Duration::ZERO).counts.succeeded, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn action(name: impl Into<String>) -> NodeDef {
    leaf(NodeKind::Action(call(name)))
}

/// Follows something that a system does for every actor anyway, tick for tick: balance, breathe, keep a
/// lookout (L3).
///
/// The system runs before the trees and writes a status for each actor (`set_persistent`, of a Population
/// for one actor, of a BlockMut for 512); a visit answers what was written last, Running before that. It
/// never requests, and neither start nor halt is told to anybody.
///
/// The status is the system's and lasts until it is overwritten, however often the node is left and
/// entered. To have something begun and ended by the tree, use an [`action`]. An empty name is refused.
///
/// ```
/// use pleach_tree::{compile, persistent_action, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").root(persistent_action("lookout"));
/// let mut all = Population::new(compile(&tree)?);
/// let slot = all.persistent_slots("lookout").next().expect("the tree has it");
/// let ann = all.spawn()?;
/// all.tick(Duration::ZERO);
/// assert_eq!(all.status(ann)?, Some(Status::Running));
/// all.set_persistent(ann, slot, Status::Success)?;
/// for _ in 0..2 {
///     all.tick(Duration::ZERO);
///     assert_eq!(all.status(ann)?, Some(Status::Success));
/// }
/// assert_eq!(all.requests().iter().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn persistent_action(name: impl Into<String>) -> NodeDef {
    leaf(NodeKind::PersistentAction(call(name)))
}

/// Runs the host's code within the tick, over several ticks if need be (L4).
///
/// `function` is registered with `Population::on_task`: a closure that gives a status, or a `Task` with
/// `enter`, `run`, `exit` and a `run_batch` for whole blocks (L8). `enter` comes with the first visit, `run`
/// with each one, and for each enter there is exactly one `exit`, with Success, Failure or, if it was
/// halted, Aborted, behind all visits of the tick (L6).
///
/// The node keeps that it runs; anything more belongs into columns. A panic is Failure and listed. Tasks
/// are called from several threads, for different actors: work that must be collected and done in one
/// place is an [`action`]. A name that nobody registered fails and is counted; an empty one is refused.
///
/// BehaviorTree.CPP calls this a StatefulActionNode, py_trees a Behaviour.
///
/// ```
/// use pleach_tree::{compile, task, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let mut all = Population::new(compile(&Tree::build("t").column("left", 2_u8).root(task("count")))?);
/// let left = all.column::<u8>("left")?;
/// all.on_task("count", move |call: &mut pleach_vm::Call<'_>| match call.get(left) {
///     Some(0) | None => Status::Success,
///     Some(more) => {
///         call.set(left, more - 1);
///         Status::Running
///     }
/// })?;
/// all.spawn()?;
/// let running = [(); 3].map(|()| all.tick(Duration::ZERO).counts.running);
/// assert_eq!(running, [1, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn task(function: impl Into<String>) -> NodeDef {
    leaf(NodeKind::Task(call(function)))
}

/// Writes an expression's value to a column of its own actor, and succeeds (L7).
///
/// Whatever is visited later in the same tick sees the new value. Whole numbers are clamped to the range of
/// the column and converted for an `f32` one; a `bool`, `f32` or `u64` fits only a column of its type (E5).
///
/// Refused are columns that the tree does not declare, world values, which belong to the host, labels, and
/// values of a type that does not fit. SetVar in LimboAI, SetBlackboard in BehaviorTree.CPP.
///
/// ```
/// use pleach_tree::{compile, sequence, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("ammo", 250_u8).column("full", false);
/// let root = sequence([set("ammo", "ammo + 30"), set("full", "ammo == 255")]);
/// let mut all = Population::new(compile(&tree.root(root))?);
/// let (ammo, full) = (all.column::<u8>("ammo")?, all.column::<bool>("full")?);
/// let ann = all.spawn()?;
/// all.tick(Duration::ZERO);
/// assert_eq!((all.get(ann, ammo)?, all.get(ann, full)?), (255, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn set(column: impl Into<String>, value: impl Into<Expr>) -> NodeDef {
    leaf(NodeKind::Set {
        column: column.into(),
        value: value.into(),
    })
}

/// Lets time pass: look around for two seconds (D4).
///
/// Running until `duration` has gone by since its first visit, then Success. The tick of the first visit
/// counts nothing, so that no time is waited that passed before; a wait of zero succeeds in it.
///
/// It keeps the moment of its end as long as it runs. Halted, it starts over. The time is that of the ticks
/// (`dt`), in whole microseconds, fractions dropped; more than [`MAX_MICROS`](crate::MAX_MICROS) is refused.
/// Sleep in BehaviorTree.CPP, Timer in py_trees. In front of one node: [`delay`](crate::delay); as a limit
/// for one: [`timeout`](crate::timeout); a time drawn at random: [`wait_between`]; for ever: [`idle`].
///
/// ```
/// use pleach_tree::{compile, wait, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let mut all = Population::new(compile(&Tree::build("t").root(wait(Duration::from_secs(2))))?);
/// all.spawn()?;
/// let done = [5, 1, 1, 1].map(|seconds| all.tick(Duration::from_secs(seconds)).counts.succeeded);
/// assert_eq!(done, [0, 0, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn wait(duration: Duration) -> NodeDef {
    leaf(NodeKind::Wait(duration))
}

/// Lets a time pass that each actor draws for itself: guards who look around for two to five seconds, and
/// do not all turn at once (D4).
///
/// A [`wait`] whose time lies between `min` and `max`, both included, every microsecond of them as likely as
/// any other. It is drawn in the tick of the first visit and kept while the node runs; halted or over, the
/// next start draws anew. The draw depends on the population's seed, the actor, the node and the number of
/// the tick, and on nothing else, so a run can be repeated. Nobody is done before `min`, and whoever is
/// visited at `max` or later is done.
///
/// A `min` above `max` is refused; where both are equal, this is a plain [`wait`]. What is said there of
/// fractions and of [`MAX_MICROS`](crate::MAX_MICROS) holds here too. Wait with a random deviation in Unreal;
/// RandomWait in LimboAI.
///
/// ```
/// use pleach_tree::{compile, wait_between, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let [two, five] = [2, 5].map(Duration::from_secs);
/// let mut all = Population::new(compile(&Tree::build("t").root(wait_between(two, five)))?);
/// all.spawn_many(1_000)?;
/// let done = [0, 1, 1, 1, 1, 1].map(|s| all.tick(Duration::from_secs(s)).counts.succeeded);
/// assert_eq!(done[..2], [0, 0]);
/// assert!(done[3] > 200 && done[4] > 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn wait_between(min: Duration, max: Duration) -> NodeDef {
    leaf(NodeKind::WaitBetween { min, max })
}

/// Success, always (L7): a branch that may be left out, a stand-in while a tree grows.
///
/// AlwaysSuccess in BehaviorTree.CPP. To turn another node's answer into this, see
/// [`succeeder`](crate::succeeder).
///
/// ```
/// use pleach_tree::{compile, condition, selector, succeed, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("armed", false).root(selector([condition("armed"), succeed()]));
/// let mut all = Population::new(compile(&tree)?);
/// all.spawn_many(3)?;
/// assert_eq!(all.tick(Duration::ZERO).counts.succeeded, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn succeed() -> NodeDef {
    leaf(NodeKind::Succeed)
}

/// Failure, always (L7): sends a selector on, or switches a branch off while one looks for a mistake.
///
/// AlwaysFailure in BehaviorTree.CPP. Around a node that does something first:
/// [`failer`](crate::failer).
///
/// ```
/// use pleach_tree::{action, compile, fail, sequence, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let mut all = Population::new(compile(&Tree::build("t").root(sequence([fail(), action("work")])))?);
/// all.spawn()?;
/// let counts = all.tick(Duration::ZERO).counts;
/// assert_eq!((counts.failed, counts.launches), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fail() -> NodeDef {
    leaf(NodeKind::Fail)
}

/// Running, always (L7): the last entry of a [`reactive_selector`](crate::reactive_selector), for whoever
/// has nothing to do until something further up takes over.
///
/// It keeps nothing and tells nobody. Under a resuming parent such as a [`sequence`](crate::sequence)
/// it never ends, unless something above tests each tick: see [`done_when`](crate::done_when). Called
/// Running in py_trees.
///
/// ```
/// use pleach_tree::{compile, condition, idle, reactive_selector, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("bell", false).root(reactive_selector([condition("bell"), idle()]));
/// let mut all = Population::new(compile(&tree)?);
/// let bell = all.column::<bool>("bell")?;
/// let ann = all.spawn()?;
/// all.tick(Duration::from_secs(3600));
/// assert_eq!(all.status(ann)?, Some(Status::Running));
/// all.set(ann, bell, true)?;
/// all.tick(Duration::ZERO);
/// assert_eq!(all.status(ann)?, Some(Status::Success));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn idle() -> NodeDef {
    leaf(NodeKind::Idle)
}
