//! Names that begin with `@`, which belong to what compound nodes become.

use super::Compiler;
use crate::error::{Place, ProblemKind};
use crate::expr::{Expr, ExprKind};
use crate::kind::{NodeKind, ParameterValue};

const HELP: &str = "names that begin with `@` belong to compound nodes: take another one";

impl Compiler<'_> {
    /// Refuses such names in the tree as it was given. Later they could no longer be told from those that
    /// compound nodes have: a Set would change what a node remembers, and no host would hear of a task.
    pub(super) fn inner_names(&mut self) {
        let tree = self.original;
        for node in tree.nodes() {
            let id = node.id;
            let named = match &node.kind {
                NodeKind::Switch { on, .. } => Some(on.as_str()),
                kind => kind.written(),
            };
            if let Some(name) = named.filter(|name| is_inner(name)) {
                self.inner_column(Place::Node(id), name);
            }
            let mut pending: Vec<&Expr> = node.kind.expr().into_iter().collect();
            while let Some(expr) = pending.pop() {
                match &expr.kind {
                    ExprKind::Name(name) if is_inner(name) => {
                        self.inner_column(Place::Expr(id, expr.span.clone()), name);
                    }
                    ExprKind::Unary(_, inner) => pending.push(inner),
                    ExprKind::Binary(_, left, right) => pending.extend([&**right, &**left]),
                    _ => {}
                }
            }
            let Some(call) = node.kind.call() else {
                continue;
            };
            if matches!(node.kind, NodeKind::Task(_) | NodeKind::Query(_)) && is_inner(&call.name) {
                let message = format!("`{}` cannot name a function", call.name);
                self.at_node(id, message, Some(HELP.into()))
                    .kind(ProblemKind::BadName);
            }
            for (position, param) in call.params.iter().enumerate() {
                if let ParameterValue::Name(name) = &param.value
                    && is_inner(name)
                {
                    self.inner_column(Place::Param(id, position), name);
                }
            }
        }
    }

    fn inner_column(&mut self, place: Place, name: &str) {
        let message = format!("unknown column or world value `{name}`");
        self.problem(place, "", message, Some(HELP.into()))
            .kind(ProblemKind::UnknownName);
    }
}

fn is_inner(name: &str) -> bool {
    name.starts_with('@')
}
