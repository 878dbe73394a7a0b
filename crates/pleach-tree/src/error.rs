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
    /// What kind of mistake it is.
    pub kind: ProblemKind,
    /// Where.
    pub place: Place,
    /// The path of the node, or the name of the declaration.
    pub path: String,
    /// What was found and what was allowed.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// What kind of mistake a problem is, for who tells of it in other words or explains it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A name that nothing can have, or none at all.
    BadName,
    /// Something that is declared or given twice.
    Twice,
    /// More than is allowed of something, or something longer or deeper.
    Limit,
    /// A number or time that is out of range, or not finite.
    OutOfRange,
    /// A node with too many children, or too few.
    Children,
    /// A parameter on a node that takes none.
    StrayParameter,
    /// A name that is not declared.
    UnknownName,
    /// A Parallel's threshold that its children cannot meet.
    Threshold,
    /// Branches of a Switch that do not go together, or a value that nothing can be compared with.
    Branches,
    /// A case that the value of its Switch can never be.
    Case,
    /// An enumeration whose labels do not fit.
    Enumeration,
    /// A Set of something that cannot be set.
    SetTarget,
    /// A text that is no expression.
    Syntax,
    /// A function that there is not, or its number of arguments.
    Function,
    /// Operands or a result of types that do not fit.
    Types,
    /// Anything else.
    #[default]
    Other,
}

/// A problem that was noted, unless there were too many.
pub(crate) struct Noted<'a>(pub(crate) Option<&'a mut Problem>);

impl Noted<'_> {
    /// Says what kind it is.
    pub(crate) fn kind(self, kind: ProblemKind) {
        if let Some(problem) = self.0 {
            problem.kind = kind;
        }
    }
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
