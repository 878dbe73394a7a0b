//! The three answers a node can give.

use core::fmt;

/// What a node answers when it is visited.
///
/// The discriminants are part of the shape: a guard token holds one flag bit for each status, at
/// the bit position named here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Status {
    /// The node finished and did what it should.
    Success = 0,
    /// The node finished and could not do it.
    Failure = 1,
    /// The node needs more ticks.
    Running = 2,
}

impl Status {
    /// All statuses, in the order of their discriminants.
    pub const ALL: [Status; 3] = [Status::Success, Status::Failure, Status::Running];

    /// Rule D1: swaps Success and Failure, keeps Running.
    #[inline]
    pub const fn inverted(self) -> Status {
        match self {
            Status::Success => Status::Failure,
            Status::Failure => Status::Success,
            Status::Running => Status::Running,
        }
    }

    /// Rule D1: replaces a finished status by `finished`, keeps Running.
    #[inline]
    pub const fn forced(self, finished: Status) -> Status {
        match self {
            Status::Running => Status::Running,
            _ => finished,
        }
    }

    /// Success for `true`, Failure for `false`: how a condition answers.
    #[inline]
    pub const fn from_bool(holds: bool) -> Status {
        if holds {
            Status::Success
        } else {
            Status::Failure
        }
    }

    /// Whether the status is Success or Failure.
    #[inline]
    pub const fn is_finished(self) -> bool {
        !matches!(self, Status::Running)
    }

    /// `S`, `F` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Status::Success => 'S',
            Status::Failure => 'F',
            Status::Running => 'R',
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Success => "success",
            Status::Failure => "failure",
            Status::Running => "running",
        })
    }
}
