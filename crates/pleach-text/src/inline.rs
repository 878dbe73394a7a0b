//! From drafts to trees: subtrees inlined, declarations merged.

use std::collections::{HashMap, HashSet};

use pleach_shape::{MAX_NODES, NodeId};
use pleach_tree::{NodeDef, NodeKind, ParameterValue, Place, Problem, Tree, Value};

use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::draft::{Declared, Draft, Group, ItemKind};
use crate::source::Source;

/// The most text that the nodes of a file's trees may stand for, once subtrees are inlined: a long
/// text in a subtree that is used often costs its length each time.
pub const MAX_INLINED_BYTES: usize = 64 << 20;

/// The most text that the expressions of a file may have: as it is written, and again once subtrees
/// are inlined. Read and compiled, an expression takes up to 250 times the memory of its text.
pub const MAX_EXPRS_BYTES: usize = 1 << 20;

/// Where the parts of a tree stand in the file.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    draft: usize,
    /// The draft and its item that each node came from, by `NodeId`.
    nodes: Vec<(u32, u32)>,
    columns: Vec<std::ops::Range<usize>>,
    world: Vec<std::ops::Range<usize>>,
}

impl Origin {
    /// A problem that the compiler found, with its place in the file.
    pub(crate) fn diagnostic(
        &self,
        source: &Source,
        drafts: &[Draft],
        problem: &Problem,
    ) -> Diagnostic {
        let item = |id: NodeId| {
            let &(draft, item) = self.nodes.get(id.0 as usize)?;
            Some((
                draft as usize,
                drafts.get(draft as usize)?.items.get(item as usize)?,
            ))
        };
        let tree = drafts.get(self.draft);
        let found = match &problem.place {
            Place::Tree => None,
            Place::Column(index) => self.columns.get(*index).cloned(),
            Place::World(index) => self.world.get(*index).cloned(),
            Place::Node(id) => item(*id).map(|(_, item)| item.place.keyword.clone()),
            Place::Expr(id, span) => item(*id).map(|(_, item)| match &item.place.expr {
                Some(place) => place.within(span),
                None => item.place.keyword.clone(),
            }),
            Place::Param(id, index) => {
                item(*id).map(|(_, item)| match item.place.params.get(*index) {
                    Some(param) => param.span.clone(),
                    None => item.place.keyword.clone(),
                })
            }
        };
        let span = found
            .or_else(|| tree.map(|draft| draft.span.clone()))
            .unwrap_or(0..0);
        let mut message = problem.message.clone();
        if let Place::Node(id) | Place::Expr(id, _) | Place::Param(id, _) = &problem.place
            && item(*id).is_some_and(|(draft, _)| draft != self.draft)
            && let Some(tree) = tree
        {
            message.push_str(&format!(" (as a subtree of {})", quoted(&tree.name)));
        }
        Diagnostic::new(source, span, message).with_help_if(problem.help.as_deref())
    }
}

/// Makes the trees of a file; what is wrong goes to `found`, and then there are none.
pub(crate) fn inline(
    source: &Source,
    drafts: &[Draft],
    found: &mut Diagnostics,
) -> Vec<(Tree, Origin)> {
    let Some(uses) = uses(source, drafts, found) else {
        return Vec::new();
    };
    let Some(order) = order(source, drafts, &uses, found) else {
        return Vec::new();
    };
    if !fits(source, drafts, &uses, &order, found) {
        return Vec::new();
    }
    let mut merged: Vec<Vec<(usize, Declared)>> = drafts.iter().map(|_| Vec::new()).collect();
    for &at in &order {
        merged[at] = merge(source, drafts, at, &uses[at], &merged, found);
    }
    if !found.is_empty() {
        return Vec::new();
    }
    drafts
        .iter()
        .enumerate()
        .map(|(at, _)| build(source, drafts, at, &uses, &merged[at], found))
        .collect()
}

/// A use of another tree: the item that uses it, and which it is.
type Use = (usize, usize);

