//! Columns, world values and trees that nothing uses.

use std::collections::HashSet;

use pleach_tree::{Expr, ExprKind, NodeKind, ParameterValue};

use super::Trees;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::draft::{Draft, ItemKind};
use crate::inspect::Outline;

/// What a tree declares, and no node of it or of its subtrees uses.
pub(super) fn names(trees: &Trees<'_>, draft: &Draft, found: &mut Diagnostics) {
    if draft.declared.is_empty() {
        return;
    }
    let mut used: HashSet<&str> = HashSet::new();
    for item in &draft.items {
        match &item.kind {
            ItemKind::Node(kind) => in_node(kind, &mut used),
            ItemKind::Subtree(usage) => {
                used.extend(usage.maps.iter().map(|mapping| mapping.outer.as_str()));
            }
        }
    }
    in_subtrees(trees, draft, &mut used);
    for one in &draft.declared {
        if used.contains(one.name.as_str()) {
            continue;
        }
        let message = format!(
            "nothing in the tree uses the {} {}",
            one.group.noun(),
            quoted(&one.name)
        );
        let message = Code::UnusedName.says(message);
        let help = "take it away, unless the host needs it for itself";
        found.push(Diagnostic::new(&draft.source, one.span.clone(), message).with_help(help));
    }
}

/// Names that subtrees declare are the same as this tree's, unless they are mapped. Which are is not
/// looked at: one name more that counts as used is no false alarm.
fn in_subtrees<'a>(trees: &Trees<'a>, draft: &Draft, used: &mut HashSet<&'a str>) {
    let Some(&start) = trees.by_name.get(draft.name.as_str()) else {
        return;
    };
    let mut seen = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(at) = pending.pop() {
        for next in trees.used_by(at) {
            if seen.insert(next) {
                let declared = trees.drafts[next].declared.iter();
                used.extend(declared.map(|one| one.name.as_str()));
                pending.push(next);
            }
        }
    }
}

fn in_node<'a>(kind: &'a NodeKind, used: &mut HashSet<&'a str>) {
    used.extend(kind.written());
    if let Some(expr) = kind.expr() {
        in_expr(expr, used);
    }
    if let NodeKind::Switch { on, .. } = kind {
        used.insert(on);
    }
    for param in kind.call().iter().flat_map(|call| &call.params) {
        if let ParameterValue::Name(name) = &param.value {
            insert(name, used);
        }
    }
}

fn in_expr<'a>(expr: &'a Expr, used: &mut HashSet<&'a str>) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::Name(name) => insert(name, used),
            ExprKind::Unary(_, inner) => pending.push(inner),
            ExprKind::Binary(_, left, right) => pending.extend([&**left, &**right]),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Invalid(..) => {}
        }
    }
}

/// A name, or a label and the enumeration that it is of.
fn insert<'a>(name: &'a str, used: &mut HashSet<&'a str>) {
    used.insert(name);
    if let Some((enumeration, _)) = name.rsplit_once('.') {
        used.insert(enumeration);
    }
}

/// Trees of several files that no tree of these files uses, but for each file's first.
pub(crate) fn unused_trees(outlines: &[Outline], strict: bool) -> Diagnostics {
    let uses = outlines.iter().flat_map(|outline| &outline.uses);
    let used: HashSet<(&str, &str)> = uses
        .map(|(file, tree)| (file.as_str(), tree.as_str()))
        .collect();
    let runs: HashSet<&str> = outlines
        .iter()
        .filter_map(|outline| outline.runs.as_deref())
        .collect();
    let mut found = Diagnostics::new();
    for outline in outlines {
        for tree in &outline.trees {
            if used.contains(&(outline.file.as_str(), tree.name.as_str()))
                || tree.runs && (!strict || runs.contains(tree.name.as_str()))
            {
                continue;
            }
            let message = format!("no tree uses {} as a subtree", quoted(&tree.name));
            let help = match tree.runs {
                true => "use it, take it away, or leave it where a host runs it by its name",
                false => "it needs parameters, so it cannot run by itself: use it, or take it away",
            };
            let message = Code::UnusedTree.says(message);
            found.push(Diagnostic::new(&tree.source, tree.span.clone(), message).with_help(help));
        }
    }
    found
}
