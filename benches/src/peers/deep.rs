//! The deep scene as data: a row of eight columns, and the 64 leaves that judge it.

use pleach_shape::Status;

use super::{Decision, Frame};

/// Levels of parents above the leaves; those of even depth are selectors.
pub(super) const LEVELS: usize = 6;

/// One actor's columns, and its root status.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Row {
    pub(super) levels: [f32; 4],
    pub(super) holds: [bool; 4],
    pub(super) status: Option<Status>,
}

/// What a leaf judges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Leaf {
    /// Whether that truth value holds.
    Holds(usize),
    /// Whether that float is below `0.25 + step / 32`.
    Below(usize, u8),
}

/// The leaf of that number from the left.
#[inline(always)]
pub(super) const fn leaf(index: usize) -> Leaf {
    match (3 * index + index / 8) % 8 {
        column @ 0..4 => Leaf::Holds(column),
        column => Leaf::Below(column - 4, ((7 * index) % 16) as u8),
    }
}

/// The bound of that step.
#[inline(always)]
pub(super) const fn bound(step: u8) -> f32 {
    0.25 + step as f32 / 32.0
}

impl Row {
    /// Whether a leaf holds.
    #[inline(always)]
    pub(super) fn test(&self, leaf: Leaf) -> bool {
        match leaf {
            Leaf::Holds(column) => self.holds[column],
            Leaf::Below(column, step) => self.levels[column] < bound(step),
        }
    }

    /// What it decided.
    pub(super) fn decision(&self) -> Decision {
        Decision {
            status: self.status,
            ..Decision::default()
        }
    }
}

/// Hands a tick's columns to rows.
pub(super) fn refresh(rows: &mut [Row], frame: &Frame) {
    for column in 0..4 {
        for (row, value) in rows.iter_mut().zip(frame.bools(column)) {
            row.holds[column] = value;
        }
        for (row, value) in rows.iter_mut().zip(frame.floats(column + 4)) {
            row.levels[column] = value;
        }
    }
}
