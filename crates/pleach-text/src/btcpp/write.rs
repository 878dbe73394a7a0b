//! From drafts to BehaviorTree.CPP's XML, version 4.
//!
//! What BehaviorTree.CPP has is written in its own words. Any other node is a custom node whose
//! attribute `kdl` says in KDL what it is, and what a tree declares stands in an attribute `_kdl` of
//! it, so that what is read back is the same.

mod native;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use pleach_shape::Role;
use pleach_tree::NodeKind;

use self::native::{Native, chain, types_of};
use super::comment;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::draft::{Draft, ItemKind};
use crate::read::Include;
use crate::write::head::Heads;
use crate::write::{write_declarations, write_node};

pub(super) use self::native::attributes_of;

/// Deeper elements are indented no further: indenting a chain by its depth is quadratic.
const MAX_INDENT: usize = 64;

/// An element that stands for a node and for those above it that are its attributes.
struct Element {
    tag: String,
    attributes: Vec<(String, String)>,
    /// The item whose children its own are.
    item: usize,
}

/// Writes drafts as a file of version 4.
///
/// # Errors
/// Names that XML or BehaviorTree.CPP cannot have.
pub(crate) fn write_file(includes: &[Include], drafts: &[Draft]) -> Result<String, Diagnostics> {
    let mut found = Diagnostics::new();
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root BTCPP_format=\"4\"");
    if let Some(main) = drafts.first() {
        attribute("main_tree_to_execute", &main.name, &mut out);
    }
    out.push_str(">\n");
    for include in includes {
        comment::write(&include.comments, 1, &mut out);
        out.push_str("    <include");
        attribute("path", &include.path, &mut out);
        out.push_str("/>\n");
    }
    let mut models = Models::default();
    for draft in drafts {
        out.push('\n');
        write_tree(draft, &mut models, &mut out, &mut found);
    }
    models.write(&mut out);
    out.push_str("</root>\n");
    found.finish(out)
}

fn write_tree(draft: &Draft, models: &mut Models, out: &mut String, found: &mut Diagnostics) {
    comment::write(&draft.comments, 1, out);
    out.push_str("    <BehaviorTree");
    attribute("ID", &draft.name, out);
    let declared = write_declarations(draft);
    if !declared.is_empty() {
        attribute("_kdl", &declared, out);
    }
    for (name, value) in &draft.meta {
        attribute(name, value, out);
    }
    out.push_str(">\n");
    let heads = Heads::apart(draft);
    let types = types_of(draft);
    enum Step {
        Item(usize, usize),
        Close(String, usize),
    }
    // Iterative: a tree may be deeper than the stack.
    let mut steps = vec![Step::Item(0, 2)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Close(tag, level) => {
                indent(level, out);
                let _ = writeln!(out, "</{tag}>");
            }
            Step::Item(index, level) => {
                let Some(element) = element(draft, &heads, &types, index) else {
                    continue;
                };
                let item = &draft.items[element.item];
                comment::write(&item.comments, level, out);
                indent(level, out);
                let _ = write!(out, "<{}", element.tag);
                if let Some(name) = &item.name {
                    attribute("name", name, out);
                }
                let mut seen: BTreeSet<&str> = BTreeSet::from(["name"]);
                let attributes = element.attributes.iter().chain(&item.meta);
                for (name, value) in attributes {
                    if !seen.insert(name) || !is_xml_name(name) {
                        let message = match is_xml_name(name) {
                            true => {
                                format!("the node would have the attribute {} twice", quoted(name))
                            }
                            false => format!("{} cannot be an attribute in XML", quoted(name)),
                        };
                        let span = item.place.keyword.clone();
                        let error =
                            Diagnostic::new(&draft.source, span, Code::BadName.says(message));
                        found.push(error.with_help("give the parameter another name"));
                        continue;
                    }
                    attribute(name, value, out);
                }
                models.see(&element, &item.kind);
                if item.children.is_empty() {
                    out.push_str("/>\n");
                    continue;
                }
                out.push_str(">\n");
                steps.push(Step::Close(element.tag, level));
                let children = item.children.iter().rev();
                steps.extend(children.map(|&child| Step::Item(child, level + 1)));
            }
        }
    }
    out.push_str("    </BehaviorTree>\n");
}

/// The element of an item, and of those below it that are its attributes.
fn element(
    draft: &Draft,
    heads: &Heads<'_>,
    types: &native::Types<'_>,
    index: usize,
) -> Option<Element> {
    let (mut attributes, at) = chain(draft, types, index);
    let item = draft.items.get(at)?;
    if let Some(Native {
        tag,
        attributes: own,
        exact,
    }) = native::native(draft, types, item)
    {
        attributes.extend(own);
        if !exact {
            attributes.push(("_kdl".to_owned(), write_node(heads, at)));
        }
        return Some(Element {
            tag,
            attributes,
            item: at,
        });
    }
    let word = match &item.kind {
        ItemKind::Node(kind) => kind.keyword(),
        ItemKind::Subtree(_) => "subtree",
    };
    let mut tag = String::from("Pleach");
    for part in word.split('-') {
        let mut chars = part.chars();
        tag.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        tag.push_str(chars.as_str());
    }
    attributes.push(("kdl".to_owned(), write_node(heads, at)));
    if item.guard {
        attributes.push(("_property".to_owned(), "true".to_owned()));
    }
    Some(Element {
        tag,
        attributes,
        item: at,
    })
}

/// What editors must know of the nodes of a file.
#[derive(Default)]
struct Models {
    /// By name: what it is, and its ports.
    nodes: BTreeMap<String, (&'static str, BTreeSet<String>)>,
}

impl Models {
    fn see(&mut self, element: &Element, kind: &ItemKind) {
        let custom = element.tag.starts_with("Pleach");
        let ports = || {
            let names = element.attributes.iter().map(|(name, _)| name);
            names.filter(|name| !name.starts_with('_') && *name != "ID")
        };
        let (name, is) = match (element.tag.as_str(), kind) {
            ("Action" | "Condition", _) => {
                let id = element.attributes.iter().find(|(name, _)| name == "ID");
                let Some((_, id)) = id else { return };
                let is = if element.tag == "Action" {
                    "Action"
                } else {
                    "Condition"
                };
                (id.clone(), is)
            }
            (tag, ItemKind::Node(kind)) if custom => {
                let is = match kind {
                    NodeKind::Condition(_) | NodeKind::Query(_) => "Condition",
                    kind => match kind.role() {
                        Role::Leaf => "Action",
                        Role::Composite => "Control",
                        _ => "Decorator",
                    },
                };
                (tag.to_owned(), is)
            }
            _ => return,
        };
        let entry = self.nodes.entry(name).or_insert((is, BTreeSet::new()));
        entry.1.extend(ports().cloned());
    }

    fn write(&self, out: &mut String) {
        if self.nodes.is_empty() {
            return;
        }
        out.push_str("\n    <TreeNodesModel>\n");
        for (name, (is, ports)) in &self.nodes {
            let _ = write!(out, "        <{is}");
            attribute("ID", name, out);
            if ports.is_empty() {
                out.push_str("/>\n");
                continue;
            }
            out.push_str(">\n");
            for port in ports {
                out.push_str("            <input_port");
                attribute("name", port, out);
                out.push_str("/>\n");
            }
            let _ = writeln!(out, "        </{is}>");
        }
        out.push_str("    </TreeNodesModel>\n");
    }
}

/// Whether a text can be the name of an attribute.
fn is_xml_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn attribute(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, " {name}=\"");
    for c in value.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

pub(super) fn indent(level: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", level.min(MAX_INDENT)));
}
