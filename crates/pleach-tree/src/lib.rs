//! Behavior trees at edit time.
//!
//! A [`Tree`] has named nodes, expressions and parameters, and is made to be read and changed by
//! people. [`compile`] checks it, says everything that is wrong with it at once, and flattens it
//! into a [`Shape`](pleach_shape::Shape), which is made to be run.
//!
//! ```
//! use pleach_tree::{action, compile, condition, selector, sequence, wait, Tree};
//! use std::time::Duration;
//!
//! let tree = Tree::build("guard")
//!     .column("sees_player", false)
//!     .column("health", 1.0_f32)
//!     .world("alarm", false)
//!     .root(selector([
//!         sequence([
//!             condition("health < 0.3 and not alarm"),
//!             action("flee").param("speed", 4.0_f32),
//!         ])
//!         .named("flee"),
//!         sequence([condition("sees_player"), action("chase")]),
//!         sequence([action("patrol"), wait(Duration::from_secs(2))]),
//!     ]));
//!
//! let shape = compile(&tree).unwrap();
//! assert_eq!(shape.len(), 10);
//! assert_eq!(shape.requirements().deferred_slots, 3);
//! ```

mod compile;
mod error;
mod expr;
mod lower;
mod node;
mod nodes;
mod parse;
mod suggest;
mod tree;

pub use compile::{MAX_LABELS, MAX_MICROS, compile};
pub use error::{CompileError, MAX_PROBLEMS, Place, Problem};
pub use expr::{BinaryOp, Expr, ExprError, ExprKind, Span, UnaryOp, col, lit};
pub use node::NodeDef;
pub use nodes::*;
pub use parse::MAX_EXPR_DEPTH;
pub use suggest::closest;
pub use tree::{
    Call, CaseValue, Column, Node, NodeKind, Parameter, ParameterValue, Threshold, Tree,
    TreeBuilder, WorldValue, is_identifier,
};

pub use pleach_shape::{NodeId, Value, ValueType};
