//! Nodes of a text by their paths and places.

use std::collections::HashMap;

use kdl::{KdlDocument, KdlEntry, KdlNode};

use super::{NodePlace, end_of, named};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, bytes, quoted};
use crate::draft::{Draft, ItemKind};
use crate::keyword::SUBTREE;
use crate::source::Source;

/// A node of a text.
pub(super) struct Found<'d> {
    pub(super) node: &'d KdlNode,
    /// The property that is meant, where that is a node of its own: a guard.
    pub(super) guard: Option<&'d KdlEntry>,
}

/// Finds a node.
pub(super) fn find<'d>(
    source: &Source,
    document: &'d KdlDocument,
    drafts: &[Draft],
    included: &HashMap<String, Option<String>>,
    place: NodePlace<'_>,
) -> Result<Found<'d>, Diagnostics> {
    let (draft, index) = match place {
        NodePlace::Path { tree, path } => {
            let draft = named(source, drafts, tree)?;
            (draft, by_path(draft, drafts, included, path)?)
        }
        NodePlace::Offset(offset) => by_offset(document, drafts, offset).ok_or_else(|| {
            let at = source.position(offset);
            let message = format!("no node stands at line {}, column {}", at.line, at.column);
            Diagnostics::from(
                Diagnostic::new(source, offset..offset, Code::Edit.says(message)).with_help(
                    "name a place on the word, the arguments or the properties of a node of a tree",
                ),
            )
        })?,
    };
    let gone = || {
        let message = "the node cannot be found in the text";
        Diagnostics::from(Diagnostic::new(
            source,
            draft.span.clone(),
            Code::Edit.says(message),
        ))
    };
    let mut at = index;
    let item = draft.items.get(index).ok_or_else(gone)?;
    while let Some(item) = draft.items.get(at).filter(|item| item.guard) {
        at = item.children.first().copied().ok_or_else(gone)?;
    }
    let own = draft.items.get(at).ok_or_else(gone)?;
    let node = node_at(document, own.place.keyword.start).ok_or_else(gone)?;
    let guard = match item.guard {
        true => {
            let mut entries = node.entries().iter();
            let guard = entries.find(|entry| bytes(*entry) == item.place.keyword);
            Some(guard.ok_or_else(gone)?)
        }
        false => None,
    };
    Ok(Found { node, guard })
}

/// The one item with a path. Guards that are properties have a part of it, as in the tree; where no node has
/// such a path, also one without them.
fn by_path(
    draft: &Draft,
    drafts: &[Draft],
    included: &HashMap<String, Option<String>>,
    path: &str,
) -> Result<usize, Diagnostics> {
    let (mut found, mut without_guards) = (Vec::new(), Vec::new());
    // How far the path leads at all: where, and what is left of it.
    let mut nearest = (0, path);
    let mut pending = vec![(0, draft.name.escape_debug().to_string(), path, true)];
    while let Some((index, unnamed, rest, exact)) = pending.pop() {
        let Some(item) = draft.items.get(index) else {
            continue;
        };
        let own = match (&item.name, &item.kind) {
            _ if item.guard => None,
            (Some(name), _) => Some(name.as_str()),
            (None, ItemKind::Subtree(usage)) => {
                let used = drafts.iter().find(|draft| draft.name == usage.tree);
                let root = match used {
                    Some(used) => used.root_name(),
                    None => included.get(&usage.tree).and_then(Option::as_deref),
                };
                Some(root.unwrap_or(&usage.tree))
            }
            (None, ItemKind::Node(_)) => None,
        };
        if let (true, Some(&child)) = (item.guard, item.children.first()) {
            let number = unnamed.rsplit('-').next().unwrap_or("");
            let name = match index {
                0 => unnamed.clone(),
                _ => format!("{}-{number}", word(draft, child)),
            };
            pending.push((child, name, rest, false));
        }
        let segment = own.map_or(unnamed, |name| name.escape_debug().to_string());
        let Some(left) = rest.strip_prefix(segment.as_str()) else {
            continue;
        };
        if left.is_empty() {
            match exact {
                true => found.push(index),
                false => without_guards.push(index),
            }
            continue;
        }
        let Some(left) = left.strip_prefix('/') else {
            continue;
        };
        if left.len() < nearest.1.len() {
            nearest = (index, left);
        }
        for (at, &child) in item.children.iter().enumerate() {
            let name = format!("{}-{}", word(draft, child), at + 1);
            pending.push((child, name, left, exact));
        }
    }
    if found.is_empty() {
        // Of a chain of guards, the node is the last.
        without_guards.retain(|&index| !draft.items[index].guard);
        found = without_guards;
    }
    let source = &draft.source;
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let (index, left) = nearest;
            let item = draft.items.get(index);
            let at = item.map_or(draft.span.clone(), |item| item.place.keyword.clone());
            let message = format!("no node has the path {}", quoted(path));
            let error = Diagnostic::new(source, at, Code::Edit.says(message));
            Err(match item.map(|item| &item.kind) {
                Some(ItemKind::Subtree(usage)) if left != path => error.with_help(format!(
                    "it leads into tree {}, which is used here: change that tree",
                    quoted(&usage.tree)
                )),
                _ => error.with_help(format!("nothing here is called {}", quoted(left))),
            }
            .into())
        }
        [first, second, ..] => {
            let at = |index: &usize| draft.items[*index].place.keyword.clone();
            let message = format!("{} nodes have the path {}", found.len(), quoted(path));
            Err(
                Diagnostic::new(source, at(second), Code::Edit.says(message))
                    .with_note(source, at(first), "another one stands here")
                    .with_help("name the node by its place, or give it a name of its own")
                    .into(),
            )
        }
    }
}

/// The word of an item's node.
fn word(draft: &Draft, index: usize) -> &'static str {
    match draft.items.get(index).map(|item| &item.kind) {
        Some(ItemKind::Node(kind)) => kind.keyword(),
        _ => SUBTREE,
    }
}

/// The item on whose line of words a byte stands.
fn by_offset<'a>(
    document: &KdlDocument,
    drafts: &'a [Draft],
    offset: usize,
) -> Option<(&'a Draft, usize)> {
    let on = |node: &KdlNode| bytes(node).start <= offset && offset <= end_of(node);
    let mut pending: Vec<&KdlNode> = document.nodes().iter().collect();
    while let Some(node) = pending.pop() {
        if on(node) {
            let start = bytes(node).start;
            let item = drafts.iter().find_map(|draft| {
                let mut items = draft.items.iter();
                let at = items.position(|item| !item.guard && item.place.keyword.start == start)?;
                Some((draft, at))
            });
            if item.is_some() {
                return item;
            }
        }
        pending.extend(node.children().into_iter().flat_map(KdlDocument::nodes));
    }
    None
}

/// The node whose word begins there.
pub(super) fn node_at(document: &KdlDocument, start: usize) -> Option<&KdlNode> {
    let mut pending: Vec<&KdlNode> = document.nodes().iter().collect();
    while let Some(node) = pending.pop() {
        if bytes(node).start == start {
            return Some(node);
        }
        pending.extend(node.children().into_iter().flat_map(KdlDocument::nodes));
    }
    None
}
