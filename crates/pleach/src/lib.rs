//! Behavior trees for thousands to millions of actors.
//!
//! Describe a tree ([`Tree`]), flatten it into streams of plain tokens ([`compile`]), and let a
//! [`Population`] of actors run it. Each tick decides what every actor wants and hands out
//! deferred action requests in batches.
//!
//! - edit time: [`tree`]: nodes, expressions, checks, the compiler;
//! - the shape between: [`shape`]: tokens, requirements, verifier, listing;
//! - run time: [`vm`]: populations, worlds, kernels, results and requests.
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

pub use pleach_shape as shape;
pub use pleach_tree as tree;
pub use pleach_vm as vm;

pub use pleach_shape::{Requirements, Shape, Status, Value, ValueType};
pub use pleach_tree::{CompileError, NodeDef, NodeId, Tree, compile};
pub use pleach_vm::{ActorId, Kernel, Outcome, Population, RequestKind, World};

/// What most users of the library need in scope.
pub mod prelude {
    pub use pleach_shape::{Shape, SlotIndex, Status, Value, ValueType};
    pub use pleach_tree::{
        Expr, NodeDef, Threshold, Tree, action, col, compile, concurrent, condition, fail, failer,
        idle, invert, lit, parallel, persistent_action, query, reactive_selector,
        reactive_sequence, selector, sequence, set, succeed, succeeder, task, wait,
    };
    pub use pleach_vm::{
        ActorId, Call, ColumnKey, Exit, Kernel, Outcome, Population, PopulationId, Request,
        RequestKind, Requests, ResultRecord, Systems, Task, World, WorldKey,
    };
}

/// The README's examples, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
