//! What follows from a node's answer: `_onSuccess` and its like.

use pleach_tree::{Expr, NodeKind, Value};

use super::counter::{EXPR_BYTES, made};
use super::{Making, Mapper, plain, push};
use crate::btcpp::lower::{Effect, name_of, not, truth_of};
use crate::btcpp::plan::{Node, Role};
use crate::btcpp::script::Statement;
use crate::btcpp::xml::Attribute;
use crate::diagnostic::Code;
use crate::draft::{Declared, Group, Item, ItemKind};

/// What is put around a node.
#[derive(Default)]
pub(super) struct Wraps<'a> {
    /// The innermost one so far.
    pub(super) last: Option<usize>,
    /// What stands behind the node, once that is made; the innermost is last.
    behind: Vec<Behind<'a>>,
}

/// A choice that is made behind a node.
struct Behind<'a> {
    parent: usize,
    answer: Answer,
    /// The column that says whether the node has answered so.
    column: String,
    effects: Vec<Effect>,
    attribute: &'a Attribute,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Success,
    Failure,
}

impl<'a> Mapper<'_, 'a> {
    /// Wraps what a node does when it has answered.
    pub(super) fn after(
        &mut self,
        making: &mut Making<'a>,
        node: &Node,
        role: Role,
        statements: &[Statement],
        attribute: &'a Attribute,
        wraps: &mut Wraps<'a>,
    ) {
        let Some(effects) = self.effects(making, attribute, statements) else {
            return;
        };
        if role != Role::OnHalted && effects.iter().any(|one| matches!(one, Effect::Choose(..))) {
            // Either way: a failure goes through what waits for a success.
            if matches!(role, Role::OnFailure | Role::Post) {
                self.choice(
                    making,
                    node,
                    Answer::Failure,
                    effects.clone(),
                    attribute,
                    wraps,
                );
            }
            if matches!(role, Role::OnSuccess | Role::Post) {
                self.choice(making, node, Answer::Success, effects, attribute, wraps);
            }
            return;
        }
        // Effects nest, and the inner one is first.
        for effect in effects.iter().rev() {
            let Effect::Set { column, value } = effect else {
                let message =
                    "a choice cannot be made between two assignments when a node is halted"
                        .to_owned();
                let help =
                    "assign a truth value: what is written when a node is halted is one expression";
                self.wrong(
                    making,
                    attribute.value_span.clone(),
                    Code::ScriptMeaning.says(message),
                    help,
                );
                return;
            };
            let Some(place) = self.expr_place(making, node, attribute, value) else {
                return;
            };
            let (column, value) = (column.clone(), value.clone());
            let Some(kind) = answered(role, column, value) else {
                continue;
            };
            push(
                making,
                Item::new(ItemKind::Node(kind), place),
                &mut wraps.last,
            );
        }
    }

    /// Wraps what a node does when it has answered, where that is a choice, which no node that writes
    /// behind another one can make: whether the node has answered so, a column says, and the choice stands
    /// behind it. A node that is skipped has not answered, and what is behind it is skipped, too.
    ///
    /// ```text
    /// sequence { on-success c #true { node }                      // of a failure: selector, on-failure
    ///   skip-if "not c" { sequence { choice; set c #false } } }  // of a failure: failer { sequence … }
    /// ```
    fn choice(
        &mut self,
        making: &mut Making<'a>,
        node: &Node,
        answer: Answer,
        effects: Vec<Effect>,
        attribute: &'a Attribute,
        wraps: &mut Wraps<'a>,
    ) {
        let column = self.names.fresh("answered");
        making.extra.push(Declared {
            group: Group::Column,
            name: column.clone(),
            default: Value::Bool(false),
            labels: Vec::new(),
            texts: Vec::new(),
            doc: None,
            span: node.span.clone(),
        });
        self.expr_bytes += 3 * EXPR_BYTES;
        let (parent, role) = match answer {
            Answer::Success => (NodeKind::Sequence, Role::OnSuccess),
            Answer::Failure => (NodeKind::Selector, Role::OnFailure),
        };
        let item = Item::new(ItemKind::Node(parent), made(node));
        let parent = push(making, item, &mut wraps.last);
        if let Some(kind) = answered(role, column.clone(), truth_of(true)) {
            let item = Item::new(ItemKind::Node(kind), made(node));
            push(making, item, &mut wraps.last);
        }
        wraps.behind.push(Behind {
            parent,
            answer,
            column,
            effects,
            attribute,
        });
    }

    /// Makes what stands behind a node, from the inside.
    pub(super) fn behind(&mut self, making: &mut Making<'a>, node: &Node, wraps: Wraps<'a>) {
        for one in wraps.behind.into_iter().rev() {
            let add = |making: &mut Making<'a>, parent: usize, kind: NodeKind| {
                let child = plain(making, kind, made(node));
                making.items[parent].children.push(child);
                child
            };
            let skips = NodeKind::SkipIf(not(name_of(one.column.clone())));
            let mut parent = add(making, one.parent, skips);
            if one.answer == Answer::Failure {
                parent = add(making, parent, NodeKind::Failer);
            }
            let steps = add(making, parent, NodeKind::Sequence);
            for effect in &one.effects {
                let child = self.effect(making, node, one.attribute, effect);
                making.items[steps].children.push(child);
            }
            let done = NodeKind::Set {
                column: one.column,
                value: truth_of(false),
            };
            add(making, steps, done);
        }
    }
}

/// The node that writes a column when its child has answered.
fn answered(role: Role, column: String, value: Expr) -> Option<NodeKind> {
    match role {
        Role::OnSuccess => Some(NodeKind::OnSuccess { column, value }),
        Role::OnFailure => Some(NodeKind::OnFailure { column, value }),
        Role::Post => Some(NodeKind::OnFinish { column, value }),
        Role::OnHalted => Some(NodeKind::OnHalted { column, value }),
        _ => None,
    }
}
