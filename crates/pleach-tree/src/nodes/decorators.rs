//! Decorators that map, repeat or time their one child. Those that test an expression are
//! [guards](super::guards).

use std::time::Duration;

use crate::kind::NodeKind;
use crate::node::NodeDef;

/// The opposite: Success for Failure and Failure for Success (D1). Running stays, and nothing is kept.
///
/// For what answers by itself, a [`query`](crate::query) or a subtree; an expression has its own `not`.
/// Inverter in BehaviorTree.CPP and py_trees, on Unreal's decorators a flag.
///
/// ```
/// use pleach_tree::{action, compile, invert, query, sequence, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("thief").root(sequence([invert(query("watched")), action("steal")]));
/// let mut thieves = Population::new(compile(&tree)?);
/// thieves.on_query("watched", |call| call.actor().index() % 2 == 0)?;
/// thieves.spawn_many(10)?;
/// let counts = thieves.tick(Duration::ZERO).counts;
/// assert_eq!((counts.failed, counts.launches), (5, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn invert(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::Invert, [child])
}

/// Makes a child optional: Success as soon as it finishes, however that is (D1).
///
/// In a [`sequence`](crate::sequence) it lets the rest go on where the child had no luck. The child is
/// waited for: while it runs, so does this node, which keeps nothing of its own. ForceSuccess
/// (BehaviorTree.CPP, Unreal), AlwaysSucceed (LimboAI), FailureIsSuccess (py_trees).
///
/// ```
/// use pleach_tree::{compile, condition, sequence, set, succeeder, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let hat = succeeder(sequence([condition("sunny"), set("hat", true)]));
/// let tree = Tree::build("walker").column("sunny", false).column("hat", false).column("out", false);
/// let mut walkers = Population::new(compile(&tree.root(sequence([hat, set("out", true)])))?);
/// let (hat, out) = (walkers.column::<bool>("hat")?, walkers.column::<bool>("out")?);
/// let ann = walkers.spawn()?;
/// walkers.tick(Duration::ZERO);
/// assert_eq!((walkers.get(ann, hat)?, walkers.get(ann, out)?), (false, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn succeeder(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::Succeeder, [child])
}

/// Failure as soon as the child finishes (D1): does something on the way without ending a
/// [`selector`](crate::selector) with it.
///
/// Running stays Running. The opposite of a [`succeeder`]; called ForceFailure in BehaviorTree.CPP,
/// AlwaysFail in LimboAI and SuccessIsFailure in py_trees.
///
/// ```
/// use pleach_tree::{compile, failer, selector, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("tried", 0).column("done", false);
/// let root = selector([failer(set("tried", "tried + 1")), set("done", true)]);
/// let mut all = Population::new(compile(&tree.root(root))?);
/// let (tried, done) = (all.column::<i32>("tried")?, all.column::<bool>("done")?);
/// let ann = all.spawn()?;
/// all.tick(Duration::ZERO);
/// assert_eq!((all.get(ann, tried)?, all.get(ann, done)?), (1, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn failer(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::Failer, [child])
}

/// The same again, a number of times: three knocks; or with `None` until something stops it (D2).
///
/// One iteration a tick at most, and Running in between. Success in the tick in which the last iteration
/// ends; a Failure of the child ends the loop with Failure. To go on after failures there is
/// [`repeat_regardless`].
///
/// It keeps how many iterations lie behind it, and the running child. Halted, it begins again at 0.
///
/// A number of 0 is refused. BehaviorTree.CPP repeats within one tick, py_trees one iteration a tick as
/// here; in LimboAI a failure counts as an iteration unless `abort_on_failure` is set.
///
/// ```
/// use pleach_tree::{compile, repeat, set, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("knocks", 0).root(repeat(set("knocks", "knocks + 1"), 3));
/// let mut guests = Population::new(compile(&tree)?);
/// let knocks = guests.column::<i32>("knocks")?;
/// let ann = guests.spawn()?;
/// let mut seen = Vec::new();
/// for _ in 0..3 {
///     guests.tick(Duration::ZERO);
///     seen.push((guests.get(ann, knocks)?, guests.status(ann)?));
/// }
/// let [running, success] = [Some(Status::Running), Some(Status::Success)];
/// assert_eq!(seen, [(1, running), (2, running), (3, success)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repeat(child: NodeDef, times: impl Into<Option<u32>>) -> NodeDef {
    let (times, break_on_failure) = (times.into(), true);
    let kind = NodeKind::Repeat {
        times,
        break_on_failure,
    };
    NodeDef::new(kind, [child])
}

