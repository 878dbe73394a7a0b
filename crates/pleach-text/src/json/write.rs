//! Files in the JSON form.

use std::fmt::Write;

use pleach_tree::{CaseValue, NodeKind, Value};
use serde_json::to_string;

use super::JSON_VERSION;
use crate::constant::Param;
use crate::draft::{Declared, Draft, Group, ItemKind, Meta};
use crate::read::Include;
use crate::snippet::is_invisible;
use crate::write::head::{Head, Heads, Operand, default};

/// Deeper nodes are indented no further: indenting a chain by its depth is quadratic.
const MAX_INDENT: usize = 64;

/// The largest whole number that 64-bit floats, which many programs have for all numbers, hold
/// exactly with all below it.
const MAX_EXACT: u64 = 1 << 53;

/// Writes a file: what it includes, then its trees.
pub(crate) fn write_file(includes: &[Include], drafts: &[Draft]) -> String {
    let mut out = format!("{{\n  \"pleach\": {JSON_VERSION},\n");
    if !includes.is_empty() {
        let lines = includes.iter().map(|include| {
            let path = quote(&include.path);
            match include.comments.as_slice() {
                [] => path,
                lines => format!("{{ \"path\": {path}, \"comments\": {} }}", texts(lines)),
            }
        });
        list(1, "include", lines, &mut out);
        out.push_str(",\n");
    }
    out.push_str("  \"trees\": [");
    for (at, draft) in drafts.iter().enumerate() {
        out.push_str(if at == 0 { "\n" } else { ",\n" });
        write_tree(draft, &mut out);
    }
    out.push_str(if drafts.is_empty() {
        "]\n}\n"
    } else {
        "\n  ]\n}\n"
    });
    out
}

/// `"labels": [` with a value a line, up to the `]`.
fn list(level: usize, name: &str, lines: impl ExactSizeIterator<Item = String>, out: &mut String) {
    indent(level, out);
    let _ = writeln!(out, "\"{name}\": [");
    let count = lines.len();
    for (at, line) in lines.enumerate() {
        indent(level + 1, out);
        out.push_str(&line);
        out.push_str(if at + 1 < count { ",\n" } else { "\n" });
    }
    indent(level, out);
    out.push(']');
}

enum Step<'a> {
    /// A node on a line of its own: its item, its level, and what stands in front of it.
    Item(usize, usize, Option<Option<&'a CaseValue>>),
    /// The end of a list of children, and how many objects end with it.
    Close(usize, usize),
    Comma,
}

fn write_tree(draft: &Draft, out: &mut String) {
    indent(2, out);
    out.push_str("{\n");
    indent(3, out);
    let _ = write!(out, "\"name\": {}", quote(&draft.name));
    if !draft.comments.is_empty() {
        out.push_str(",\n");
        list(
            3,
            "comments",
            draft.comments.iter().map(|line| quote(line)),
            out,
        );
    }
    for note in notes(&draft.meta) {
        let _ = write!(out, ",\n      {note}");
    }
    out.push_str(",\n");
    if !draft.params.is_empty() {
        list(3, "params", draft.params.iter().map(param), out);
        out.push_str(",\n");
    }
    for (block, group) in [("blackboard", Group::Column), ("world", Group::World)] {
        let all = draft.declared.iter().filter(|one| one.group == group);
        let lines: Vec<String> = all.map(declared).collect();
        if !lines.is_empty() {
            list(3, block, lines.into_iter(), out);
            out.push_str(",\n");
        }
    }
    indent(3, out);
    out.push_str("\"root\": ");
    let heads = Heads::new(draft);
    // Iterative: a tree may be deeper than the stack.
    let mut steps = vec![Step::Item(0, 3, None)];
    let mut first = true;
    while let Some(step) = steps.pop() {
        match step {
            Step::Comma => out.push_str(",\n"),
            Step::Close(level, objects) => {
                out.push('\n');
                indent(level, out);
                out.push(']');
                (0..objects).for_each(|_| out.push_str(" }"));
            }
            Step::Item(index, level, case) => {
                let Some(head) = heads.head(index) else {
                    continue;
                };
                if !std::mem::take(&mut first) {
                    indent(level, out);
                }
                let mut ends = 1;
                if let Some(case) = case {
                    ends += 1;
                    out.push_str("{ ");
                    if let Some(case) = case {
                        let _ = write!(out, "\"case\": {}, ", case_value(case));
                    }
                    out.push_str("\"child\": ");
                }
                out.push_str("{ ");
                out.push_str(&fields(&head).join(", "));
                let children = &head.item.children;
                let cases = match &head.item.kind {
                    ItemKind::Node(NodeKind::Switch { cases, .. }) => Some(cases),
                    _ => None,
                };
                if children.is_empty() {
                    (0..ends).for_each(|_| out.push_str(" }"));
                    continue;
                }
                out.push_str(match cases {
                    Some(_) => ", \"cases\": [\n",
                    None => ", \"children\": [\n",
                });
                steps.push(Step::Close(level, ends));
                for (at, &child) in children.iter().enumerate().rev() {
                    let case = cases.map(|cases| cases.get(at).and_then(Option::as_ref));
                    steps.push(Step::Item(child, level + 1, case));
                    if at > 0 {
                        steps.push(Step::Comma);
                    }
                }
            }
        }
    }
    out.push('\n');
    indent(2, out);
    out.push('}');
}

