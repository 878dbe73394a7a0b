//! From a KDL document to drafts of trees.

mod node;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};
use pleach_tree::ValueType;

use crate::diagnostic::{Diagnostic, Diagnostics, bytes, did_you_mean, quoted};
use crate::draft::{Declared, Draft, Group};
use crate::keyword::keyword;
use crate::source::Source;
use crate::value::{describe, read_value, value_span};

/// The longest name of a tree, node, action, column or parameter, in bytes. Names are compared with
/// all others when one is unknown, and stand in the path of every node below.
pub const MAX_NAME: usize = 256;

/// The longest text of an expression, in bytes. All those of a file have
/// [`MAX_EXPRS_BYTES`](crate::MAX_EXPRS_BYTES) together.
pub const MAX_EXPR_BYTES: usize = 16 << 10;

/// Reads all trees of a document; what is wrong goes to `found`.
pub(crate) fn read(source: &Source, document: &KdlDocument, found: &mut Diagnostics) -> Vec<Draft> {
    let mut reader = Reader {
        source,
        found,
        expr_bytes: 0,
    };
    let mut drafts: Vec<Draft> = Vec::new();
    let mut names = HashSet::new();
    for node in document.nodes() {
        if node.name().value() != "tree" {
            reader.not_a_tree(node);
            continue;
        }
        let Some(draft) = reader.tree(node) else {
            continue;
        };
        if !names.insert(draft.name.clone()) {
            let message = format!("a second tree is named {}", quoted(&draft.name));
            reader.wrong(draft.span.clone(), message, Some("rename one of them"));
        }
        drafts.push(draft);
    }
    if document.nodes().is_empty() {
        let error = Diagnostic::whole(source, "the file holds no tree");
        reader
            .found
            .push(error.with_help("write `tree \"name\" { … }` with the tree's root inside"));
    }
    drafts
}

struct Reader<'a> {
    source: &'a Source,
    found: &'a mut Diagnostics,
    /// The text of all expressions so far, in bytes.
    expr_bytes: usize,
}

/// A node's arguments and properties, no property twice.
struct Entries<'a> {
    node: &'a KdlNode,
    arguments: Vec<&'a KdlEntry>,
    properties: Vec<(&'a str, &'a KdlEntry)>,
}

impl<'a> Entries<'a> {
    /// Takes out a property.
    fn property(&mut self, name: &str) -> Option<&'a KdlEntry> {
        let at = self.properties.iter().position(|&(key, _)| key == name)?;
        Some(self.properties.remove(at).1)
    }
}

impl<'a> Reader<'a> {
    fn wrong(&mut self, span: Range<usize>, message: impl Into<String>, help: Option<&str>) {
        let diagnostic = Diagnostic::new(self.source, span, message);
        self.found.push(diagnostic.with_help_if(help));
    }

    fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.found.push(error)).ok()
    }

    #[cold]
    fn not_a_tree(&mut self, node: &KdlNode) {
        let name = node.name().value();
        let help = match keyword(name) {
            Some(_) => Some("nodes stand inside a tree: `tree \"name\" { … }`".to_owned()),
            None if matches!(name, "blackboard" | "world") => Some(format!(
                "`{name}` stands inside the tree that it belongs to"
            )),
            None => did_you_mean(name, ["tree"]),
        };
        let message = format!("expected a `tree`, found {}", quoted(name));
        self.wrong(bytes(node), message, help.as_deref());
    }

    /// Sorts a node's entries and checks what holds for all nodes.
    fn entries<'n>(&mut self, node: &'n KdlNode) -> Entries<'n> {
        if let Some(annotation) = node.ty() {
            let help = Some("types stand in front of values: `(u8)3`");
            self.wrong(bytes(annotation), "a node takes no type annotation", help);
        }
        let mut entries = Entries {
            node,
            arguments: Vec::new(),
            properties: Vec::new(),
        };
        let mut seen = HashSet::new();
        for entry in node.entries() {
            match entry.name() {
                None => entries.arguments.push(entry),
                Some(key) if seen.insert(key.value()) => {
                    entries.properties.push((key.value(), entry))
                }
                Some(key) => {
                    let message = format!("property {} is given twice", quoted(key.value()));
                    self.wrong(bytes(key), message, Some("remove one of them"));
                }
            }
        }
        entries
    }

    /// Complains about what nobody took.
    fn no_more(&mut self, entries: &Entries<'_>, arguments: usize, properties: &[&str]) {
        let keyword = quoted(entries.node.name().value());
        if let Some(extra) = entries.arguments.get(arguments) {
            let allowed = match arguments {
                0 => "no argument".to_owned(),
                1 => "one argument".to_owned(),
                n => format!("{n} arguments"),
            };
            let message = format!(
                "{keyword} takes {allowed}, found {}",
                entries.arguments.len()
            );
            self.wrong(bytes(*extra), message, None);
        }
        for &(name, entry) in &entries.properties {
            let message = format!("{keyword} has no property {}", quoted(name));
            let help =
                did_you_mean(name, properties.iter().copied()).or_else(|| match properties {
                    [] => None,
                    known => Some(format!("it has {}", known.join(", "))),
                });
            self.wrong(bytes(entry), message, help.as_deref());
        }
    }

    fn no_children(&mut self, node: &KdlNode) {
        if let Some(first) = node
            .children()
            .and_then(|children| children.nodes().first())
        {
            let message = format!("{} takes no children", quoted(node.name().value()));
            self.wrong(bytes(first), message, None);
        }
    }

    /// A text within the limit of names.
    fn name(&mut self, entry: &KdlEntry, what: &str) -> Option<String> {
        let span = value_span(self.source, entry);
        if let Some(annotation) = entry.ty() {
            self.wrong(
                bytes(annotation),
                format!("{what} takes no type annotation"),
                None,
            );
        }
        match entry.value() {
            KdlValue::String(text) => self.checked_name(text, span),
            found => {
                let message = format!("expected {what}, found {}", describe(found));
                self.wrong(span, message, Some("write it as a text in quotes"));
                None
            }
        }
    }

    fn checked_name(&mut self, text: &str, span: Range<usize>) -> Option<String> {
        if text.len() > MAX_NAME {
            self.wrong(
                span,
                format!("a name of {} bytes, allowed are {MAX_NAME}", text.len()),
                None,
            );
            return None;
        }
        Some(text.to_owned())
    }

    /// The argument of that position, which must be there.
    fn argument<'n>(
        &mut self,
        entries: &Entries<'n>,
        index: usize,
        what: &str,
        example: &str,
    ) -> Option<&'n KdlEntry> {
        let found = entries.arguments.get(index).copied();
        if found.is_none() {
            let message = format!("{} needs {what}", quoted(entries.node.name().value()));
            self.wrong(
                bytes(entries.node),
                message,
                Some(&format!("write `{example}`")),
            );
        }
        found
    }

    fn tree(&mut self, node: &KdlNode) -> Option<Draft> {
        let entries = self.entries(node);
        let name = self
            .argument(&entries, 0, "a name", "tree \"guard\" { … }")
            .and_then(|entry| Some((self.name(entry, "the tree's name")?, bytes(entry))));
        self.no_more(&entries, 1, &[]);
        let mut draft = Draft {
            name: String::new(),
            span: bytes(node),
            declared: Vec::new(),
            items: Vec::new(),
        };
        let mut declared = HashMap::new();
        let mut root: Option<&KdlNode> = None;
        for child in node.children().map_or(&[][..], KdlDocument::nodes) {
            match child.name().value() {
                "blackboard" => self.declarations(child, Group::Column, &mut draft, &mut declared),
                "world" => self.declarations(child, Group::World, &mut draft, &mut declared),
                _ if root.is_some() => {
                    let help = "put them under one node, such as a `sequence` or `selector`";
                    self.wrong(
                        bytes(child),
                        "a tree has one root, and this is another",
                        Some(help),
                    );
                }
                _ => {
                    root = Some(child);
                    self.node(child, &mut draft);
                }
            }
        }
        if root.is_none() {
            self.wrong(
                bytes(node),
                "the tree has no root",
                Some("add a node inside, such as a `selector { … }`"),
            );
        }
        (draft.name, draft.span) = name?;
        (!draft.items.is_empty()).then_some(draft)
    }

    fn declarations(
        &mut self,
        block: &KdlNode,
        group: Group,
        draft: &mut Draft,
        declared: &mut HashMap<String, Group>,
    ) {
        let entries = self.entries(block);
        self.no_more(&entries, 0, &[]);
        for node in block.children().map_or(&[][..], KdlDocument::nodes) {
            let entries = self.entries(node);
            self.no_children(node);
            self.no_more(&entries, 2, &[]);
            let Some(name) = self.checked_name(node.name().value(), bytes(node)) else {
                continue;
            };
            let example = format!("{} f32 1.0", if name.len() < 40 { &name } else { "health" });
            let Some(entry) = self.argument(&entries, 0, "a type", &example) else {
                continue;
            };
            let Some(ty) = self.value_type(entry) else {
                continue;
            };
            let default = match entries.arguments.get(1) {
                Some(entry) => self.keep(read_value(self.source, entry, ty)),
                None => Some(ty.zero()),
            };
            if let Some(other) = declared.insert(name.clone(), group) {
                let message = format!("{} is declared twice", quoted(&name));
                let help = (other != group)
                    .then_some("columns and world values share their names: rename one");
                self.wrong(bytes(node), message, help.or(Some("remove one of them")));
                continue;
            }
            let Some(default) = default else { continue };
            draft.declared.push(Declared {
                group,
                name,
                default,
                span: bytes(node),
            });
        }
    }

    fn value_type(&mut self, entry: &KdlEntry) -> Option<ValueType> {
        let known = "the types are bool, u8, u16, i32, f32 and u64";
        let KdlValue::String(text) = entry.value() else {
            let message = format!("expected a type, found {}", describe(entry.value()));
            self.wrong(bytes(entry), message, Some(known));
            return None;
        };
        let ty = ValueType::from_name(text);
        if ty.is_none() {
            let help = did_you_mean(text, ValueType::ALL.map(ValueType::name));
            let message = format!("unknown type {}", quoted(text));
            self.wrong(bytes(entry), message, help.as_deref().or(Some(known)));
        }
        ty
    }
}
