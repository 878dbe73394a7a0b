//! Why a node's table cannot be had.

use std::fmt;

use pleach_shape::{Op, TokenIndex};

/// Why a node's table cannot be had. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableError {
    /// No node has that name.
    Unknown {
        /// The name asked for.
        name: String,
        /// The paths of the first nodes.
        known: Vec<String>,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Several nodes have that name.
    Ambiguous {
        /// The name asked for.
        name: String,
        /// The paths of the first that have it.
        paths: Vec<String>,
        /// How many have it.
        nodes: usize,
    },
    /// The stream is not that long.
    NoSuchNode {
        /// The node asked for.
        node: TokenIndex,
        /// How many there are.
        nodes: usize,
    },
    /// The key was asked of a shape with other nodes.
    ForeignKey(TokenIndex),
    /// Nobody watches the node.
    NotWatched {
        /// The node's path.
        path: String,
    },
    /// The node has no one child at a time: it is a leaf, a Parallel or a Concurrent.
    NoChooser {
        /// The node's path.
        path: String,
        /// What it is.
        op: Option<Op>,
    },
    /// The memory for its planes could not be had.
    NoMemory {
        /// What a block's planes take.
        bytes: u64,
    },
}

/// A list, of which only the beginning is shown.
fn some_of(list: &[String], all: usize) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = list
        .iter()
        .take(SHOWN)
        .map(|path| format!("`{path}`"))
        .collect();
    let mut text = shown.join(", ");
    if all > shown.len() {
        text += &format!(" and {} more", all - shown.len());
    }
    text
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Unknown { name, known, nodes } => {
                let name = name.escape_debug();
                let some = some_of(known, *nodes);
                write!(f, "there is no node `{name}`; there are {some}")
            }
            TableError::Ambiguous { name, paths, nodes } => {
                let (name, count) = (name.escape_debug(), nodes);
                let some = some_of(paths, *nodes);
                write!(
                    f,
                    "{count} nodes are called `{name}`: {some}; say which by more of its path, with a `/` before \
                     a whole one, or by its place with `watch_node`"
                )
            }
            TableError::NoSuchNode { node, nodes } => {
                write!(f, "there is no node {}: the tree has {nodes}", node.0)
            }
            TableError::ForeignKey(node) => {
                write!(
                    f,
                    "the key of node {} is of a tree with other nodes",
                    node.0
                )
            }
            TableError::NotWatched { path } => {
                write!(f, "nobody watches `{path}`; call `watch` before the tick")
            }
            TableError::NoChooser { path, op } => {
                let op = op.map_or("node", Op::keyword);
                write!(
                    f,
                    "`{path}` ({op}) does not run one child at a time, so it selects none"
                )
            }
            TableError::NoMemory { bytes } => {
                write!(
                    f,
                    "no memory for the planes of watched nodes: {bytes} bytes a block"
                )
            }
        }
    }
}

impl std::error::Error for TableError {}
