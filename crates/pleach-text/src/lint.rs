//! Warnings: what can be used, and most likely does not do what was meant.
//!
//! They look at drafts, so that what stands in a subtree is told once, at its place, and parameters
//! count as what they are: unknown. Nothing is told that could be right; what a lint takes for wrong,
//! and what it leaves alone, its page in `explain/lints.rs` says.

mod answers;
mod constant;
mod cut_short;
mod endless;
mod unreachable;
mod unused;

use std::collections::HashMap;
use std::ops::Range;

pub(crate) use self::unused::unused_trees;
use crate::diagnostic::{Diagnostic, Diagnostics, quoted};
use crate::draft::{Draft, Item, ItemKind};
use crate::files::Files;
use crate::lint::answers::Answers;

/// Looks at the trees of the first file, which have no errors. `strict` also tells what may well be
/// right.
pub(crate) fn lint(files: &Files, strict: bool, found: &mut Diagnostics) {
    let trees = Trees::new(&files.drafts);
    for (at, draft) in files.drafts.iter().enumerate().take(files.own) {
        let tree = Tree {
            draft,
            answers: &trees.answers[at],
        };
        for index in 0..draft.items.len() {
            unreachable::check(&tree, index, found);
            endless::check(&tree, index, found);
            cut_short::check(&tree, index, found);
            constant::check(&tree, index, found);
        }
        if strict {
            unused::names(&trees, draft, found);
        }
    }
}

/// All trees that were read, by name, and what their nodes can answer.
struct Trees<'a> {
    drafts: &'a [Draft],
    by_name: HashMap<&'a str, usize>,
    /// Of each draft's items.
    answers: Vec<Vec<Answers>>,
}

impl<'a> Trees<'a> {
    fn new(drafts: &'a [Draft]) -> Trees<'a> {
        let names = drafts.iter().enumerate();
        let mut trees = Trees {
            drafts,
            by_name: names.map(|(at, draft)| (draft.name.as_str(), at)).collect(),
            answers: drafts.iter().map(|_| Vec::new()).collect(),
        };
        for at in trees.order() {
            trees.answers[at] = answers::of_draft(&drafts[at], |tree| {
                // Behind it in the order only in a cycle, which is an error; then anything may be.
                let target = trees.by_name.get(tree)?;
                trees.answers[*target].first().copied()
            });
        }
        trees
    }

    /// The trees that a tree uses.
    fn used_by(&self, at: usize) -> impl Iterator<Item = usize> {
        let items = self.drafts[at].items.iter();
        items.filter_map(|item| match &item.kind {
            ItemKind::Subtree(usage) => self.by_name.get(usage.tree.as_str()).copied(),
            ItemKind::Node(_) => None,
        })
    }

    /// All drafts, each behind those that it uses.
    fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.drafts.len());
        let mut seen = vec![false; self.drafts.len()];
        for start in 0..self.drafts.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut path = vec![(start, self.used_by(start))];
            while let Some((at, uses)) = path.last_mut() {
                match uses.next() {
                    Some(next) if std::mem::replace(&mut seen[next], true) => {}
                    Some(next) => path.push((next, self.used_by(next))),
                    None => {
                        order.push(*at);
                        path.pop();
                    }
                }
            }
        }
        order
    }
}

/// A tree that is looked at.
struct Tree<'a> {
    draft: &'a Draft,
    /// Of its items.
    answers: &'a [Answers],
}

impl<'a> Tree<'a> {
    fn item(&self, index: usize) -> &'a Item {
        &self.draft.items[index]
    }

    fn answers(&self, index: usize) -> Answers {
        self.answers.get(index).copied().unwrap_or(Answers::ANY)
    }

    /// The node to point at: of one with guards as properties, the node itself.
    fn shown(&self, index: usize) -> &'a Item {
        let mut item = self.item(index);
        while item.guard
            && let Some(&child) = item.children.first()
        {
            item = self.item(child);
        }
        item
    }

    fn span(&self, index: usize) -> Range<usize> {
        self.shown(index).place.keyword.clone()
    }

    /// A node as messages name it: its keyword, and what it is called or calls.
    fn name(&self, index: usize) -> String {
        let item = self.shown(index);
        let (keyword, called) = match &item.kind {
            ItemKind::Subtree(usage) => ("subtree", Some(usage.tree.as_str())),
            ItemKind::Node(kind) => {
                let called = kind.call().map(|call| call.name.as_str());
                (kind.keyword(), called)
            }
        };
        match item.name.as_deref().or(called) {
            Some(name) => format!("{} {}", quoted(keyword), quoted(name)),
            None => quoted(keyword),
        }
    }

    fn warning(&self, index: usize, message: crate::Message) -> Diagnostic {
        Diagnostic::new(&self.draft.source, self.span(index), message)
    }
}
