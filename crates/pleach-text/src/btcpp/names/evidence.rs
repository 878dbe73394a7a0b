//! What the trees say of their keys: declarations, scripts, literals and models of ports.

use std::ops::Range;

use super::Names;
use crate::btcpp::fact::{Entry, Number, number};
use crate::btcpp::meaning::Meaning;
use crate::btcpp::model::{Models, PortType};
use crate::btcpp::plan::{Node, PortValue, Role};
use crate::btcpp::script::{Assign, Comparison, Operator, Statement, Term, TermKind};
use crate::btcpp::xml::Attribute;
use crate::constant::ParamType;
use crate::source::Source;
use pleach_tree::ValueType;

/// An attribute that says something of keys.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    source: &'p Source,
    attribute: &'p Attribute,
}

impl<'p> Place<'p> {
    pub(super) fn new(source: &'p Source, attribute: &'p Attribute) -> Place<'p> {
        Place { source, attribute }
    }

    /// Its value.
    fn whole(self) -> (Source, Range<usize>) {
        (self.source.clone(), self.attribute.value_span.clone())
    }

    /// A part of its value.
    fn at(self, span: &Range<usize>) -> (Source, Range<usize>) {
        (self.source.clone(), self.attribute.within(span))
    }
}

impl<'a> Names<'a> {
    /// What a tree says itself of its names.
    pub(super) fn declared(&mut self, tree: usize) {
        let Some(declared) = &self.plans[tree].declared else {
            return;
        };
        let entry = |ty: ValueType| match ty {
            ValueType::Bool => Number::Bool,
            ValueType::U8 | ValueType::U16 | ValueType::I32 | ValueType::U64 => Number::Int,
            ValueType::F32 => Number::Float,
        };
        let columns = declared.declared.iter().map(|one| {
            let entry = match one.labels.is_empty() {
                true => Entry::Number(entry(one.default.ty())),
                false => {
                    let labels = one
                        .labels
                        .iter()
                        .map(|label| (label.clone(), label.clone()));
                    Entry::Labels(labels.collect())
                }
            };
            (&one.name, entry)
        });
        let params = declared.params.iter().map(|param| {
            let entry = match param.ty {
                ParamType::Value(ty) => Entry::Constant(entry(ty)),
                ParamType::Text => Entry::Key,
            };
            (&param.name, entry)
        });
        let all: Vec<(&String, Entry)> = columns.chain(params).collect();
        for (name, entry) in all {
            self.taken.insert(name.clone());
            self.identifiers.insert(name.clone(), name.clone());
            let id = self.id(tree, name);
            let fact = self.fact(id);
            match &entry {
                Entry::Number(number) | Entry::Constant(number) => {
                    fact.number = fact.number.max(Some(*number));
                }
                Entry::Labels(labels) => labels.iter().for_each(|(text, _)| fact.label(text)),
                Entry::Time | Entry::Key => {}
            }
            fact.forced = Some(entry.clone());
            self.own.insert(id, entry);
        }
    }

