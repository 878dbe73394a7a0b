//! The formats of files that can be checked.

use std::path::Path;

use pleach_sim::Inspected;

/// A format of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// The tree language; scenarios, too.
    Kdl,
}

impl Format {
    /// The format of files with that name; `None` for files that hold no trees.
    pub(crate) fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "kdl" => Some(Format::Kdl),
            _ => None,
        }
    }

    /// What programs call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Kdl => "kdl",
        }
    }

    /// All that there is to say about such a file.
    pub(crate) fn inspect(self, path: &Path, strict: bool) -> Inspected {
        match self {
            Format::Kdl => pleach_sim::inspect(path, strict),
        }
    }
}
