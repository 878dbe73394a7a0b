//! From drafts to BehaviorTree.CPP's XML, version 4.
//!
//! What BehaviorTree.CPP has is written in its own words. Any other node is a custom node whose
//! attribute `kdl` says in KDL what it is, and what a tree declares stands in an attribute `_kdl` of
//! it, so that what is read back is the same.

mod models;
mod native;
mod ports;
mod script;

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

use pleach_tree::NodeKind;

use self::models::{Seen, write_models};
use self::native::{chain, types_of};
use super::comment;
use super::kept::Kept;
use super::model::Models;
use super::plan::{is_own, is_sharing};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::draft::{Draft, ItemKind, Meta};
use crate::read::Include;
use crate::source::Source;
use crate::write::head::Heads;
use crate::write::{write_declarations, write_node, write_notes};

pub(super) use self::ports::attributes_of;

/// Deeper elements are indented no further: indenting a chain by its depth is quadratic.
const MAX_INDENT: usize = 64;

/// More notes or parameters than this stand in KDL: an element may have no more than
/// [`MAX_ATTRIBUTES`](super::scan::MAX_ATTRIBUTES), its own included.
const MANY: usize = 200;

/// An element that stands for a node and for those above it that are its attributes.
struct Element {
    tag: String,
    attributes: Vec<(String, String)>,
    /// The item whose children its own are.
    item: usize,
}

/// What is known of all trees of a file.
struct Whole<'a> {
    /// What any of them declares: a use of a tree may share it.
    declared: HashSet<&'a str>,
    /// Actions that are called like a condition, which no model can tell apart.
    twofold: HashSet<&'a str>,
    /// What is written of nodes beside the trees.
    models: Models,
}

impl<'a> Whole<'a> {
    fn of(drafts: &'a [Draft], kept: &Kept) -> Whole<'a> {
        let mut whole = Whole {
            declared: HashSet::new(),
            twofold: HashSet::new(),
            models: kept.models(),
        };
        let (mut actions, mut queries) = (HashSet::new(), HashSet::new());
        for draft in drafts {
            let declared = draft.declared.iter().map(|one| one.name.as_str());
            let params = draft.params.iter().map(|one| one.name.as_str());
            whole.declared.extend(declared.chain(params));
            for item in &draft.items {
                match &item.kind {
                    ItemKind::Node(NodeKind::Action(call) | NodeKind::Task(call)) => {
                        actions.insert(call.name.as_str())
                    }
                    ItemKind::Node(NodeKind::Query(call)) => queries.insert(call.name.as_str()),
                    _ => false,
                };
            }
        }
        whole.twofold = actions.intersection(&queries).copied().collect();
        whole
    }
}

/// Writes drafts as a file of version 4. The source is what they, and what they include, were read from.
///
/// # Errors
/// Names that XML or BehaviorTree.CPP cannot have.
pub(crate) fn write_file(
    source: &Source,
    includes: &[Include],
    drafts: &[Draft],
    kept: &Kept,
) -> Result<String, Diagnostics> {
    let mut found = Diagnostics::new();
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root BTCPP_format=\"4\"");
    if let Some(main) = drafts.first() {
        attribute("main_tree_to_execute", &main.name, &mut out);
    }
    out.push_str(">\n");
    for include in includes {
        if !is_xml_text(&include.path) {
            let message = format!("the path {} cannot stand in XML", quoted(&include.path));
            let message = Code::XmlName.says(message);
            let error = Diagnostic::new(source, include.span.clone(), message);
            found.push(error.with_help("rename the file"));
        }
        comment::write(&include.comments, 1, &mut out);
        out.push_str("    <include");
        attribute("path", &include.path, &mut out);
        out.push_str("/>\n");
    }
    let mut seen = Seen::default();
    let whole = Whole::of(drafts, kept);
    for draft in drafts {
        out.push('\n');
        names(draft, &mut found);
        write_tree(draft, &whole, &mut seen, &mut out);
    }
    write_models(kept, seen, &mut out);
    out.push_str("</root>\n");
    found.finish(out)
}

/// Complains of what has no other place than one where XML or BehaviorTree.CPP cannot have it.
fn names(draft: &Draft, found: &mut Diagnostics) {
    let mut wrong = |span: &Range<usize>, message: String, help: &str| {
        let error = Diagnostic::new(&draft.source, span.clone(), Code::XmlName.says(message));
        found.push(error.with_help(help));
    };
    if draft.name.is_empty() || !is_xml_text(&draft.name) {
        let message = format!("no tree can be called {} in XML", quoted(&draft.name));
        wrong(&draft.span, message, "give it another name");
    }
    for one in &draft.declared {
        if one.name.is_empty() || one.name.starts_with('@') {
            let message = format!(
                "no {} can be called {} in XML",
                one.group.noun(),
                quoted(&one.name)
            );
            let help = "names are a letter or `_`, then letters, digits, `_` and `.`";
            wrong(&one.span, message, help);
        }
    }
}

