//! What editors are told of nodes: the models that a file had, and those of the nodes that it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use pleach_shape::Role;
use pleach_tree::NodeKind;

use super::{Element, attribute, escape, indent, is_xml_text};
use crate::btcpp::comment;
use crate::btcpp::kept::{Kept, KeptElement};
use crate::draft::ItemKind;

/// The nodes that were written.
#[derive(Default)]
pub(super) struct Seen {
    /// By name: what it is, and its ports.
    nodes: BTreeMap<String, (&'static str, BTreeSet<String>)>,
}

impl Seen {
    pub(super) fn see(&mut self, element: &Element, kind: &ItemKind) {
        let custom = element.tag.starts_with("Pleach");
        let ports = || {
            let names = element.attributes.iter().map(|(name, _)| name);
            names.filter(|name| !name.starts_with('_') && !matches!(name.as_str(), "ID" | "name"))
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
}

/// Writes the models that a file had, with the ports that its nodes have beside them, then those of all
/// other nodes that it uses.
pub(super) fn write_models(kept: &Kept, mut seen: Seen, out: &mut String) {
    if kept.nodes.is_empty() && seen.nodes.is_empty() {
        return;
    }
    out.push('\n');
    comment::write(&kept.comments, 1, out);
    out.push_str("    <TreeNodesModel>\n");
    for &node in &kept.nodes {
        let element = &kept.elements[node];
        let name = element.attribute("ID").unwrap_or("");
        let known = kept.node(name) == Some(node);
        let used = known.then(|| seen.nodes.remove(name)).flatten();
        let ports = used.map_or_else(BTreeSet::new, |(_, ports)| ports);
        let ports: Vec<String> = ports
            .into_iter()
            .filter(|port| !kept.has_port(node, port))
            .collect();
        write_kept(kept, node, &ports, out);
    }
    for (name, (is, ports)) in &seen.nodes {
        let _ = write!(out, "        <{is}");
        attribute("ID", name, out);
        if ports.is_empty() {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        ports.iter().for_each(|port| write_port(port, out));
        let _ = writeln!(out, "        </{is}>");
    }
    out.push_str("    </TreeNodesModel>\n");
}

/// A port of which no more is known.
fn write_port(name: &str, out: &mut String) {
    out.push_str("            <input_port");
    attribute("name", name, out);
    out.push_str("/>\n");
}

/// Writes a model as it was, and more ports behind its own.
fn write_kept(kept: &Kept, node: usize, ports: &[String], out: &mut String) {
    enum Step<'a> {
        Element(usize, usize),
        Port(&'a str),
        Close(&'a KeptElement, usize),
    }
    let mut steps = vec![Step::Element(node, 2)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Port(name) => write_port(name, out),
            Step::Close(element, level) => {
                indent(level, out);
                let _ = writeln!(out, "</{}>", element.name);
            }
            Step::Element(at, level) => {
                let element = &kept.elements[at];
                comment::write(&element.comments, level, out);
                indent(level, out);
                let _ = write!(out, "<{}", element.name);
                for (name, value) in &element.attributes {
                    attribute(name, &held(value), out);
                }
                let ports = if at == node { ports } else { &[] };
                let text = held(&element.text);
                if element.children.is_empty() && ports.is_empty() {
                    if text.is_empty() {
                        out.push_str("/>\n");
                        continue;
                    }
                    out.push('>');
                    escape(&text, out);
                    let _ = writeln!(out, "</{}>", element.name);
                    continue;
                }
                out.push('>');
                escape(&text, out);
                out.push('\n');
                steps.push(Step::Close(element, level));
                steps.extend(ports.iter().rev().map(|port| Step::Port(port)));
                let children = element.children.iter().rev();
                steps.extend(children.map(|&child| Step::Element(child, level + 1)));
            }
        }
    }
}

/// A text with a sign for each character that XML cannot hold.
fn held(text: &str) -> String {
    let sign = |c: char| match is_xml_text(c.encode_utf8(&mut [0; 4])) {
        true => c,
        false => '\u{fffd}',
    };
    text.chars().map(sign).collect()
}
