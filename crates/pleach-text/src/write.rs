//! From trees to KDL text.

use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

use pleach_tree::{
    Call, CaseValue, NodeId, NodeKind, Parameter, ParameterValue, Threshold, Tree, Value,
};

use crate::chars::is_plain_name;
use crate::draft::Group;
use crate::read::is_reserved;
use crate::snippet::is_invisible;

/// Deeper nodes are indented no further: indenting a chain by its depth is quadratic.
const MAX_INDENT: usize = 64;

/// Writes a tree as KDL 2.
///
/// [`parse`](crate::parse) reads it back as an equal tree, if the tree compiles and keeps within
/// the limits of texts, which are narrower than those of trees: see `MAX_BYTES`, `MAX_NESTING`,
/// `MAX_ITEMS`, `MAX_NAME`, `MAX_EXPR_BYTES` and `MAX_EXPRS_BYTES`. The depth of an expression is
/// limited alike in both, by [`MAX_EXPR_DEPTH`](pleach_tree::MAX_EXPR_DEPTH): one that is deeper
/// does not compile, and what is written for it is not read.
pub fn write(tree: &Tree) -> String {
    let mut out = String::new();
    write_tree(tree, &mut out);
    out
}

/// Writes several trees into one text.
pub fn write_all<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> String {
    let mut out = String::new();
    for tree in trees {
        if !out.is_empty() {
            out.push('\n');
        }
        write_tree(tree, &mut out);
    }
    out
}

fn write_tree(tree: &Tree, out: &mut String) {
    out.push_str("tree ");
    text(tree.name(), out);
    out.push_str(" {\n");
    let mut groups = HashMap::new();
    let columns = tree.columns().iter();
    let columns = columns.map(|one| (one.name.as_str(), one.default, one.labels.as_slice()));
    let world = tree.world().iter();
    let world = world.map(|one| (one.name.as_str(), one.default, one.labels.as_slice()));
    declarations("blackboard", columns, out);
    declarations("world", world, out);
    groups.extend(
        tree.world()
            .iter()
            .map(|world| (world.name.as_str(), Group::World)),
    );
    groups.extend(
        tree.columns()
            .iter()
            .map(|column| (column.name.as_str(), Group::Column)),
    );

    enum Step<'a> {
        Node(NodeId, usize),
        /// The beginning of a branch of a switch.
        Case(Option<&'a CaseValue>, usize),
        Close(usize),
    }
    // Iterative: a tree may be deeper than the stack.
    let mut steps = vec![Step::Node(tree.root(), 1)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Close(level) => {
                indent(level, out);
                out.push_str("}\n");
            }
            Step::Case(case, level) => {
                indent(level, out);
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
                out.push_str(" {\n");
            }
            Step::Node(id, level) => {
                let Some(node) = tree.node(id) else { continue };
                indent(level, out);
                let block = head(&node.kind, node.name.as_deref(), level, &groups, out);
                if node.children.is_empty() {
                    out.push_str(if block { "" } else { "\n" });
                    if block {
                        indent(level, out);
                        out.push_str("}\n");
                    }
                    continue;
                }
                if !block {
                    out.push_str(" {\n");
                }
                steps.push(Step::Close(level));
                if let NodeKind::Switch { cases, .. } = &node.kind {
                    for (at, &child) in node.children.iter().enumerate().rev() {
                        let case = cases.get(at).and_then(Option::as_ref);
                        steps.push(Step::Close(level + 1));
                        steps.push(Step::Node(child, level + 2));
                        steps.push(Step::Case(case, level + 1));
                    }
                    continue;
                }
                steps.extend(
                    node.children
                        .iter()
                        .rev()
                        .map(|&child| Step::Node(child, level + 1)),
                );
            }
        }
    }
    out.push_str("}\n");
}

fn declarations<'a>(
    block: &str,
    list: impl Iterator<Item = (&'a str, Value, &'a [String])>,
    out: &mut String,
) {
    let mut list = list.peekable();
    if list.peek().is_none() {
        return;
    }
    indent(1, out);
    let _ = writeln!(out, "{block} {{");
    for (name, default, labels) in list {
        indent(2, out);
        word(name, out);
        if let (Value::U8(first), [_, ..]) = (default, labels) {
            out.push_str(" enum");
            for label in labels {
                argument(label, out);
            }
            if let Some(label) = labels.get(usize::from(first)).filter(|_| first > 0) {
                out.push_str(" default=");
                text(label, out);
            }
            out.push('\n');
            continue;
        }
        let _ = write!(out, " {}", default.ty());
        if default.to_bits() != default.ty().zero().to_bits() {
            out.push(' ');
            bare_value(default, out);
        }
        out.push('\n');
    }
    indent(1, out);
    out.push_str("}\n");
}

