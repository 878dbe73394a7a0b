//! Why a colony could not be founded or go on.

use std::fmt;

use pleach_text::Diagnostics;
use pleach_vm::table::{RuleError, TableError};
use pleach_vm::{AccessError, NoSuchActor, ResultError, SpawnError};

use crate::scenario::OutOfRange;

/// Why a colony could not be founded, or go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ColonyError {
    /// A number is out of range.
    Settings(OutOfRange),
    /// A tree is wrong.
    Tree(Box<Diagnostics>),
    /// A tree has no action that the colony carries out.
    NoAction {
        /// The tree's name.
        tree: String,
        /// The action's name.
        action: &'static str,
    },
    /// A tree lacks a node, column or world value that rules need, or has what nobody in a colony answers.
    Unfit {
        /// The tree's name.
        tree: String,
        /// What is wrong with it.
        why: String,
    },
    /// A table was not there. This is a bug in Pleach.
    Table(TableError),
    /// There is no room for another actor.
    Spawn(SpawnError),
    /// What rules found was not taken. This is a bug in Pleach.
    Rule(RuleError),
    /// A result was not taken. This is a bug in Pleach.
    Result(ResultError),
    /// The threads could not be started.
    Threads(rayon::ThreadPoolBuildError),
}

impl fmt::Display for ColonyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColonyError::Settings(error) => error.fmt(f),
            ColonyError::Tree(error) => error.fmt(f),
            ColonyError::NoAction { tree, action } => write!(
                f,
                "tree \"{}\" has no action \"{action}\", which the colony carries out",
                tree.escape_debug()
            ),
            ColonyError::Unfit { tree, why } => {
                let tree = tree.escape_debug();
                write!(f, "tree \"{tree}\" does not fit the colony: {why}")
            }
            ColonyError::Table(error) => error.fmt(f),
            ColonyError::Spawn(error) => write!(f, "an actor could not be added: {error}"),
            ColonyError::Rule(error) => error.fmt(f),
            ColonyError::Result(error) => error.fmt(f),
            ColonyError::Threads(error) => write!(f, "the threads could not be started: {error}"),
        }
    }
}

impl std::error::Error for ColonyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ColonyError::Spawn(error) => Some(error),
            ColonyError::Threads(error) => Some(error),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($error:ty => $variant:ident;)*) => {$(
        impl From<$error> for ColonyError {
            fn from(error: $error) -> ColonyError {
                ColonyError::$variant(error)
            }
        }
    )*};
}
from! {
    OutOfRange => Settings;
    TableError => Table;
    SpawnError => Spawn;
    RuleError => Rule;
    ResultError => Result;
    rayon::ThreadPoolBuildError => Threads;
}

impl From<AccessError> for ColonyError {
    fn from(error: AccessError) -> ColonyError {
        ColonyError::Rule(RuleError::Access(error))
    }
}

impl From<NoSuchActor> for ColonyError {
    fn from(error: NoSuchActor) -> ColonyError {
        AccessError::from(error).into()
    }
}

impl From<Diagnostics> for ColonyError {
    fn from(error: Diagnostics) -> ColonyError {
        ColonyError::Tree(Box::new(error))
    }
}
