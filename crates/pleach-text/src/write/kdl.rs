//! Files as KDL.

use std::fmt::Write;

use pleach_tree::{CaseValue, NodeKind, Value};

use super::head::{Head, Heads, Operand, default};
use crate::chars::is_plain_name;
use crate::draft::{Declared, Draft, Group, ItemKind, Meta};
use crate::read::{Include, is_reserved};
use crate::snippet::is_invisible;

/// Deeper nodes are indented no further: indenting a chain by its depth is quadratic.
const MAX_INDENT: usize = 64;

/// Writes a file: what it includes, then its trees.
pub(crate) fn write_file(includes: &[Include], drafts: &[Draft]) -> String {
    let mut out = String::new();
    for include in includes {
        comments(&include.comments, 0, &mut out);
        out.push_str("include");
        argument(&include.path, &mut out);
        out.push('\n');
    }
    for draft in drafts {
        if !out.is_empty() {
            out.push('\n');
        }
        write_tree(draft, &mut out);
    }
    out
}

/// What a tree declares, as its blocks.
pub(crate) fn write_declarations(draft: &Draft) -> String {
    let mut out = String::new();
    params(draft, &mut out);
    for (block, group) in [("blackboard", Group::Column), ("world", Group::World)] {
        let declared = draft.declared.iter().filter(|one| one.group == group);
        declarations(block, declared, &mut out);
    }
    on_one_line(&out)
}

/// The notes of editors of a tree, as they stand by themselves.
pub(crate) fn write_notes(meta: &[Meta]) -> String {
    let mut out = String::from("tree");
    notes(meta, &mut out);
    out
}

/// A node by itself, on one line: without comments, maybe without name and notes, and with something that
/// stands for each of its children.
pub(crate) fn write_node(heads: &Heads<'_>, index: usize, named: bool) -> String {
    let Some(mut head) = heads.head(index) else {
        return String::new();
    };
    if !named {
        (head.name, head.meta) = (None, &[]);
    }
    let mut out = String::new();
    let lines = line(&head, &mut out);
    let children = head.item.children.len();
    if lines.is_empty() && head.maps.is_empty() && children == 0 {
        return out;
    }
    out.push_str(" {\n");
    block(lines, &head, 1, &mut out);
    let cases = match &head.item.kind {
        ItemKind::Node(NodeKind::Switch { cases, .. }) => Some(cases),
        _ => None,
    };
    for at in 0..children {
        match cases.and_then(|cases| cases.get(at)) {
            None => out.push_str("idle\n"),
            Some(case) => {
                write_case(case.as_ref(), &mut out);
                out.push_str(" {\nidle\n}\n");
            }
        }
    }
    out.push_str("}\n");
    on_one_line(&out)
}

/// Lines of nodes as one line. Texts in them have no ends of lines.
fn on_one_line(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        if !out.is_empty() {
            out.push_str(match out.ends_with('{') {
                true => " ",
                false => "; ",
            });
        }
        out.push_str(line);
    }
    out
}

fn write_case(case: Option<&CaseValue>, out: &mut String) {
    match case {
        None => out.push_str("else"),
        Some(CaseValue::Bool(value)) => {
            let _ = write!(out, "case #{value}");
        }
        Some(CaseValue::Int(value)) => {
            let _ = write!(out, "case {value}");
        }
        Some(CaseValue::Label(label)) => {
            out.push_str("case");
            argument(label, out);
        }
    }
}

/// What is left to write of a tree.
enum Step<'a> {
    Item(usize, usize),
    /// The beginning of a branch of a switch.
    Case(Option<&'a CaseValue>, usize),
    Close(usize),
}

fn write_tree(draft: &Draft, out: &mut String) {
    comments(&draft.comments, 0, out);
    out.push_str("tree");
    argument(&draft.name, out);
    notes(&draft.meta, out);
    out.push_str(" {\n");
    params(draft, out);
    for (block, group) in [("blackboard", Group::Column), ("world", Group::World)] {
        let declared = draft.declared.iter().filter(|one| one.group == group);
        declarations(block, declared, out);
    }
    let heads = Heads::new(draft);
    // Iterative: a tree may be deeper than the stack.
    let mut steps = vec![Step::Item(0, 1)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Close(level) => {
                indent(level, out);
                out.push_str("}\n");
            }
            Step::Case(case, level) => {
                indent(level, out);
                write_case(case, out);
                out.push_str(" {\n");
            }
            Step::Item(index, level) => {
                let Some(head) = heads.head(index) else {
                    continue;
                };
                comments(head.comments, level, out);
                indent(level, out);
                let lines = line(&head, out);
                let children = &head.item.children;
                if lines.is_empty() && head.maps.is_empty() && children.is_empty() {
                    out.push('\n');
                    continue;
                }
                out.push_str(" {\n");
                block(lines, &head, level + 1, out);
                steps.push(Step::Close(level));
                let cases = match &head.item.kind {
                    ItemKind::Node(NodeKind::Switch { cases, .. }) => Some(cases),
                    _ => None,
                };
                for (at, &child) in children.iter().enumerate().rev() {
                    match cases {
                        None => steps.push(Step::Item(child, level + 1)),
                        Some(cases) => {
                            let case = cases.get(at).and_then(Option::as_ref);
                            steps.push(Step::Close(level + 1));
                            steps.push(Step::Item(child, level + 2));
                            steps.push(Step::Case(case, level + 1));
                        }
                    }
                }
            }
        }
    }
    out.push_str("}\n");
}

