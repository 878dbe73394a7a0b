//! Nodes that count in a column of their own.

use pleach_tree::{BinaryOp, Expr, NodeKind, Threshold, Value};

use super::{Making, Mapper, place_of, plain};
use crate::btcpp::fact::Number;
use crate::btcpp::lower::{binary, constant_of, name_of};
use crate::btcpp::plan::{Node, PortValue};
use crate::diagnostic::Code;
use crate::draft::{Declared, Group, ItemPlace};

impl<'a> Mapper<'_, 'a> {
    /// Waits for all children, then counts the failures.
    pub(super) fn parallel_all(&mut self, making: &mut Making<'a>, node: &Node) -> usize {
        let all = NodeKind::Parallel {
            success: Threshold::All,
            failure: Threshold::All,
        };
        let children = node.children.len();
        let failures = match node.port("max_failures") {
            None => Some(1),
            Some(port) => match &port.value {
                PortValue::Text(text) => match text.trim().parse::<i64>() {
                    Ok(count) if count < 0 => usize::try_from(children as i64 + count + 1).ok(),
                    Ok(count) => usize::try_from(count).ok(),
                    Err(_) => None,
                },
                PortValue::Key(_) => None,
            },
        };
        let index = match failures {
            // A failure among others, when all have finished, is Failure (C3).
            Some(1) => {
                let index = plain(making, all, place_of(node));
                self.children(making, node, index);
                index
            }
            // Only if all fail: with the answers turned around, that is when all succeed.
            Some(count) if count == children && count > 0 => {
                let index = plain(making, NodeKind::Invert, place_of(node));
                let inner = plain(making, all, place_of(node));
                making.items[index].children.push(inner);
                for &child in &node.children {
                    let turned = plain(making, NodeKind::Invert, place_of(node));
                    making.items[inner].children.push(turned);
                    let child = self.node(making, child);
                    making.items[turned].children.push(child);
                }
                index
            }
            Some(count) if (2..children).contains(&count) => self.some_failed(making, node, count),
            _ => {
                let message = format!(
                    "the `max_failures` of a ParallelAll is no number of its {children} children"
                );
                let help = format!(
                    "allowed are 1 to {children}, and -1 to -{children}, which count from all of them"
                );
                self.wrong(
                    making,
                    node.span.clone(),
                    Code::PortValue.says(message),
                    &help,
                );
                let index = plain(making, all, place_of(node));
                self.children(making, node, index);
                index
            }
        };
        self.others(making, node, index, &["max_failures"]);
        index
    }

    /// All children, whatever they answer; fails if as many have failed.
    ///
    /// ```text
    /// sequence { set c 0
    ///   parallel failure="all" { succeeder { on-failure c "c + 1" { child } } … }
    ///   condition "c < count" }
    /// ```
    fn some_failed(&mut self, making: &mut Making<'a>, node: &Node, count: usize) -> usize {
        let counter = self.counter(making, node);
        let int = |value: f64| constant_of(value, Number::Int);
        let counts = || name_of(counter.clone());
        self.expr_bytes += (node.children.len() + 2) * EXPR_BYTES;
        let root = plain(making, NodeKind::Sequence, made(node));
        let add = |making: &mut Making<'a>, parent: usize, kind: NodeKind| {
            let child = plain(making, kind, made(node));
            making.items[parent].children.push(child);
            child
        };
        let begin = NodeKind::Set {
            column: counter.clone(),
            value: int(0.0),
        };
        add(making, root, begin);
        let all = NodeKind::Parallel {
            success: Threshold::All,
            failure: Threshold::All,
        };
        let parallel = add(making, root, all);
        for &child in &node.children {
            let succeeds = add(making, parallel, NodeKind::Succeeder);
            let more = NodeKind::OnFailure {
                column: counter.clone(),
                value: binary(BinaryOp::Add, counts(), int(1.0)),
            };
            let failed = add(making, succeeds, more);
            let child = self.node(making, child);
            making.items[failed].children.push(child);
        }
        let few = binary(BinaryOp::Lt, counts(), int(count as f64));
        add(making, root, NodeKind::Condition(few));
        root
    }

    /// A column that counts for a node.
    fn counter(&mut self, making: &mut Making<'a>, node: &Node) -> String {
        let name = self.names.fresh("count");
        making.extra.push(Declared {
            group: Group::Column,
            name: name.clone(),
            default: Value::I32(0),
            labels: Vec::new(),
            texts: Vec::new(),
            doc: None,
            span: node.span.clone(),
        });
        name
    }

    /// A loop whose number of times an entry of the blackboard holds: it counts in a column of its
    /// own. A Repeat counts successes and breaks with a failure; a retry the other way round.
    ///
    /// ```text
    /// sequence { set c 0
    ///   if-then-else { condition "n == 0"; succeed            // of a retry: fail
    ///     sequence {
    ///       repeat-until-success { if-then-else { child
    ///         sequence { set c "c + 1"; condition "c >= n and n >= 0" }   // of a retry: set c -1
    ///         set c -1 } }                                             // of a retry: the sequence
    ///       condition "c >= 0" } } }                                   // of a retry: c < 0
    /// ```
    pub(super) fn counted(
        &mut self,
        making: &mut Making<'a>,
        node: &Node,
        key: &str,
        repeat: bool,
    ) -> usize {
        let counter = self.counter(making, node);
        let number = self.names.identifier(making.tree, key);
        let int = |value: f64| constant_of(value, Number::Int);
        let is = |op, left: &str, right: Expr| binary(op, name_of(left.to_owned()), right);
        let set = |value: Expr| NodeKind::Set {
            column: counter.clone(),
            value,
        };
        let root = plain(making, NodeKind::Sequence, made(node));
        let add = |making: &mut Making<'a>, parent: usize, kind: NodeKind| {
            let child = plain(making, kind, made(node));
            making.items[parent].children.push(child);
            child
        };
        self.expr_bytes += 6 * EXPR_BYTES;
        add(making, root, set(int(0.0)));
        let choice = add(making, root, NodeKind::IfThenElse);
        let none = NodeKind::Condition(is(BinaryOp::Eq, &number, int(0.0)));
        add(making, choice, none);
        let at_once = if repeat {
            NodeKind::Succeed
        } else {
            NodeKind::Fail
        };
        add(making, choice, at_once);
        let inner = add(making, choice, NodeKind::Sequence);
        let run = add(making, inner, NodeKind::RepeatUntilSuccess { max: None });
        let turn = add(making, run, NodeKind::IfThenElse);
        let child = node.children.first().map(|&child| self.node(making, child));
        making.items[turn].children.extend(child);
        let counts = |making: &mut Making<'a>| {
            let step = add(making, turn, NodeKind::Sequence);
            let more = binary(BinaryOp::Add, name_of(counter.clone()), int(1.0));
            add(making, step, set(more));
            let enough = binary(
                BinaryOp::And,
                is(BinaryOp::Ge, &counter, name_of(number.clone())),
                is(BinaryOp::Ge, &number, int(0.0)),
            );
            add(making, step, NodeKind::Condition(enough));
        };
        let ends = |making: &mut Making<'a>| {
            add(making, turn, set(int(-1.0)));
        };
        match repeat {
            true => {
                counts(making);
                ends(making);
            }
            false => {
                ends(making);
                counts(making);
            }
        }
        let op = if repeat { BinaryOp::Ge } else { BinaryOp::Lt };
        let last = NodeKind::Condition(is(op, &counter, int(0.0)));
        add(making, inner, last);
        root
    }
}

/// About what an expression of a counter has, for what all are counted with.
pub(super) const EXPR_BYTES: usize = 64;

/// The place of a node that stands for a part of another one.
pub(super) fn made(node: &Node) -> ItemPlace {
    ItemPlace {
        keyword: node.span.clone(),
        bytes: EXPR_BYTES,
        expr_bytes: EXPR_BYTES,
        ..ItemPlace::default()
    }
}
