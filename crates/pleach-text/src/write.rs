//! From trees to text.

pub(crate) mod head;
mod kdl;

use std::fmt::Write;
use std::ops::Range;
use std::time::Duration;

use pleach_tree::{NodeId, Tree};

pub(crate) use self::kdl::{text, word, write_declarations, write_file, write_node, write_notes};
use crate::draft::{Declared, Draft, Group, Item, ItemKind, ItemPlace};
use crate::source::Source;

/// Writes a tree as KDL 2.
///
/// [`parse`](crate::parse) reads it back as an equal tree, if the tree compiles and keeps within
/// the limits of texts, which are narrower than those of trees: see `MAX_BYTES`, `MAX_NESTING`,
/// `MAX_ITEMS`, `MAX_NAME`, `MAX_EXPR_BYTES` and `MAX_EXPRS_BYTES`. The depth of an expression is
/// limited alike in both, by [`MAX_EXPR_DEPTH`](pleach_tree::MAX_EXPR_DEPTH): one that is deeper
/// does not compile, and what is written for it is not read.
pub fn write(tree: &Tree) -> String {
    write_all([tree])
}

/// Writes several trees into one text.
pub fn write_all<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> String {
    let drafts: Vec<Draft> = trees.into_iter().map(draft_of).collect();
    write_file(&[], &drafts)
}

/// A tree as a file would have it that holds no subtree.
pub(crate) fn draft_of(tree: &Tree) -> Draft {
    const NOWHERE: Range<usize> = 0..0;
    let declared = |group, name: &str, default, labels: &[String]| Declared {
        group,
        name: name.to_owned(),
        default,
        labels: labels.to_vec(),
        texts: Vec::new(),
        doc: None,
        span: NOWHERE,
    };
    let columns = tree.columns().iter();
    let columns = columns.map(|one| declared(Group::Column, &one.name, one.default, &one.labels));
    let world = tree.world().iter();
    let world = world.map(|one| declared(Group::World, &one.name, one.default, &one.labels));
    let mut draft = Draft {
        name: tree.name().to_owned(),
        source: Source::new("", ""),
        file: 0,
        span: NOWHERE,
        declared: columns.chain(world).collect(),
        params: Vec::new(),
        items: Vec::new(),
        comments: Vec::new(),
        meta: Vec::new(),
    };
    // Iterative: a tree may be deeper than the stack.
    let mut pending: Vec<(NodeId, Option<usize>)> = vec![(tree.root(), None)];
    while let Some((id, parent)) = pending.pop() {
        let Some(node) = tree.node(id) else { continue };
        let index = draft.items.len();
        let mut item = Item::new(ItemKind::Node(node.kind.clone()), ItemPlace::default());
        item.name.clone_from(&node.name);
        draft.items.push(item);
        if let Some(parent) = parent {
            draft.items[parent].children.push(index);
        }
        let children = node.children.iter().rev();
        pending.extend(children.map(|&child| (child, Some(index))));
    }
    draft
}

/// Seconds with as many decimals as it takes to say them exactly.
pub(crate) fn seconds(duration: Duration, out: &mut String) {
    let start = out.len();
    let _ = write!(out, "{}.{:09}", duration.as_secs(), duration.subsec_nanos());
    let kept = out[start..]
        .trim_end_matches('0')
        .trim_end_matches('.')
        .len();
    out.truncate(start + kept);
}
