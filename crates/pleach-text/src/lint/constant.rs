//! Tests that read nothing.

use pleach_tree::{Expr, ExprKind};

use super::Tree;
use super::answers::truth;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::draft::ItemKind;

pub(super) fn check(tree: &Tree<'_>, index: usize, found: &mut Diagnostics) {
    let item = tree.item(index);
    let (ItemKind::Node(kind), Some(place)) = (&item.kind, &item.place.expr) else {
        return;
    };
    let Some(test) = kind.expr() else { return };
    // What is written may well be a constant.
    if kind.written().is_some() || reads(test) {
        return;
    }
    let message = match truth(test) {
        Some(value) => format!("this test is always {value}"),
        None => "this test always says the same: it reads no column and no world value".to_owned(),
    };
    let help = "test something that changes, or take the test away";
    let warning = Diagnostic::new(
        &tree.draft.source,
        place.span.clone(),
        Code::ConstantTest.says(message),
    );
    found.push(warning.with_help(help));
}

/// Whether an expression reads a name: a column, a world value or a parameter.
fn reads(expr: &Expr) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Invalid(..) => return true,
            ExprKind::Unary(_, inner) => pending.push(inner),
            ExprKind::Binary(_, left, right) => pending.extend([&**left, &**right]),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) => {}
        }
    }
    false
}
