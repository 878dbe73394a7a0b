//! The types of classes and terms.

use std::collections::{HashMap, VecDeque};

use super::Names;
use crate::btcpp::fact::{Entry, Number};
use crate::btcpp::script::{Operator, Term, TermKind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};

impl Names<'_> {
    /// Computes what assignments say of types. A type only grows, and there are three.
    pub(super) fn settle(&mut self) {
        let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
        for (claim, &(_, tree, term)) in self.claims.iter().enumerate() {
            let mut pending = vec![term];
            while let Some(term) = pending.pop() {
                if let TermKind::Name(name) = &term.kind
                    && let Some(root) = self.root(tree, name)
                {
                    readers.entry(root).or_default().push(claim);
                }
                pending.extend(term.inner());
            }
        }
        let mut queue: VecDeque<usize> = (0..self.claims.len()).collect();
        while let Some(claim) = queue.pop_front() {
            let (id, tree, term) = self.claims[claim];
            let Some(number) = self.type_of(tree, term) else {
                continue;
            };
            let root = self.find(id);
            if self.facts[root].number < Some(number) {
                self.facts[root].number = Some(number);
                queue.extend(readers.get(&root).into_iter().flatten());
            }
        }
    }

    /// The type of a term, as far as it is known.
    pub(in crate::btcpp) fn type_of(&self, tree: usize, term: &Term) -> Option<Number> {
        match &term.kind {
            TermKind::Bool(_) | TermKind::Not(_) | TermKind::Compare(..) => Some(Number::Bool),
            TermKind::Int(value) => Some(match i32::try_from(*value) {
                Ok(_) => Number::Int,
                Err(_) => Number::Float,
            }),
            TermKind::Float(_) => Some(Number::Float),
            TermKind::Text(_) => None,
            TermKind::Name(name) => {
                let id = self.known(tree, name)?;
                let root = self.find(id);
                match self.own.get(&id).or_else(|| self.resolved.get(&root)) {
                    Some(Entry::Number(number) | Entry::Constant(number)) => Some(*number),
                    Some(_) => None,
                    None => self.facts[root].likely(),
                }
            }
            TermKind::Negate(inner) => self.type_of(tree, inner).max(Some(Number::Int)),
            TermKind::Binary(Operator::And | Operator::Or, ..) => Some(Number::Bool),
            TermKind::Binary(Operator::Div, ..) => Some(Number::Float),
            TermKind::Binary(_, left, right) => {
                let inner = self.type_of(tree, left).max(self.type_of(tree, right));
                inner.max(Some(Number::Int))
            }
            TermKind::If(_, then, other) => self.type_of(tree, then).max(self.type_of(tree, other)),
        }
    }

    /// Says what each class is; tells of those that can be nothing, and whether there are none.
    pub(super) fn resolve(&mut self, found: &mut Diagnostics) -> bool {
        let mut whole = true;
        for id in 0..self.keys.len() {
            if self.find(id) != id {
                continue;
            }
            let fact = std::mem::take(&mut self.facts[id]);
            let entry = match fact.forced.clone().map_or_else(|| fact.entry(), Ok) {
                Ok(entry) => entry,
                Err(message) => {
                    whole = false;
                    let (tree, key) = &self.keys[id];
                    let plan = &self.plans[*tree];
                    let place = fact.text_place.clone();
                    let (source, span) =
                        place.unwrap_or_else(|| (plan.source.clone(), plan.span.clone()));
                    let message = format!("the entry {} {message}", quoted(key));
                    let mut error = Diagnostic::new(&source, span, Code::EntryType.says(message));
                    if let Some((source, span)) = &fact.number_place {
                        error = error.with_note(source, span.clone(), "a number here");
                    }
                    found.push(error.with_help("give the two values entries of their own"));
                    Entry::Key
                }
            };
            self.facts[id] = fact;
            self.resolved.insert(id, entry);
        }
        whole
    }
}
