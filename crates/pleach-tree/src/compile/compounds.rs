//! What compound nodes need, before they become others.

use pleach_shape::Role;

use super::expand::{MAX_PLACES, may_skip};
use super::{Compiler, a};
use crate::error::ProblemKind;
use crate::kind::{NodeKind, Threshold};
use crate::tree::Node;

impl Compiler<'_> {
    /// Checks what could not be said about the nodes that compound ones become.
    pub(super) fn compounds(&mut self) {
        let tree = self.original;
        if tree.nodes().all(|node| node.kind.compound().is_none()) {
            return;
        }
        for node in tree.nodes().filter(|node| node.kind.compound().is_some()) {
            self.compound(node);
        }
        let may_skip = may_skip(tree);
        for node in tree.nodes() {
            let NodeKind::Parallel {
                success: Threshold::Count(_),
                ..
            } = node.kind
            else {
                continue;
            };
            for child in node.children.iter().filter_map(|&child| tree.node(child)) {
                let below = child.children.first().map_or(0, |below| below.0 as usize);
                let waits = matches!(child.kind, NodeKind::SkipIf(_) | NodeKind::SkipUnless(_))
                    && !may_skip[below];
                if may_skip[child.id.0 as usize] && !waits {
                    let message = "a parallel that needs a number of successes cannot tell when this child is skipped";
                    let help = "skip it by a `skip-if` or `skip-unless` right below the parallel, or let the \
                                parallel need all";
                    self.at_node(child.id, message.into(), Some(help.into()))
                        .kind(ProblemKind::Threshold);
                }
            }
        }
    }

    fn compound(&mut self, node: &Node) {
        let count = node.children.len();
        let what = a(node.kind.keyword());
        if let Some(param) = &node.stray_param {
            let message = format!("{what} takes no parameter `{param}`");
            self.at_node(node.id, message, None)
                .kind(ProblemKind::StrayParameter);
        }
        if let NodeKind::RateController(time) = node.kind {
            // Where it is not the child of a pipeline, nothing is left of it that has the time.
            self.micros(node.id, time);
        }
        match (&node.kind, node.kind.role()) {
            (NodeKind::Recovery { .. }, _) if count != 2 => {
                let message = format!("{what} needs exactly two children, found {count}");
                let help = "the first is what may fail, the second what helps then";
                self.at_node(node.id, message, Some(help.into()))
                    .kind(ProblemKind::Children);
            }
            (_, Role::Decorator) if count != 1 => {
                let message = format!("{what} needs exactly one child, found {count}");
                let help =
                    (count > 1).then(|| "put the children under a sequence or selector".into());
                self.at_node(node.id, message, help)
                    .kind(ProblemKind::Children);
            }
            (_, Role::Composite) if count == 0 => {
                let message = format!("{what} needs at least one child");
                let help = "give it a child, or use `succeed` or `fail` in its place";
                self.at_node(node.id, message, Some(help.into()))
                    .kind(ProblemKind::Children);
            }
            (NodeKind::KeepSequence | NodeKind::RoundRobin, _) if count > MAX_PLACES => {
                let message = format!("{what} has {count} children, allowed are {MAX_PLACES}");
                let help = "put some of them under another one";
                self.at_node(node.id, message, Some(help.into()))
                    .kind(ProblemKind::Limit);
            }
            _ => {}
        }
    }
}
