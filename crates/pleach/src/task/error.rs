//! What is wrong with a definition.

use std::fmt;

/// How many problems are described; the others are only counted.
pub(super) const MAX_PROBLEMS: usize = 500;

/// How many problems a message lists before it only counts the rest.
const LISTED: usize = 20;

/// Why a definition does not compile: every problem found, in the order of the tree, each with the path
/// of its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    pub(super) problems: Vec<Problem>,
    pub(super) omitted: usize,
}

/// One thing that is wrong with a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The node: from the root, names where there are, else the kind with the child's number under its
    /// parent, from 1.
    pub path: String,
    /// What was found and what was allowed.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl CompileError {
    /// Something that is wrong with the tree as a whole.
    pub(super) fn of_tree(problem: impl fmt::Display) -> CompileError {
        let problem = Problem {
            path: "the tree".into(),
            message: problem.to_string(),
            help: None,
        };
        CompileError {
            problems: vec![problem],
            omitted: 0,
        }
    }

    /// The problems, at least one; at most 500.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many problems were found beyond those.
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tree does not compile")?;
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
