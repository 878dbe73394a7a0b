//! Children of reactive parents that are stopped in the tick behind the one in which they began.

use pleach_tree::NodeKind;

use super::Tree;
use super::answers::Statuses;
use crate::diagnostic::{Code, Diagnostics};
use crate::draft::ItemKind;

pub(super) fn check(tree: &Tree<'_>, index: usize, found: &mut Diagnostics) {
    let item = tree.item(index);
    let ItemKind::Node(kind) = &item.kind else {
        return;
    };
    match kind {
        NodeKind::ReactiveSequence => row(tree, &item.children, Statuses::GOOD, found),
        NodeKind::ReactiveSelector => row(tree, &item.children, Statuses::BAD, found),
        NodeKind::WhileDoElse => {
            let [test, branches @ ..] = item.children.as_slice() else {
                return;
            };
            for (&branch, pass) in branches.iter().zip([Statuses::SUCCESS, Statuses::BAD]) {
                row(tree, &[*test, branch], pass, found);
            }
        }
        _ => {}
    }
}

/// Children of which the next one is reached where one answers any of `pass`.
fn row(tree: &Tree<'_>, children: &[usize], pass: Statuses, found: &mut Diagnostics) {
    // It lets others begin in the end, but never in the tick in which it starts.
    let slow = children.iter().position(|&child| {
        let answers = tree.answers(child);
        answers.all().has(pass) && !answers.first.has(pass)
    });
    let Some(slow) = slow else { return };
    let cut = children[slow + 1..].iter().find(|&&child| {
        let answers = tree.answers(child);
        answers.works && answers.all().has(Statuses::RUNNING)
    });
    let Some(&cut) = cut else { return };
    let message = format!(
        "{} is stopped in the tick behind the one in which it began",
        tree.name(cut)
    );
    let note = format!(
        "{} begins anew in each tick, and always takes more than one",
        tree.name(children[slow])
    );
    let help = "use a parent that is not reactive, or put tests in front and one child that takes time last";
    found.push(
        tree.warning(cut, Code::CutShort.says(message))
            .with_note(&tree.draft.source, tree.span(children[slow]), note)
            .with_help(help),
    );
}
