//! What a tree declares: columns, world values, enumerations.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};
use pleach_tree::{Value, ValueType, is_expression_word, is_identifier};

use super::{Entries, Named, Reader};
use crate::diagnostic::{Code, Diagnostic, bytes, did_you_mean, quoted};
use crate::draft::{Declared, Draft, Group};
use crate::value::{describe, read_value, value_span};

/// The most labels of an enumeration: its values are bytes.
const MAX_LABELS: usize = 256;

impl Reader<'_> {
    /// A block `blackboard { … }` or `world { … }`.
    pub(super) fn declarations(
        &mut self,
        block: &KdlNode,
        group: Group,
        draft: &mut Draft,
        declared: &mut HashMap<String, Named>,
    ) {
        let entries = self.entries(block);
        self.no_more(&entries, 0, &[]);
        for node in block.children().map_or(&[][..], KdlDocument::nodes) {
            let mut entries = self.entries(node);
            self.no_children(node);
            let doc = self.doc(&mut entries);
            let Some(name) = self.checked_name(node.name().value(), bytes(node)) else {
                continue;
            };
            let example = format!("{} f32 1.0", if name.len() < 40 { &name } else { "health" });
            let Some(entry) = self.argument(&entries, 0, "a type", &example) else {
                self.no_more(&entries, 2, &["doc"]);
                continue;
            };
            let (default, labels) = if is_enum(entry) {
                match self.enumeration(&mut entries) {
                    Some((default, labels)) => (Some(Value::U8(default)), labels),
                    None => (None, Vec::new()),
                }
            } else {
                self.no_more(&entries, 2, &["doc"]);
                let Some(ty) = self.value_type(entry) else {
                    continue;
                };
                let default = match entries.arguments.get(1) {
                    Some(entry) => self.keep(read_value(self.source, entry, ty)),
                    None => Some(ty.zero()),
                };
                (default, Vec::new())
            };
            if !self.declare(&name, Some(group), bytes(node), declared) {
                continue;
            }
            let Some(default) = default else { continue };
            draft.declared.push(Declared {
                group,
                name,
                default,
                labels,
                texts: Vec::new(),
                doc,
                span: bytes(node),
            });
        }
    }

    /// `mode enum "idle" "alert" default="alert"`: which label it begins with, and all of them.
    fn enumeration(&mut self, entries: &mut Entries<'_>) -> Option<(u8, Vec<String>)> {
        let default = entries.property("default");
        self.no_more(entries, usize::MAX, &["default", "doc"]);
        let before = self.found.len();
        let mut labels: Vec<String> = Vec::new();
        let mut seen: HashMap<String, Range<usize>> = HashMap::new();
        for entry in entries.arguments.iter().skip(1) {
            let span = value_span(self.source, entry);
            if labels.len() == MAX_LABELS {
                let message =
                    format!("more than {MAX_LABELS} labels, and an enumeration is a byte");
                self.wrong(
                    span,
                    Code::Limit.says(message),
                    Some("use a u16 and numbers"),
                );
                break;
            }
            let Some(label) = self.name(entry, "a label") else {
                continue;
            };
            if !is_identifier(&label) || label.contains('.') {
                let message = format!("{} cannot name a label", quoted(&label));
                let help = match is_expression_word(&label) {
                    true => "it is a word of the expression language: choose another name",
                    false => "use a letter or `_`, then letters, digits and `_`",
                };
                self.wrong(span, Code::BadName.says(message), Some(help));
                continue;
            }
            if let Some(first) = seen.get(&label) {
                let message = format!("the label {} is there twice", quoted(&label));
                self.found.push(
                    Diagnostic::new(self.source, span, Code::DeclaredTwice.says(message))
                        .with_note(self.source, first.clone(), "the first stands here")
                        .with_help("remove one of them"),
                );
                continue;
            }
            seen.insert(label.clone(), span);
            labels.push(label);
        }
        if labels.is_empty() && self.found.len() == before {
            let help = "write them behind the type: `mode enum \"idle\" \"alert\"`";
            self.wrong(
                bytes(entries.node),
                Code::Enumeration.says("the enumeration has no labels"),
                Some(help),
            );
        }
        let first = match default {
            None => 0,
            Some(entry) => {
                let name = self.name(entry, "a label")?;
                let found = labels.iter().position(|label| *label == name);
                if found.is_none() && self.found.len() == before {
                    let message = format!("{} is no label of the enumeration", quoted(&name));
                    let known = labels.iter().map(String::as_str);
                    let help = did_you_mean(&name, known)
                        .unwrap_or_else(|| format!("its labels are {}", few(&labels)));
                    self.wrong(
                        value_span(self.source, entry),
                        Code::Enumeration.says(message),
                        Some(&help),
                    );
                }
                found?
            }
        };
        (self.found.len() == before).then_some((first as u8, labels))
    }

    /// What a column, world value or parameter is, in words: `doc="how much is left"`.
    pub(super) fn doc(&mut self, entries: &mut Entries<'_>) -> Option<Arc<str>> {
        let entry = entries.property("doc")?;
        if let Some(annotation) = entry.ty() {
            self.wrong(
                bytes(annotation),
                Code::Annotation.says("a `doc` takes no type annotation"),
                None,
            );
            return None;
        }
        match entry.value() {
            KdlValue::String(text) => Some(Arc::from(text.as_str())),
            found => {
                let message = format!("expected a text for people, found {}", describe(found));
                let help = Some("write it in quotes");
                self.wrong(
                    value_span(self.source, entry),
                    Code::WrongValue.says(message),
                    help,
                );
                None
            }
        }
    }

    fn value_type(&mut self, entry: &KdlEntry) -> Option<ValueType> {
        let known = "the types are bool, u8, u16, i32, f32, u64 and enum";
        let KdlValue::String(text) = entry.value() else {
            let message = format!("expected a type, found {}", describe(entry.value()));
            self.wrong(bytes(entry), Code::WrongValue.says(message), Some(known));
            return None;
        };
        let ty = ValueType::from_name(text);
        if ty.is_none() {
            let names = ValueType::ALL
                .map(ValueType::name)
                .into_iter()
                .chain(["enum"]);
            let help = did_you_mean(text, names);
            let message = format!("unknown type {}", quoted(text));
            self.wrong(
                bytes(entry),
                Code::UnknownType.says(message),
                help.as_deref().or(Some(known)),
            );
        }
        ty
    }

    /// Notes a name of the tree; `false` if it is taken. No group means a parameter.
    pub(super) fn declare(
        &mut self,
        name: &str,
        group: Option<Group>,
        span: Range<usize>,
        declared: &mut HashMap<String, Named>,
    ) -> bool {
        let Some(first) = declared.get(name) else {
            declared.insert(name.to_owned(), Named { group, span });
            return true;
        };
        let help = match first.group {
            other if other == group => "remove one of them",
            Some(_) if group.is_some() => "columns and world values share their names: rename one",
            _ => "parameters share their names with columns and world values: rename one",
        };
        let message = format!("{} is declared twice", quoted(name));
        self.found.push(
            Diagnostic::new(self.source, span, Code::DeclaredTwice.says(message))
                .with_note(self.source, first.span.clone(), "declared here first")
                .with_help(help),
        );
        false
    }
}

impl Reader<'_> {
    /// Parameters that are called like a label: an expression would not know which is meant.
    pub(super) fn labels_apart(&mut self, draft: &Draft) {
        for one in &draft.declared {
            for param in &self.params {
                let label = param.name.strip_prefix(one.name.as_str());
                let label = label.and_then(|rest| rest.strip_prefix('.'));
                if label.is_some_and(|label| one.labels.iter().any(|known| known == label)) {
                    let message = format!("{} is a label and a parameter", quoted(&param.name));
                    self.found.push(
                        Diagnostic::new(
                            self.source,
                            param.span.clone(),
                            Code::DeclaredTwice.says(message),
                        )
                        .with_note(self.source, one.span.clone(), "the label's enumeration")
                        .with_help("give the parameter another name"),
                    );
                }
            }
        }
    }
}

fn is_enum(entry: &KdlEntry) -> bool {
    entry.ty().is_none() && matches!(entry.value(), KdlValue::String(text) if text == "enum")
}

/// Labels as help lists them.
pub(crate) fn few(labels: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text = labels[..labels.len().min(SHOWN)].join(", ");
    if labels.len() > SHOWN {
        text.push_str(&format!(" and {} more", labels.len() - SHOWN));
    }
    text
}
