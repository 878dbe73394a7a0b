//! What is told of files that are read: nothing is wrong, but something is not as it was there.

use std::collections::{BTreeSet, HashSet};

use crate::diagnostic::Diagnostic;

/// Remarks, each kind once a file.
#[derive(Default)]
pub(super) struct Notes {
    list: Vec<Diagnostic>,
    known: HashSet<(&'static str, String)>,
    leaves: BTreeSet<String>,
}

impl Notes {
    /// Adds a note, unless one of its kind was told of the file.
    pub(super) fn push(&mut self, kind: &'static str, note: Diagnostic) {
        if self.known.insert((kind, note.file().to_owned())) {
            self.list.push(note);
        }
    }

    /// Adds a name of a leaf that nobody declares.
    pub(super) fn unknown_leaf(&mut self, name: &str) {
        if !self.leaves.contains(name) {
            self.leaves.insert(name.to_owned());
        }
    }

    /// All notes, and the leaves that were taken for actions.
    pub(super) fn finish(self) -> (Vec<Diagnostic>, Vec<String>) {
        (self.list, self.leaves.into_iter().collect())
    }
}
