//! A tree as lines of text.

use std::borrow::Cow;

use pleach_draw::tree::{Label, role};
use pleach_tree::{NodeId, Tree};

/// How many levels a drawing shows as branches; deeper ones are all drawn there.
const MAX_DRAWN: usize = 40;

/// A node as it is drawn. No text in it can disturb a terminal.
pub(crate) struct Line<'a> {
    /// The lines from its parents: `│  ├─ `.
    pub(crate) branches: String,
    /// How many parents are above it.
    pub(crate) level: usize,
    /// What it is to its parent, such as the case of a switch.
    pub(crate) role: Option<Cow<'a, str>>,
    /// What it says.
    pub(crate) label: Label<'a>,
}

/// A line for each node, in stream order.
pub(crate) fn outline(tree: &Tree) -> impl Iterator<Item = Line<'_>> {
    // For each open ancestor, whether further children of its parent follow it.
    let mut open: Vec<bool> = Vec::new();
    // Nodes to be shown, with their level and place among the children of their parent; the last one is next.
    let mut pending: Vec<(NodeId, usize, usize)> = vec![(tree.root(), 0, 0)];
    std::iter::from_fn(move || {
        let (id, level, place) = pending.pop()?;
        let node = tree.node(id)?;
        let parent = node.parent.and_then(|parent| tree.node(parent));
        let followed = parent.is_some_and(|parent| place + 1 < parent.children.len());
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
        pending.extend(children.map(|(place, &child)| (child, level + 1, place)));
        Some(Line {
            branches,
            level,
            role: parent.and_then(|parent| role(parent, place)),
            label: Label::of(node),
        })
    })
}
