//! Leaves: conditions, calls and their parameters.

use std::collections::HashSet;
use std::time::Duration;

use kdl::{KdlDocument, KdlEntry};
use pleach_shape::Op;
use pleach_tree::{Call, NodeKind, Parameter, ParameterValue};

use super::param::{Own, literal};
use super::{Entries, Reader};
use crate::diagnostic::{Code, bytes, quoted};
use crate::draft::{Group, Hole, ItemPlace, ParamPlace, Part};
use crate::value::{read_parameter, value_span};
use crate::write::seconds;

impl Reader<'_> {
    pub(super) fn leaf(
        &mut self,
        op: Op,
        entries: &mut Entries<'_>,
        place: &mut ItemPlace,
    ) -> Option<NodeKind> {
        let wraps: fn(Call) -> NodeKind = match op {
            Op::Query => NodeKind::Query,
            Op::Action => NodeKind::Action,
            Op::PersistentAction => NodeKind::PersistentAction,
            Op::Task => NodeKind::Task,
            op => {
                self.no_children(entries.node);
                return self.other_leaf(op, entries, place);
            }
        };
        let (what, example) = match op {
            Op::Query => ("the name of a function", "query \"can_see\""),
            Op::Task => ("the name of a function", "task \"take_aim\""),
            Op::PersistentAction => ("the name of an action", "persistent-action \"look\""),
            _ => ("the name of an action", "action \"patrol\""),
        };
        let name = self
            .argument(entries, 0, what, example)
            .and_then(|entry| self.name(entry, what));
        let mut params = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for (key, entry) in std::mem::take(&mut entries.properties) {
            seen.insert(key);
            if let Some(name) = self.checked_name(key, bytes(entry)) {
                self.parameter(name, entry, &mut params, place);
            }
        }
        self.no_more(entries, 1, &[]);
        for child in entries.node.children().map_or(&[][..], KdlDocument::nodes) {
            if child.name().value() != "param" {
                let message = format!(
                    "{} takes no children but `param`",
                    quoted(entries.node.name().value())
                );
                self.wrong(bytes(child), Code::LeafWithChildren.says(message), None);
                continue;
            }
            if let Some((name, entry)) = self.param_line(child, &mut seen, place) {
                self.parameter(name, entry, &mut params, place);
            }
        }
        Some(wraps(Call {
            name: name?,
            params,
        }))
    }

    fn parameter(
        &mut self,
        name: String,
        entry: &KdlEntry,
        params: &mut Vec<Parameter>,
        place: &mut ItemPlace,
    ) {
        let value = match self.own(entry, "any", |_| true) {
            Own::Other => self.keep(read_parameter(self.source, entry)),
            Own::Wrong => None,
            Own::Param(param) => {
                place.holes.push(Hole {
                    part: Part::Param(params.len()),
                    param,
                    span: value_span(self.source, entry),
                });
                Some(ParameterValue::Text(String::new()))
            }
        };
        let Some(value) = value else { return };
        if let ParameterValue::Name(name) = &value {
            let span = value_span(self.source, entry);
            if self.checked_name(name, span.clone()).is_none() {
                return;
            }
            if let Some(param) = self.param_of(name) {
                let help = format!("write `(param){}`", literal(name));
                self.wrong_param(param, span, "not a column or world value", &help);
                return;
            }
        }
        place.params.push(ParamPlace {
            span: bytes(entry),
            group: match entry.ty().map(|annotation| annotation.value()) {
                Some("column") => Some(Group::Column),
                Some("world") => Some(Group::World),
                _ => None,
            },
        });
        params.push(Parameter { name, value });
    }

    fn other_leaf(
        &mut self,
        op: Op,
        entries: &Entries<'_>,
        place: &mut ItemPlace,
    ) -> Option<NodeKind> {
        match op {
            Op::Condition => {
                self.no_more(entries, 1, &["name"]);
                let entry =
                    self.argument(entries, 0, "an expression", "condition \"health < 0.3\"")?;
                self.expr(entry, place).map(NodeKind::Condition)
            }
            Op::Set => {
                self.no_more(entries, 2, &["name"]);
                let example = "set \"ammo\" \"ammo - 1\"";
                let (column, value) = self.written(entries, example, place)?;
                Some(NodeKind::Set { column, value })
            }
            Op::Wait => {
                self.no_more(entries, 2, &["name"]);
                let entry = self.argument(entries, 0, "a time in seconds", "wait 2.5")?;
                let time = self.time(entry, op.keyword(), Part::Time, place);
                match entries.arguments.get(1) {
                    None => time.map(NodeKind::Wait),
                    Some(longest) => self.wait_between(entry, time, longest, place),
                }
            }
            _ => None,
        }
    }

    /// A wait of two times, of which the shorter one has been read.
    fn wait_between(
        &mut self,
        entry: &KdlEntry,
        min: Option<Duration>,
        longest: &KdlEntry,
        place: &mut ItemPlace,
    ) -> Option<NodeKind> {
        let max = self.time(longest, Op::Wait.keyword(), Part::Longest, place);
        let (min, max) = (min?, max?);
        // What a parameter gives is known later, and judged by the compiler.
        if min > max && place.holes.is_empty() {
            let [min, max] = [min, max].map(|time| {
                let mut shown = String::new();
                seconds(time, &mut shown);
                shown
            });
            let span = value_span(self.source, entry).start..bytes(longest).end;
            let message = format!("it would wait at least {min} and at most {max} seconds");
            let help = format!("write the shorter time first: `wait {max} {min}`");
            self.wrong(span, Code::OutOfRange.says(message), Some(&help));
            return None;
        }
        Some(NodeKind::WaitBetween { min, max })
    }
}
