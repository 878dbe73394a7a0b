//! Trees of BehaviorTree.CPP, read from XML and written to it.

mod bare_label;
mod comment;
mod counterpart;
mod fact;
mod files;
mod fragment;
mod kept;
mod lower;
mod map;
mod meaning;
mod model;
mod names;
mod note;
mod options;
mod plan;
mod planner;
mod scan;
mod scope;
mod script;
mod slip;
mod unwritten;
mod write;
mod xml;

pub use self::counterpart::{Counterpart, counterpart};
pub use self::files::tree_names;
pub(crate) use self::files::{read_one, read_xml};
pub(crate) use self::kept::Kept;
pub use self::options::{Leaf, NoSuchParent, Options};
pub use self::scan::{MAX_ATTRIBUTES, MAX_LEVELS};
pub(crate) use self::write::write_file;
