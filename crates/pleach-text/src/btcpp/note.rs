//! What is told of files that are read: nothing is wrong, but something is not as it was there.

use std::collections::{BTreeSet, HashSet};

use crate::diagnostic::{Diagnostic, MAX_KEPT, quoted};
use crate::source::Source;

/// How many names are compared with all that are known: each costs some microseconds.
const MAX_SEARCHES: usize = 1 << 14;

/// Remarks: each kind of note once a file, and warnings.
#[derive(Default)]
pub(super) struct Notes {
    list: Vec<Diagnostic>,
    known: HashSet<(&'static str, String)>,
    leaves: BTreeSet<String>,
    told: usize,
    searches: usize,
}

impl Notes {
    /// Adds a note, unless one of its kind was told of the file.
    pub(super) fn push(&mut self, kind: &'static str, note: Diagnostic) {
        if self.known.insert((kind, note.file().to_owned())) {
            self.list.push(note.as_note());
        }
    }

    /// Adds something that is told of each place, up to a limit.
    pub(super) fn tell(&mut self, diagnostic: Diagnostic) {
        if self.told < MAX_KEPT {
            self.told += 1;
            self.list.push(diagnostic);
        }
    }

    /// Looks for the name that is meant by another one, unless that was done very often.
    pub(super) fn slip<'k>(&mut self, search: impl FnOnce() -> Option<&'k str>) -> Option<&'k str> {
        self.searches += 1;
        match self.searches > MAX_SEARCHES {
            true => None,
            false => search(),
        }
    }

    /// Adds a name of a leaf that nobody declares.
    pub(super) fn unknown_leaf(&mut self, name: &str) {
        if !self.leaves.contains(name) {
            self.leaves.insert(name.to_owned());
        }
    }

    /// All notes about a file and those that it includes, and the leaves that were taken for actions.
    pub(super) fn finish(mut self, source: &Source) -> (Vec<Diagnostic>, Vec<String>) {
        const SHOWN: usize = 8;
        let leaves: Vec<String> = self.leaves.into_iter().collect();
        if !leaves.is_empty() {
            let shown: Vec<String> = leaves.iter().take(SHOWN).map(|name| quoted(name)).collect();
            let more = match leaves.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!(
                "leaves that nobody declares are taken for actions: {}{more}",
                shown.join(", ")
            );
            let help = "a `<Condition ID=\"…\"/>` in `TreeNodesModel` says that one is a condition";
            let note = Diagnostic::whole(source, message).with_help(help);
            self.list.push(note.as_note());
        }
        (self.list, leaves)
    }
}
