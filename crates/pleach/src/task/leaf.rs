//! Node functions: leaves.

use std::time::Duration;

use pleach_shape::Status;

use super::node::{Kind, NodeDef, TaskDef};

/// Success when `holds` gives true, Failure otherwise.
///
/// ```
/// use pleach::task::{NodeDef, condition};
///
/// let hungry: NodeDef<u32, ()> = condition(|hunger: &mut u32, _: &mut ()| *hunger > 3);
/// ```
pub fn condition<'f, A: ?Sized, B: ?Sized>(
    holds: impl Fn(&mut A, &mut B) -> bool + 'f,
) -> NodeDef<'f, A, B> {
    NodeDef::leaf(Kind::Condition(Box::new(holds)))
}

/// Does the actual work: `run` is called every tick while the task runs, with the tick's `dt`, and
/// answers with a status.
///
/// [`on_enter`](NodeDef::on_enter) is called on the first tick of a new run,
/// [`on_exit`](NodeDef::on_exit) when the task finishes or is interrupted.
///
/// ```
/// use pleach::task::{Exit, Progress, Status, Tree, task};
/// use std::time::Duration;
///
/// #[derive(Default)]
/// struct Door {
///     open: f64,
///     squeaks: u32,
/// }
///
/// let open = task(|door: &mut Door, _: &mut (), dt| {
///     door.open += dt.as_secs_f64();
///     if door.open >= 1.0 { Status::Success } else { Status::Running }
/// })
/// .on_enter(|door, _| door.squeaks += 1)
/// .on_exit(|door, _, reason| {
///     if reason == Exit::Success {
///         door.open = 1.0;
///     }
/// });
///
/// let tree = Tree::compile(open)?;
/// let (mut door, mut progress) = (Door::default(), Progress::default());
/// while tree.tick(&mut progress, &mut door, &mut (), Duration::from_millis(300)) == Status::Running {}
/// assert_eq!((door.open, door.squeaks), (1.0, 1));
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn task<'f, A: ?Sized, B: ?Sized>(
    run: impl Fn(&mut A, &mut B, Duration) -> Status + 'f,
) -> NodeDef<'f, A, B> {
    NodeDef::leaf(Kind::Task(TaskDef {
        run: Box::new(run),
        on_enter: None,
        on_exit: None,
    }))
}

/// Running for that many seconds, then Success. The tick that starts it counts nothing, so `wait(0.0)`
/// succeeds at once: see [`Tree::tick`](super::Tree::tick).
pub fn wait<'f, A: ?Sized, B: ?Sized>(seconds: f64) -> NodeDef<'f, A, B> {
    NodeDef::leaf(Kind::Wait(seconds))
}

/// Always Success.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, fail, selector, succeed};
///
/// let tree: Tree<(), ()> = Tree::compile(selector([fail(), succeed()]))?;
/// let status = tree.tick(&mut Progress::default(), &mut (), &mut (), Default::default());
/// assert_eq!(status, Status::Success);
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
pub fn succeed<'f, A: ?Sized, B: ?Sized>() -> NodeDef<'f, A, B> {
    NodeDef::leaf(Kind::Succeed)
}

/// Always Failure; [`succeed`] has an example.
pub fn fail<'f, A: ?Sized, B: ?Sized>() -> NodeDef<'f, A, B> {
    NodeDef::leaf(Kind::Fail)
}
