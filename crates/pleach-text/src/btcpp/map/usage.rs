//! Uses of subtrees.

use std::time::Duration;

use kdl::{KdlEntry, KdlEntryFormat, KdlValue};

use super::{Making, Mapper, place_of};
use crate::btcpp::fact::{Entry, Number};
use crate::btcpp::plan::{Port, PortValue};
use crate::chars::{Word, word};
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::draft::{Item, ItemKind};
use crate::usage::{Given, GivenValue, Mapping, Usage};
use crate::write::seconds;

impl<'a> Mapper<'_, 'a> {
    pub(super) fn usage(&mut self, making: &mut Making<'a>, at: usize) -> usize {
        let plan = making.plan;
        let node = &plan.nodes[at];
        let place = place_of(node);
        let index = making.items.len();
        let Some(target) = self.names.target(&node.tag) else {
            let (given, maps) = self.unknown_usage(making, &node.ports);
            let usage = Usage {
                tree: node.tag.clone(),
                given,
                maps,
            };
            let kind = ItemKind::Subtree(Box::new(usage));
            making.items.push(Item::new(kind, place));
            return index;
        };
        let scopes = self.scopes;
        let mut given = Vec::new();
        for key in &scopes[target].params {
            let constant = match self.names.entry(target, key) {
                Entry::Constant(number) => Some(*number),
                _ => None,
            };
            let port = node.port(key);
            let value = match port.map(|port| &port.value) {
                Some(PortValue::Text(text)) if *self.names.entry(target, key) == Entry::Time => {
                    Some(entry(key, &seconds_of(text), Some(Number::Float)))
                }
                Some(PortValue::Text(text)) => Some(entry(key, text, constant)),
                Some(PortValue::Key(outer)) => match making.params.get(outer) {
                    Some(&own) => Some(GivenValue::Own(own)),
                    None if outer == key => None,
                    None => Some(entry(key, &format!("{{{outer}}}"), None)),
                },
                None if self.names.shares(node.sharing, target, key) => {
                    making.params.get(key).map(|&own| GivenValue::Own(own))
                }
                None if self.names.is_apart(target, key) => {
                    let name = self.names.fresh_key(key);
                    let text = format!(
                        "{} of the subtree is another entry than that of its user or of another tree: the host sees it as {}",
                        quoted(key),
                        quoted(&name)
                    );
                    let source = &plan.source;
                    let span = node.span.clone();
                    self.notes
                        .tell(Diagnostic::new(source, span, Code::HostEntry.says(text)));
                    Some(entry(key, &format!("{{{name}}}"), None))
                }
                None => None,
            };
            if let Some(value) = value {
                given.push(Given {
                    name: self.names.identifier(target, key),
                    value,
                    span: port.map_or(node.span.clone(), |port| port.attribute.value_span.clone()),
                });
            }
        }
        let maps = scopes[making.tree].maps.get(&at).into_iter().flatten();
        let maps = maps.map(|(inner, outer)| Mapping {
            inner: inner.clone(),
            outer: outer.clone(),
            span: node.span.clone(),
        });
        let maps = maps.collect();
        for port in &node.ports {
            if !self.names.open[target].contains(&port.name) {
                let text = "the subtree has no use for this port, and it is not kept";
                self.note(making, port.attribute.span.clone(), Code::UnusedPort, text);
            }
        }
        let usage = Usage {
            tree: node.tag.clone(),
            given,
            maps,
        };
        let kind = ItemKind::Subtree(Box::new(usage));
        making.items.push(Item::new(kind, place));
        index
    }

    /// What a use gives to a tree of a file that was not read.
    fn unknown_usage(&mut self, making: &Making<'a>, ports: &[Port]) -> (Vec<Given>, Vec<Mapping>) {
        let (mut given, mut maps) = (Vec::new(), Vec::new());
        for port in ports {
            let span = port.attribute.value_span.clone();
            if !pleach_tree::is_identifier(&port.name) {
                let message = format!("{} cannot name a parameter", quoted(&port.name));
                let help = "use letters, digits and `_`";
                self.wrong(
                    making,
                    port.attribute.span.clone(),
                    Code::BadName.says(message),
                    help,
                );
                continue;
            }
            let value = match &port.value {
                PortValue::Text(text) => {
                    let number = crate::btcpp::fact::number(text);
                    entry(&port.name, text, number)
                }
                PortValue::Key(key) => match self.names.entry(making.tree, key) {
                    Entry::Number(_) | Entry::Labels(_) => {
                        maps.push(Mapping {
                            inner: port.name.clone(),
                            outer: self.names.identifier(making.tree, key),
                            span,
                        });
                        continue;
                    }
                    Entry::Constant(_) | Entry::Time | Entry::Key => match making.params.get(key) {
                        Some(&own) => GivenValue::Own(own),
                        None => entry(&port.name, &format!("{{{key}}}"), None),
                    },
                },
            };
            given.push(Given {
                name: port.name.clone(),
                value,
                span,
            });
        }
        (given, maps)
    }
}

/// Milliseconds as seconds, without loss.
fn seconds_of(text: &str) -> String {
    match text.trim().parse::<u64>() {
        Ok(milliseconds) => {
            let mut written = String::new();
            seconds(Duration::from_millis(milliseconds), &mut written);
            written
        }
        // What is no time is told where it is read.
        Err(_) => text.to_owned(),
    }
}

/// A constant that a use gives, as an entry of KDL.
fn entry(name: &str, text: &str, number: Option<Number>) -> GivenValue {
    let trimmed = text.trim();
    let value = match number {
        Some(Number::Bool) if matches!(trimmed, "true" | "false") => {
            KdlValue::Bool(trimmed == "true")
        }
        Some(Number::Int | Number::Float) => match (trimmed.parse(), trimmed.parse()) {
            (Ok(value), _) => KdlValue::Integer(value),
            (_, Ok(value)) => KdlValue::Float(value),
            _ => KdlValue::Integer(i128::from(trimmed == "true")),
        },
        _ => KdlValue::String(text.to_owned()),
    };
    let written = match &value {
        KdlValue::Integer(value) => Some(value.to_string()),
        // C++ also takes numbers that KDL does not, such as `5.`.
        KdlValue::Float(value) => Some(match word(trimmed) {
            Word::Number => trimmed.to_owned(),
            _ => format!("{value:?}"),
        }),
        _ => None,
    };
    let mut entry = KdlEntry::new_prop(name, value);
    if let Some(value_repr) = written {
        entry.set_format(KdlEntryFormat {
            value_repr,
            ..KdlEntryFormat::default()
        });
    }
    GivenValue::Entry(Box::new(entry))
}
