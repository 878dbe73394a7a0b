//! Names in scripts that are labels of an enumeration that C++ registers: bare words where this library has
//! texts.

use std::collections::HashSet;

use super::fact::number;
use super::meaning::Meaning;
use super::plan::{Plan, Port, PortValue};
use super::script::{Statement, Term, TermKind};
use super::unwritten::{bare, written};

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
