//! Nodes: their keywords, arguments, parameters and expressions.

use std::collections::HashSet;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};
use pleach_shape::{Op, Role};
use pleach_tree::{
    Call, Expr, ExprKind, NodeKind, Parameter, ParameterValue, Threshold, Value, ValueType,
};

use super::{Entries, MAX_EXPR_BYTES, Reader};
use crate::diagnostic::{bytes, did_you_mean, quoted};
use crate::draft::{Draft, ExprPlace, Group, Item, ItemKind, ItemPlace, ParamPlace};
use crate::inline::MAX_EXPRS_BYTES;
use crate::keyword::{Keyword, keyword, keywords};
use crate::value::{describe, read_parameter, read_seconds, read_value, value_span};

impl Reader<'_> {
    /// Reads a node and all below; the limit of nesting bounds the recursion. Gives its index.
    pub(super) fn node(&mut self, node: &KdlNode, draft: &mut Draft) -> usize {
        let index = draft.items.len();
        let mut place = ItemPlace {
            keyword: bytes(node),
            bytes: node.entries().iter().map(|entry| bytes(entry).len()).sum(),
            ..ItemPlace::default()
        };
        // A node that cannot be read keeps its place, so that its children are looked at too.
        draft.items.push(Item {
            kind: ItemKind::Node(NodeKind::Fail),
            name: None,
            children: Vec::new(),
            place: place.clone(),
        });
        let mut entries = self.entries(node);
        let word = node.name().value();
        let meaning = keyword(word);
        let named = match entries.property("name") {
            Some(entry) => self.name(entry, "the node's name"),
            None => None,
        };
        let has_children = match meaning {
            Some(Keyword::Subtree) => false,
            Some(Keyword::Node(op)) => op.role() != Role::Leaf,
            None => true,
        };
        let (kind, first) = match meaning {
            None => {
                self.unknown(node, draft);
                (None, None)
            }
            Some(Keyword::Subtree) => {
                let tree = self
                    .argument(&entries, 0, "the name of a tree", "subtree \"patrol\"")
                    .and_then(|entry| self.name(entry, "the name of a tree"));
                self.no_more(&entries, 1, &["name"]);
                self.no_children(node);
                (tree.map(ItemKind::Subtree), None)
            }
            Some(Keyword::Node(op)) => {
                let (kind, first) = self.kind(op, &mut entries, &mut place);
                (kind.map(ItemKind::Node), first)
            }
        };
        if let (Some(_), Some(entry)) = (&named, first) {
            let help = "keep the argument or the property `name`";
            self.wrong(bytes(entry), "the node has two names", Some(help));
        }
        let first = first.and_then(|entry| self.name(entry, "the node's name"));
        let item = &mut draft.items[index];
        item.name = named.or(first);
        item.place = place;
        if let Some(kind) = kind {
            item.kind = kind;
        }
        if has_children {
            for child in node.children().map_or(&[][..], KdlDocument::nodes) {
                let child = self.node(child, draft);
                draft.items[index].children.push(child);
            }
        }
        index
    }

    #[cold]
    fn unknown(&mut self, node: &KdlNode, draft: &Draft) {
        let word = node.name().value();
        let help = match word {
            "tree" => {
                Some("trees stand side by side; `subtree \"name\"` uses one in another".to_owned())
            }
            "blackboard" | "world" => Some(format!("`{word}` stands directly inside `tree`")),
            "param" => Some("`param` stands inside an action, task or query".to_owned()),
            word => {
                let words = keywords().chain(if draft.items.len() > 1 {
                    None
                } else {
                    Some("blackboard")
                });
                did_you_mean(&word.to_lowercase().replace('_', "-"), words)
            }
        };
        self.wrong(
            bytes(node),
            format!("unknown node {}", quoted(word)),
            help.as_deref(),
        );
    }

    /// What a node does, and the argument that names it.
    fn kind<'n>(
        &mut self,
        op: Op,
        entries: &mut Entries<'n>,
        place: &mut ItemPlace,
    ) -> (Option<NodeKind>, Option<&'n KdlEntry>) {
        let plain = match op {
            Op::Sequence => Some(NodeKind::Sequence),
            Op::Selector => Some(NodeKind::Selector),
            Op::ReactiveSequence => Some(NodeKind::ReactiveSequence),
            Op::ReactiveSelector => Some(NodeKind::ReactiveSelector),
            Op::Concurrent => Some(NodeKind::Concurrent),
            Op::Invert => Some(NodeKind::Invert),
            Op::Succeeder => Some(NodeKind::Succeeder),
            Op::Failer => Some(NodeKind::Failer),
            Op::Succeed => Some(NodeKind::Succeed),
            Op::Fail => Some(NodeKind::Fail),
            Op::Idle => Some(NodeKind::Idle),
            Op::Parallel => {
                let success = entries.property("success");
                let failure = entries.property("failure");
                let success = success.map_or(Some(Threshold::All), |entry| self.threshold(entry));
                let failure =
                    failure.map_or(Some(Threshold::Count(1)), |entry| self.threshold(entry));
                success
                    .zip(failure)
                    .map(|(success, failure)| NodeKind::Parallel { success, failure })
            }
            Op::Condition
            | Op::Query
            | Op::Action
            | Op::PersistentAction
            | Op::Task
            | Op::Set
            | Op::Wait => {
                return (self.leaf(op, entries, place), None);
            }
            _ => None,
        };
        let properties: &[&str] = match op {
            Op::Parallel => &["success", "failure", "name"],
            _ => &["name"],
        };
        self.no_more(entries, 1, properties);
        if op.role() == Role::Leaf {
            self.no_children(entries.node);
        }
        (plain, entries.arguments.first().copied())
    }

    fn leaf(
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
        let mut seen = HashSet::new();
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
                self.wrong(bytes(child), message, None);
                continue;
            }
            place.bytes += child
                .entries()
                .iter()
                .map(|entry| bytes(entry).len())
                .sum::<usize>();
            let inner = self.entries(child);
            self.no_more(&inner, 2, &[]);
            self.no_children(child);
            let example = "param \"speed\" 4.0";
            let Some(key) = self.argument(&inner, 0, "a name", example) else {
                continue;
            };
            let Some(name) = self.name(key, "the parameter's name") else {
                continue;
            };
            let Some(entry) = self.argument(&inner, 1, "a value", example) else {
                continue;
            };
            if let KdlValue::String(text) = key.value()
                && !seen.insert(text)
            {
                self.wrong(
                    bytes(key),
                    format!("parameter {} is given twice", quoted(&name)),
                    None,
                );
                continue;
            }
            self.parameter(name, entry, &mut params, place);
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
        let Some(value) = self.keep(read_parameter(self.source, entry)) else {
            return;
        };
        if let ParameterValue::Name(name) = &value
            && self
                .checked_name(name, value_span(self.source, entry))
                .is_none()
        {
            return;
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
                let column = self.argument(entries, 0, "a column and an expression", example)?;
                let column = self.name(column, "a column");
                let entry =
                    self.argument(entries, 1, "an expression behind the column", example)?;
                let value = self.expr(entry, place);
                Some(NodeKind::Set {
                    column: column?,
                    value: value?,
                })
            }
            Op::Wait => {
                self.no_more(entries, 1, &["name"]);
                let entry = self.argument(entries, 0, "a time in seconds", "wait 2.5")?;
                self.keep(read_seconds(self.source, entry))
                    .map(NodeKind::Wait)
            }
            _ => None,
        }
    }

    /// An expression: a text, or a number or truth value as it is.
    fn expr(&mut self, entry: &KdlEntry, place: &mut ItemPlace) -> Option<Expr> {
        let span = value_span(self.source, entry);
        place.expr = Some(ExprPlace {
            span: span.clone(),
            text: None,
        });
        if let Some(annotation) = entry.ty() {
            self.wrong(
                bytes(annotation),
                "an expression takes no type annotation",
                None,
            );
            return None;
        }
        let text = match entry.value() {
            KdlValue::Bool(value) => return Some(Expr::from(*value)),
            KdlValue::Integer(value) => return Some(Expr::new(ExprKind::Int(*value))),
            KdlValue::Float(_) => {
                let value = self.keep(read_value(self.source, entry, ValueType::F32))?;
                let Value::F32(value) = value else {
                    return None;
                };
                return Some(Expr::from(value));
            }
            KdlValue::Null => {
                self.wrong(span, "expected an expression, found `#null`", None);
                return None;
            }
            KdlValue::String(text) => text,
        };
        if text.len() > MAX_EXPR_BYTES {
            let message = format!(
                "an expression of {} bytes, allowed are {MAX_EXPR_BYTES}",
                text.len()
            );
            self.wrong(
                span,
                message,
                Some("compute parts with `set` into columns of their own"),
            );
            return None;
        }
        let before = self.expr_bytes;
        self.expr_bytes += text.len();
        place.expr_bytes = text.len();
        if self.expr_bytes > MAX_EXPRS_BYTES {
            // Told once: whatever follows is beyond it too.
            if before <= MAX_EXPRS_BYTES {
                let message = format!(
                    "the expressions up to this one have more than {MAX_EXPRS_BYTES} bytes of text"
                );
                let help = "move trees to files of their own, or compute in the host and `query`";
                self.wrong(span, message, Some(help));
            }
            return None;
        }
        let written = self.source.text().get(span.clone()).unwrap_or("");
        let hashes = written.len() - written.trim_start_matches('#').len();
        let quotes = if written[hashes..].starts_with('"') {
            hashes + 1
        } else {
            0
        };
        // With escapes or several lines the text of the file is another than that of the expression.
        if written.get(quotes..written.len().saturating_sub(quotes)) == Some(text.as_str()) {
            place.expr = Some(ExprPlace {
                span: span.clone(),
                text: Some(span.start + quotes),
            });
        }
        match Expr::parse(text) {
            Ok(expr) => Some(expr),
            Err(error) => {
                let span = place
                    .expr
                    .as_ref()
                    .map_or(span, |place| place.within(&error.span));
                self.wrong(span, error.message, error.help.as_deref());
                None
            }
        }
    }

    fn threshold(&mut self, entry: &KdlEntry) -> Option<Threshold> {
        let help = Some("write a number of children or \"all\"");
        match entry.value() {
            KdlValue::String(text) if text == "all" => return Some(Threshold::All),
            KdlValue::Integer(value) => match u32::try_from(*value) {
                Ok(count) => return Some(Threshold::Count(count)),
                Err(_) => self.wrong(
                    bytes(entry),
                    format!("{value} is no number of children"),
                    help,
                ),
            },
            found => {
                let message = format!("expected a number of children, found {}", describe(found));
                self.wrong(bytes(entry), message, help);
            }
        }
        None
    }
}
