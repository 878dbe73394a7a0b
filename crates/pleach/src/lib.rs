//! Behavior trees for thousands to millions of actors.
//!
//! Describe a tree ([`Tree`]), flatten it into streams of plain tokens ([`compile`]), and let a
//! [`Population`] of actors run it. Each tick decides what every actor wants and hands out
//! deferred action requests in batches.
//!
//! - edit time: [`tree`]: nodes (its front page lists them all, each with a page of its own), expressions,
//!   checks, the compiler;
//! - the shape between: [`shape`]: tokens, requirements, verifier, listing;
//! - run time: [`vm`]: populations, worlds, kernels, results and requests. Its front page says what to
//!   look at for what;
//! - [`table`]: what happened at a node as sets of actors, and rules that write conditions;
//! - [`task`]: trees of closures, for one agent at a time.
//!
//! With the feature `datalog` there is a module `datalog` as well: sets as facts for rules in Datalog, and
//! relations as sets.
//!
//! The rules are numbered in `docs/semantics.md`; `docs/architecture.md` shows how the parts fit.
//!
//! ```
//! use pleach::prelude::*;
//! use std::time::Duration;
//!
//! let tree = Tree::build("guard").column("sees_player", false).root(reactive_selector([
//!     sequence([condition("sees_player"), action("chase").param("speed", 4.0_f32)]),
//!     sequence([action("patrol"), wait(Duration::from_secs(2))]),
//! ]));
//! let mut guards = Population::new(compile(&tree)?);
//! guards.spawn_many(1_000)?;
//! guards.tick(Duration::from_millis(16));
//! assert_eq!(guards.report().counts.launches, 1_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many actors at once
//!
//! Actors lie in blocks of 512, and one bit an actor is a [`Plane`](vm::Plane). By default
//! ([`Kernel::Auto`]) a tree is walked once for all actors of a block. A host can work on whole blocks as
//! well: queries and tasks that are called once for all actors of a block
//! ([`on_query_batch`](Population::on_query_batch), [`run_batch`](vm::Task::run_batch)), columns as
//! slices ([`blocks_mut`](Population::blocks_mut)), requests as planes
//! ([`planes`](vm::ActionBatch::planes)). And actors that nobody looks at can tick less often:
//!
//! ```
//! use pleach::prelude::*;
//! use std::time::Duration;
//!
//! let tree = Tree::build("guard").column("noise", 0_u8).root(reactive_selector([
//!     sequence([query("hears something"), action("look")]),
//!     action("patrol"),
//! ]));
//! let mut guards = Population::new(compile(&tree)?);
//! let noise = guards.column::<u8>("noise")?;
//! guards.on_query_batch("hears something", move |batch: &mut Batch<'_>| {
//!     let mut hears = batch.lanes();
//!     for lane in batch.lanes().lanes() {
//!         hears.put(lane, batch.values(noise).is_some_and(|noise| noise[lane] > 40));
//!     }
//!     hears
//! })?;
//! guards.spawn_many(2_048)?;
//!
//! // Everyone ticks every fourth tick, one of the four blocks in each.
//! guards.stagger(4);
//! for mut block in guards.blocks_mut() {
//!     block.values_mut(noise)?[100..200].fill(50);
//! }
//! assert_eq!(guards.tick(Duration::from_millis(16)).counts.ticked, 512);
//!
//! // One block was due, and a hundred of its guards launch a look.
//! let looks = guards.requests().named("look").expect("the tree has it");
//! let looking: u32 = looks.planes().map(|(_, _, who)| who.launch.count()).sum();
//! assert_eq!(looking, 100);
//!
//! // Those whom the player comes near tick every tick from now on.
//! let near: Vec<ActorId> = guards.actors().take(4).collect();
//! for actor in near {
//!     guards.set_interval(actor, Interval::ALWAYS)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "datalog")]
pub mod datalog;
pub mod task;

pub use pleach_shape as shape;
pub use pleach_tree as tree;
pub use pleach_vm as vm;
pub use pleach_vm::table;

pub use pleach_shape::{Requirements, Shape, Status, Value, ValueType};
pub use pleach_tree::{CompileError, NodeDef, NodeId, Tree, compile};
pub use pleach_vm::{ActorId, Kernel, Outcome, Population, RequestKind, World};

/// What most users of the library need in scope.
pub mod prelude {
    pub use pleach_shape::{Shape, SlotIndex, Status, Value, ValueType};
    pub use pleach_tree::{
        Expr, NodeDef, Threshold, Tree, abort_when, action, case, col, compile, concurrent,
        condition, cooldown, delay, done_when, fail, failer, idle, if_then, if_then_else, invert,
        lit, otherwise, parallel, persistent_action, query, random_selector, random_sequence,
        reactive_selector, reactive_sequence, repeat, repeat_regardless, repeat_until_failure,
        repeat_until_success, run_once, run_while, selector, sequence, set, succeed, succeeder,
        switch, task, timeout, wait, wait_between, when, while_do, while_do_else,
    };
    pub use pleach_vm::{
        ActorId, Answers, Batch, Call, ColumnKey, Exit, Interval, Kernel, Outcome, Plane,
        Population, PopulationId, Request, RequestKind, RequestPlanes, Requests, ResultRecord,
        Simd, Systems, Task, World, WorldKey,
        table::{ActorSet, NodeKey, PlaneSet},
    };
}

/// The README's examples, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
