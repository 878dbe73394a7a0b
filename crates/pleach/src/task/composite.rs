//! Node functions: composites.

use super::node::{Kind, NodeDef, Policy};

/// Runs children in order until one fails; succeeds when all succeed: "do A, then B, then C". Goes on at
/// the child that was running.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, sequence, task, wait};
/// use std::time::Duration;
///
/// let say = |word: &'static str| {
///     task(move |_: &mut (), said: &mut Vec<&str>, _| {
///         said.push(word);
///         Status::Success
///     })
/// };
/// let tree = Tree::compile(sequence([say("ready"), wait(1.0), say("go")]))?;
/// let (mut progress, mut said) = (Progress::default(), Vec::new());
/// while tree.tick(&mut progress, &mut (), &mut said, Duration::from_millis(250)) == Status::Running {}
/// assert_eq!(said, ["ready", "go"]);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn sequence<'f, A: ?Sized, B: ?Sized>(
    nodes: impl IntoIterator<Item = NodeDef<'f, A, B>>,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Sequence, nodes)
}

/// Runs children in order until one succeeds; fails when all fail: "try A, else B, else C".
///
/// It starts at the first child each tick. If a higher child starts succeeding or running while a later
/// one was still running, the later one is reset: its running tasks get [`Exit::Aborted`]. (Elsewhere in
/// Pleach that is a *reactive* selector.)
///
/// ```
/// use pleach::task::{Progress, Status, Tree, condition, selector, task};
/// use std::time::Duration;
///
/// let tree = Tree::compile(selector([
///     condition(|danger: &mut bool, _: &mut Vec<&str>| *danger),
///     task(|_, _: &mut Vec<&str>, _| Status::Running)
///         .on_exit(|_, diary, _| diary.push("nap interrupted")),
/// ]))?;
/// let (mut progress, mut diary) = (Progress::default(), Vec::new());
/// tree.tick(&mut progress, &mut false, &mut diary, Duration::ZERO);
/// tree.tick(&mut progress, &mut true, &mut diary, Duration::ZERO);
/// assert_eq!(diary, ["nap interrupted"]);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
///
/// [`Exit::Aborted`]: super::Exit::Aborted
pub fn selector<'f, A: ?Sized, B: ?Sized>(
    nodes: impl IntoIterator<Item = NodeDef<'f, A, B>>,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Selector, nodes)
}

/// Like [`sequence`], but in a fresh random order every time it starts over; while a child runs, the order
/// stays. At most 64 children.
///
/// What is drawn depends on the [seed](super::Tree::with_seed).
///
/// ```
/// use pleach::task::{Progress, Status, Tree, random_sequence, task};
/// use std::time::Duration;
///
/// let step = |letter| {
///     task(move |_: &mut (), dance: &mut String, _| {
///         dance.push(letter);
///         Status::Success
///     })
/// };
/// let tree = Tree::compile(random_sequence(['a', 'b', 'c', 'd'].map(step)))?;
/// let mut progress = Progress::default();
/// let mut dances = Vec::new();
/// for _ in 0..20 {
///     let mut dance = String::new();
///     tree.tick(&mut progress, &mut (), &mut dance, Duration::ZERO);
///     dances.push(dance);
/// }
/// // Each of them has all steps, and they are not all the same.
/// assert!(dances.iter().all(|dance| "abcd".chars().all(|step| dance.contains(step))));
/// assert!(dances.iter().any(|dance| *dance != dances[0]));
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn random_sequence<'f, A: ?Sized, B: ?Sized>(
    nodes: impl IntoIterator<Item = NodeDef<'f, A, B>>,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::RandomSequence, nodes)
}

/// Tries children until one succeeds and fails when all fail, as a [`selector`] does, but in a fresh
/// random order every time it starts over. While a child runs, the order stays and nothing before it is
/// tried again: unlike a [`selector`], it does not react. At most 64 children. [`random_sequence`] has an
/// example.
pub fn random_selector<'f, A: ?Sized, B: ?Sized>(
    nodes: impl IntoIterator<Item = NodeDef<'f, A, B>>,
) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::RandomSelector, nodes)
}

/// Ticks every child that has not finished yet, each tick, all of them. Fails once enough children have
/// failed, succeeds once enough have succeeded; when all have finished and neither is so, it fails.
/// Children that are still running when it finishes are reset. A [`Policy`] says how many are enough:
/// `None`, or what it leaves open, means all for success and 1 for failure.
///
/// ```
/// use pleach::task::{Policy, Progress, Status, Tree, parallel, wait};
/// use std::time::Duration;
///
/// let two_of_three = Policy { success: Some(2), failure: None };
/// let tree: Tree<(), ()> = Tree::compile(parallel([wait(1.0), wait(9.0), wait(2.0)], two_of_three))?;
/// let (mut progress, mut seconds) = (Progress::default(), 0);
/// while tree.tick(&mut progress, &mut (), &mut (), Duration::from_secs(1)) == Status::Running {
///     seconds += 1;
/// }
/// assert_eq!(seconds, 2);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn parallel<'f, A: ?Sized, B: ?Sized>(
    nodes: impl IntoIterator<Item = NodeDef<'f, A, B>>,
    policy: impl Into<Option<Policy>>,
) -> NodeDef<'f, A, B> {
    let policy = policy.into().unwrap_or_default();
    NodeDef::new(Kind::Parallel(policy), nodes)
}
