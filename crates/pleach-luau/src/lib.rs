//! The behavior-tree package for Luau scripts: trees of callbacks, one compiled tree for any number of
//! agents, each with its own progress.
//!
//! [`register`] makes the module; a host gives it to its scripts however it likes.
//!
//! ```
//! use mlua::Lua;
//!
//! let lua = Lua::new();
//! lua.globals().set("BT", pleach_luau::register(&lua)?)?;
//! lua.load(r#"
//!     local tree = BT.Compile(BT.Selector({
//!         BT.Sequence({
//!             BT.Condition(function(npc, board) return board.target ~= nil end),
//!             BT.Task({ run = function(npc, board, dt)
//!                 if board.target == nil then return BT.Failure end
//!                 npc.goal = board.target
//!                 return BT.Running
//!             end }),
//!         }),
//!         BT.Wait(2),
//!     }))
//!     local npc = {}
//!     assert(tree:Tick(npc, {}, 1 / 60) == "Running")
//!     assert(tree:Tick(npc, { target = "here" }, 1 / 60) == "Running" and npc.goal == "here")
//! "#).exec()?;
//! # Ok::<(), mlua::Error>(())
//! ```
//!
//! `cargo run -p pleach-luau --example run -- SCRIPT` runs a script with the module in a stand-in for an
//! engine; `examples/guard.luau` is one to begin with.
//!
//! # The surface
//!
//! A node answers one of three strings, which the module has as `Success`, `Failure` and `Running`.
//! Running takes up where it left with the next tick. Scripts get nodes (`NodeDef`) from these functions,
//! and a tree from `Compile`; the last column names the rule in `docs/semantics.md`, which says it all.
//!
//! | function of the module | | rule |
//! |---|---|---|
//! | `Compile(def)` | a tree | |
//! | `Sequence(nodes)` | children in order until one fails; resumes at the one that was running | C1 |
//! | `Selector(nodes)` | children in order until one succeeds. Each tick starts at the first: one that succeeds or runs resets a later one that was running (the library calls it ReactiveSelector) | C1 |
//! | `RandomSequence(nodes)`, `RandomSelector(nodes)` | the same in a fresh order each time they start over; resume at the running child. At most 64 nodes | C2 |
//! | `Parallel(nodes, policy?)` | all children each tick; `policy` has `SuccessThreshold` (default: all) and `FailureThreshold` (default: 1), failures judged first. Children that have finished wait for the others; those that still run when it finishes are reset. If all have finished and neither is met: Failure | C3 |
//! | `Invert(node)`, `Succeeder(node)`, `Failer(node)` | swap, make Success, make Failure, once the child finishes | D1 |
//! | `Repeat(node, n?, breakOnFailure?)` | `n` times, or for ever; Failure of the child is Failure unless `breakOnFailure` is `false` | D2 |
//! | `RepeatUntilFailure(node, maxAttempts?)` | until the child fails: Failure; after `maxAttempts` successes Success | D2 |
//! | `RepeatUntilSuccess(node, maxAttempts?)` | until the child succeeds: Success; after `maxAttempts` failures Failure | D2 |
//! | `Cooldown(node, t)` | for `t` seconds after the child finished, either way, Failure without running it | D3 |
//! | `Timeout(node, t)` | Failure, and the child is reset, if it still runs after `t` seconds | D4 |
//! | `Delay(node, t)` | Running for `t` seconds, then the child | D4 |
//! | `Condition(fn)` | calls `fn(agent, blackboard)`; Success if it holds | L1 |
//! | `Task(def)` | calls `def.run(agent, blackboard, dt)` each tick while it runs, `def.onEnter(agent, blackboard)` before the first, `def.onExit(agent, blackboard, reason)` behind the last, with `"Success"`, `"Failure"` or `"Aborted"` | L4 |
//! | `Wait(t)` | Running for `t` seconds, then Success | D4 |
//! | `Succeed()`, `Fail()` | always Success, always Failure | L7 |
//!
//! | method of a tree | |
//! |---|---|
//! | `tree:Tick(agent, blackboard, dt)` | evaluates the tree once for the agent; the root's status |
//! | `tree:Reset(agent, blackboard)` | throws the agent's progress away; running tasks exit with `"Aborted"`, in the order of the tree. Nothing for one that has none |
//! | `tree:GetLastStatus(agent)` | what the last tick came to; nil before the first and after a reset |
//!
//! # What is left open elsewhere
//!
//! **Time.** `t` and `dt` are numbers from 0 to 1e9 seconds, kept to the nearest microsecond; what a
//! tick loses by rounding comes with the next, so that sixty ticks of a sixtieth make a second. A wait
//! begins in the tick that reaches it, which counts nothing. `run` gets the `dt` of its tick as it was
//! handed in. A loop makes one round a tick.
//!
//! **Conditions.** Whatever is true in Lua is Success; `nil` and `false` are Failure. The three status
//! strings are an error: `"Failure"` would be Success.
//!
//! **Definitions.** Nodes and trees are opaque: a script can neither look inside nor change them. A node
//! may be used at several places and in several trees; each place has its own runs. Tables that are handed
//! in are copied, without asking their metatables. A tree has at most 1,048,576 nodes, a shared one
//! counted wherever it is, and nests at most 65,536 levels; a definition that goes beyond is refused where
//! it does. A random order has at most 64 children.
//!
//! **Agents** are whatever can be a key of a table, by identity. Progress is held by weak keys: it goes when
//! the collector takes the agent, whatever blackboards and callbacks refer to; nobody is told then. Strings,
//! numbers, booleans and vectors are never collected; their progress stays until they are reset or the tree
//! goes. An agent's progress takes 1.5 KB; 4 KB more if any node measures time, and 128 bytes for each that
//! does. A tree takes about 100 bytes a node. The collector does not see that memory, so the module makes it
//! go round when trees and progress together have doubled since it last did, from 64 MB on.
//!
//! **Blackboards** are handed to callbacks as they are, `nil` included.
//!
//! **Randomness.** The n-th agent that begins in a tree has the seed n; one that was reset begins anew. The
//! same calls in the same order give the same orders.
//!
//! **Errors.** A call that is refused raises a string that begins with the place of the call, names function
//! and argument, and says what was found and what is allowed. Arguments beyond those of a function of the
//! module are refused, as they would be missing from the tree.
//!
//! An error in a callback counts as Failure, and so does a `run` that returns no status. The tick is completed
//! by the ordinary rules; then `Tick` raises the first error, with the node's path
//! (`Selector/Sequence-1/Task-2`: the second node of the first node of the root), the callback, the original
//! message and its traceback. `GetLastStatus` says what the tick came to, and the next tick goes on from there.
//! For each `onEnter` there is exactly one `onExit`; an `onEnter` that erred has not entered, and neither
//! `run` nor `onExit` follows. The status that a task has answered stays when its `onExit` errs. In `Reset`
//! likewise: all running tasks exit, the progress is thrown away, then the first error is raised.
//!
//! **Callbacks** may tick and reset other agents, and the same agent in other trees, up to 48 within each other;
//! to do so with the agent of the tick in its own tree is an error. They cannot yield.

