//! Children that are never reached.

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
    let pass = match kind {
        NodeKind::Sequence
        | NodeKind::ReactiveSequence
        | NodeKind::KeepSequence
        | NodeKind::PipelineSequence => Statuses::GOOD,
        NodeKind::Selector | NodeKind::ReactiveSelector => Statuses::BAD,
        // The first failure ends the visit; whoever runs does not.
        NodeKind::Concurrent => Statuses::GOOD | Statuses::RUNNING,
        NodeKind::IfThenElse | NodeKind::WhileDoElse => {
            return branches(tree, index, found);
        }
        _ => return,
    };
    let blocks = |&&child: &&usize| !tree.answers(child).all().has(pass);
    let Some(&blocking) = item.children.iter().find(blocks) else {
        return;
    };
    let behind = item.children.iter().skip_while(|&&child| child != blocking);
    let behind: Vec<usize> = behind.skip(1).copied().collect();
    let [first, others @ ..] = behind.as_slice() else {
        return;
    };
    tell(tree, blocking, *first, others.len(), found);
}

/// The branches of an if or while, each of which needs another answer of the test.
fn branches(tree: &Tree<'_>, index: usize, found: &mut Diagnostics) {
    let [test, branches @ ..] = tree.item(index).children.as_slice() else {
        return;
    };
    let answers = tree.answers(*test).all();
    for (&branch, needs) in branches.iter().zip([Statuses::SUCCESS, Statuses::BAD]) {
        if !answers.has(needs) {
            tell(tree, *test, branch, 0, found);
        }
    }
}

fn tell(tree: &Tree<'_>, blocking: usize, child: usize, others: usize, found: &mut Diagnostics) {
    let answers = tree.answers(blocking).all();
    let why = match (
        answers.has(Statuses::SUCCESS),
        answers.has(Statuses::FAILURE),
    ) {
        (true, false) => "never fails",
        (false, true) => "never succeeds",
        _ => "never ends",
    };
    let more = match others {
        0 => String::new(),
        1 => ", nor is the one behind it".to_owned(),
        others => format!(", nor are the {others} behind it"),
    };
    let message = format!("{} is never reached{more}", tree.name(child));
    let note = format!("{} {why}", tree.name(blocking));
    let help = "take away one of the two, or put the one that always goes last behind all others";
    found.push(
        tree.warning(child, Code::Unreachable.says(message))
            .with_note(&tree.draft.source, tree.span(blocking), note)
            .with_help(help),
    );
}
