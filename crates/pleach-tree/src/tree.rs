//! The tree: an arena of nodes, so that neither depth nor dropping costs stack.

use pleach_shape::{MAX_PATH_SEGMENTS, NodeId, Value};

use crate::kind::NodeKind;
use crate::node::NodeDef;

/// A behavior tree with its blackboard and the world values it reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    name: String,
    columns: Vec<Column>,
    world: Vec<WorldValue>,
    /// Indexed by `NodeId`; depth first as built.
    nodes: Vec<Node>,
    root: NodeId,
}

/// A blackboard column: each actor has a value of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Name used in expressions and parameters.
    pub name: String,
    /// What a new actor starts with; gives the type.
    pub default: Value,
    /// Of an enumeration, whose type is `u8`: what its values 0, 1, 2… are called. Else empty.
    pub labels: Vec<String>,
}

/// A world value: shared by all actors.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldValue {
    /// Name used in expressions and parameters.
    pub name: String,
    /// What it is until somebody sets it; gives the type.
    pub default: Value,
    /// Of an enumeration, whose type is `u8`: what its values 0, 1, 2… are called. Else empty.
    pub labels: Vec<String>,
}

/// A node of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its identity.
    pub id: NodeId,
    /// What it does.
    pub kind: NodeKind,
    /// A name for people: shown in paths and reports.
    pub name: Option<String>,
    /// Its parent; the root has none.
    pub parent: Option<NodeId>,
    /// Its children, in order.
    pub children: Vec<NodeId>,
    /// A parameter that was given to a kind of node that takes none.
    pub(crate) stray_param: Option<String>,
}

/// Whether a text can name a column, world value or parameter: a letter or `_`, then letters,
/// digits, `_` and `.`, and none of the words that expressions use.
pub fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    first
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
        && !is_expression_word(text)
}

/// Whether a text is one of the words that expressions use, so that it can name nothing in a tree.
pub fn is_expression_word(text: &str) -> bool {
    matches!(text, "true" | "false" | "and" | "or" | "not")
}

/// Collects what a tree declares; [`root`](TreeBuilder::root) finishes it.
#[derive(Clone, Debug)]
pub struct TreeBuilder {
    name: String,
    columns: Vec<Column>,
    world: Vec<WorldValue>,
}

impl TreeBuilder {
    /// Declares a blackboard column; the default gives its type.
    pub fn column(mut self, name: impl Into<String>, default: impl Into<Value>) -> TreeBuilder {
        self.columns.push(Column {
            name: name.into(),
            default: default.into(),
            labels: Vec::new(),
        });
        self
    }

    /// Declares a blackboard column that is an enumeration: a `u8` whose values 0, 1, 2… have names.
    /// It starts with the first one. Expressions compare it with `name.label`, a Switch with labels.
    pub fn enumeration<L: Into<String>>(
        mut self,
        name: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> TreeBuilder {
        self.columns.push(Column {
            name: name.into(),
            default: Value::U8(0),
            labels: labels.into_iter().map(L::into).collect(),
        });
        self
    }

    /// Declares a world value that is an enumeration; see [`enumeration`](TreeBuilder::enumeration).
    pub fn world_enumeration<L: Into<String>>(
        mut self,
        name: impl Into<String>,
        labels: impl IntoIterator<Item = L>,
    ) -> TreeBuilder {
        self.world.push(WorldValue {
            name: name.into(),
            default: Value::U8(0),
            labels: labels.into_iter().map(L::into).collect(),
        });
        self
    }

    /// Declares columns as another tree has them.
    pub fn with_columns(mut self, columns: impl IntoIterator<Item = Column>) -> TreeBuilder {
        self.columns.extend(columns);
        self
    }

    /// Declares world values as another tree has them.
    pub fn with_world(mut self, world: impl IntoIterator<Item = WorldValue>) -> TreeBuilder {
        self.world.extend(world);
        self
    }

    /// Declares a world value; the default gives its type.
    pub fn world(mut self, name: impl Into<String>, default: impl Into<Value>) -> TreeBuilder {
        self.world.push(WorldValue {
            name: name.into(),
            default: default.into(),
            labels: Vec::new(),
        });
        self
    }

    /// Takes the nodes and numbers them depth first.
    pub fn root(self, root: NodeDef) -> Tree {
        let mut nodes: Vec<Node> = Vec::new();
        // Definitions still to be numbered, with their parent; the last one is next.
        let mut pending: Vec<(NodeDef, Option<NodeId>)> = vec![(root, None)];
        while let Some((mut def, parent)) = pending.pop() {
            let id = NodeId(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
            let children = def.take_children();
            if let Some(parent) = parent {
                nodes[parent.0 as usize].children.push(id);
            }
            nodes.push(Node {
                id,
                kind: def.take_kind(),
                name: def.take_name(),
                parent,
                children: Vec::with_capacity(children.len()),
                stray_param: def.take_stray_param(),
            });
            pending.extend(children.into_iter().rev().map(|child| (child, Some(id))));
        }
        Tree {
            name: self.name,
            columns: self.columns,
            world: self.world,
            nodes,
            root: NodeId(0),
        }
    }
}

impl Tree {
    /// Starts a tree of that name.
    pub fn build(name: impl Into<String>) -> TreeBuilder {
        TreeBuilder {
            name: name.into(),
            columns: Vec::new(),
            world: Vec::new(),
        }
    }

    /// The tree's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Blackboard columns, in declared order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// World values, in declared order.
    pub fn world(&self) -> &[WorldValue] {
        &self.world
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node that is known to be there.
    pub(crate) fn node_at(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_at_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// Adds a node that has no parent yet.
    pub(crate) fn add_node(&mut self, kind: NodeKind, children: Vec<NodeId>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            id,
            kind,
            name: None,
            parent: None,
            children,
            stray_param: None,
        });
        id
    }

    /// Adds columns behind the tree's own.
    pub(crate) fn with_inner_columns(mut self, columns: Vec<Column>) -> Tree {
        self.columns.extend(columns);
        self
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// All nodes, parents before their children, children in order.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        let mut pending = vec![self.root];
        std::iter::from_fn(move || {
            let node = self.node(pending.pop()?)?;
            pending.extend(node.children.iter().rev());
            Some(node)
        })
    }

    /// A node's path from the root, as a shape gives it too: names where there are, else the
    /// keyword with the child's number under its parent.
    pub fn path(&self, id: NodeId) -> String {
        let mut segments: Vec<String> = Vec::new();
        let mut at = self.node(id);
        while let Some(node) = at {
            if segments.len() == MAX_PATH_SEGMENTS {
                segments.push("…".into());
                break;
            }
            let parent = node.parent.and_then(|parent| self.node(parent));
            segments.push(match (&node.name, parent) {
                (Some(name), _) => name.escape_debug().to_string(),
                (None, None) => self.name.escape_debug().to_string(),
                (None, Some(parent)) => {
                    let number = parent.children.iter().position(|&child| child == node.id);
                    format!("{}-{}", node.kind.keyword(), number.unwrap_or(0) + 1)
                }
            });
            at = parent;
        }
        segments.reverse();
        segments.join("/")
    }
}
