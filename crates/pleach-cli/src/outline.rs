//! A tree as lines of text.

use pleach_draw::tree::Label;
use pleach_tree::{NodeId, Tree};

/// How many levels a drawing shows as branches; deeper ones are all drawn there.
const MAX_DRAWN: usize = 40;

/// A node as it is drawn. No text in it can disturb a terminal.
pub(crate) struct Line<'a> {
    /// The lines from its parents: `│  ├─ `.
    pub(crate) branches: String,
    /// How many parents are above it.
    pub(crate) level: usize,
    /// What it says.
    pub(crate) label: Label<'a>,
}

/// A line for each node, in stream order.
pub(crate) fn outline(tree: &Tree) -> impl Iterator<Item = Line<'_>> {
    // For each open ancestor, whether further children of its parent follow it.
    let mut open: Vec<bool> = Vec::new();
    // Nodes to be shown, with their level and whether others of the same parent follow; the last one is next.
    let mut pending: Vec<(NodeId, usize, bool)> = vec![(tree.root(), 0, false)];
    std::iter::from_fn(move || {
        let (id, level, followed) = pending.pop()?;
        let node = tree.node(id)?;
        open.truncate(level);
        let mut branches: String = open
            .iter()
            .skip(1)
            .take(MAX_DRAWN)
            .map(|&more| if more { "│  " } else { "   " })
            .collect();
        if level > 0 {
            branches.push_str(if followed { "├─ " } else { "└─ " });
        }
        open.push(followed);
        let children = node.children.iter().enumerate().rev();
        pending
            .extend(children.map(|(at, &child)| (child, level + 1, at + 1 < node.children.len())));
        Some(Line {
            branches,
            level,
            label: Label::of(node),
        })
    })
}
