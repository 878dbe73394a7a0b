//! Behavior trees as text.
//!
//! [`parse`] reads the trees of a [KDL 2](https://kdl.dev) file, [`write()`] writes them.
//! `docs/language.md` describes the language. All that is wrong with a file comes at once, as
//! [`Diagnostics`]: each error with file, line, column, the line itself and what to do about it.
//!
//! ```
//! let text = r#"
//! tree "guard" {
//!     blackboard {
//!         health f32 1.0
//!         sees_player bool
//!     }
//!     reactive-selector {
//!         sequence "flee" {
//!             condition "health < 0.3"
//!             action "flee" speed=4.0
//!         }
//!         sequence { condition "sees_player"; action "chase" }
//!         sequence { action "patrol"; wait 2.5 }
//!     }
//! }
//! "#;
//! let document = pleach_text::parse("guard.kdl", text).unwrap();
//! let shape = document.compile("guard").unwrap();
//! assert_eq!(shape.len(), 10);
//!
//! let written = pleach_text::write(document.main());
//! assert_eq!(pleach_text::parse("again.kdl", &written).unwrap().main(), document.main());
//!
//! let errors = pleach_text::parse("guard.kdl", "tree \"a\" { seqence { idle } }").unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "error[P0101]: unknown node `seqence`
//!  --> guard.kdl:1:12
//!   |
//! 1 | tree \"a\" { seqence { idle } }
//!   |            ^^^^^^^
//!   = help: did you mean `sequence`?"
//! );
//! ```
//!
//! # Other files in KDL
//!
//! [`kdl_document`] reads any KDL document within the same limits and with the same diagnostics;
//! [`read_value`] reads a typed value from an entry, and [`Diagnostic::new`] with [`bytes`] says
//! what is wrong with a node or an entry. The [`kdl`] crate is re-exported for that.
//!
//! # Hostile files
//!
//! Whatever the bytes are, reading them neither panics nor overflows the stack, and its time and
//! memory are bounded: by [`MAX_BYTES`], [`MAX_NESTING`] and [`MAX_ITEMS`] for any document, and by
//! [`MAX_NAME`], [`MAX_EXPR_BYTES`], [`MAX_EXPRS_BYTES`], [`MAX_INLINED_BYTES`] and
//! [`MAX_NODES`](pleach_shape::MAX_NODES) for trees.

pub mod btcpp;
mod chars;
mod comments;
mod constant;
mod diagnostic;
mod document;
mod draft;
mod edit;
pub mod explain;
mod file;
mod files;
mod format;
pub mod gallery;
mod inline;
mod inspect;
mod json;
mod keyword;
mod lint;
mod loader;
mod read;
mod reformat;
mod scan;
mod snippet;
mod source;
mod token;
mod tree_file;
mod usage;
mod value;
mod write;

pub use diagnostic::{
    Code, Diagnostic, Diagnostics, MAX_KEPT, MAX_PRINTED, Message, Note, Severity, Spanned,
    Wording, bytes, did_you_mean, quoted, visible,
};
pub use document::{MAX_BYTES, MAX_ITEMS, MAX_NESTING, decode, kdl_document};
pub use edit::{Editor, Literal, NodePlace};
pub use file::{
    Checked, Document, Remarks, check_with, check_with_options, parse, parse_bytes, parse_with,
    parse_with_options,
};
pub use files::{MAX_FILES, MAX_TOTAL_BYTES};
pub use format::Format;
pub use inline::{MAX_EXPRS_BYTES, MAX_INLINED_BYTES};
pub use inspect::{Inspection, Outline, inspect_with, inspect_with_options, unused_trees};
pub use json::JSON_VERSION;
pub use kdl;
pub use loader::{FilePlace, LoadError, Loader, relative};
pub use read::{MAX_EXPR_BYTES, MAX_NAME, MAX_PARAMS};
pub use reformat::reformat;
pub use snippet::{Paint, Part, Plain};
pub use source::{Position, Source};
pub use tree_file::TreeFile;
pub use value::read_value;
pub use write::{write, write_all};
