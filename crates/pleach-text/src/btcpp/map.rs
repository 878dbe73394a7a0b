//! From the nodes of BehaviorTree.CPP to drafts.

mod answer;
mod counter;
mod guard;
mod leaf;
mod operand;
mod parent;
mod script;
mod usage;

pub(super) use self::operand::{MAX_PERIOD, MAX_TIME};

use std::collections::HashMap;
use std::ops::Range;

use pleach_tree::{Expr, ExprKind, NodeKind, Value};

use self::answer::Wraps;
use super::fact::{Entry, Number, place_of_text};
use super::fragment::Fragments;
use super::lower::{Refusal, constant_of};
use super::meaning::{Children, Meaning};
use super::model::Models;
use super::names::Names;
use super::note::Notes;
use super::options::Options;
use super::plan::{Node, Plan, Role};
use super::scope::{ColumnOf, Scope, param_number};
use super::write::attributes_of;
use super::xml::Attribute;
use crate::constant::{Constant, ConstantValue, Param, ParamType};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Message, quoted};
use crate::draft::{Declared, Draft, ExprPlace, Group, Item, ItemKind, ItemPlace, add_note};
use crate::inline::MAX_EXPRS_BYTES;
use crate::read::{MAX_EXPR_BYTES, unread_param};
use crate::usage::GivenValue;

/// Makes drafts of plans.
pub(super) struct Mapper<'m, 'a> {
    pub(super) plans: &'a [Plan],
    pub(super) scopes: &'m [Scope],
    pub(super) names: &'m mut Names<'a>,
    pub(super) models: &'m Models,
    pub(super) options: &'m Options,
    pub(super) notes: &'m mut Notes,
    pub(super) found: &'m mut Diagnostics,
    pub(super) fragments: Fragments,
    /// Bytes of all expressions so far.
    pub(super) expr_bytes: usize,
}

/// The tree that is being made.
struct Making<'a> {
    tree: usize,
    plan: &'a Plan,
    items: Vec<Item>,
    /// The positions of the tree's parameters, by key.
    params: HashMap<String, usize>,
    /// Columns that no key stands for: counters.
    extra: Vec<Declared>,
}

