//! Guards as properties of any node: `sequence when="armed" { … }`.

use pleach_shape::Op;
use pleach_tree::{Expr, NodeKind};

use super::{Entries, Reader};
use crate::diagnostic::{Code, bytes, quoted};
use crate::draft::{Draft, Item, ItemKind, ItemPlace};
use crate::keyword::{Keyword, keyword};

/// A decorator that asks an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    AbortWhen,
    While,
    DoneWhen,
    When,
}

impl Guard {
    /// From the outermost to the innermost, where a node has several.
    pub(crate) const ALL: [Guard; 4] =
        [Guard::AbortWhen, Guard::While, Guard::DoneWhen, Guard::When];

    pub(crate) const fn op(self) -> Op {
        match self {
            Guard::AbortWhen => Op::AbortWhen,
            Guard::While => Op::While,
            Guard::DoneWhen => Op::DoneWhen,
            Guard::When => Op::When,
        }
    }

    pub(crate) fn of(op: Op) -> Option<Guard> {
        Guard::ALL.into_iter().find(|guard| guard.op() == op)
    }

    pub(crate) const fn keyword(self) -> &'static str {
        self.op().keyword()
    }

    pub(super) fn kind(self, test: Expr) -> NodeKind {
        match self {
            Guard::AbortWhen => NodeKind::AbortWhen(test),
            Guard::While => NodeKind::While(test),
            Guard::DoneWhen => NodeKind::DoneWhen(test),
            Guard::When => NodeKind::When(test),
        }
    }

    /// The two ways to write its property.
    const fn properties(self) -> [&'static str; 2] {
        match self {
            Guard::AbortWhen => ["abort-when", "abort_when"],
            Guard::While => ["while", "while"],
            Guard::DoneWhen => ["done-when", "done_when"],
            Guard::When => ["when", "when"],
        }
    }
}

/// Whether a property of that name belongs to every node, so that a parameter of the name stands in
/// the node's block: a name, a guard, or a note of an editor.
pub(crate) fn is_reserved(property: &str) -> bool {
    property == "name"
        || property.starts_with('_')
        || Guard::ALL
            .into_iter()
            .any(|guard| guard.properties().contains(&property))
}

impl Reader<'_> {
    /// Takes a node's guards out of its properties, each an item around the next one, the last
    /// around the item that follows.
    pub(super) fn guards(&mut self, entries: &mut Entries<'_>, draft: &mut Draft) {
        let own = keyword(entries.node.name().value());
        for guard in Guard::ALL {
            let Some(entry) = entries.property_of(&guard.properties()) else {
                continue;
            };
            if let Some(again) = entries.property_of(&guard.properties()) {
                let message = format!("the guard {} is given twice", quoted(guard.keyword()));
                let help = "keep one, or join the expressions with `and` or `or`";
                self.wrong(bytes(again), Code::GivenTwice.says(message), Some(help));
            }
            if own == Some(Keyword::Node(guard.op())) {
                let message = format!(
                    "{} has itself as a guard, which makes two of it",
                    quoted(guard.keyword())
                );
                let help = "join the expressions with `and` or `or`";
                self.wrong(bytes(entry), Code::GivenTwice.says(message), Some(help));
                continue;
            }
            let mut place = ItemPlace {
                keyword: bytes(entry),
                bytes: bytes(entry).len(),
                ..ItemPlace::default()
            };
            let Some(test) = self.expr(entry, &mut place) else {
                continue;
            };
            let index = draft.items.len();
            draft.items.push(Item {
                guard: true,
                children: vec![index + 1],
                ..Item::new(ItemKind::Node(guard.kind(test)), place)
            });
        }
    }
}
