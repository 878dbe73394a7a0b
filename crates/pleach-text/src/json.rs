//! The JSON form of files, for programs: `docs/json.md`.
//!
//! It holds what KDL holds. A text is read with `serde_json`, level by level and with the place of each
//! value, into the nodes that the KDL would have; from there on, both are read alike. It is written
//! from the same heads of nodes as KDL is.

mod node;
mod read;
mod value;
mod write;

pub(crate) use self::read::read_document;
pub(crate) use self::write::write_file;

/// The version of the form that this library reads and writes.
pub const JSON_VERSION: u32 = 1;
