//! Results in: what action systems tell the trees.

use std::fmt;

use pleach_shape::SlotIndex;

use crate::actor::ActorId;

/// How a deferred action ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It did what it should.
    Success,
    /// It could not.
    Failure,
    /// Its system could not carry it out: Failure for the tree, and listed with this code in the
    /// next tick's report (L5).
    Error(u32),
}

/// One entry of a queue of results.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResultRecord {
    /// Whose action.
    pub actor: ActorId,
    /// Which action: a request says.
    pub slot: SlotIndex,
    /// How it ended.
    pub outcome: Outcome,
}

/// There is no such actor: it never was, or is despawned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchActor(pub ActorId);

impl fmt::Display for NoSuchActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {}: it never was, or is despawned", self.0)
    }
}

impl std::error::Error for NoSuchActor {}

/// Why a result was not taken. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultError {
    /// The actor never was, or is despawned.
    NoSuchActor(ActorId),
    /// The shape has no such slot.
    NoSuchSlot {
        /// The slot asked for.
        slot: SlotIndex,
        /// How many there are.
        slots: u32,
    },
    /// The population has no such block.
    NoSuchBlock {
        /// The block asked for.
        block: usize,
        /// How many there are.
        blocks: usize,
    },
    /// The actor has not requested the action, or it was cancelled since: a late result.
    NotOutstanding(ActorId, SlotIndex),
    /// A result is already in; the first one counts.
    AlreadyAnswered(ActorId, SlotIndex),
}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResultError::NoSuchActor(actor) => NoSuchActor(*actor).fmt(f),
            ResultError::NoSuchSlot { slot, slots } => {
                write!(f, "there is no slot {slot}, the shape has {slots}")
            }
            ResultError::NoSuchBlock { block, blocks } => {
                write!(f, "there is no block {block}, the population has {blocks}")
            }
            ResultError::NotOutstanding(actor, slot) => {
                write!(
                    f,
                    "{actor} does not wait for a result in slot {slot}: it is late or was never requested"
                )
            }
            ResultError::AlreadyAnswered(actor, slot) => {
                write!(f, "{actor} already has a result in slot {slot}")
            }
        }
    }
}

impl std::error::Error for ResultError {}

impl From<NoSuchActor> for ResultError {
    fn from(error: NoSuchActor) -> ResultError {
        ResultError::NoSuchActor(error.0)
    }
}

/// What became of a queue of results.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Delivery {
    /// How many were taken.
    pub taken: usize,
    /// How many were refused.
    pub refused: usize,
    /// The position and reason of the first that was refused.
    pub first_refusal: Option<(usize, ResultError)>,
}
