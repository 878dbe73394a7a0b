//! From a KDL document to drafts of trees.

mod branch;
mod compound;
mod declare;
mod guard;
mod leaf;
mod node;
mod operand;
mod param;
mod usage;

pub(crate) use self::declare::few;
pub(crate) use self::guard::{Guard, is_reserved};
pub(crate) use self::operand::ALLOWED_TIMES;
pub(crate) use self::param::unread_param;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};

use crate::comments::Comments;
use crate::constant::Param;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Message, bytes, did_you_mean, quoted};
use crate::draft::{Draft, Group, Item, Meta};
use crate::keyword::keyword;
use crate::source::Source;
use crate::value::{describe, entry_text, value_span};

/// The longest name of a tree, node, action, column or parameter, in bytes. Names are compared with
/// all others when one is unknown, and stand in the path of every node below.
pub const MAX_NAME: usize = 256;

/// The most parameters of a tree.
pub const MAX_PARAMS: usize = 64;

/// The longest text of an expression, in bytes. All those of a file have
/// [`MAX_EXPRS_BYTES`](crate::MAX_EXPRS_BYTES) together.
pub const MAX_EXPR_BYTES: usize = 16 << 10;

/// What is counted over all files of a document.
#[derive(Default)]
pub(crate) struct Reading {
    /// The text of all expressions so far, in bytes.
    expr_bytes: usize,
}

/// A file that another one includes.
#[derive(Clone)]
pub(crate) struct Include {
    pub(crate) path: String,
    pub(crate) span: Range<usize>,
    /// Lines of comments that stand before it, without their marks.
    pub(crate) comments: Vec<String>,
}

/// Reads all trees of a file; what is wrong goes to `found`. Gives the files that it includes.
pub(crate) fn read(
    source: &Source,
    file: usize,
    document: &KdlDocument,
    comments: &Comments,
    reading: &mut Reading,
    drafts: &mut Vec<Draft>,
    found: &mut Diagnostics,
) -> Vec<Include> {
    let mut reader = Reader {
        source,
        file,
        comments,
        found,
        reading,
        params: Vec::new(),
    };
    let mut includes: Vec<Include> = Vec::new();
    let mut paths = HashSet::new();
    for node in document.nodes() {
        match node.name().value() {
            "tree" => drafts.extend(reader.tree(node)),
            "include" => {
                let include = reader.include(node);
                includes.extend(include.filter(|include| paths.insert(include.path.clone())));
            }
            _ => reader.not_a_tree(node),
        }
    }
    includes
}

/// Reads declarations that stand in a file of another format, as those of a tree without a name and
/// nodes. Nothing need read its parameters. Its notes of editors stand behind the word `tree`.
pub(crate) fn read_declarations(
    source: &Source,
    document: &KdlDocument,
    reading: &mut Reading,
    found: &mut Diagnostics,
) -> Draft {
    let comments = Comments::new(Vec::new());
    let mut reader = Reader::of_part(source, &comments, &[], reading, found);
    let mut draft = reader.no_tree();
    reader.declared(document.nodes(), &mut draft);
    let mut noted = false;
    for node in document.nodes() {
        if node.name().value() == "tree" && !std::mem::replace(&mut noted, true) {
            let mut entries = reader.entries(node);
            draft.meta = reader.meta(&mut entries);
            reader.no_more(&entries, 0, &[]);
            reader.no_children(node);
        } else if !is_block(node) {
            let message = format!("{} declares nothing", quoted(node.name().value()));
            let help = "what a tree declares are `blackboard`, `world` and `params`";
            reader.wrong(bytes(node), Code::Blocks.says(message), Some(help));
        }
    }
    draft.params = reader.params;
    draft
}

/// Reads a node that stands in a file of another format. It may read these parameters.
pub(crate) fn read_node(
    source: &Source,
    document: &KdlDocument,
    params: &[Param],
    reading: &mut Reading,
    found: &mut Diagnostics,
) -> Option<Item> {
    let comments = Comments::new(Vec::new());
    let mut reader = Reader::of_part(source, &comments, params, reading, found);
    let mut draft = reader.no_tree();
    match document.nodes() {
        [node] => {
            reader.node(node, &mut draft);
        }
        [] => {
            let help = Some("write one, such as `idle`");
            reader.wrong(0..0, Code::Root.says("there is no node"), help);
        }
        [_, second, ..] => {
            let message = "there are several nodes, and one is expected";
            reader.wrong(bytes(second), Code::Root.says(message), None);
        }
    }
    draft.items.into_iter().next()
}