    pub(super) fn tree(&mut self, tree: usize, models: &Models) {
        let plan = &self.plans[tree];
        for node in &plan.nodes {
            for script in &node.scripts {
                let place = Place::new(&plan.source, &script.attribute);
                for statement in &script.statements {
                    match statement {
                        Statement::Assign(assign) => self.assign(tree, assign, place),
                        Statement::Term(term) => {
                            self.term(tree, term, place);
                            if script.role < Role::OnSuccess {
                                self.truth(tree, term);
                            }
                        }
                    }
                }
            }
            match node.meaning {
                // What stands in KDL says all itself.
                _ if node.kdl.is_some() => {}
                // Ports of subtrees join two scopes.
                Meaning::SubTree => {}
                Meaning::SetBlackboard => self.set(tree, node),
                Meaning::BlackboardCheck => self.check(tree, node),
                meaning => {
                    for port in &node.ports {
                        let PortValue::Key(key) = &port.value else {
                            continue;
                        };
                        let id = self.id(tree, key);
                        if let (Meaning::Repeat, "num_cycles") | (Meaning::Retry, "num_attempts") =
                            (meaning, port.name.as_str())
                        {
                            let fact = self.fact(id);
                            fact.model = fact.model.max(Some(Number::Int));
                        }
                        let is_time = matches!(
                            (meaning, port.name.as_str()),
                            (Meaning::Timeout | Meaning::Sleep, "msec")
                                | (Meaning::Delay, "delay_msec")
                        );
                        let fact = self.fact(id);
                        fact.timed |= is_time;
                        fact.hosted |=
                            matches!(meaning, Meaning::Action | Meaning::Task | Meaning::Query);
                        fact.ported |= !is_time;
                        let number = match models.port(&node.tag, &port.name).and_then(|one| one.ty)
                        {
                            Some(PortType::Bool) => Some(Number::Bool),
                            Some(PortType::Int) => Some(Number::Int),
                            Some(PortType::Float) => Some(Number::Float),
                            Some(PortType::Other) | None => None,
                        };
                        let fact = self.fact(id);
                        fact.model = fact.model.max(number);
                        if let Meaning::Switch(_) = meaning
                            && port.name == "variable"
                        {
                            fact.switched = true;
                            for case in node.ports.iter() {
                                if case.name.starts_with("case_")
                                    && let PortValue::Text(text) = &case.value
                                {
                                    let place = Place::new(&plan.source, &case.attribute);
                                    self.literal(id, text, place, true);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// What `SetBlackboard` says.
    fn set(&mut self, tree: usize, node: &Node) {
        let plan = &self.plans[tree];
        let Some(output) = node.port("output_key") else {
            return;
        };
        let key = match &output.value {
            PortValue::Key(key) | PortValue::Text(key) if !key.is_empty() => key,
            _ => return,
        };
        let id = self.id(tree, key);
        self.fact(id).set = true;
        if let Some(value) = node.port("value") {
            let place = Place::new(&plan.source, &value.attribute);
            match &value.value {
                PortValue::Key(from) => {
                    let from = self.id(tree, from);
                    self.unite(id, from);
                }
                PortValue::Text(text) => self.literal(id, text, place, false),
            }
        }
    }

    /// What the checks of version 3 say of their two values.
    fn check(&mut self, tree: usize, node: &Node) {
        let plan = &self.plans[tree];
        let (Some(a), Some(b)) = (node.port("value_A"), node.port("value_B")) else {
            return;
        };
        let mut ids = Vec::new();
        for port in [a, b] {
            if let PortValue::Key(key) = &port.value {
                let id = self.id(tree, key);
                self.fact(id).scripted = true;
                ids.push(id);
            }
        }
        for port in [a, b] {
            if let (PortValue::Text(text), Some(&id)) = (&port.value, ids.first()) {
                let place = Place::new(&plan.source, &port.attribute);
                self.literal(id, text, place, true);
            }
        }
        if let [a, b] = ids.as_slice() {
            self.unite(*a, *b);
        }
    }

    /// A text that stands for a value. Whether it is a number is for the whole class to say.
    pub(super) fn literal(&mut self, id: usize, text: &str, place: Place<'_>, compared: bool) {
        let number = number(text);
        let fact = self.fact(id);
        fact.soft = fact.soft.max(number);
        if number.is_none() {
            fact.text_place.get_or_insert_with(|| place.whole());
            if compared {
                fact.scripted = true;
                fact.label(text);
            }
        }
        match compared {
            true => fact.asked.push((text.to_owned(), place.whole())),
            false => fact.written.push(text.to_owned()),
        }
        fact.texts.push(text.to_owned());
    }

    fn assign(&mut self, tree: usize, assign: &'a Assign, place: Place<'_>) {
        let id = self.id(tree, &assign.name);
        self.fact(id).scripted = true;
        self.term(tree, &assign.value, place);
        if assign.with.is_some() {
            let fact = self.fact(id);
            fact.counted = true;
            fact.number_place
                .get_or_insert_with(|| place.at(&assign.span));
            if assign.with == Some(Operator::Div) {
                fact.number = fact.number.max(Some(Number::Float));
            }
        }
        self.receives(tree, id, &assign.value, place);
    }

    /// A key holds what a term is.
    fn receives(&mut self, tree: usize, id: usize, term: &'a Term, place: Place<'_>) {
        match &term.kind {
            TermKind::Name(name) => {
                let other = self.id(tree, name);
                self.unite(id, other);
            }
            TermKind::Text(text) => {
                self.text(id, text, place.at(&term.span));
                self.fact(id).written.push(text.clone());
            }
            TermKind::If(_, then, other) => {
                self.receives(tree, id, then, place);
                self.receives(tree, id, other, place);
            }
            _ => {
                self.fact(id)
                    .number_place
                    .get_or_insert_with(|| place.at(&term.span));
                self.claims.push((id, tree, term));
            }
        }
    }

    fn text(&mut self, id: usize, text: &str, place: (Source, Range<usize>)) {
        let fact = self.fact(id);
        fact.label(text);
        fact.text_place.get_or_insert(place);
    }

    /// A term is judged as a truth value.
    fn truth(&mut self, tree: usize, term: &Term) {
        if let TermKind::Name(name) = &term.kind {
            let id = self.id(tree, name);
            let fact = self.fact(id);
            fact.weak = fact.weak.max(Some(Number::Bool));
        }
    }

    fn counted(&mut self, tree: usize, term: &Term, place: Place<'_>) {
        if let TermKind::Name(name) = &term.kind {
            let id = self.id(tree, name);
            let fact = self.fact(id);
            fact.counted = true;
            fact.number_place
                .get_or_insert_with(|| place.at(&term.span));
        }
    }

    /// What a term says of the keys in it.
    fn term(&mut self, tree: usize, term: &'a Term, place: Place<'_>) {
        match &term.kind {
            TermKind::Name(name) => {
                let id = self.id(tree, name);
                let fact = self.fact(id);
                fact.scripted = true;
                fact.read_place
                    .get_or_insert_with(|| (name.clone(), place.at(&term.span)));
            }
            TermKind::Not(inner) => self.truth(tree, inner),
            TermKind::Negate(inner) => self.counted(tree, inner, place),
            TermKind::Binary(Operator::And | Operator::Or, left, right) => {
                self.truth(tree, left);
                self.truth(tree, right);
            }
            TermKind::Binary(_, left, right) => {
                self.counted(tree, left, place);
                self.counted(tree, right, place);
            }
            TermKind::If(test, ..) => self.truth(tree, test),
            TermKind::Compare(chain, operands) => {
                for (at, one) in chain.iter().enumerate() {
                    let (left, right) = (&operands[at], &operands[at + 1]);
                    let is_text = |term: &Term| matches!(term.kind, TermKind::Text(_));
                    match one {
                        // That a text has no order is told where the script is lowered.
                        _ if is_text(left) || is_text(right) => {
                            self.compared(tree, left, right, place);
                            self.compared(tree, right, left, place);
                        }
                        Comparison::Eq | Comparison::Ne => {
                            self.compared(tree, left, right, place);
                            self.compared(tree, right, left, place);
                        }
                        _ => {
                            self.counted(tree, left, place);
                            self.counted(tree, right, place);
                        }
                    }
                }
            }
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Float(_) | TermKind::Text(_) => {}
        }
        for inner in term.inner() {
            self.term(tree, inner, place);
        }
    }

    /// A key is compared with something.
    fn compared(&mut self, tree: usize, key: &Term, other: &Term, place: Place<'_>) {
        let TermKind::Name(name) = &key.kind else {
            return;
        };
        let id = self.id(tree, name);
        let weak = match &other.kind {
            TermKind::Name(other) => {
                let other = self.id(tree, other);
                self.unite(id, other);
                return;
            }
            TermKind::Text(text) => {
                let place = place.at(&other.span);
                self.text(id, text, place.clone());
                self.fact(id).asked.push((text.clone(), place));
                return;
            }
            TermKind::Bool(_) => Number::Bool,
            TermKind::Int(_) => Number::Int,
            _ => Number::Float,
        };
        let fact = self.fact(id);
        fact.weak = fact.weak.max(Some(weak));
    }
}
