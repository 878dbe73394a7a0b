//! Node functions: decorators.

use super::node::{Kind, NodeDef};

/// Swaps Success and Failure.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, fail, failer, invert, succeed, succeeder};
///
/// let answer = |def| {
///     let tree: Tree<(), ()> = Tree::compile(def).expect("nothing is wrong with it");
///     tree.tick(&mut Progress::default(), &mut (), &mut (), Default::default())
/// };
/// assert_eq!(answer(invert(succeed())), Status::Failure);
/// assert_eq!(answer(succeeder(fail())), Status::Success);
/// assert_eq!(answer(failer(succeed())), Status::Failure);
/// ```
pub fn invert<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Invert, [node])
}

/// Always Success once the child finishes; [`invert`] has an example.
pub fn succeeder<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Succeeder, [node])
}

/// Always Failure once the child finishes; [`invert`] has an example.
pub fn failer<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Failer, [node])
}

/// Runs the child `n` times, then succeeds; for ever where `n` is `None`. Stops with Failure when the child
/// fails, unless `break_on_failure` is `false` (`None` means `true`): then a failure counts as well.
///
/// A child that has finished is run again in the next tick: one iteration a tick, at most.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, repeat, task};
/// use std::time::Duration;
///
/// let knock = task(|_: &mut (), knocks: &mut u32, _| {
///     *knocks += 1;
///     Status::Success
/// });
/// let tree = Tree::compile(repeat(knock, 3, None))?;
/// let (mut progress, mut knocks) = (Progress::default(), 0);
/// let mut tick = || tree.tick(&mut progress, &mut (), &mut knocks, Duration::ZERO);
/// assert_eq!([tick(), tick(), tick()], [Status::Running, Status::Running, Status::Success]);
/// assert_eq!(knocks, 3);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn repeat<'f, A: ?Sized, B: ?Sized>(
    node: NodeDef<'f, A, B>,
    n: impl Into<Option<u32>>,
    break_on_failure: impl Into<Option<bool>>,
) -> NodeDef<'f, A, B> {
    let kind = Kind::Repeat {
        times: n.into(),
        break_on_failure: break_on_failure.into().unwrap_or(true),
    };
    NodeDef::new(kind, [node])
}

/// Repeats until the child fails, then fails. Succeeds after `max_attempts` successes, if there is a limit.
/// One iteration a tick, as in [`repeat`].
///
/// ```
/// use pleach::task::{Progress, Status, Tree, repeat_until_failure, task};
/// use std::time::Duration;
///
/// let eat = task(|_: &mut (), berries: &mut u32, _| match *berries {
///     0 => Status::Failure,
///     _ => {
///         *berries -= 1;
///         Status::Success
///     }
/// });
/// let tree = Tree::compile(repeat_until_failure(eat, None))?;
/// let (mut progress, mut berries) = (Progress::default(), 2);
/// let mut tick = || tree.tick(&mut progress, &mut (), &mut berries, Duration::ZERO);
/// assert_eq!([tick(), tick(), tick()], [Status::Running, Status::Running, Status::Failure]);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn repeat_until_failure<'f, A: ?Sized, B: ?Sized>(
    node: NodeDef<'f, A, B>,
    max_attempts: impl Into<Option<u32>>,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::RepeatUntilFailure(max_attempts.into()), [node])
}

/// Repeats until the child succeeds. Fails after `max_attempts` failures, if there is a limit. One
/// iteration a tick, as in [`repeat`].
///
/// ```
/// use pleach::task::{Progress, Status, Tree, condition, repeat_until_success};
/// use std::time::Duration;
///
/// let open = condition(|door: &mut u32, _: &mut ()| {
///     *door += 1;
///     *door > 2
/// });
/// let tree = Tree::compile(repeat_until_success(open, 2))?;
/// let (mut progress, mut door) = (Progress::default(), 0);
/// let mut tick = || tree.tick(&mut progress, &mut door, &mut (), Duration::ZERO);
/// assert_eq!([tick(), tick()], [Status::Running, Status::Failure]);
/// assert_eq!(tick(), Status::Success);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn repeat_until_success<'f, A: ?Sized, B: ?Sized>(
    node: NodeDef<'f, A, B>,
    max_attempts: impl Into<Option<u32>>,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::RepeatUntilSuccess(max_attempts.into()), [node])
}

/// After the child finishes, either way, gives Failure for that many seconds without running it. A child
/// that is interrupted starts no cooldown. The cooldown goes on whatever the tree does meanwhile; only a
/// [reset](super::Tree::reset) forgets it.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, cooldown, selector, task, wait};
/// use std::time::Duration;
///
/// let shout = task(|_: &mut (), shouts: &mut u32, _| {
///     *shouts += 1;
///     Status::Success
/// });
/// let tree = Tree::compile(selector([cooldown(shout, 5.0), wait(60.0)]))?;
/// let (mut progress, mut shouts) = (Progress::default(), 0);
/// for _ in 0..12 {
///     tree.tick(&mut progress, &mut (), &mut shouts, Duration::from_secs(1));
/// }
/// assert_eq!(shouts, 3); // in seconds 1, 6 and 11
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn cooldown<'f, A: ?Sized, B: ?Sized>(
    node: NodeDef<'f, A, B>,
    seconds: f64,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Cooldown(seconds), [node])
}

/// Fails and resets the child if it is still running after that many seconds. The child is ticked first,
/// and its own answer wins.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, timeout, wait};
/// use std::time::Duration;
///
/// let tree: Tree<(), ()> = Tree::compile(timeout(wait(60.0), 2.0))?;
/// let mut progress = Progress::default();
/// let mut tick = || tree.tick(&mut progress, &mut (), &mut (), Duration::from_secs(1));
/// assert_eq!([tick(), tick(), tick()], [Status::Running, Status::Running, Status::Failure]);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn timeout<'f, A: ?Sized, B: ?Sized>(
    node: NodeDef<'f, A, B>,
    seconds: f64,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Timeout(seconds), [node])
}

/// Running for that many seconds, then runs the child. The tick that starts it counts nothing.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, delay, succeed};
/// use std::time::Duration;
///
/// let tree: Tree<(), ()> = Tree::compile(delay(succeed(), 2.0))?;
/// let mut progress = Progress::default();
/// let mut tick = || tree.tick(&mut progress, &mut (), &mut (), Duration::from_secs(1));
/// assert_eq!([tick(), tick(), tick()], [Status::Running, Status::Running, Status::Success]);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn delay<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>, seconds: f64) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Delay(seconds), [node])
}
