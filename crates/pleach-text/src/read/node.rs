//! Nodes: their keywords, arguments, parameters and expressions.

use std::collections::HashSet;
use std::time::Duration;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};
use pleach_shape::{Op, Role};
use pleach_tree::{
    Call, Expr, ExprKind, NodeKind, Parameter, ParameterValue, Threshold, Value, ValueType,
};

use super::param::{Own, literal};
use super::{Entries, MAX_EXPR_BYTES, Reader};
use crate::constant::ParamType;
use crate::diagnostic::{bytes, did_you_mean, quoted};
use crate::draft::{Draft, ExprPlace, Group, Hole, Item, ItemKind, ItemPlace, ParamPlace, Part};
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
                let usage = self.usage(&mut entries, &mut place);
                (usage.map(|usage| ItemKind::Subtree(Box::new(usage))), None)
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
            "blackboard" | "world" | "params" => {
                Some(format!("`{word}` stands directly inside `tree`"))
            }
            "include" => Some("`include` stands beside trees, not inside".to_owned()),
            "param" => Some("`param` stands inside an action, task, query or subtree".to_owned()),
            "map" => Some("`map` stands inside a `subtree`".to_owned()),
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
                let success = success.map_or(Some(Threshold::All), |entry| {
                    self.threshold(entry, Part::Success, place)
                });
                let failure = failure.map_or(Some(Threshold::Count(1)), |entry| {
                    self.threshold(entry, Part::Failure, place)
                });
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
            Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent => None,
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
}