/// A node's fields but its children.
fn fields(head: &Head<'_>) -> Vec<String> {
    let mut fields = vec![format!("\"node\": \"{}\"", head.word)];
    if let Some(name) = head.name {
        fields.push(format!("\"name\": {}", quote(name)));
    }
    let named = head.arguments.iter().chain(&head.properties);
    fields.extend(
        named
            .chain(&head.guards)
            .map(|(name, value)| format!("\"{name}\": {}", operand(value))),
    );
    let params: Vec<String> = head
        .params
        .iter()
        .map(|(name, value)| format!("{}: {}", quote(name), operand(value)))
        .collect();
    if !params.is_empty() {
        fields.push(format!("\"params\": {{ {} }}", params.join(", ")));
    }
    let maps: Vec<String> = head
        .maps
        .iter()
        .map(|map| format!("{}: {}", quote(&map.inner), quote(&map.outer)))
        .collect();
    if !maps.is_empty() {
        fields.push(format!("\"map\": {{ {} }}", maps.join(", ")));
    }
    fields.extend(notes(head.meta));
    if !head.comments.is_empty() {
        fields.push(format!("\"comments\": {}", texts(head.comments)));
    }
    fields
}

fn param(param: &Param) -> String {
    let mut line = format!(
        "{{ \"name\": {}, \"type\": \"{}\"",
        quote(&param.name),
        param.ty
    );
    if let Some(constant) = &param.default {
        let value = match default(constant) {
            Operand::Number(number) => whole_number(&number),
            other => operand(&other),
        };
        let _ = write!(line, ", \"default\": {value}");
    }
    end(line, param.doc.as_deref())
}

fn declared(one: &Declared) -> String {
    let name = quote(&one.name);
    let line = match (one.default, one.labels.as_slice()) {
        (Value::U8(first), [_, ..]) => {
            let labels = texts(&one.labels);
            let mut line = format!("{{ \"name\": {name}, \"type\": \"enum\", \"labels\": {labels}");
            let label = one.labels.get(usize::from(first)).filter(|_| first > 0);
            if let Some(label) = label {
                let _ = write!(line, ", \"default\": {}", quote(label));
            }
            line
        }
        (default, _) => {
            let ty = default.ty();
            let mut line = format!("{{ \"name\": {name}, \"type\": \"{ty}\"");
            if default.to_bits() != ty.zero().to_bits() {
                let _ = write!(
                    line,
                    ", \"default\": {}",
                    whole_number(&default.to_string())
                );
            }
            line
        }
    };
    end(line, one.doc.as_deref())
}

fn end(mut line: String, doc: Option<&str>) -> String {
    if let Some(doc) = doc {
        let _ = write!(line, ", \"doc\": {}", quote(doc));
    }
    line.push_str(" }");
    line
}

/// A number, with digits that many programs would lose as a text with its type.
fn whole_number(number: &str) -> String {
    match number.parse::<u64>() {
        Ok(value) if value > MAX_EXACT => format!("{{ \"u64\": \"{value}\" }}"),
        _ => number.to_owned(),
    }
}

fn case_value(case: &CaseValue) -> String {
    match case {
        CaseValue::Bool(value) => value.to_string(),
        CaseValue::Int(value) => value.to_string(),
        CaseValue::Label(label) => quote(label),
    }
}

fn operand(value: &Operand<'_>) -> String {
    match value {
        Operand::Text(text) => quote(text),
        Operand::Bool(value) => value.to_string(),
        Operand::Number(number) => number.clone(),
        Operand::Typed("u64", number) => match whole_number(number) {
            typed if typed.starts_with('{') => typed,
            number => format!("{{ \"u64\": {number} }}"),
        },
        Operand::Typed(ty, number) => format!("{{ {}: {number} }}", quote(ty)),
        Operand::Constant(value) => constant(*value),
        Operand::Name(is, name) => format!("{{ \"{is}\": {} }}", quote(name)),
    }
}

/// A constant that says its type unless every program would take it for one of that type.
fn constant(value: Value) -> String {
    match value {
        Value::Bool(_) | Value::I32(_) => value.to_string(),
        Value::U64(number) if number > MAX_EXACT => format!("{{ \"u64\": \"{number}\" }}"),
        // Many programs write a number that happens to be whole as one without a point.
        Value::F32(number) if number.is_finite() && number.fract() != 0.0 => value.to_string(),
        // No format reads these, and JSON has no number for them.
        Value::F32(number) if !number.is_finite() => format!("{{ \"f32\": \"{number}\" }}"),
        _ => format!("{{ \"{}\": {value} }}", value.ty()),
    }
}

fn notes(meta: &[Meta]) -> impl Iterator<Item = String> {
    meta.iter()
        .map(|(name, value)| format!("{}: {}", quote(name), quote(value)))
}

fn texts(list: &[String]) -> String {
    let list: Vec<String> = list.iter().map(|text| quote(text)).collect();
    format!("[{}]", list.join(", "))
}

/// A text in quotes. Whatever people could not see is escaped, as in KDL.
fn quote(text: &str) -> String {
    // No text fails to be written as JSON.
    let written = to_string(text).unwrap_or_else(|_| "\"\"".to_owned());
    if !written.chars().any(is_invisible) {
        return written;
    }
    let mut out = String::with_capacity(written.len());
    for c in written.chars() {
        match is_invisible(c) {
            true => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            false => out.push(c),
        }
    }
    out
}

fn indent(level: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", level.min(MAX_INDENT)));
}