/// The uses in each draft; none if one of them names no tree.
fn uses(source: &Source, drafts: &[Draft], found: &mut Diagnostics) -> Option<Vec<Vec<Use>>> {
    let names: HashMap<&str, usize> = drafts
        .iter()
        .enumerate()
        .map(|(at, draft)| (draft.name.as_str(), at))
        .collect();
    let mut missing = 0;
    let uses = drafts.iter().map(|draft| {
        let mut list = Vec::new();
        for (index, item) in draft.items.iter().enumerate() {
            let ItemKind::Subtree(name) = &item.kind else {
                continue;
            };
            if let Some(&target) = names.get(name.as_str()) {
                list.push((index, target));
                continue;
            }
            missing += 1;
            // A suggestion looks at all names: for a few errors, not for a hostile thousand.
            let near = if missing < 50 {
                did_you_mean(name, names.keys().copied())
            } else {
                None
            };
            let help =
                near.unwrap_or_else(|| "a subtree is another `tree` of the same file".to_owned());
            let message = format!("no tree is named {}", quoted(name));
            found
                .push(Diagnostic::new(source, item.place.keyword.clone(), message).with_help(help));
        }
        list
    });
    let uses = uses.collect();
    (missing == 0).then_some(uses)
}

/// The drafts, each behind all that it uses; none if there is a cycle.
fn order(
    source: &Source,
    drafts: &[Draft],
    uses: &[Vec<Use>],
    found: &mut Diagnostics,
) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Not,
        Open,
        Done,
    }
    let mut visits = vec![Visit::Not; drafts.len()];
    // Where an open draft stands on the path: seeking it at each of many cycles is quadratic.
    let mut positions = vec![0; drafts.len()];
    let mut order = Vec::with_capacity(drafts.len());
    let mut cyclic = false;
    for start in 0..drafts.len() {
        if visits[start] != Visit::Not {
            continue;
        }
        // The drafts from the start down to the one at hand, each with its next use.
        let mut path = vec![(start, 0)];
        visits[start] = Visit::Open;
        positions[start] = 0;
        while let Some((at, next)) = path.last_mut() {
            let Some(&(item, target)) = uses[*at].get(*next) else {
                visits[*at] = Visit::Done;
                order.push(*at);
                path.pop();
                continue;
            };
            let user = *at;
            *next += 1;
            match visits[target] {
                Visit::Not => {
                    visits[target] = Visit::Open;
                    positions[target] = path.len();
                    path.push((target, 0));
                }
                Visit::Done => {}
                Visit::Open => {
                    cyclic = true;
                    let message = format!("tree {} contains itself", quoted(&drafts[target].name));
                    let span = drafts[user].items[item].place.keyword.clone();
                    let help = format!(
                        "the cycle is {}",
                        cycle(drafts, &path[positions[target]..], target)
                    );
                    found.push(Diagnostic::new(source, span, message).with_help(help));
                }
            }
        }
    }
    (!cyclic).then_some(order)
}

/// The cycle written out; the middle of a very long one is left out.
fn cycle(drafts: &[Draft], path: &[(usize, usize)], target: usize) -> String {
    const SHOWN: usize = 12;
    let name = |at: usize| quoted(&drafts[at].name);
    let mut names: Vec<String> = path.iter().take(SHOWN).map(|&(at, _)| name(at)).collect();
    if path.len() > SHOWN {
        names.push(format!("… {} more …", path.len() - SHOWN));
    }
    names.push(name(target));
    names.join(" → ")
}