/// A [`repeat`] that takes a failure for an iteration like any other (D2): ten shots, hit or miss.
///
/// So it never fails; with `None` it never ends. Same counter, same pace of one iteration a tick, same
/// refusal of 0.
///
/// ```
/// use pleach_tree::{compile, fail, repeat, repeat_regardless, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let mut strict = Population::new(compile(&Tree::build("t").root(repeat(fail(), 2)))?);
/// let mut easy = Population::new(compile(&Tree::build("t").root(repeat_regardless(fail(), 2)))?);
/// strict.spawn()?;
/// easy.spawn()?;
/// assert_eq!(strict.tick(Duration::ZERO).counts.failed, 1);
/// assert_eq!(easy.tick(Duration::ZERO).counts.running, 1);
/// assert_eq!(easy.tick(Duration::ZERO).counts.succeeded, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repeat_regardless(child: NodeDef, times: impl Into<Option<u32>>) -> NodeDef {
    let (times, break_on_failure) = (times.into(), false);
    let kind = NodeKind::Repeat {
        times,
        break_on_failure,
    };
    NodeDef::new(kind, [child])
}

/// Goes on as long as it works: pick berries until there are none (D2).
///
/// The child's Failure is this node's *Failure*; `max` successes make it succeed, `None` is no limit. That
/// is what [`repeat`] does too: this name says that the failure is what one waits for. Put a [`succeeder`]
/// around it where running out is fine.
///
/// Counts iterations while it runs, at most one in a tick, and loses count when halted. A `max` of 0 is
/// refused. KeepRunningUntilFailure in BehaviorTree.CPP (without a limit). LimboAI's RepeatUntilFailure
/// *succeeds* with the child's failure.
///
/// ```
/// use pleach_tree::{compile, condition, repeat_until_failure, sequence, set, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let pick = sequence([condition("berries > 0"), set("berries", "berries - 1")]);
/// let tree = Tree::build("t").column("berries", 2_u8).root(repeat_until_failure(pick, None));
/// let mut pickers = Population::new(compile(&tree)?);
/// let ann = pickers.spawn()?;
/// for expected in [Status::Running, Status::Running, Status::Failure] {
///     pickers.tick(Duration::ZERO);
///     assert_eq!(pickers.status(ann)?, Some(expected));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repeat_until_failure(child: NodeDef, max: impl Into<Option<u32>>) -> NodeDef {
    NodeDef::new(NodeKind::RepeatUntilFailure { max: max.into() }, [child])
}

/// Tries again until it works, or gives up after `max` attempts: turn the key, three times (D2).
///
/// Success with the child's first one; Failure with its `max`-th failure, and never with `None`. An attempt
/// takes a tick at least, and between two of them the node runs.
///
/// It keeps the number of failed attempts until it ends or is halted. At least one attempt must be
/// allowed. Retry in py_trees; RetryUntilSuccessful in BehaviorTree.CPP, which makes all attempts in one
/// tick. With a pause between attempts: give it a [`delay`] for a child.
///
/// ```
/// use pleach_tree::{compile, fail, repeat_until_success, sequence, set, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let attempt = sequence([set("attempts", "attempts + 1"), fail()]);
/// let tree = Tree::build("t").column("attempts", 0).root(repeat_until_success(attempt, 2));
/// let mut drivers = Population::new(compile(&tree)?);
/// let attempts = drivers.column::<i32>("attempts")?;
/// let ann = drivers.spawn()?;
/// drivers.tick(Duration::ZERO);
/// assert_eq!(drivers.status(ann)?, Some(Status::Running));
/// drivers.tick(Duration::ZERO);
/// assert_eq!(drivers.status(ann)?, Some(Status::Failure));
/// assert_eq!(drivers.get(ann, attempts)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repeat_until_success(child: NodeDef, max: impl Into<Option<u32>>) -> NodeDef {
    NodeDef::new(NodeKind::RepeatUntilSuccess { max: max.into() }, [child])
}

/// Not again so soon: a special attack that rests for a while after each use (D3).
///
/// Lets its child answer. From the tick in which that finishes, whether it succeeded or not, the node fails
/// without a visit while less than `time` has passed. A child that runs is resumed in any case, and one
/// that is halted has not been used: no rest follows.
///
/// The end of the rest outlives halts, unload and load; a reset and a despawn forget
/// it (U4).
///
/// Times are kept in whole microseconds; longer ones than [`MAX_MICROS`](crate::MAX_MICROS) are refused.
/// In Unreal it is a Cooldown too; LimboAI's rests after a success only, unless told otherwise.
/// BehaviorTree.CPP and py_trees have none. For once and never again, see [`run_once`].
///
/// ```
/// use pleach_tree::{compile, cooldown, selector, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let roar = cooldown(set("roars", "roars + 1"), Duration::from_secs(2));
/// let tree = Tree::build("lion").column("roars", 0).column("naps", 0);
/// let tree = tree.root(selector([roar, set("naps", "naps + 1")]));
/// let mut lions = Population::new(compile(&tree)?);
/// let (roars, naps) = (lions.column::<i32>("roars")?, lions.column::<i32>("naps")?);
/// let ann = lions.spawn()?;
/// for _ in 0..6 {
///     lions.tick(Duration::from_secs(1));
/// }
/// // In seconds 1, 3 and 5.
/// assert_eq!((lions.get(ann, roars)?, lions.get(ann, naps)?), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cooldown(child: NodeDef, time: Duration) -> NodeDef {
    NodeDef::new(NodeKind::Cooldown(time), [child])
}

