//! From compound nodes to those that kernels know.
//!
//! A compound node ([`Compound`](crate::Compound)) becomes a few plain ones, with columns of their own for
//! what it has to remember; so kernels need not know it, and trees without any pay nothing. What a node
//! becomes carries its id: in a shape, a token with the id of its parent is a part of that.
//!
//! Nor do kernels know that children may be *skipped* (K1): where an answer "skipped" leads to is known
//! here, for each node. Its parent says what the node shall answer in that place ([`Skipped`]): Success
//! below a Sequence, which then goes on, Failure below a Selector. Where nobody can tell the two apart
//! afterwards and somebody has to (all children of a composite were skipped; below a Succeeder that stands
//! in a Selector), the skipped ones are counted in a column ([`skip`]).
//!
//! Nodes are rewritten in place, parents before their children, in one pass and without recursion.

mod effect;
mod place;
mod skip;

use pleach_shape::{NodeId, Value};

use crate::compound::Compound;
use crate::expr::{Expr, col};
use crate::kind::NodeKind;
use crate::tree::{Column, Node, Tree};

use self::skip::Skipped;
pub(super) use self::skip::may_skip;

/// The most children of a node that keeps a place among them: it is a `u16`.
pub(super) const MAX_PLACES: usize = u16::MAX as usize;

/// A tree without compound nodes.
pub(super) struct Expanded {
    pub(super) tree: Tree,
    /// Of each of its nodes: the node of the tree as it was that it is, or is a part of.
    pub(super) owners: Vec<NodeId>,
}

/// Rewrites a tree's compound nodes; none if it has none. The tree's compound nodes must have as many
/// children as they need.
pub(super) fn expand(tree: &Tree) -> Option<Expanded> {
    tree.nodes().find_map(|node| node.kind.compound())?;
    let mut expander = Expander::new(tree);
    for index in 0..tree.len() {
        expander.node(NodeId(index as u32));
    }
    expander.keep_paths(tree);
    let Expander {
        tree,
        owners,
        columns,
        ..
    } = expander;
    Some(Expanded {
        tree: tree.with_inner_columns(columns),
        owners,
    })
}

pub(super) struct Expander {
    tree: Tree,
    owners: Vec<NodeId>,
    /// Those that the tree has beside its own.
    columns: Vec<Column>,
    /// Of each node of the original tree: whether it may be skipped.
    may_skip: Vec<bool>,
    /// Of each node of the original tree: what it answers when it is.
    skipped: Vec<Skipped>,
}

impl Expander {
    fn new(tree: &Tree) -> Expander {
        Expander {
            tree: tree.clone(),
            owners: (0..tree.len() as u32).map(NodeId).collect(),
            columns: Vec::new(),
            may_skip: may_skip(tree),
            // A tree that is skipped has succeeded (K1).
            skipped: vec![Skipped::SUCCESS; tree.len()],
        }
    }

    fn node(&mut self, id: NodeId) {
        let Some(compound) = self.get(id).kind.compound() else {
            return self.plain(id);
        };
        match compound {
            Compound::SkipIf => self.skip_if(id),
            Compound::SkipUnless => self.skip_unless(id),
            Compound::SuccessIf => self.success_if(id),
            Compound::RunOnceThenSkip => self.run_once(id, true),
            Compound::OnSuccess => self.on_success(id),
            Compound::OnFailure => self.on_failure(id),
            Compound::OnFinish => self.on_finish(id),
            Compound::OnHalted => self.on_halted(id),
            Compound::KeepSequence => self.keep_sequence(id),
            Compound::PipelineSequence => self.pipeline_sequence(id),
            Compound::RoundRobin => self.round_robin(id),
            Compound::Recovery => self.recovery(id),
            Compound::RateController => self.rate_controller(id),
        }
    }

    /// Paths stay what they are: a node without a name whose keyword has changed is called what it was.
    fn keep_paths(&mut self, tree: &Tree) {
        for parent in tree.nodes() {
            for (number, &child) in (1u32..).zip(&parent.children) {
                let was = tree.node_at(child);
                let is = self.get_mut(child);
                if was.name.is_none() && was.kind.keyword() != is.kind.keyword() {
                    is.name = Some(format!("{}-{number}", was.kind.keyword()));
                }
            }
        }
    }

    fn get(&self, id: NodeId) -> &Node {
        self.tree.node_at(id)
    }

    fn get_mut(&mut self, id: NodeId) -> &mut Node {
        self.tree.node_at_mut(id)
    }

    /// A new part of a node.
    fn part<const N: usize>(
        &mut self,
        owner: NodeId,
        kind: NodeKind,
        children: [NodeId; N],
    ) -> NodeId {
        self.part_of(owner, kind, children.to_vec())
    }

    fn part_of(&mut self, owner: NodeId, kind: NodeKind, children: Vec<NodeId>) -> NodeId {
        self.owners.push(owner);
        self.tree.add_node(kind, children)
    }

    /// What a node is, with its children, as a new part of it: so that the node itself can become a
    /// parent of that.
    fn core(&mut self, id: NodeId) -> NodeId {
        let node = self.get_mut(id);
        let kind = std::mem::replace(&mut node.kind, NodeKind::Fail);
        let children = std::mem::take(&mut node.children);
        self.part_of(id, kind, children)
    }

    /// What a node becomes.
    fn becomes<const N: usize>(&mut self, id: NodeId, kind: NodeKind, children: [NodeId; N]) {
        let node = self.get_mut(id);
        node.kind = kind;
        node.children = children.to_vec();
    }

    /// The only child of a decorator.
    fn child(&self, id: NodeId) -> NodeId {
        self.get(id).children.first().copied().unwrap_or(id)
    }

    /// A column for a node: what it remembers for each actor. Gives its name.
    fn column(&mut self, owner: NodeId, what: &str, default: Value) -> String {
        // No column of a tree can have such a name, and no other node's.
        let name = format!("@{}.{what}", owner.0);
        self.columns.push(Column {
            name: name.clone(),
            default,
            labels: Vec::new(),
        });
        name
    }

    fn set(&mut self, owner: NodeId, column: &str, value: impl Into<Expr>) -> NodeId {
        let (column, value) = (column.to_owned(), value.into());
        self.part(owner, NodeKind::Set { column, value }, [])
    }

    /// Adds one to a column.
    fn count(&mut self, owner: NodeId, column: &str) -> NodeId {
        self.set(owner, column, col(column).plus(1))
    }

    fn test(&mut self, owner: NodeId, test: Expr) -> NodeId {
        self.part(owner, NodeKind::Condition(test), [])
    }
}
