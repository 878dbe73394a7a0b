//! Names that scripts read and that no file writes. There, C++ writes them, or registers them as an
//! enumeration; here, the first is the host's affair, and the second is unknown.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::meaning::Meaning;
use super::note::Notes;
use super::plan::{Plan, PortValue};
use super::script::{Statement, Term, TermKind};
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::source::Source;

/// How many names a note shows.
const SHOWN: usize = 8;

/// The names that anything in any tree may write, without marks of blackboards.
pub(super) fn written(plans: &[Plan]) -> HashSet<&str> {
    let mut written: HashSet<&str> = HashSet::new();
    for plan in plans {
        if let Some(declared) = &plan.declared {
            let columns = declared.declared.iter().map(|one| &one.name);
            let params = declared.params.iter().map(|one| &one.name);
            written.extend(columns.chain(params).map(|name| bare(name)));
        }
        for node in &plan.nodes {
            for port in &node.ports {
                match &port.value {
                    PortValue::Key(key) => written.insert(bare(key)),
                    PortValue::Text(key) if node.meaning == Meaning::SetBlackboard => {
                        written.insert(bare(key))
                    }
                    PortValue::Text(_) => false,
                };
                if node.meaning == Meaning::SubTree {
                    written.insert(bare(&port.name));
                }
            }
            for script in &node.scripts {
                for statement in &script.statements {
                    if let Statement::Assign(assign) = statement {
                        written.insert(bare(&assign.name));
                    }
                }
            }
        }
    }
    written
}

/// Tells of the names that scripts read and nothing writes.
pub(super) fn note_unwritten(plans: &[Plan], notes: &mut Notes) {
    let written = written(plans);
    let mut read: BTreeMap<&str, (&Source, Range<usize>)> = BTreeMap::new();
    for plan in plans {
        for script in plan.nodes.iter().flat_map(|node| &node.scripts) {
            let place = || (&plan.source, script.attribute.value_span.clone());
            for name in script.statements.iter().flat_map(|one| names(one.term())) {
                read.entry(bare(name)).or_insert_with(place);
            }
        }
    }
    read.retain(|name, _| !written.contains(name));
    let Some((source, span)) = read.values().min_by_key(|(_, span)| span.start).cloned() else {
        return;
    };
    let shown: Vec<String> = read.keys().take(SHOWN).map(|name| quoted(name)).collect();
    let more = match read.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "scripts read what nothing in these files writes: {}{more}",
        shown.join(", ")
    );
    let help = "each is a column for the host to write; for an enumeration that C++ registers, write its numbers";
    notes.push(Diagnostic::new(source, span, Code::Unwritten.says(message)).with_help(help));
}

/// A name without the mark of the main tree's blackboard.
pub(super) fn bare(name: &str) -> &str {
    name.strip_prefix('@').unwrap_or(name)
}

/// The names in a term.
fn names(term: &Term) -> Vec<&str> {
    let mut names = Vec::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        if let TermKind::Name(name) = &term.kind {
            names.push(name.as_str());
        }
        pending.extend(term.inner());
    }
    names
}