/// Gives up on something that takes too long: search for ten seconds, then think of something else (D4).
///
/// Visits the child first, and what that answers counts. Only where it is still Running with `time` or more
/// passed since the node started, the node fails, and the child is halted in the same tick. So even a
/// timeout of zero lets the child have one tick.
///
/// Keeps its running child and the moment at which time is up. A new start is a new timer.
///
/// A `time` above [`MAX_MICROS`](crate::MAX_MICROS) µs is refused, fractions of a microsecond are dropped. TimeLimit in
/// LimboAI and Unreal. BehaviorTree.CPP's Timeout halts between two ticks, and py_trees' goes off only when
/// *more* than the time has passed. Success at the end of a time: [`parallel`](crate::parallel) with a
/// [`wait`](crate::wait).
///
/// ```
/// use pleach_tree::{action, compile, timeout, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let search = timeout(action("search"), Duration::from_secs(2));
/// let mut dogs = Population::new(compile(&Tree::build("dog").root(search))?);
/// dogs.spawn()?;
/// assert_eq!(dogs.tick(Duration::from_secs(1)).counts.launches, 1);
/// assert_eq!(dogs.tick(Duration::from_secs(1)).counts.running, 1);
/// let counts = dogs.tick(Duration::from_secs(1)).counts;
/// assert_eq!((counts.failed, counts.cancels), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn timeout(child: NodeDef, time: Duration) -> NodeDef {
    NodeDef::new(NodeKind::Timeout(time), [child])
}

/// Hesitates before it acts: the guard reacts half a second after the noise (D4).
///
/// Running until `time` has passed since its first visit, of which the tick of that visit counts nothing;
/// then, still in the same tick, it visits the child and answers what that does. As long as the child runs,
/// there is no second delay.
///
/// It keeps the moment that it waits for, later its running child. A halt forgets both: next time it
/// hesitates again. The same as a [`sequence`](crate::sequence) of a [`wait`](crate::wait) and the child.
///
/// Refused beyond [`MAX_MICROS`](crate::MAX_MICROS) µs. Delay in BehaviorTree.CPP and LimboAI too; the
/// latter waits until *more* than the time has passed.
///
/// ```
/// use pleach_tree::{action, compile, delay, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let turn = delay(action("turn round"), Duration::from_millis(500));
/// let mut guards = Population::new(compile(&Tree::build("guard").root(turn))?);
/// guards.spawn()?;
/// let launches = [250; 4].map(|millis| guards.tick(Duration::from_millis(millis)).counts.launches);
/// assert_eq!(launches, [0, 0, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn delay(child: NodeDef, time: Duration) -> NodeDef {
    NodeDef::new(NodeKind::Delay(time), [child])
}

/// Once in a lifetime: the greeting that an innkeeper gives a player only the first time (D6).
///
/// Is as if it were not there until its child has finished once. From then on it answers what that
/// answered, and visits it no more. A child that is halted has not finished and may try again.
///
/// How it ended is kept for ever, whatever is halted or unloaded; only reset and despawn forget it (U4).
///
/// OneShot in py_trees, where a policy says whether a failure counts. BehaviorTree.CPP's RunOnce answers
/// "skipped" from then on, unless `then_skip` is false; LimboAI's RunLimit fails. Several times, within one
/// run: [`repeat`]. At intervals: [`cooldown`].
///
/// ```
/// use pleach_tree::{compile, run_once, sequence, set, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let greet = run_once(set("greetings", "greetings + 1"));
/// let tree = Tree::build("host").column("greetings", 0).column("meals", 0);
/// let tree = tree.root(sequence([greet, set("meals", "meals + 1")]));
/// let mut hosts = Population::new(compile(&tree)?);
/// let (greetings, meals) = (hosts.column::<i32>("greetings")?, hosts.column::<i32>("meals")?);
/// let ann = hosts.spawn()?;
/// for _ in 0..3 {
///     hosts.tick(Duration::ZERO);
/// }
/// assert_eq!((hosts.get(ann, greetings)?, hosts.get(ann, meals)?), (1, 3));
/// hosts.reset(ann)?;
/// hosts.tick(Duration::ZERO);
/// assert_eq!(hosts.get(ann, greetings)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_once(child: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::RunOnce, [child])
}
