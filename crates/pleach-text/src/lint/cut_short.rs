//! Children of reactive parents that are stopped in the tick behind the one in which they began.

use pleach_tree::NodeKind;

use super::Tree;
use super::answers::Statuses;
use crate::diagnostic::{Code, Diagnostics, quoted, visible};
use crate::draft::ItemKind;
use crate::format::Format;

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
        "{} never runs longer than one tick: in the next one, {} in front begins anew, and it is stopped",
        tree.name(cut),
        tree.name(children[slow])
    );
    let note = "this begins anew in each tick, and takes more than one; while it runs, nothing behind it does";
    let help = help(tree, children[slow]);
    found.push(
        tree.warning(cut, Code::CutShort.says(message))
            .with_note(&tree.draft.source, tree.span(children[slow]), note)
            .with_help(help),
    );
}

/// What to do about a child that takes time where a test should be.
fn help(tree: &Tree<'_>, slow: usize) -> String {
    let xml = Format::of_path(tree.draft.source.name()) == Some(Format::Xml);
    let sequence = match xml {
        true => "`Sequence` or `Fallback`",
        false => "`sequence` or `selector`",
    };
    let otherwise = format!(
        "take a {sequence} for the reactive parent, which goes on where it was, or put what takes time last"
    );
    let Some(action) = first_action(tree, slow) else {
        return otherwise;
    };
    let at_once = match xml {
        true => format!(
            "say so in a file of `--parents`: `leaf {} is=\"task\"`",
            visible(&format!("{action:?}"))
        ),
        false => "write `task` for `action`".to_owned(),
    };
    format!(
        "if {} answers within its tick, {at_once}; else {otherwise}",
        quoted(action)
    )
}

/// The name of the first action of a node and those below.
fn first_action<'a>(tree: &Tree<'a>, index: usize) -> Option<&'a str> {
    let mut pending = vec![index];
    while let Some(index) = pending.pop() {
        let item = tree.item(index);
        if let ItemKind::Node(NodeKind::Action(call)) = &item.kind {
            return Some(&call.name);
        }
        pending.extend(item.children.iter().rev());
    }
    None
}
