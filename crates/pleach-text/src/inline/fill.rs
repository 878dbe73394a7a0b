//! Constants for parameters, and the using tree's names for those of a subtree.

use std::collections::HashMap;

use pleach_tree::{Expr, ExprKind, NodeKind, ParameterValue, Threshold, Value};

use super::build::Instance;
use crate::constant::{Constant, ConstantValue};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::draft::{Draft, Hole, Item, Part};
use crate::read::ALLOWED_TIMES;
use crate::value::allowed_seconds;

/// A name of a used tree, and what it is in the using one.
pub(super) type Renamed = (String, String);

/// What the names of a copy mean in the tree that is built. Those that are not here mean themselves.
#[derive(Default)]
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// The names of a tree that is used from here: mapped ones are this tree's, others mean what
    /// they mean here.
    pub(super) fn through(&self, maps: &[Renamed]) -> Names {
        let mut names = self.0.clone();
        for (inner, outer) in maps {
            let outer = self.0.get(outer).unwrap_or(outer);
            names.insert(inner.clone(), outer.clone());
        }
        Names(names)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Puts the name in place of one of a copy; counts what it takes.
    fn rename(&self, name: &mut String, filled: &mut usize) {
        if let Some(other) = self.0.get(name.as_str()) {
            *filled += other.len();
            name.clone_from(other);
        }
    }
}

/// Makes a node of a copy out of the node as it is written.
pub(super) fn fill(
    kind: &mut NodeKind,
    draft: &Draft,
    item: &Item,
    instance: &Instance<'_>,
    filled: &mut usize,
    found: &mut Diagnostics,
) {
    let names = &instance.names;
    if !names.0.is_empty() {
        rename(kind, names, filled);
    }
    for hole in &item.place.holes {
        if let Some(constant) = instance.params.get(hole.param) {
            put(kind, draft, hole, constant, filled, found);
        }
    }
    let reads = item.place.expr_reads;
    if let Some(expr) = kind.expr_mut()
        && (reads || !names.0.is_empty())
    {
        // A parameter hides a name of the using tree; within a tree they are told apart.
        let params: HashMap<&str, &Constant> = draft
            .params
            .iter()
            .map(|param| param.name.as_str())
            .zip(instance.params.iter().copied())
            .collect();
        substitute(expr, &params, names, filled);
    }
}

fn rename(kind: &mut NodeKind, names: &Names, filled: &mut usize) {
    match kind {
        NodeKind::Set { column: name, .. }
        | NodeKind::OnSuccess { column: name, .. }
        | NodeKind::OnFailure { column: name, .. }
        | NodeKind::OnFinish { column: name, .. }
        | NodeKind::OnHalted { column: name, .. }
        | NodeKind::Switch { on: name, .. } => {
            names.rename(name, filled);
        }
        NodeKind::Query(call)
        | NodeKind::Action(call)
        | NodeKind::PersistentAction(call)
        | NodeKind::Task(call) => {
            for param in &mut call.params {
                if let ParameterValue::Name(name) = &mut param.value {
                    names.rename(name, filled);
                }
            }
        }
        _ => {}
    }
}

/// Replaces names by constants and other names. Each is one level of the expression before and
/// behind, so its depth stays.
fn substitute(
    expr: &mut Expr,
    params: &HashMap<&str, &Constant>,
    names: &Names,
    filled: &mut usize,
) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(kind) = params.get(name.as_str()).and_then(|param| literal(param))
        {
            expr.kind = kind;
            continue;
        }
        match &mut expr.kind {
            ExprKind::Name(name) => names.rename(name, filled),
            ExprKind::Unary(_, inner) => pending.push(inner),
            ExprKind::Binary(_, left, right) => pending.extend([&mut **left, &mut **right]),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Invalid(..) => {}
        }
    }
}

/// The constant in an expression; a text is none, which is told where it is read.
fn literal(constant: &Constant) -> Option<ExprKind> {
    match constant.value {
        ConstantValue::Value(Value::Bool(value)) => Some(ExprKind::Bool(value)),
        ConstantValue::Value(Value::U8(value)) => Some(ExprKind::Int(value.into())),
        ConstantValue::Value(Value::U16(value)) => Some(ExprKind::Int(value.into())),
        ConstantValue::Value(Value::I32(value)) => Some(ExprKind::Int(value.into())),
        ConstantValue::Value(Value::U64(value)) => Some(ExprKind::Int(value.into())),
        ConstantValue::Value(Value::F32(value)) => Some(ExprKind::Float(value)),
        ConstantValue::Text(_) => None,
    }
}

/// Puts a constant where a node reads a parameter.
fn put(
    kind: &mut NodeKind,
    draft: &Draft,
    hole: &Hole,
    constant: &Constant,
    filled: &mut usize,
    found: &mut Diagnostics,
) {
    let mut unfit = |what: &str, allowed: &str| {
        let name = draft.params.get(hole.param).map_or("", |param| &param.name);
        let message = format!("{} is {constant}, which is no {what}", quoted(name));
        found.push(
            Diagnostic::new(
                &constant.source,
                constant.span.clone(),
                Code::ParameterType.says(message),
            )
            .with_note(&draft.source, hole.span.clone(), "read here")
            .with_help(allowed),
        );
    };
    match (hole.part, kind) {
        (Part::Param(at), kind) => {
            if let NodeKind::Query(call)
            | NodeKind::Action(call)
            | NodeKind::PersistentAction(call)
            | NodeKind::Task(call) = kind
                && let Some(param) = call.params.get_mut(at)
            {
                param.value = match &constant.value {
                    ConstantValue::Value(value) => ParameterValue::Const(*value),
                    ConstantValue::Text(text) => {
                        *filled += text.len();
                        ParameterValue::Text(text.clone())
                    }
                };
            }
        }
        (
            Part::Time,
            NodeKind::Wait(time)
            | NodeKind::WaitBetween { min: time, .. }
            | NodeKind::Cooldown(time)
            | NodeKind::Timeout(time)
            | NodeKind::Delay(time)
            | NodeKind::RateController(time),
        )
        | (Part::Longest, NodeKind::WaitBetween { max: time, .. }) => match constant.seconds {
            Some(seconds) => *time = seconds,
            None => unfit("time in seconds", &allowed_seconds()),
        },
        (part @ (Part::Success | Part::Failure), NodeKind::Parallel { success, failure }) => {
            let threshold = match part {
                Part::Success => success,
                _ => failure,
            };
            match constant.count() {
                Some(count) => *threshold = Threshold::Count(count),
                None => unfit("number of children", "it is at least 1"),
            }
        }
        (
            Part::Times,
            NodeKind::Repeat { times: limit, .. }
            | NodeKind::RepeatUntilFailure { max: limit }
            | NodeKind::RepeatUntilSuccess { max: limit },
        ) => match constant.count() {
            Some(count) if count > 0 => *limit = Some(count),
            _ => unfit("number of times", ALLOWED_TIMES),
        },
        // A node that could not be read.
        (Part::Time | Part::Longest | Part::Success | Part::Failure | Part::Times, _) => {}
    }
}