impl<'a> Mapper<'_, 'a> {
    /// The draft of a tree.
    pub(super) fn draft(&mut self, tree: usize) -> Draft {
        let plan = &self.plans[tree];
        let scopes = self.scopes;
        let scope = &scopes[tree];
        let params: Vec<Param> = match &plan.declared {
            Some(declared) => declared.params.clone(),
            None => {
                let keys = scope.params.iter();
                keys.map(|key| self.param(tree, key)).collect()
            }
        };
        let positions = scope.params.iter().cloned().enumerate();
        let mut making = Making {
            tree,
            plan,
            items: Vec::new(),
            params: positions.map(|(at, key)| (key, at)).collect(),
            extra: Vec::new(),
        };
        let before = self.found.len();
        if !plan.nodes.is_empty() {
            self.node(&mut making, 0);
        }
        // A node that could not be read may have been the one that reads it.
        if plan.declared.is_some() && self.found.len() == before {
            let read = read_params(&making);
            let unread = params.iter().zip(read).filter(|(_, read)| !read);
            for (param, _) in unread {
                self.found.push(unread_param(&plan.source, param));
            }
        }
        let columns = scope.columns.iter();
        let mut declared: Vec<Declared> = columns.map(|one| self.declared(plan, one)).collect();
        declared.append(&mut making.extra);
        Draft {
            name: plan.name.clone(),
            source: plan.source.clone(),
            file: plan.file,
            span: plan.span.clone(),
            declared,
            params,
            items: making.items,
            comments: plan.comments.clone(),
            meta: plan.meta.clone(),
        }
    }

    fn param(&mut self, tree: usize, key: &str) -> Param {
        let plan = &self.plans[tree];
        let ty = match param_number(self.names, tree, key) {
            Some(number) => ParamType::Value(value_of(0.0, number).ty()),
            None => ParamType::Text,
        };
        // By itself, a key means the entry of that name.
        let default = (ty == ParamType::Text).then(|| Constant {
            value: ConstantValue::Text(format!("{{{key}}}")),
            seconds: None,
            written: None,
            source: plan.source.clone(),
            span: plan.span.clone(),
        });
        Param {
            name: self.names.identifier(tree, key),
            ty,
            default,
            doc: None,
            span: plan.span.clone(),
            read: true,
        }
    }

    fn declared(&mut self, plan: &Plan, column: &ColumnOf) -> Declared {
        let texts = match self.names.entry(column.tree, &column.key) {
            Entry::Labels(labels) => labels.iter().map(|(text, _)| text.clone()).collect(),
            _ => Vec::new(),
        };
        if let Some(declared) = &self.plans[column.tree].declared
            && let Some(one) = declared.declared.iter().find(|one| one.name == column.key)
            && column.first.is_none()
        {
            return Declared {
                name: column.name.clone(),
                texts,
                ..one.clone()
            };
        }
        let entry = self.names.entry(column.tree, &column.key);
        let first = column.first.as_deref().unwrap_or("");
        let (default, labels) = match entry {
            Entry::Labels(labels) => {
                let first = place_of_text(labels, first);
                let names = labels.iter().map(|(_, label)| label.clone());
                (Value::U8(first.unwrap_or(0) as u8), names.collect())
            }
            Entry::Number(number) | Entry::Constant(number) => {
                let first = match first.trim() {
                    "true" => 1.0,
                    text => text.parse().unwrap_or(0.0),
                };
                (value_of(first, *number), Vec::new())
            }
            Entry::Time | Entry::Key => (Value::Bool(false), Vec::new()),
        };
        Declared {
            group: Group::Column,
            name: column.name.clone(),
            default,
            labels,
            texts,
            doc: None,
            span: plan.span.clone(),
        }
    }

    fn wrong(&mut self, making: &Making<'_>, span: Range<usize>, message: Message, help: &str) {
        let error = Diagnostic::new(&making.plan.source, span, message);
        let help = Some(help).filter(|help| !help.is_empty());
        self.found.push(error.with_help_if(help));
    }

    fn refused(&mut self, making: &Making<'_>, attribute: &Attribute, refusal: Refusal) {
        let span = attribute.within(&refusal.span);
        let error = Diagnostic::new(
            &making.plan.source,
            span,
            refusal.code.says(refusal.message),
        );
        self.found.push(error.with_help_if(refusal.help));
    }

    /// Tells what differs here, once a kind and file.
    fn note(&mut self, making: &Making<'_>, span: Range<usize>, code: Code, text: &str) {
        let (message, help) = text.split_once('\n').unwrap_or((text, ""));
        let note = Diagnostic::new(&making.plan.source, span, code.says(message));
        let help = Some(help).filter(|help| !help.is_empty());
        self.notes.push(note.with_help_if(help));
    }

    /// Makes a node with its conditions and what follows from its answer, and all below; the limit of
    /// nesting bounds the recursion. Gives the index of the outermost item.
    fn node(&mut self, making: &mut Making<'a>, at: usize) -> usize {
        let plan = making.plan;
        let node = &plan.nodes[at];
        let outermost = making.items.len();
        let mut wraps = Wraps::default();
        // BehaviorTree.CPP writes what follows before it tells its parent, `_post` last; it looks at
        // conditions in the order of their roles.
        let after = [Role::Post, Role::OnFailure, Role::OnSuccess];
        for role in after {
            if let Some(script) = node.script(role) {
                self.after(
                    making,
                    node,
                    role,
                    &script.statements,
                    &script.attribute,
                    &mut wraps,
                );
            }
        }
        for role in [Role::FailureIf, Role::SuccessIf, Role::SkipIf, Role::While] {
            let Some(script) = node.script(role) else {
                continue;
            };
            let Some((test, place)) =
                self.test(making, node, &script.attribute, &script.statements)
            else {
                continue;
            };
            if let Some(kind) = script::guard(role, test) {
                let mut item = Item::new(ItemKind::Node(kind), place);
                item.guard = true;
                push(making, item, &mut wraps.last);
            }
        }
        // Innermost: a `_while` that halts the node is one of those that halt it.
        if let Some(script) = node.script(Role::OnHalted) {
            let (statements, attribute) = (&script.statements, &script.attribute);
            self.after(
                making,
                node,
                Role::OnHalted,
                statements,
                attribute,
                &mut wraps,
            );
        }
        let inner = match (&node.kdl, node.meaning.children()) {
            (Some(kdl), _) => self.fragment(making, node, kdl),
            (None, Children::None) => self.leaf(making, at),
            (None, _) => self.parent(making, at),
        };
        if let Some(last) = wraps.last {
            making.items[last].children.push(inner);
        }
        self.behind(making, node, wraps);
        if let Some(item) = making.items.get_mut(inner) {
            // What XML cannot have as attributes stands in KDL.
            if node.name.is_some() {
                item.name.clone_from(&node.name);
            }
            item.comments.clone_from(&node.comments);
            for (name, value) in &node.meta {
                add_note(&mut item.meta, name.clone(), value.clone());
            }
        }
        outermost
    }

    /// A node that says in KDL what it is, and all below.
    fn fragment(&mut self, making: &mut Making<'a>, node: &Node, kdl: &Attribute) -> usize {
        let plan = making.plan;
        let index = making.items.len();
        let declared = plan.declared.as_ref();
        let params = declared.map_or(&[][..], |declared| &declared.params);
        let item = self.fragments.node(&plan.source, kdl, params, self.found);
        let Some(mut item) = item else {
            return plain(making, NodeKind::Fail, place_of(node));
        };
        let wanted = item.children.len();
        item.children.clear();
        item.place.keyword = node.span.clone();
        item.guard = node.property && item.children.is_empty() && wanted == 1;
        if wanted != node.children.len() {
            let message = format!(
                "{} has {} children, and `{}` says {wanted}",
                quoted(&node.tag),
                node.children.len(),
                kdl.name
            );
            self.wrong(
                making,
                node.span.clone(),
                Code::KdlAttribute.says(message),
                "let both say the same",
            );
        } else if node.meaning != Meaning::Own {
            self.agrees(making, node, kdl, &item);
        }
        making.items.push(item);
        self.children(making, node, index);
        index
    }

    /// A node whose attributes are BehaviorTree.CPP's and that says in KDL what they mean here: whoever
    /// changes one of them changes both.
    fn agrees(&mut self, making: &Making<'_>, node: &Node, kdl: &Attribute, item: &Item) {
        let plan = making.plan;
        let nothing = Draft {
            name: String::new(),
            source: plan.source.clone(),
            file: plan.file,
            span: plan.span.clone(),
            declared: Vec::new(),
            params: Vec::new(),
            items: Vec::new(),
            comments: Vec::new(),
            meta: Vec::new(),
        };
        let draft = plan.declared.as_ref().map_or(&nothing, |declared| declared);
        let mut wanted = attributes_of(draft, item);
        wanted.sort();
        let ports = node.ports.iter();
        let mut written: Vec<(String, String)> = ports
            .map(|port| (port.name.clone(), port.attribute.value.clone()))
            .collect();
        written.sort();
        if wanted != written {
            let message = format!("the ports and `{}` say different things", kdl.name);
            let help =
                "remove `_kdl` if the ports are right: it is written for what they cannot say";
            self.wrong(
                making,
                kdl.span.clone(),
                Code::KdlAttribute.says(message),
                help,
            );
        }
    }

    /// The place of a node whose expression comes from an attribute.
    fn expr_place(
        &mut self,
        making: &Making<'_>,
        node: &Node,
        attribute: &Attribute,
        expr: &Expr,
    ) -> Option<ItemPlace> {
        let span = attribute.value_span.clone();
        if let ExprKind::Invalid(_, error) = &expr.kind {
            let (message, help) = (error.message.clone(), error.help.clone());
            self.wrong(
                making,
                span,
                Code::ScriptMeaning.says(message),
                help.as_deref().unwrap_or(""),
            );
            return None;
        }
        let bytes = expr.to_string().len();
        let before = self.expr_bytes;
        self.expr_bytes = before.saturating_add(bytes);
        if bytes > MAX_EXPR_BYTES || self.expr_bytes > MAX_EXPRS_BYTES {
            if bytes > MAX_EXPR_BYTES || before <= MAX_EXPRS_BYTES {
                let message = format!(
                    "the script becomes an expression of {bytes} bytes, allowed are {MAX_EXPR_BYTES}, and {MAX_EXPRS_BYTES} together"
                );
                self.wrong(
                    making,
                    span,
                    Code::Limit.says(message),
                    "split it into several scripts",
                );
            }
            return None;
        }
        Some(ItemPlace {
            keyword: node.span.clone(),
            expr: Some(ExprPlace { span, text: None }),
            expr_reads: !params_in(expr, &making.params).is_empty(),
            bytes,
            expr_bytes: bytes,
            ..ItemPlace::default()
        })
    }
}

