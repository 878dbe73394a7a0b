//! What can be wrong with what a host asks of a population: small types, one a question.

use std::fmt;

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::{ColumnIndex, ValueType};

use crate::actor::ActorId;
use crate::results::NoSuchActor;

/// No more actors can be spawned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpawnError {
    /// The population holds as many actors as ids can tell apart.
    Full,
    /// The memory for another block of 512 actors, or for the list of their ids, could not be had.
    NoMemory {
        /// What a block takes.
        bytes: u64,
    },
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpawnError::Full => write!(f, "the population is full: it holds {} actors", u32::MAX),
            SpawnError::NoMemory { bytes } => {
                write!(
                    f,
                    "no memory for more actors ({BLOCK_LANES} share a block): {bytes} bytes"
                )
            }
        }
    }
}

impl std::error::Error for SpawnError {}

/// Why a column or world value cannot be had under that name and type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnError {
    name: String,
    asked: ValueType,
    found: Option<ValueType>,
    known: Vec<String>,
}

impl ColumnError {
    #[cold]
    pub(crate) fn new(
        name: &str,
        asked: ValueType,
        found: Option<ValueType>,
        known: Vec<String>,
    ) -> ColumnError {
        ColumnError {
            name: name.to_owned(),
            asked,
            found,
            known,
        }
    }
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found {
            Some(found) => write!(
                f,
                "`{}` is a {found}, asked for as {}",
                self.name, self.asked
            ),
            None if self.known.is_empty() => {
                write!(f, "there is no `{}`; the tree declares none", self.name)
            }
            None => write!(
                f,
                "there is no `{}`; declared are {}",
                self.name,
                self.known.join(", ")
            ),
        }
    }
}

impl std::error::Error for ColumnError {}

/// Why a column could not be read or written for an actor. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// The actor never was, or is despawned.
    NoSuchActor(ActorId),
    /// The key was asked of a shape with other columns.
    ForeignKey(ColumnIndex),
    /// The shape has no such column, or one of another type.
    WrongColumn {
        /// The column.
        column: ColumnIndex,
        /// The type asked for.
        asked: ValueType,
        /// The type it has here, if it exists.
        found: Option<ValueType>,
    },
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::NoSuchActor(actor) => NoSuchActor(*actor).fmt(f),
            AccessError::ForeignKey(column) => {
                write!(
                    f,
                    "the key of column {column} is of a shape with other columns"
                )
            }
            AccessError::WrongColumn {
                column,
                asked,
                found,
            } => match found {
                Some(found) => write!(f, "column {column} is a {found}, asked for as {asked}"),
                None => write!(f, "there is no column {column}"),
            },
        }
    }
}

impl std::error::Error for AccessError {}

impl From<NoSuchActor> for AccessError {
    fn from(error: NoSuchActor) -> AccessError {
        AccessError::NoSuchActor(error.0)
    }
}
