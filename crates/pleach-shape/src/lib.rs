//! Flattened behavior trees.
//!
//! A [`Shape`] is what all actors of one tree share and only read: two streams of plain-old-data
//! [`Token`]s, their side tables, and a statement of everything a run will need
//! ([`Requirements`]). It is what edit time hands to run time: `pleach-tree` compiles trees to
//! shapes, `pleach-vm` runs them, and neither knows the other. A third stream, the
//! [threaded one](threaded), is derived from these when the shape is made.
//!
//! A shape exists only after [verification](verify): whatever the bytes were, no kernel that
//! walks a `Shape` can loop, read out of bounds or panic.
//!
//! ```
//! use pleach_shape::{NodeDef, Op, Requirements, Shape, ShapeParts, Tables, Token, NONE};
//!
//! // A tree of one leaf, by hand. (Normally `pleach_tree::compile` does this.)
//! let plain = vec![Token::node(Op::Succeed, 1, 0, NONE)];
//! let tables = Tables {
//!     names: vec!["tiny".into()],
//!     nodes: vec![NodeDef { id: 0, name: NONE, first_param: 0, params: 0 }],
//!     ..Tables::default()
//! };
//! let parts = ShapeParts::from_plain(plain, tables).unwrap();
//! let shape = Shape::new(parts).unwrap();
//! assert_eq!(shape.requirements().plain_tokens, 1);
//! ```
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod display;
pub mod expr;
pub mod guard;
pub mod index;
pub mod layout;
pub mod op;
pub mod predicate;
pub mod requirements;
mod shape;
pub mod state;
mod status;
pub mod tables;
pub mod threaded;
mod token;
mod value;
pub mod verify;

pub use display::{Disassembly, ExprText, Lead};
pub use expr::{ExprCode, ExprDef, ExprOp, ExprType};
pub use index::{
    ActionIndex, ColumnIndex, ExprIndex, FunctionIndex, GroupIndex, GuardedIndex, NodeId,
    SlotIndex, TimerIndex, TokenIndex, WorldIndex,
};
pub use layout::{BLOCK_LANES, BlockLayout};
pub use op::{Keeps, Op, Role};
pub use predicate::{Comparison, Predicate};
pub use requirements::Requirements;
pub use shape::{MAX_PATH_SEGMENTS, Param, Shape, ShapeParts};
pub use state::StateRecord;
pub use status::Status;
pub use tables::{
    ColumnDef, FunctionDef, FunctionKind, GroupDef, LatchDef, LoopDef, NodeDef, ParamDef,
    ParamSource, RandomDef, SetDef, SlotDef, SwitchDef, Tables, TimerDef, WorldDef,
};
pub use threaded::{Mark, Region, Step, Threaded, ThreadedToken};
pub use token::{NONE, Token, TokenFlags, reaction};
pub use value::{Value, ValueType};
pub use verify::{
    MAX_DEPTH, MAX_NAME_BYTES, MAX_NODES, MAX_RANDOM_CHILDREN, MAX_VALUES, VerifyError,
};