/// Puts an item below the last one.
fn push(making: &mut Making<'_>, item: Item, last: &mut Option<usize>) -> usize {
    let index = making.items.len();
    making.items.push(item);
    if let Some(last) = *last {
        making.items[last].children.push(index);
    }
    *last = Some(index);
    index
}

/// Pushes a node without children.
fn plain(making: &mut Making<'_>, kind: NodeKind, place: ItemPlace) -> usize {
    making.items.push(Item::new(ItemKind::Node(kind), place));
    making.items.len() - 1
}

/// The parameters that an expression reads.
fn params_in(expr: &Expr, params: &HashMap<String, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::Name(name) => found.extend(params.get(name)),
            ExprKind::Unary(_, inner) => pending.push(inner),
            ExprKind::Binary(_, left, right) => pending.extend([&**left, &**right]),
            _ => {}
        }
    }
    found
}

/// Which parameters the nodes of a tree read.
fn read_params(making: &Making<'_>) -> Vec<bool> {
    let mut read = vec![false; making.params.len()];
    let mut mark = |at: usize| {
        if let Some(read) = read.get_mut(at) {
            *read = true;
        }
    };
    for item in &making.items {
        item.place.holes.iter().for_each(|hole| mark(hole.param));
        match &item.kind {
            ItemKind::Subtree(usage) => {
                for given in &usage.given {
                    if let GivenValue::Own(at) = given.value {
                        mark(at);
                    }
                }
            }
            ItemKind::Node(kind) if item.place.expr_reads => {
                let all = kind.expr().map(|expr| params_in(expr, &making.params));
                all.into_iter().flatten().for_each(&mut mark);
            }
            ItemKind::Node(_) => {}
        }
    }
    read
}

fn place_of(node: &Node) -> ItemPlace {
    ItemPlace {
        keyword: node.span.clone(),
        bytes: node.bytes,
        ..ItemPlace::default()
    }
}

/// A number as a value of its type.
pub(super) fn value_of(value: f64, number: Number) -> Value {
    match constant_of(value, number).kind {
        ExprKind::Bool(value) => Value::Bool(value),
        ExprKind::Int(value) => Value::I32(i32::try_from(value).unwrap_or_default()),
        ExprKind::Float(value) if value.is_finite() => Value::F32(value),
        _ => Value::F32(0.0),
    }
}
