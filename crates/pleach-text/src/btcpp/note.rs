//! What is told of files that are read: nothing is wrong, but something is not as it was there.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, MAX_KEPT, quoted};
use crate::source::Source;

/// How many names are compared with all that are known: each costs some microseconds.
const MAX_SEARCHES: usize = 1 << 14;

/// Remarks: each kind of note once a file, and warnings.
#[derive(Default)]
pub(super) struct Notes {
    list: Vec<Diagnostic>,
    known: HashSet<(String, String)>,
    leaves: BTreeSet<String>,
    /// Where the first of them stands.
    leaf: Option<(Source, Range<usize>)>,
    told: usize,
    searches: usize,
}

impl Notes {
    /// Adds a note, unless the same was told of the file.
    pub(super) fn push(&mut self, note: Diagnostic) {
        if self
            .known
            .insert((note.message().to_owned(), note.file().to_owned()))
        {
            self.list.push(note);
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
    pub(super) fn unknown_leaf(&mut self, name: &str, source: &Source, span: &Range<usize>) {
        self.leaf
            .get_or_insert_with(|| (source.clone(), span.clone()));
        if !self.leaves.contains(name) {
            self.leaves.insert(name.to_owned());
        }
    }

    /// All notes, and the leaves that were taken for actions.
    pub(super) fn finish(mut self) -> (Vec<Diagnostic>, Vec<String>) {
        const SHOWN: usize = 8;
        let leaves: Vec<String> = self.leaves.into_iter().collect();
        if let Some((source, span)) = &self.leaf {
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
            let note =
                Diagnostic::new(source, span.clone(), Code::TakenFor.says(message)).with_help(help);
            self.list.push(note);
        }
        (self.list, leaves)
    }
}
