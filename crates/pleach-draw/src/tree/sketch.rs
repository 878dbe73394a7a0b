//! The nodes that a picture shows.

use std::borrow::Cow;

use pleach_tree::{Node, NodeId, Tree};

use super::label::role;

/// What a box stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown<'a> {
    /// A node.
    Node(&'a Node),
    /// That many nodes that are not shown.
    Folded(usize),
}

/// A box of a picture, before anybody knows where it lies.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) shown: Shown<'a>,
    /// The item of its parent; the root has none.
    pub(crate) parent: Option<usize>,
    /// Its place among its parent's children.
    pub(crate) place: usize,
    /// How many parents are above it.
    pub(crate) level: usize,
    /// Its children are there in the list of children, side by side.
    first: usize,
    children: usize,
}

/// A tree as far as it is shown: depth first, parents before their children.
#[derive(Debug)]
pub(crate) struct Sketch<'a> {
    tree: &'a Tree,
    items: Vec<Item<'a>>,
    children: Vec<usize>,
    folded: usize,
}

impl<'a> Sketch<'a> {
    /// The upper levels of a tree, or all of it.
    pub(crate) fn new(tree: &'a Tree, depth: Option<usize>) -> Sketch<'a> {
        let below = match depth {
            Some(_) => descendants(tree),
            None => Vec::new(),
        };
        let mut items: Vec<Item<'a>> = Vec::new();
        let mut folded = 0;
        // Nodes to be shown with their parent, their place there and level; the last one is next.
        let mut pending: Vec<(NodeId, Option<usize>, usize, usize)> =
            vec![(tree.root(), None, 0, 0)];
        while let Some((id, parent, place, level)) = pending.pop() {
            let Some(node) = tree.node(id) else { continue };
            let index = items.len();
            let item = |shown, parent, place, level| Item {
                shown,
                parent,
                place,
                level,
                first: 0,
                children: 0,
            };
            items.push(item(Shown::Node(node), parent, place, level));
            if depth.is_some_and(|levels| level + 1 >= levels) {
                let hidden = below.get(id.0 as usize).copied().unwrap_or(0);
                if hidden > 0 {
                    items.push(item(Shown::Folded(hidden), Some(index), 0, level + 1));
                    folded += hidden;
                }
                continue;
            }
            let children = node.children.iter().enumerate().rev();
            pending.extend(children.map(|(place, &child)| (child, Some(index), place, level + 1)));
        }
        let children = list_children(&mut items);
        Sketch {
            tree,
            items,
            children,
            folded,
        }
    }

    /// The tree.
    pub(crate) fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// What is shown.
    pub(crate) fn items(&self) -> &[Item<'a>] {
        &self.items
    }

    /// The items of an item's children, in order.
    pub(crate) fn children(&self, item: &Item<'_>) -> &[usize] {
        self.children
            .get(item.first..item.first + item.children)
            .unwrap_or_default()
    }

    /// What an item's node is to its parent, where that is more than its place in the order.
    pub(crate) fn role(&self, item: &Item<'_>) -> Option<Cow<'a, str>> {
        match (item.shown, self.items.get(item.parent?)?.shown) {
            (Shown::Node(_), Shown::Node(parent)) => role(parent, item.place),
            _ => None,
        }
    }

    /// How many levels are shown.
    pub(crate) fn levels(&self) -> usize {
        let deepest = self.items.iter().map(|item| item.level).max();
        deepest.map_or(0, |level| level + 1)
    }

    /// How many nodes are not shown.
    pub(crate) fn folded(&self) -> usize {
        self.folded
    }

    /// The greatest depth with which a picture of the same would keep within those numbers of boxes
    /// and levels.
    pub(crate) fn deepest_within(&self, nodes: usize, levels: usize) -> Option<usize> {
        // Of each level: its boxes, and how many of them have children.
        let mut counts = vec![(0, 0); self.levels()];
        for item in &self.items {
            if let Some((boxes, parents)) = counts.get_mut(item.level) {
                *boxes += 1;
                *parents += usize::from(item.children > 0);
            }
        }
        let mut above = 0;
        let mut deepest = None;
        // One level more is taken by the boxes that stand for what is folded.
        for (level, (boxes, parents)) in counts.into_iter().enumerate().take(levels - 1) {
            above += boxes;
            if above + parents <= nodes {
                deepest = Some(level + 1);
            }
        }
        deepest
    }
}

/// How many nodes are below each node, by its id.
fn descendants(tree: &Tree) -> Vec<usize> {
    let order: Vec<&Node> = tree.nodes().collect();
    let mut below = vec![0; tree.len()];
    for node in order.iter().rev() {
        let own = below.get(node.id.0 as usize).copied().unwrap_or(0);
        let parent = node
            .parent
            .and_then(|parent| below.get_mut(parent.0 as usize));
        if let Some(parent) = parent {
            *parent += own + 1;
        }
    }
    below
}

/// Lists the children of all items, those of one side by side and in order.
fn list_children(items: &mut [Item<'_>]) -> Vec<usize> {
    for index in 0..items.len() {
        if let Some(parent) = items[index].parent {
            items[parent].children += 1;
        }
    }
    let mut end = 0;
    for item in items.iter_mut() {
        item.first = end;
        end += item.children;
    }
    let mut list = vec![0; end];
    let mut filled = vec![0; items.len()];
    for (index, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent {
            list[items[parent].first + filled[parent]] = index;
            filled[parent] += 1;
        }
    }
    list
}