/// Whether all trees together stay within the limits, before any of them takes memory.
fn fits(
    source: &Source,
    drafts: &[Draft],
    uses: &[Vec<Use>],
    order: &[usize],
    found: &mut Diagnostics,
) -> bool {
    // Declarations and the uses themselves count too: neither is free.
    let mut sizes = vec![0usize; drafts.len()];
    let mut bytes = vec![0usize; drafts.len()];
    let mut exprs = vec![0usize; drafts.len()];
    for &at in order {
        let draft = &drafts[at];
        sizes[at] = draft.items.len() + draft.declared.len();
        bytes[at] = draft.items.iter().map(|item| item.place.bytes).sum();
        exprs[at] = draft.items.iter().map(|item| item.place.expr_bytes).sum();
        for &(_, target) in &uses[at] {
            sizes[at] = sizes[at].saturating_add(sizes[target]);
            bytes[at] = bytes[at].saturating_add(bytes[target]);
            exprs[at] = exprs[at].saturating_add(exprs[target]);
        }
    }
    let (mut nodes, mut text, mut tests) = (0usize, 0usize, 0usize);
    for (at, draft) in drafts.iter().enumerate() {
        nodes = nodes.saturating_add(sizes[at]);
        text = text.saturating_add(bytes[at]);
        tests = tests.saturating_add(exprs[at]);
        let message = if nodes > MAX_NODES {
            format!(
                "with their subtrees inlined, the trees up to this one have more than {MAX_NODES} nodes and declarations"
            )
        } else if text > MAX_INLINED_BYTES {
            format!(
                "with their subtrees inlined, the trees up to this one have more than {MAX_INLINED_BYTES} bytes of arguments"
            )
        } else if tests > MAX_EXPRS_BYTES {
            format!(
                "with their subtrees inlined, the trees up to this one have more than {MAX_EXPRS_BYTES} bytes of expressions"
            )
        } else {
            continue;
        };
        let help = "subtrees are copied where they are used; use them less often, or in files of their own";
        found.push(Diagnostic::new(source, draft.span.clone(), message).with_help(help));
        return false;
    }
    true
}

/// What a tree declares together with all that it uses, each with the draft that it is from.
fn merge(
    source: &Source,
    drafts: &[Draft],
    at: usize,
    uses: &[Use],
    merged: &[Vec<(usize, Declared)>],
    found: &mut Diagnostics,
) -> Vec<(usize, Declared)> {
    let mut all: Vec<(usize, Declared)> = drafts[at]
        .declared
        .iter()
        .map(|one| (at, one.clone()))
        .collect();
    let mut known: HashMap<String, usize> = all
        .iter()
        .enumerate()
        .map(|(index, (_, one))| (one.name.clone(), index))
        .collect();
    let mut done = HashSet::new();
    for &(_, target) in uses {
        if !done.insert(target) {
            continue;
        }
        for (from, one) in &merged[target] {
            let Some(&index) = known.get(&one.name) else {
                known.insert(one.name.clone(), all.len());
                all.push((*from, one.clone()));
                continue;
            };
            let (other, first) = &all[index];
            let (ty, bits) = (one.default.ty(), one.default.to_bits());
            if first.group == one.group
                && first.default.ty() == ty
                && first.default.to_bits() == bits
            {
                continue;
            }
            let message = format!(
                "{} is {} in tree {}, but {} in {}, which is used with it",
                quoted(&one.name),
                declaration(one),
                quoted(&drafts[*from].name),
                declaration(first),
                quoted(&drafts[*other].name),
            );
            let help = "declare it alike in both, or give one of them another name";
            found.push(Diagnostic::new(source, one.span.clone(), message).with_help(help));
        }
    }
    all
}

fn declaration(one: &Declared) -> String {
    format!(
        "a {} `{} {}`",
        one.group.noun(),
        one.default.ty(),
        one.default
    )
}

/// A node to be: where it is from, its parent among the nodes, and its name.
struct Planned<'a> {
    draft: usize,
    item: usize,
    parent: Option<usize>,
    name: Option<&'a str>,
}

