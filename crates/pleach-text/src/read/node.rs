//! Nodes: their keywords, what they are, their children.

use kdl::{KdlDocument, KdlEntry, KdlNode};
use pleach_shape::{Op, Role};
use pleach_tree::{NodeKind, Threshold};

use super::guard::Guard;
use super::{Entries, Reader};
use crate::diagnostic::{Code, bytes, did_you_mean, quoted};
use crate::draft::{Draft, Item, ItemKind, ItemPlace, Part};
use crate::keyword::{Keyword, keyword, keywords};
use crate::value::value_span;

impl Reader<'_> {
    /// Reads a node and all below; the limit of nesting bounds the recursion. Gives its index, or
    /// that of its outermost guard.
    pub(super) fn node(&mut self, node: &KdlNode, draft: &mut Draft) -> usize {
        let outermost = draft.items.len();
        let mut entries = self.entries(node);
        self.guards(&mut entries, draft);
        let meta = self.meta(&mut entries);
        let index = draft.items.len();
        let mut place = ItemPlace {
            keyword: bytes(node),
            bytes: node.entries().iter().map(|entry| bytes(entry).len()).sum(),
            ..ItemPlace::default()
        };
        // A node that cannot be read keeps its place, so that its children are looked at too.
        draft.items.push(Item {
            comments: self.comments_before(node),
            meta,
            ..Item::new(ItemKind::Node(NodeKind::Fail), place.clone())
        });
        let word = node.name().value();
        let meaning = keyword(word);
        let named = match entries.property("name") {
            Some(entry) => self.name(entry, "the node's name"),
            None => None,
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
            Some(Keyword::Compound(compound)) => {
                let (kind, first) = self.compound(compound, &mut entries, &mut place);
                (kind.map(ItemKind::Node), first)
            }
        };
        if let (Some(_), Some(entry)) = (&named, first) {
            let help = "keep the argument or the property `name`";
            self.wrong(
                bytes(entry),
                Code::GivenTwice.says("the node has two names"),
                Some(help),
            );
        }
        let first = first.and_then(|entry| self.name(entry, "the node's name"));
        let item = &mut draft.items[index];
        item.name = named.or(first);
        item.place = place;
        if let Some(kind) = kind {
            item.kind = kind;
        }
        match meaning {
            Some(Keyword::Subtree) => {}
            Some(Keyword::Node(Op::Switch)) => self.cases(node, draft, index),
            Some(Keyword::Node(Op::IfThenElse)) => {
                self.blocks(node, draft, index, ["if", "then", "else"]);
            }
            Some(Keyword::Node(Op::WhileDoElse)) => {
                self.blocks(node, draft, index, ["while", "do", "else"]);
            }
            Some(Keyword::Node(op)) if op.role() == Role::Leaf => {}
            Some(Keyword::Node(_) | Keyword::Compound(_)) | None => {
                self.children(node, draft, index);
            }
        }
        outermost
    }

    /// Reads the nodes of a block as the children of an item.
    pub(super) fn children(&mut self, node: &KdlNode, draft: &mut Draft, index: usize) {
        for child in node.children().map_or(&[][..], KdlDocument::nodes) {
            let child = self.node(child, draft);
            draft.items[index].children.push(child);
        }
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
            "case" => Some("a `case` stands directly inside a `switch`".to_owned()),
            "if" | "then" | "do" | "else" => Some(format!(
                "`{word}` stands directly inside an `if-then-else`, `while-do-else` or `switch`"
            )),
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
            Code::UnknownNode.says(format!("unknown node {}", quoted(word))),
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
            Op::Sequence => match entries.property("keep").map(|entry| self.truth(entry)) {
                None | Some(Some(false)) => Some(NodeKind::Sequence),
                Some(Some(true)) => Some(NodeKind::KeepSequence),
                Some(None) => None,
            },
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
            Op::RandomSequence => Some(NodeKind::RandomSequence),
            Op::RandomSelector => Some(NodeKind::RandomSelector),
            Op::IfThenElse => Some(NodeKind::IfThenElse),
            Op::WhileDoElse => Some(NodeKind::WhileDoElse),
            Op::RunOnce => {
                let then_skip = entries.property_of(&["then-skip", "then_skip"]);
                match then_skip.map(|entry| self.truth(entry)) {
                    None | Some(Some(false)) => Some(NodeKind::RunOnce),
                    Some(Some(true)) => Some(NodeKind::RunOnceThenSkip),
                    Some(None) => None,
                }
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
            Op::Switch
            | Op::Repeat
            | Op::RepeatUntilFailure
            | Op::RepeatUntilSuccess
            | Op::Cooldown
            | Op::Timeout
            | Op::Delay
            | Op::When
            | Op::While
            | Op::DoneWhen
            | Op::AbortWhen => {
                return (self.parent(op, entries, place), None);
            }
            Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent
            | Op::GuardRandom
            | Op::GuardIf
            | Op::GuardRepeat
            | Op::GuardCooldown
            | Op::GuardTimeout
            | Op::GuardRunOnce => None,
        };
        let properties: &[&str] = match op {
            Op::Parallel => &["success", "failure", "name"],
            Op::Sequence => &["keep", "name"],
            Op::RunOnce => &["then-skip", "name"],
            _ => &["name"],
        };
        self.no_more(entries, 1, properties);
        if op.role() == Role::Leaf {
            self.no_children(entries.node);
        }
        (plain, entries.arguments.first().copied())
    }

    /// A parent whose argument is no name.
    fn parent(
        &mut self,
        op: Op,
        entries: &mut Entries<'_>,
        place: &mut ItemPlace,
    ) -> Option<NodeKind> {
        let breaks = match op {
            Op::Repeat => entries.property_of(&["break-on-failure", "break_on_failure"]),
            _ => None,
        };
        let known: &[&str] = match op {
            Op::Repeat => &["break-on-failure", "name"],
            _ => &["name"],
        };
        self.no_more(entries, 1, known);
        let first = entries.arguments.first().copied();
        match op {
            Op::Switch => {
                let what = "a column or world value";
                let example = "switch \"mode\" { … }";
                let entry = self.argument(entries, 0, what, example)?;
                let on = self.name(entry, what)?;
                if let Some(param) = self.param_of(&on) {
                    let help = "use the subtree that the constant would choose";
                    let span = value_span(self.source, entry);
                    self.wrong_param(param, span, "which never changes", help);
                    return None;
                }
                let cases = Vec::new();
                Some(NodeKind::Switch { on, cases })
            }
            Op::Repeat => {
                let break_on_failure = match breaks {
                    None => Some(true),
                    Some(entry) => self.truth(entry),
                };
                let times = self.times(first, place);
                Some(NodeKind::Repeat {
                    times: times?,
                    break_on_failure: break_on_failure?,
                })
            }
            Op::RepeatUntilFailure => {
                let max = self.times(first, place)?;
                Some(NodeKind::RepeatUntilFailure { max })
            }
            Op::RepeatUntilSuccess => {
                let max = self.times(first, place)?;
                Some(NodeKind::RepeatUntilSuccess { max })
            }
            Op::Cooldown | Op::Timeout | Op::Delay => {
                let example = format!("{op} 2.5 {{ … }}");
                let entry = self.argument(entries, 0, "a time in seconds", &example)?;
                let time = self.time(entry, op.keyword(), Part::Time, place)?;
                Some(match op {
                    Op::Cooldown => NodeKind::Cooldown(time),
                    Op::Timeout => NodeKind::Timeout(time),
                    _ => NodeKind::Delay(time),
                })
            }
            _ => {
                let guard = Guard::of(op)?;
                let example = format!("{} \"health < 0.3\" {{ … }}", guard.keyword());
                let entry = self.argument(entries, 0, "an expression", &example)?;
                self.expr(entry, place).map(|test| guard.kind(test))
            }
        }
    }
}
