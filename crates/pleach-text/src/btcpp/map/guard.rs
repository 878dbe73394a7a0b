//! Nodes that ask something before they run their child.

use pleach_tree::NodeKind;

use super::{Making, Mapper, place_of, plain};
use crate::btcpp::fact::{Entry, number};
use crate::btcpp::lower::{not, truth_of};
use crate::btcpp::plan::{Node, Port, PortValue, Role};
use crate::btcpp::script::{Comparison, Statement, Term, TermKind};

impl<'a> Mapper<'_, 'a> {
    pub(super) fn precondition(&mut self, making: &mut Making<'a>, node: &Node) -> usize {
        let otherwise = self.answer(making, node, "else");
        let test = match node.script(Role::Code) {
            Some(script) => self.test(making, node, &script.attribute, &script.statements),
            None => {
                self.needs(making, node, "if", "x > 1");
                None
            }
        };
        let (test, place) = test.unwrap_or_else(|| (truth_of(true), place_of(node)));
        let index = match otherwise {
            Some("SUCCESS") => plain(making, NodeKind::SuccessIf(not(test)), place),
            Some("SKIPPED") => plain(making, NodeKind::SkipIf(not(test)), place),
            Some("RUNNING") => {
                let index = plain(making, NodeKind::Sequence, place_of(node));
                let kind = NodeKind::RepeatUntilSuccess { max: None };
                let waits = plain(making, kind, place_of(node));
                let test = plain(making, NodeKind::Condition(test), place);
                making.items[waits].children.push(test);
                making.items[index].children.push(waits);
                index
            }
            _ => plain(making, NodeKind::When(test), place),
        };
        self.others(making, node, index, &["else"]);
        self.children(making, node, index);
        index
    }

    /// The checks of version 3: two values are equal, or else there is an answer.
    pub(super) fn check(&mut self, making: &mut Making<'a>, node: &Node) -> usize {
        let otherwise = match node.port("return_on_mismatch").map(|port| &port.value) {
            // What cannot be read stays what it is by itself.
            None => Some("FAILURE"),
            Some(PortValue::Text(text)) if text.trim().is_empty() => Some("FAILURE"),
            Some(_) => self.answer(making, node, "return_on_mismatch"),
        };
        let mut terms = Vec::new();
        for name in ["value_A", "value_B"] {
            let Some(port) = node.port(name) else {
                self.needs(making, node, name, "{key}");
                continue;
            };
            let length = port.attribute.value.len();
            let kind = match &port.value {
                PortValue::Key(key) => TermKind::Name(key.clone()),
                PortValue::Text(text) => match text.trim() {
                    "true" => TermKind::Bool(true),
                    "false" => TermKind::Bool(false),
                    trimmed => match (trimmed.parse(), trimmed.parse()) {
                        (Ok(value), _) => TermKind::Int(value),
                        (_, Ok(value)) if number(text).is_some() => TermKind::Float(value),
                        _ => TermKind::Text(text.clone()),
                    },
                },
            };
            terms.push((Term::new(kind, 0..length), port));
        }
        let test = match terms.as_slice() {
            [(a, port), (b, _)] => {
                // A number beside a text is one of its labels.
                let text = |term: &Term, port: &Port| match &term.kind {
                    TermKind::Name(_) => term.clone(),
                    _ => Term::new(TermKind::Text(port.attribute.value.clone()), 0..0),
                };
                let labels = [a, b].into_iter().any(|term| match &term.kind {
                    TermKind::Name(key) => {
                        matches!(self.names.entry(making.tree, key), Entry::Labels(_))
                    }
                    _ => false,
                });
                let operands = match labels {
                    true => vec![text(a, port), text(b, terms[1].1)],
                    false => vec![a.clone(), b.clone()],
                };
                let equal = Term::new(TermKind::Compare(vec![Comparison::Eq], operands), 0..0);
                self.test(making, node, &port.attribute, &[Statement::Term(equal)])
            }
            _ => None,
        };
        let (test, place) = test.unwrap_or_else(|| (truth_of(true), place_of(node)));
        let known = ["value_A", "value_B", "return_on_mismatch"];
        match otherwise {
            Some("RUNNING") => {
                let index = plain(making, NodeKind::WhileDoElse, place_of(node));
                self.others(making, node, index, &known);
                let test = plain(making, NodeKind::Condition(test), place);
                making.items[index].children.push(test);
                self.children(making, node, index);
                let idle = plain(making, NodeKind::Idle, place_of(node));
                making.items[index].children.push(idle);
                index
            }
            otherwise => {
                let kind = match otherwise {
                    Some("SUCCESS") => NodeKind::DoneWhen(not(test)),
                    Some("SKIPPED") => NodeKind::SkipUnless(test),
                    _ => NodeKind::While(test),
                };
                let index = plain(making, kind, place);
                self.others(making, node, index, &known);
                self.children(making, node, index);
                index
            }
        }
    }
}