fn build(
    source: &Source,
    drafts: &[Draft],
    at: usize,
    uses: &[Vec<Use>],
    declared: &[(usize, Declared)],
    found: &mut Diagnostics,
) -> (Tree, Origin) {
    let groups: HashMap<&str, Group> = declared
        .iter()
        .map(|(_, one)| (one.name.as_str(), one.group))
        .collect();
    // Depth first, as the tree will number them.
    let mut planned: Vec<Planned<'_>> = Vec::new();
    let mut pending = vec![Planned {
        draft: at,
        item: 0,
        parent: None,
        name: None,
    }];
    while let Some(mut next) = pending.pop() {
        let draft = &drafts[next.draft];
        let Some(item) = draft.items.get(next.item) else {
            continue;
        };
        // A name given where a subtree is used wins over the name of its root.
        let name = next.name.or(item.name.as_deref());
        if let ItemKind::Subtree(tree) = &item.kind {
            let list = &uses[next.draft];
            let Ok(index) = list.binary_search_by_key(&next.item, |&(item, _)| item) else {
                continue;
            };
            let target = list[index].1;
            let root = drafts[target]
                .items
                .first()
                .and_then(|root| root.name.as_deref());
            pending.push(Planned {
                draft: target,
                item: 0,
                parent: next.parent,
                name: name.or(root).or(Some(tree)),
            });
            continue;
        }
        next.name = name;
        let parent = Some(planned.len());
        for &child in item.children.iter().rev() {
            pending.push(Planned {
                draft: next.draft,
                item: child,
                parent,
                name: None,
            });
        }
        planned.push(next);
    }
    for node in &planned {
        check_groups(source, drafts, node, &groups, found);
    }
    let root = assemble(drafts, &planned);
    let mut builder = Tree::build(&drafts[at].name);
    let mut origin = Origin {
        draft: at,
        nodes: planned
            .iter()
            .map(|node| (node.draft as u32, node.item as u32))
            .collect(),
        columns: Vec::new(),
        world: Vec::new(),
    };
    for (_, one) in declared {
        let default: Value = one.default;
        match one.group {
            Group::Column => {
                builder = builder.column(&one.name, default);
                origin.columns.push(one.span.clone());
            }
            Group::World => {
                builder = builder.world(&one.name, default);
                origin.world.push(one.span.clone());
            }
        }
    }
    (builder.root(root), origin)
}

/// Puts the nodes together from the last to the first, so that children are there before parents.
fn assemble(drafts: &[Draft], planned: &[Planned<'_>]) -> NodeDef {
    let mut children: Vec<Vec<NodeDef>> = planned.iter().map(|_| Vec::new()).collect();
    let mut root = None;
    for (index, node) in planned.iter().enumerate().rev() {
        let kind = match &drafts[node.draft].items[node.item].kind {
            ItemKind::Node(kind) => kind.clone(),
            ItemKind::Subtree(_) => NodeKind::Fail,
        };
        let mut own = std::mem::take(&mut children[index]);
        own.reverse();
        let mut def = NodeDef::new(kind, own);
        if let Some(name) = node.name {
            def = def.named(name);
        }
        match node.parent {
            Some(parent) => children[parent].push(def),
            None => root = Some(def),
        }
    }
    root.unwrap_or_else(pleach_tree::fail)
}

/// Whether what `(column)` and `(world)` name is one; unknown names are left to the compiler.
fn check_groups(
    source: &Source,
    drafts: &[Draft],
    node: &Planned<'_>,
    groups: &HashMap<&str, Group>,
    found: &mut Diagnostics,
) {
    let item = &drafts[node.draft].items[node.item];
    let ItemKind::Node(kind) = &item.kind else {
        return;
    };
    let Some(call) = kind.call() else { return };
    for (param, place) in call.params.iter().zip(&item.place.params) {
        let ParameterValue::Name(name) = &param.value else {
            continue;
        };
        if let (Some(said), Some(&is)) = (place.group, groups.get(name.as_str()))
            && said != is
        {
            let message = format!("{} is a {}, not a {}", quoted(name), is.noun(), said.noun());
            let help = "write `(column)` or `(world)` as it is declared, or `(from)` for either";
            found.push(Diagnostic::new(source, place.span.clone(), message).with_help(help));
        }
    }
}