/// Writes a node up to its children; says whether a block is open already.
fn head(
    kind: &NodeKind,
    name: Option<&str>,
    level: usize,
    groups: &HashMap<&str, Group>,
    out: &mut String,
) -> bool {
    out.push_str(kind.keyword());
    let mut first_is_name = false;
    match kind {
        NodeKind::Condition(test)
        | NodeKind::When(test)
        | NodeKind::While(test)
        | NodeKind::DoneWhen(test)
        | NodeKind::AbortWhen(test)
        | NodeKind::SkipIf(test)
        | NodeKind::SuccessIf(test)
        | NodeKind::SkipUnless(test) => argument(&test.to_string(), out),
        NodeKind::Set { column, value }
        | NodeKind::OnSuccess { column, value }
        | NodeKind::OnFailure { column, value }
        | NodeKind::OnFinish { column, value } => {
            argument(column, out);
            argument(&value.to_string(), out);
        }
        NodeKind::Wait(duration)
        | NodeKind::Cooldown(duration)
        | NodeKind::Timeout(duration)
        | NodeKind::Delay(duration)
        | NodeKind::RateController(duration) => {
            out.push(' ');
            seconds(*duration, out);
        }
        NodeKind::WaitBetween { min, max } => {
            for duration in [min, max] {
                out.push(' ');
                seconds(*duration, out);
            }
        }
        NodeKind::Query(call)
        | NodeKind::Action(call)
        | NodeKind::PersistentAction(call)
        | NodeKind::Task(call) => {
            argument(&call.name, out);
        }
        NodeKind::Switch { on, .. } => argument(on, out),
        NodeKind::Recovery { retries } => {
            let _ = write!(out, " {retries}");
        }
        NodeKind::Repeat { times: limit, .. }
        | NodeKind::RepeatUntilFailure { max: limit }
        | NodeKind::RepeatUntilSuccess { max: limit } => {
            if let Some(limit) = limit {
                let _ = write!(out, " {limit}");
            }
        }
        NodeKind::Sequence
        | NodeKind::Selector
        | NodeKind::ReactiveSequence
        | NodeKind::ReactiveSelector
        | NodeKind::Parallel { .. }
        | NodeKind::Concurrent
        | NodeKind::RandomSequence
        | NodeKind::RandomSelector
        | NodeKind::IfThenElse
        | NodeKind::WhileDoElse
        | NodeKind::RunOnce
        | NodeKind::KeepSequence
        | NodeKind::RunOnceThenSkip
        | NodeKind::PipelineSequence
        | NodeKind::RoundRobin
        | NodeKind::Invert
        | NodeKind::Succeeder
        | NodeKind::Failer
        | NodeKind::Succeed
        | NodeKind::Fail
        | NodeKind::Idle => first_is_name = true,
    }
    if let Some(name) = name {
        out.push_str(if first_is_name { " " } else { " name=" });
        text(name, out);
    }
    if let NodeKind::Parallel { success, failure } = kind {
        threshold("success", *success, Threshold::All, out);
        threshold("failure", *failure, Threshold::Count(1), out);
    }
    if let NodeKind::Repeat {
        break_on_failure: false,
        ..
    } = kind
    {
        out.push_str(" break-on-failure=#false");
    }
    kind.call()
        .is_some_and(|call| parameters(call, level, groups, out))
}

fn argument(value: &str, out: &mut String) {
    out.push(' ');
    text(value, out);
}

fn threshold(name: &str, threshold: Threshold, default: Threshold, out: &mut String) {
    if threshold == default {
        return;
    }
    let _ = match threshold {
        Threshold::All => write!(out, " {name}=\"all\""),
        Threshold::Count(count) => write!(out, " {name}={count}"),
    };
}

/// Writes parameters as properties, and in a block from the first one on whose name would be a
/// property of the node itself. In that order they are read back too.
fn parameters(call: &Call, level: usize, groups: &HashMap<&str, Group>, out: &mut String) -> bool {
    let mut params = call.params.iter();
    let split = params.position(|param| is_reserved(&param.name));
    let (properties, block) = call.params.split_at(split.unwrap_or(call.params.len()));
    for Parameter { name, value } in properties {
        out.push(' ');
        word(name, out);
        out.push('=');
        parameter_value(value, groups, out);
    }
    if block.is_empty() {
        return false;
    }
    out.push_str(" {\n");
    for Parameter { name, value } in block {
        indent(level + 1, out);
        out.push_str("param ");
        text(name, out);
        out.push(' ');
        parameter_value(value, groups, out);
        out.push('\n');
    }
    true
}

fn parameter_value(value: &ParameterValue, groups: &HashMap<&str, Group>, out: &mut String) {
    match value {
        ParameterValue::Const(value) => {
            if matches!(value, Value::U8(_) | Value::U16(_) | Value::U64(_)) {
                let _ = write!(out, "({})", value.ty());
            }
            bare_value(*value, out);
        }
        ParameterValue::Text(value) => text(value, out),
        ParameterValue::Name(name) => {
            out.push_str(match groups.get(name.as_str()) {
                Some(Group::Column) => "(column)",
                Some(Group::World) => "(world)",
                None => "(from)",
            });
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

/// Seconds with as many decimals as it takes to say them exactly.
pub(crate) fn seconds(duration: Duration, out: &mut String) {
    let start = out.len();
    let _ = write!(out, "{}.{:09}", duration.as_secs(), duration.subsec_nanos());
    let kept = out[start..]
        .trim_end_matches('0')
        .trim_end_matches('.')
        .len();
    out.truncate(start + kept);
}

fn indent(level: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("    ", level.min(MAX_INDENT)));
}

/// A name, in quotes if it needs them.
fn word(name: &str, out: &mut String) {
    match is_plain_name(name) {
        true => out.push_str(name),
        false => text(name, out),
    }
}

/// A text in quotes.
fn text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_invisible(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
