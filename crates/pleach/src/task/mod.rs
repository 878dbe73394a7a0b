//! Trees of closures, for one agent at a time.
//!
//! Describe what an agent does with node functions, [compile](Tree::compile) the description once, and
//! [tick](Tree::tick) it for each agent. Each node reports one of three statuses:
//!
//! | status | |
//! |---|---|
//! | [`Status::Success`] | the node has finished and did what it should |
//! | [`Status::Failure`] | the node could not do it |
//! | [`Status::Running`] | the node needs more ticks; the next one picks up where it left off |
//!
//! A guard that chases a player whom it sees, and patrols otherwise:
//!
//! ```
//! use pleach::task::{Progress, Status, Tree, condition, selector, sequence, task, wait};
//! use std::time::Duration;
//!
//! /// The agent: what the closures do something with.
//! struct Guard {
//!     at: f64,
//!     post: f64,
//! }
//!
//! /// The board: any type at all, through which nodes and host share data.
//! #[derive(Default)]
//! struct Board {
//!     player: Option<f64>,
//! }
//!
//! /// Walks at 3 m/s; Success when it is there.
//! fn walk(guard: &mut Guard, to: f64, dt: Duration) -> Status {
//!     let step = 3.0 * dt.as_secs_f64();
//!     guard.at += (to - guard.at).clamp(-step, step);
//!     if guard.at == to { Status::Success } else { Status::Running }
//! }
//!
//! let tree = Tree::compile(selector([
//!     sequence([
//!         condition(|guard: &mut Guard, board: &mut Board| {
//!             board.player.is_some_and(|player| (player - guard.at).abs() < 10.0)
//!         }),
//!         task(|guard: &mut Guard, board: &mut Board, dt| match board.player {
//!             Some(player) => walk(guard, player, dt),
//!             None => Status::Failure,
//!         }),
//!     ]),
//!     sequence([
//!         task(|guard: &mut Guard, _: &mut Board, dt| walk(guard, guard.post, dt)),
//!         wait(2.0),
//!         task(|guard: &mut Guard, _: &mut Board, dt| walk(guard, guard.post + 6.0, dt)),
//!         wait(2.0),
//!     ]),
//! ]))?;
//!
//! // One tree, any number of guards. Each has a board and a progress of its own.
//! let mut guards = [0.0, 40.0].map(|post| {
//!     (Guard { at: post, post }, Board::default(), Progress::default())
//! });
//! for tick in 0..100 {
//!     for (guard, board, progress) in &mut guards {
//!         board.player = (tick >= 60).then_some(8.0);
//!         tree.tick(progress, guard, board, Duration::from_millis(100));
//!     }
//! }
//! let [chasing, patrolling] = &guards;
//! assert_eq!(chasing.0.at, 8.0);
//! assert!((40.0..=46.0).contains(&patrolling.0.at));
//! # Ok::<(), pleach::task::CompileError>(())
//! ```
//!
//! # Nodes
//!
//! | | |
//! |---|---|
//! | composites | [`sequence`], [`selector`], [`random_sequence`], [`random_selector`], [`parallel`] |
//! | decorators | [`invert`], [`succeeder`], [`failer`], [`cooldown`], [`timeout`], [`delay`] |
//! | loops | [`repeat`], [`repeat_until_failure`], [`repeat_until_success`] |
//! | leaves | [`condition`], [`task`], [`wait`], [`succeed`], [`fail`] |
//!
//! Closures are called with the agent, the board and, in a task, the tick's `dt`. They are [`Fn`]: what a
//! node remembers lives in the agent or the board, since all agents share the closures. Agent, board and
//! closures may borrow, and need not be [`Send`]. The types of a closure's parameters must be written out
//! where it looks into them.
//!
//! # How it runs
//!
//! The rules are those of all Pleach's trees, numbered in `docs/semantics.md`; the tree is flattened and
//! walked by a kernel that populations use as well, so neither deep trees nor dropping them use the stack.
//! Time is `dt` added up; nothing reads a clock. A tick allocates nothing, but for the first of a
//! [`Progress`]. For thousands of agents that decide on data, a [`Population`](crate::Population) is
//! faster by far: there nothing is called for each agent and node.

mod compile;
mod composite;
mod decorator;
mod error;
mod leaf;
mod node;
mod progress;
mod tree;

pub use composite::{parallel, random_selector, random_sequence, selector, sequence};
pub use decorator::{
    cooldown, delay, failer, invert, repeat, repeat_until_failure, repeat_until_success, succeeder,
    timeout,
};
pub use error::{CompileError, Problem};
pub use leaf::{condition, fail, succeed, task, wait};
pub use node::{NodeDef, Policy};
pub use progress::Progress;
pub use tree::Tree;

pub use pleach_shape::Status;
pub use pleach_vm::Exit;
