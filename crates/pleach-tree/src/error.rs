//! What is wrong with a tree.

use std::fmt;

use pleach_shape::NodeId;

use crate::expr::Span;

/// How many problems are described; the others are only counted.
pub const MAX_PROBLEMS: usize = 500;

/// Why a tree does not compile: every problem found, in tree order, up to [`MAX_PROBLEMS`].
#[derive(Clone, PartialEq, Debug)]
pub struct CompileError {
    tree: String,
    problems: Vec<Problem>,
    omitted: usize,
}

/// One thing that is wrong with a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// The path of the node, or the name of the declaration.
    pub path: String,
    /// What was found and what was allowed.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Which part of a tree a problem is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// The tree as a whole.
    Tree,
    /// The column of that position.
    Column(usize),
    /// The world value of that position.
    World(usize),
    /// A node.
    Node(NodeId),
    /// A node's expression, and where in its text.
    Expr(NodeId, Span),
    /// A node's parameter of that position.
    Param(NodeId, usize),
    /// The branch of a switch of that position.
    Case(NodeId, usize),
}

impl CompileError {
    pub(crate) fn new(tree: &str, problems: Vec<Problem>, omitted: usize) -> CompileError {
        CompileError {
            tree: tree.to_owned(),
            problems,
            omitted,
        }
    }

    /// How many problems were found beyond those described.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// The problems, in tree order; at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// How many problems a message lists before it only counts the rest.
const LISTED: usize = 20;

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tree `{}` does not compile", self.tree.escape_debug())?;
        for problem in self.problems.iter().take(LISTED) {
            write!(f, "\n  {}: {}", problem.path, problem.message)?;
            if let Some(help) = &problem.help {
                write!(f, "\n    help: {help}")?;
            }
        }
        match self.problems.len().saturating_sub(LISTED) + self.omitted {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

impl std::error::Error for CompileError {}
