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
//!
//! # Nodes
//!
//! A function for each; its page says what the node is for, when it answers what, what it keeps, and shows
//! it at work. The numbers are those of the rules in `docs/semantics.md`.
//!
//! | | |
//! |---|---|
//! | in order (C1) | [`sequence`], [`selector`]; from the first child each tick: [`reactive_sequence`], [`reactive_selector`] |
//! | in a random order (C2) | [`random_sequence`], [`random_selector`] |
//! | side by side (C3, C4) | [`parallel`] counts and remembers; [`concurrent`] watches |
//! | by a value (C5) | [`switch`] with [`case`] and [`otherwise`] |
//! | by a test (C6) | once: [`if_then_else`], [`if_then`]; each tick: [`while_do_else`], [`while_do`] |
//! | other answers (D1) | [`invert`], [`succeeder`], [`failer`] |
//! | again (D2) | [`repeat`], [`repeat_regardless`], [`repeat_until_success`], [`repeat_until_failure`] |
//! | less often (D3, D6) | [`cooldown`], [`run_once`] |
//! | time (D4) | [`wait`], [`wait_between`], [`delay`], [`timeout`] |
//! | guards (D5) | judged at the start: [`when`]; each tick: [`run_while`] (else Failure), [`done_when`] (then Success), [`abort_when`] (then out of the tree) |
//! | left out at times (K1, K2) | [`skip_if`], [`skip_unless`], [`run_once_then_skip`]; done already: [`success_if`] |
//! | written behind (F1, F2) | [`on_success`], [`on_failure`], [`on_finish`], [`on_halted`] |
//! | a place of its own (C7, N1 to N4) | [`keep_sequence`]; as Nav2 has them: [`pipeline_sequence`], [`round_robin`], [`recovery`], [`rate_controller`] |
//! | asking (L1) | [`condition`], [`query`] |
//! | doing (L2 to L4) | [`action`], [`persistent_action`], [`task`] |
//! | the rest (L7) | [`set`], [`succeed`], [`fail`], [`idle`] |
//!
//! Builders cannot fail. What does not fit together, [`compile`] refuses, everything at once: beside what the
//! pages say, a composite without children and a parameter on a node that takes none.

mod compile;
mod compound;
mod error;
mod expr;
mod kind;
mod lower;
mod node;
mod nodes;
mod parse;
mod suggest;
mod tree;

pub use compile::{MAX_LABELS, MAX_MICROS, compile};
pub use compound::Compound;
pub use error::{CompileError, MAX_PROBLEMS, Place, Problem, ProblemKind};
pub use expr::{BinaryOp, Expr, ExprError, ExprKind, Span, UnaryOp, col, lit};
pub use kind::{Call, CaseValue, NodeKind, Parameter, ParameterValue, Threshold};
pub use node::NodeDef;
pub use nodes::*;
pub use parse::MAX_EXPR_DEPTH;
pub use suggest::{closest, closest_within};
pub use tree::{Column, Node, Tree, TreeBuilder, WorldValue, is_expression_word, is_identifier};

pub use pleach_shape::{NodeId, Value, ValueType};