mod argument;
mod define;
mod list;
mod node;
mod progress;
mod refusal;
mod surface;
mod tree;
mod turn;

use std::sync::atomic::Ordering::Relaxed;

use mlua::{Lua, Table, Value};
use pleach_shape::Status;

use crate::surface::Surface;
use crate::tree::{TreeCore, TreeMaker};

/// Makes the module's table. It is frozen; scripts get at it however the host likes: as a global, from a
/// `require`, from an `Engine:GetPackage`.
///
/// A state may have it more than once; nodes of one are nodes for the other.
///
/// # Errors
/// When the state has no function `error` (its base library was not loaded), or no memory.
pub fn register(lua: &Lua) -> mlua::Result<Table> {
    let surface = Surface::new(lua)?;
    let module = lua.create_table()?;
    for status in Status::ALL {
        let name = turn::status_name(status);
        module.raw_set(name, name)?;
    }
    define::add_to(lua, &module, &surface)?;
    let maker = TreeMaker::new(lua, &surface)?;
    let compile = surface.answering(lua, move |lua, values| maker.compile(lua, values))?;
    module.raw_set("Compile", compile)?;
    module.set_readonly(true);
    Ok(module)
}

/// How many agents' progress a tree holds; `None` for what is not a tree. For hosts that want to see that
/// agents go: it falls when the collector takes them.
pub fn live_agents(tree: &Value) -> Option<usize> {
    TreeCore::of(tree).map(|tree| tree.live.load(Relaxed))
}
