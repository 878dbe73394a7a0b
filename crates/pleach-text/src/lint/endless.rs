//! Loops that go round for ever, and nothing comes of it.

use pleach_tree::NodeKind;

use super::Tree;
use super::answers::Statuses;
use crate::diagnostic::{Code, Diagnostics};
use crate::draft::ItemKind;

pub(super) fn check(tree: &Tree<'_>, index: usize, found: &mut Diagnostics) {
    let item = tree.item(index);
    let (ItemKind::Node(kind), [child]) = (&item.kind, item.children.as_slice()) else {
        return;
    };
    let loops = matches!(
        kind,
        NodeKind::Repeat { .. }
            | NodeKind::RepeatUntilFailure { .. }
            | NodeKind::RepeatUntilSuccess { .. }
    );
    let ends = Statuses::GOOD | Statuses::FAILURE;
    let inner = tree.answers(*child);
    if !loops
        || tree.answers(index).all().has(ends)
        || inner.all().has(Statuses::RUNNING)
        || inner.acts
    {
        return;
    }
    let message = format!(
        "{} goes round once a tick for ever, and nothing comes of it",
        tree.name(index)
    );
    let help =
        "write `idle` to wait for ever, or give it a number of times or a child that can end it";
    found.push(
        tree.warning(index, Code::EndlessLoop.says(message))
            .with_help(help),
    );
}
