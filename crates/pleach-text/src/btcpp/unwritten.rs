//! Names that scripts read and that no file writes. There, C++ writes them, or registers them as an
//! enumeration; here, the first is the host's affair, and the second is unknown.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::fact::number;
use super::meaning::Meaning;
use super::note::Notes;
use super::plan::{Plan, Port, PortValue};
use super::script::{Statement, Term, TermKind};
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::source::Source;

/// How many names a note shows.
const SHOWN: usize = 8;

/// The names that anything in any tree may write, without marks of blackboards.
fn written(plans: &[Plan]) -> HashSet<&str> {
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

/// Makes texts of names that nothing writes where they meet an entry of texts: in `color := Blue` and
/// `color != Blue`, where a `Switch2` looks for `Blue` in `color`, it is a label of an enumeration that C++
/// registers.
pub(super) fn labels_of_names(plans: &mut [Plan]) {
    let textual = textual(plans);
    if textual.is_empty() {
        return;
    }
    let written: HashSet<String> = written(plans).into_iter().map(str::to_owned).collect();
    let is_textual = |name: &str| textual.contains(bare(name));
    let is_label = |name: &str| !is_textual(name) && !written.contains(bare(name));
    for node in plans.iter_mut().flat_map(|plan| &mut plan.nodes) {
        for statement in node.scripts.iter_mut().flat_map(|one| &mut one.statements) {
            let mut pending: Vec<(&mut Term, bool)> = match statement {
                Statement::Term(term) => vec![(term, false)],
                Statement::Assign(assign) => {
                    vec![(&mut assign.value, is_textual(&assign.name))]
                }
            };
            while let Some((term, meets_text)) = pending.pop() {
                if let TermKind::Name(name) = &term.kind
                    && meets_text
                    && is_label(name)
                {
                    term.kind = TermKind::Text(name.clone());
                }
                match &mut term.kind {
                    TermKind::If(test, then, other) => {
                        pending.push((test, false));
                        pending.push((then, meets_text));
                        pending.push((other, meets_text));
                    }
                    TermKind::Compare(_, operands) => {
                        let meets = operands.iter().any(
                            |one| matches!(&one.kind, TermKind::Name(name) if is_textual(name)),
                        );
                        pending.extend(operands.iter_mut().map(|one| (one, meets)));
                    }
                    TermKind::Negate(inner) | TermKind::Not(inner) => pending.push((inner, false)),
                    TermKind::Binary(_, left, right) => {
                        pending.push((left, false));
                        pending.push((right, false));
                    }
                    TermKind::Bool(_)
                    | TermKind::Int(_)
                    | TermKind::Float(_)
                    | TermKind::Text(_)
                    | TermKind::Name(_) => {}
                }
            }
        }
    }
}

/// The names of entries that hold texts: scripts write texts to them or compare them with some, or a
/// Switch looks for some in them.
fn textual(plans: &[Plan]) -> HashSet<String> {
    let mut textual = HashSet::new();
    for node in plans.iter().flat_map(|plan| &plan.nodes) {
        if let Meaning::Switch(_) = node.meaning
            && let Some(PortValue::Key(key)) = node.port("variable").map(|port| &port.value)
        {
            let mut cases = node
                .ports
                .iter()
                .filter(|port| port.name.starts_with("case_"));
            let is_word = |port: &Port| matches!(&port.value, PortValue::Text(text) if number(text).is_none());
            if cases.any(is_word) {
                textual.insert(bare(key).to_owned());
            }
        }
        for statement in node.scripts.iter().flat_map(|script| &script.statements) {
            if let Statement::Assign(assign) = statement
                && holds_text(&assign.value)
            {
                textual.insert(bare(&assign.name).to_owned());
            }
            let mut pending = vec![statement.term()];
            while let Some(term) = pending.pop() {
                if let TermKind::Compare(_, operands) = &term.kind
                    && operands.iter().any(holds_text)
                {
                    textual.extend(operands.iter().filter_map(|one| match &one.kind {
                        TermKind::Name(name) => Some(bare(name).to_owned()),
                        _ => None,
                    }));
                }
                pending.extend(term.inner());
            }
        }
    }
    textual
}

/// Whether a term is a text, or a choice of one.
fn holds_text(term: &Term) -> bool {
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match &term.kind {
            TermKind::Text(_) => return true,
            TermKind::If(_, then, other) => pending.extend([&**then, &**other]),
            _ => {}
        }
    }
    false
}

/// A name without the mark of the main tree's blackboard.
fn bare(name: &str) -> &str {
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