fn write_tree(draft: &Draft, whole: &Whole<'_>, seen: &mut Seen, out: &mut String) {
    comment::write(&draft.comments, 1, out);
    out.push_str("    <BehaviorTree");
    attribute("ID", &draft.name, out);
    let fits = are_attributes(&draft.meta, |name| name == "_kdl");
    let mut declared = write_declarations(draft);
    if !fits {
        let before = if declared.is_empty() { "" } else { "; " };
        declared.insert_str(0, before);
        declared.insert_str(0, &write_notes(&draft.meta));
    }
    if !declared.is_empty() {
        attribute("_kdl", &declared, out);
    }
    for (name, value) in draft.meta.iter().filter(|_| fits) {
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
                let Some(element) = element(draft, whole, &heads, &types, index) else {
                    continue;
                };
                let item = &draft.items[element.item];
                comment::write(&item.comments, level, out);
                indent(level, out);
                let _ = write!(out, "<{}", element.tag);
                for (name, value) in &element.attributes {
                    attribute(name, value, out);
                }
                seen.see(&element, &item.kind);
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
    whole: &Whole<'_>,
    heads: &Heads<'_>,
    types: &native::Types<'_>,
    index: usize,
) -> Option<Element> {
    let (mut attributes, at) = chain(draft, types, index);
    let item = draft.items.get(at)?;
    let is_use = matches!(item.kind, ItemKind::Subtree(_));
    let notes_fit = are_attributes(&item.meta, |name| {
        is_own(name) || (is_use && is_sharing(name))
    });
    // What a node is called by itself is no name of it.
    let fits = |called: &str| {
        let name = item.name.as_deref();
        notes_fit && name.is_none_or(|name| !name.is_empty() && name != called && is_xml_text(name))
    };
    let native = native::native(draft, whole, types, item).filter(|native| {
        // The ports of other nodes are not compared with what stands in KDL.
        native.may_say_more || fits(&native.called)
    });
    let (tag, fits) = match native {
        Some(native) => {
            let fits = fits(&native.called);
            attributes.extend(native.attributes);
            if !native.exact || !fits {
                attributes.push(("_kdl".to_owned(), write_node(heads, at, !fits)));
            }
            (native.tag, fits)
        }
        None => {
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
            let fits = fits(&tag);
            attributes.push(("kdl".to_owned(), write_node(heads, at, !fits)));
            if item.guard {
                attributes.push(("_property".to_owned(), "true".to_owned()));
            }
            (tag, fits)
        }
    };
    if fits {
        let name = item
            .name
            .iter()
            .map(|name| ("name".to_owned(), name.clone()));
        attributes.splice(0..0, name);
        attributes.extend(item.meta.iter().cloned());
    }
    Some(Element {
        tag,
        attributes,
        item: at,
    })
}

/// Whether notes can be attributes of an element that takes some names for something else.
fn are_attributes(notes: &[Meta], taken: impl Fn(&str) -> bool) -> bool {
    notes.len() <= MANY
        && notes
            .iter()
            .all(|(name, value)| is_xml_name(name) && is_xml_text(value) && !taken(name))
}

/// Whether a text can be the name of an attribute. A colon would make a prefix of what stands in front of
/// it, and `xmlns` declares prefixes.
fn is_xml_name(name: &str) -> bool {
    let begins = |c: char| {
        matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
            | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
            | '\u{200c}' | '\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
            | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
            | '\u{10000}'..='\u{effff}')
    };
    let continues = |c: char| {
        begins(c)
            || matches!(c, '0'..='9' | '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}'
                | '\u{203f}' | '\u{2040}')
    };
    name != "xmlns" && name.starts_with(begins) && name.chars().all(continues)
        // Blanks to whoever looks for the end of a name.
        && !name.contains(char::is_whitespace)
}

/// Whether XML can hold a text: it has most control characters in no way at all.
fn is_xml_text(text: &str) -> bool {
    text.chars().all(|c| match c {
        '\n' | '\r' | '\t' => true,
        c => c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'),
    })
}

fn attribute(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, " {name}=\"");
    escape(value, out);
    out.push('"');
}

/// Writes a text as a value, or between tags.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
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
}

pub(super) fn indent(level: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", level.min(MAX_INDENT)));
}