fn params(draft: &Draft, out: &mut String) {
    if draft.params.is_empty() {
        return;
    }
    indent(1, out);
    out.push_str("params {\n");
    for param in &draft.params {
        indent(2, out);
        word(&param.name, out);
        let _ = write!(out, " {}", param.ty);
        if let Some(constant) = &param.default {
            out.push(' ');
            operand(&default(constant), out);
        }
        doc(param.doc.as_deref(), out);
    }
    indent(1, out);
    out.push_str("}\n");
}

fn declarations<'a>(block: &str, list: impl Iterator<Item = &'a Declared>, out: &mut String) {
    let mut list = list.peekable();
    if list.peek().is_none() {
        return;
    }
    indent(1, out);
    let _ = writeln!(out, "{block} {{");
    for one in list {
        indent(2, out);
        word(&one.name, out);
        if let (Value::U8(first), [_, ..]) = (one.default, one.labels.as_slice()) {
            out.push_str(" enum");
            for label in &one.labels {
                argument(label, out);
            }
            let label = one.labels.get(usize::from(first)).filter(|_| first > 0);
            if let Some(label) = label {
                out.push_str(" default=");
                text(label, out);
            }
        } else {
            let ty = one.default.ty();
            let _ = write!(out, " {ty}");
            if one.default.to_bits() != ty.zero().to_bits() {
                out.push(' ');
                bare_value(one.default, out);
            }
        }
        doc(one.doc.as_deref(), out);
    }
    indent(1, out);
    out.push_str("}\n");
}

/// The end of a declaration.
fn doc(doc: Option<&str>, out: &mut String) {
    if let Some(doc) = doc {
        out.push_str(" doc=");
        text(doc, out);
    }
    out.push('\n');
}

/// Writes a node up to its block. Gives the parameters that stand in the block: those from the first
/// one on whose name would be a property of the node itself. In that order they are read back too.
fn line<'h, 'a>(head: &'h Head<'a>, out: &mut String) -> &'h [(&'a str, Operand<'a>)] {
    out.push_str(head.word);
    for (_, value) in &head.arguments {
        out.push(' ');
        operand(value, out);
    }
    if let Some(name) = head.name {
        // Where the first argument is something else, as also if it could be.
        out.push_str(match names_itself(head) {
            true => " ",
            false => " name=",
        });
        text(name, out);
    }
    for (name, value) in head.properties.iter().chain(&head.guards) {
        let _ = write!(out, " {name}=");
        operand(value, out);
    }
    notes(head.meta, out);
    let split = head.params.iter().position(|(name, _)| is_reserved(name));
    let (properties, lines) = head.params.split_at(split.unwrap_or(head.params.len()));
    for (name, value) in properties {
        out.push(' ');
        word(name, out);
        out.push('=');
        operand(value, out);
    }
    lines
}

/// Whether the name is the node's first argument.
fn names_itself(head: &Head<'_>) -> bool {
    let counts = matches!(
        &head.item.kind,
        ItemKind::Node(
            NodeKind::Repeat { .. }
                | NodeKind::RepeatUntilFailure { .. }
                | NodeKind::RepeatUntilSuccess { .. }
        )
    );
    head.arguments.is_empty() && !counts
}

/// The lines of a node's block that are no nodes.
fn block(params: &[(&str, Operand<'_>)], head: &Head<'_>, level: usize, out: &mut String) {
    for (name, value) in params {
        indent(level, out);
        out.push_str("param");
        argument(name, out);
        out.push(' ');
        operand(value, out);
        out.push('\n');
    }
    for map in head.maps {
        indent(level, out);
        out.push_str("map ");
        word(&map.inner, out);
        out.push('=');
        text(&map.outer, out);
        out.push('\n');
    }
}

fn notes(meta: &[Meta], out: &mut String) {
    for (name, value) in meta {
        out.push(' ');
        word(name, out);
        out.push('=');
        text(value, out);
    }
}

/// Comments on lines of their own.
fn comments(lines: &[String], level: usize, out: &mut String) {
    for line in lines {
        indent(level, out);
        out.push_str("//");
        if !line.is_empty() {
            out.push(' ');
            out.push_str(line);
        }
        out.push('\n');
    }
}

fn operand(value: &Operand<'_>, out: &mut String) {
    match value {
        Operand::Text(value) => text(value, out),
        Operand::Bool(value) => {
            let _ = write!(out, "#{value}");
        }
        Operand::Number(number) => out.push_str(number),
        Operand::Typed(ty, number) => {
            let _ = write!(out, "({ty}){number}");
        }
        Operand::Constant(value) => {
            if matches!(value, Value::U8(_) | Value::U16(_) | Value::U64(_)) {
                let _ = write!(out, "({})", value.ty());
            }
            bare_value(*value, out);
        }
        Operand::Name(is, name) => {
            let _ = write!(out, "({is})");
            text(name, out);
        }
    }
}

fn bare_value(value: Value, out: &mut String) {
    let _ = match value {
        Value::Bool(value) => write!(out, "#{value}"),
        Value::F32(value) if value.is_nan() => write!(out, "#nan"),
        Value::F32(value) if value.is_infinite() => write!(out, "#{value}"),
        value => write!(out, "{value}"),
    };
}

fn indent(level: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", level.min(MAX_INDENT)));
}

fn argument(value: &str, out: &mut String) {
    out.push(' ');
    text(value, out);
}

/// Whether a character is written as an escape: XML cannot hold all that KDL can.
fn is_hidden(c: char) -> bool {
    is_invisible(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A name, in quotes if it needs them.
pub(crate) fn word(name: &str, out: &mut String) {
    match is_plain_name(name) && !name.chars().any(is_hidden) {
        true => out.push_str(name),
        false => text(name, out),
    }
}

/// A text in quotes.
pub(crate) fn text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