/// Whether a node of a tree declares what the tree has.
fn is_block(node: &KdlNode) -> bool {
    matches!(node.name().value(), "blackboard" | "world" | "params")
}

/// A name that a tree declares, and where.
struct Named {
    /// Columns or world values; none for a parameter.
    group: Option<Group>,
    span: Range<usize>,
}

struct Reader<'a> {
    source: &'a Source,
    file: usize,
    comments: &'a Comments,
    found: &'a mut Diagnostics,
    reading: &'a mut Reading,
    /// The parameters of the tree that is being read.
    params: Vec<Param>,
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

    /// Takes out a property that is written in one of several ways.
    fn property_of(&mut self, names: &[&str]) -> Option<&'a KdlEntry> {
        names.iter().find_map(|name| self.property(name))
    }
}

impl<'a> Reader<'a> {
    /// Reads a part of a file of another format. Within it no comment is looked for.
    fn of_part(
        source: &'a Source,
        comments: &'a Comments,
        params: &[Param],
        reading: &'a mut Reading,
        found: &'a mut Diagnostics,
    ) -> Reader<'a> {
        Reader {
            source,
            file: 0,
            comments,
            found,
            reading,
            params: params.to_vec(),
        }
    }

    /// A tree without name, place and nodes.
    fn no_tree(&self) -> Draft {
        Draft {
            name: String::new(),
            source: self.source.clone(),
            file: self.file,
            span: 0..0,
            declared: Vec::new(),
            params: Vec::new(),
            items: Vec::new(),
            comments: Vec::new(),
            meta: Vec::new(),
        }
    }

    fn wrong(&mut self, span: Range<usize>, message: Message, help: Option<&str>) {
        let diagnostic = Diagnostic::new(self.source, span, message);
        self.found.push(diagnostic.with_help_if(help));
    }

    fn comments_before(&self, node: &KdlNode) -> Vec<String> {
        self.comments.before(self.source.text(), bytes(node).start)
    }

    /// Takes out what editors note of a node: properties whose names begin with `_`.
    fn meta(&mut self, entries: &mut Entries<'_>) -> Vec<Meta> {
        let (notes, properties): (Vec<_>, Vec<_>) = std::mem::take(&mut entries.properties)
            .into_iter()
            .partition(|(name, _)| name.starts_with('_'));
        entries.properties = properties;
        let mut meta = Vec::new();
        for (name, entry) in notes {
            let Some(name) = self.checked_name(name, bytes(entry)) else {
                continue;
            };
            if let Some(annotation) = entry.ty() {
                let help = "a name that begins with `_` is an editor's note, and a text; a parameter of such a name stands in the block: `param \"_id\" (u8)3`";
                let message = format!("{} takes no type annotation", quoted(&name));
                self.wrong(
                    bytes(annotation),
                    Code::Annotation.says(message),
                    Some(help),
                );
                continue;
            }
            meta.push((
                name,
                match entry.value() {
                    KdlValue::String(text) => text.clone(),
                    KdlValue::Bool(value) => value.to_string(),
                    KdlValue::Null => String::new(),
                    number => entry_text(entry).unwrap_or_else(|| number.to_string()),
                },
            ));
        }
        meta
    }

    fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.found.push(error)).ok()
    }

    #[cold]
    fn not_a_tree(&mut self, node: &KdlNode) {
        let name = node.name().value();
        let help = match keyword(name) {
            Some(_) => Some("nodes stand inside a tree: `tree \"name\" { … }`".to_owned()),
            None if matches!(name, "blackboard" | "world" | "params") => Some(format!(
                "`{name}` stands inside the tree that it belongs to"
            )),
            None => did_you_mean(name, ["tree", "include"]),
        };
        let message = format!("expected a `tree`, found {}", quoted(name));
        self.wrong(
            bytes(node),
            Code::OutsideTree.says(message),
            help.as_deref(),
        );
    }

    /// Sorts a node's entries and checks what holds for all nodes.
    fn entries<'n>(&mut self, node: &'n KdlNode) -> Entries<'n> {
        if let Some(annotation) = node.ty() {
            let help = Some("types stand in front of values: `(u8)3`");
            self.wrong(
                bytes(annotation),
                Code::Annotation.says("a node takes no type annotation"),
                help,
            );
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
                    self.wrong(
                        bytes(key),
                        Code::GivenTwice.says(message),
                        Some("remove one of them"),
                    );
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
            self.wrong(bytes(*extra), Code::ExtraArgument.says(message), None);
        }
        for &(name, entry) in &entries.properties {
            let message = format!("{keyword} has no property {}", quoted(name));
            let help =
                did_you_mean(name, properties.iter().copied()).or_else(|| match properties {
                    [] => None,
                    known => Some(format!("it has {}", known.join(", "))),
                });
            self.wrong(
                bytes(entry),
                Code::UnknownProperty.says(message),
                help.as_deref(),
            );
        }
    }

    fn no_children(&mut self, node: &KdlNode) {
        if let Some(first) = node
            .children()
            .and_then(|children| children.nodes().first())
        {
            let message = format!("{} takes no children", quoted(node.name().value()));
            self.wrong(bytes(first), Code::LeafWithChildren.says(message), None);
        }
    }

    /// A text within the limit of names.
    fn name(&mut self, entry: &KdlEntry, what: &str) -> Option<String> {
        let span = value_span(self.source, entry);
        if let Some(annotation) = entry.ty() {
            self.wrong(
                bytes(annotation),
                Code::Annotation.says(format!("{what} takes no type annotation")),
                None,
            );
        }
        match entry.value() {
            KdlValue::String(text) => self.checked_name(text, span),
            found => {
                let message = format!("expected {what}, found {}", describe(found));
                self.wrong(
                    span,
                    Code::WrongValue.says(message),
                    Some("write it as a text in quotes"),
                );
                None
            }
        }
    }

    fn checked_name(&mut self, text: &str, span: Range<usize>) -> Option<String> {
        if text.len() > MAX_NAME {
            self.wrong(
                span,
                Code::Limit.says(format!(
                    "a name of {} bytes, allowed are {MAX_NAME}",
                    text.len()
                )),
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
                Code::MissingArgument.says(message),
                Some(&format!("write `{example}`")),
            );
        }
        found
    }

    /// A file to include. Loaders say what its path means.
    fn include(&mut self, node: &KdlNode) -> Option<Include> {
        let entries = self.entries(node);
        let example = "include \"common/patrol.kdl\"";
        self.no_more(&entries, 1, &[]);
        self.no_children(node);
        let entry = self.argument(&entries, 0, "the path of a file", example)?;
        let path = self.name(entry, "the path of a file")?;
        let span = value_span(self.source, entry);
        if path.is_empty() || path.chars().any(char::is_control) {
            let message = format!("{} is no path of a file", quoted(&path));
            self.wrong(
                span,
                Code::Include.says(message),
                Some(&format!("write `{example}`")),
            );
            return None;
        }
        Some(Include {
            path,
            span,
            comments: self.comments_before(node),
        })
    }

    /// What these nodes declare.
    fn declared(&mut self, nodes: &[KdlNode], draft: &mut Draft) {
        let mut declared = HashMap::new();
        for node in nodes {
            match node.name().value() {
                "blackboard" => self.declarations(node, Group::Column, draft, &mut declared),
                "world" => self.declarations(node, Group::World, draft, &mut declared),
                "params" => self.parameters(node, &mut declared),
                _ => {}
            }
        }
        self.labels_apart(draft);
    }

    fn tree(&mut self, node: &KdlNode) -> Option<Draft> {
        let mut entries = self.entries(node);
        let meta = self.meta(&mut entries);
        let name = self
            .argument(&entries, 0, "a name", "tree \"guard\" { … }")
            .and_then(|entry| Some((self.name(entry, "the tree's name")?, bytes(entry))));
        self.no_more(&entries, 1, &[]);
        let mut draft = Draft {
            span: bytes(node),
            comments: self.comments_before(node),
            meta,
            ..self.no_tree()
        };
        let children = node.children().map_or(&[][..], KdlDocument::nodes);
        let before = self.found.len();
        // Wherever they stand: nodes read parameters by name.
        self.declared(children, &mut draft);
        let mut root: Option<&KdlNode> = None;
        for child in children {
            match child {
                block if is_block(block) => {}
                _ if root.is_some() => {
                    let help = "put them under one node, such as a `sequence` or `selector`";
                    self.wrong(
                        bytes(child),
                        Code::Root.says("a tree has one root, and this is another"),
                        Some(help),
                    );
                }
                _ => {
                    root = Some(child);
                    self.node(child, &mut draft);
                }
            }
        }
        draft.params = std::mem::take(&mut self.params);
        // A node that could not be read may have been the one that reads it.
        if self.found.len() == before {
            self.unread(&draft.params);
        }
        if root.is_none() {
            self.wrong(
                bytes(node),
                Code::Root.says("the tree has no root"),
                Some("add a node inside, such as a `selector { … }`"),
            );
        }
        (draft.name, draft.span) = name?;
        (!draft.items.is_empty()).then_some(draft)
    }
}
