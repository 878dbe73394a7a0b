//! From drafts to trees: subtrees inlined, declarations merged.

mod bind;
mod build;
mod fill;
mod merge;
mod origin;

use std::collections::HashMap;

use pleach_shape::MAX_NODES;
use pleach_tree::Tree;

use self::bind::{Bound, bind};
use self::build::Builder;
use self::fill::Renamed;
use self::merge::merge;
pub(crate) use self::origin::Origin;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::draft::{Declared, Draft, ItemKind};
use crate::files::Files;
use crate::format::Format;

/// The most text that the nodes of a file's trees may stand for, once subtrees are inlined: a long
/// text in a subtree that is used often costs its length each time.
pub const MAX_INLINED_BYTES: usize = 64 << 20;

/// The most text that the expressions of a file may have: as it is written, and again once subtrees
/// are inlined. Read and compiled, an expression takes up to 250 times the memory of its text.
pub const MAX_EXPRS_BYTES: usize = 1 << 20;

/// The trees of the first file; what is wrong goes to `found`, and then there are none.
pub(crate) fn inline(files: &Files, found: &mut Diagnostics) -> Vec<(Tree, Origin)> {
    let drafts = &files.drafts;
    let Some(mut uses) = uses(files, found) else {
        return Vec::new();
    };
    let Some(order) = order(drafts, &uses, found) else {
        return Vec::new();
    };
    if !fits(drafts, files.own, &uses, &order, found) {
        return Vec::new();
    }
    let mut merged: Vec<Vec<(usize, Declared)>> = drafts.iter().map(|_| Vec::new()).collect();
    for &at in &order {
        merged[at] = merge(drafts, at, &mut uses[at], &merged, found);
    }
    if !found.is_empty() {
        return Vec::new();
    }
    let mut builder = Builder::new(drafts, &uses, found);
    (0..files.own)
        .map(|at| builder.build(at, &merged[at]))
        .collect()
}

/// A use of another tree.
struct Use {
    /// The item that uses it.
    item: usize,
    /// Which it is.
    target: usize,
    /// What each of its parameters is, in order.
    params: Vec<Bound>,
    /// What it maps: the used tree's name, this one's.
    renamed: Vec<Renamed>,
}

/// The uses in each draft; none if one of them is wrong.
fn uses(files: &Files, found: &mut Diagnostics) -> Option<Vec<Vec<Use>>> {
    let drafts = &files.drafts;
    let names: HashMap<&str, usize> = drafts
        .iter()
        .enumerate()
        .map(|(at, draft)| (draft.name.as_str(), at))
        .collect();
    let before = found.len();
    let uses = drafts.iter().map(|draft| {
        let seen = |at: usize| {
            let file = drafts[at].file;
            files
                .seen
                .get(draft.file)
                .is_some_and(|seen| seen.contains(&file))
        };
        let mut list = Vec::new();
        for (index, item) in draft.items.iter().enumerate() {
            let ItemKind::Subtree(usage) = &item.kind else {
                continue;
            };
            let known = names.get(usage.tree.as_str()).copied();
            if let Some(target) = known.filter(|&target| seen(target)) {
                list.push(Use {
                    item: index,
                    target,
                    params: bind(draft, item, usage, &drafts[target], found),
                    renamed: Vec::new(),
                });
                continue;
            }
            let message = format!("no tree is named {}", quoted(&usage.tree));
            let error = Diagnostic::new(
                &draft.source,
                item.place.keyword.clone(),
                Code::UnknownTree.says(message),
            );
            // A suggestion looks at all names: for a few errors, not for a hostile thousand.
            let near = match found.len() - before < 50 && known.is_none() {
                true => did_you_mean(
                    &usage.tree,
                    drafts
                        .iter()
                        .enumerate()
                        .filter(|&(at, _)| seen(at))
                        .map(|(_, draft)| draft.name.as_str()),
                ),
                false => None,
            };
            found.push(match known {
                Some(other) => error
                    .with_note(
                        &drafts[other].source,
                        drafts[other].span.clone(),
                        "one of that name stands in a file that is not included here",
                    )
                    .with_help("`include` that file in this one"),
                None if Format::of_text(draft.source.name(), draft.source.text()) == Format::Xml => {
                    let near = near.map_or(String::new(), |near| format!("{near} If not, "));
                    let what = "give the file that it stands in with `--with`, or take such trees for actions with `--missing-trees-are-actions`";
                    error.with_help(format!("{near}{what}"))
                }
                None => error.with_help(near.unwrap_or_else(|| {
                    "a subtree is another `tree` of the same file, or of one that it includes"
                        .to_owned()
                })),
            });
        }
        list
    });
    let uses = uses.collect();
    (found.len() == before).then_some(uses)
}

/// The drafts, each behind all that it uses; none if there is a cycle.
fn order(drafts: &[Draft], uses: &[Vec<Use>], found: &mut Diagnostics) -> Option<Vec<usize>> {
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
            let Some(&Use { item, target, .. }) = uses[*at].get(*next) else {
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
                    let help = cycle(drafts, uses, &path[positions[target]..], target);
                    found.push(
                        Diagnostic::new(&drafts[user].source, span, Code::Cycle.says(message))
                            .with_help(help),
                    );
                }
            }
        }
    }
    (!cyclic).then_some(order)
}

/// The cycle written out, and where each tree of it uses the next; the middle of a very long one is
/// left out.
fn cycle(drafts: &[Draft], uses: &[Vec<Use>], path: &[(usize, usize)], target: usize) -> String {
    const SHOWN: usize = 12;
    let name = |at: usize| quoted(&drafts[at].name);
    let mut names: Vec<String> = path.iter().take(SHOWN).map(|&(at, _)| name(at)).collect();
    if path.len() > SHOWN {
        names.push(format!("… {} more …", path.len() - SHOWN));
    }
    names.push(name(target));
    let mut lines = vec![format!("the cycle is {}", names.join(" → "))];
    for &(at, next) in path.iter().take(SHOWN) {
        // The next use is the one behind that which leads on.
        let Some(used) = next.checked_sub(1).and_then(|index| uses[at].get(index)) else {
            continue;
        };
        let keyword = drafts[at].items[used.item].place.keyword.start;
        let position = drafts[at].source.position(keyword);
        lines.push(format!(
            "{} uses {} at {}:{}:{}",
            name(at),
            name(used.target),
            drafts[at].source.name(),
            position.line,
            position.column
        ));
    }
    lines.join("\n")
}

/// Whether all trees together stay within the limits, before any of them takes memory.
fn fits(
    drafts: &[Draft],
    own: usize,
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
        sizes[at] = draft.size();
        bytes[at] = draft.items.iter().map(|item| item.place.bytes).sum();
        exprs[at] = draft.items.iter().map(|item| item.place.expr_bytes).sum();
        for &Use { target, .. } in &uses[at] {
            sizes[at] = sizes[at].saturating_add(sizes[target]);
            bytes[at] = bytes[at].saturating_add(bytes[target]);
            exprs[at] = exprs[at].saturating_add(exprs[target]);
        }
    }
    let (mut nodes, mut text, mut tests) = (0usize, 0usize, 0usize);
    for (at, draft) in drafts.iter().enumerate().take(own) {
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
        let message = Code::Limit.says(message);
        found.push(Diagnostic::new(&draft.source, draft.span.clone(), message).with_help(help));
        return false;
    }
    true
}
