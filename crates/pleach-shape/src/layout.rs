//! How a block of actors lies in memory.
//!
//! A block is one range of *lines*, 64 bytes each. 512 lanes share a block, so a line is also a
//! plane: one bit a lane. Everything an actor has at run time is somewhere in its block, and a
//! block needs nothing outside itself but the shape and the world values:
//!
//! | section | lines |
//! |---|---|
//! | columns, in declared order | bool 1, u8 8, u16 16, i32 and f32 32, u64 64 each |
//! | control planes | [`CONTROL_PLANES`] |
//! | deferred slots | [`SLOT_PLANES`] each |
//! | persistent slots | [`PERSISTENT_PLANES`] each |
//! | timers (deadlines, µs, u64) | 64 each |
//! | generations (u32) | 32 |
//! | lengths of the state streams (u32) | 32, or 0 without records |
//! | state records, an actor's side by side | 64 for each record of capacity |

use alloc::vec::Vec;

use crate::tables::Tables;
use crate::value::ValueType;

/// Actors in a block.
pub const BLOCK_LANES: usize = 512;
/// Bytes of a line.
pub const LINE_BYTES: usize = 64;
/// Alive, loaded, leaving, and the three root statuses.
pub const CONTROL_PLANES: usize = 6;
/// Outstanding, launched, cancelled, done, ok.
pub const SLOT_PLANES: usize = 5;
/// Done, ok.
pub const PERSISTENT_PLANES: usize = 2;
/// Lines of a column of 64-bit values, such as a timer.
pub const LINES_U64: usize = BLOCK_LANES * 8 / LINE_BYTES;
/// Lines of a column of 32-bit values.
pub const LINES_U32: usize = BLOCK_LANES * 4 / LINE_BYTES;

/// Offsets of a block's sections, in lines from its start. `Copy`-cheap to pass but for the column
/// offsets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockLayout {
    /// First line of each column.
    pub columns: Vec<u32>,
    /// Lines of all columns: where the control planes begin.
    pub control: usize,
    /// First line of the deferred slots.
    pub deferred: usize,
    /// First line of the persistent slots.
    pub persistent: usize,
    /// First line of the timers.
    pub timers: usize,
    /// First line of the generations.
    pub generations: usize,
    /// First line of the state streams' lengths.
    pub lengths: usize,
    /// First line of the state records.
    pub records: usize,
    /// Records an actor has room for.
    pub record_capacity: usize,
    /// Lines of the block.
    pub lines: usize,
}

/// Lines that a column of that type takes in a block.
pub const fn column_lines(ty: ValueType) -> usize {
    ty.bits()
}

impl BlockLayout {
    /// The layout for tables that are verified, and a state-stream capacity in records.
    pub(crate) fn of(tables: &Tables, record_capacity: usize) -> BlockLayout {
        let mut layout = BlockLayout {
            record_capacity,
            ..BlockLayout::default()
        };
        let mut line = 0usize;
        for column in &tables.columns {
            layout.columns.push(line as u32);
            line += column.ty().map_or(0, column_lines);
        }
        layout.control = line;
        line += CONTROL_PLANES;
        layout.deferred = line;
        line += tables.deferred.len() * SLOT_PLANES;
        layout.persistent = line;
        line += tables.persistent.len() * PERSISTENT_PLANES;
        layout.timers = line;
        line += tables.timers.len() * LINES_U64;
        layout.generations = line;
        line += LINES_U32;
        layout.lengths = line;
        if record_capacity > 0 {
            line += LINES_U32;
        }
        layout.records = line;
        line += record_capacity * LINES_U64;
        layout.lines = line;
        layout
    }

    /// Bytes of a whole block.
    pub const fn block_bytes(&self) -> usize {
        self.lines * LINE_BYTES
    }

    /// Bytes an actor's columns take, rounded up.
    pub const fn column_bytes_per_actor(&self) -> usize {
        self.control.div_ceil(8)
    }

    /// Bytes an actor takes besides its columns, rounded up. (A line is one bit a lane.)
    pub const fn state_bytes_per_actor(&self) -> usize {
        (self.lines - self.control).div_ceil(8)
    }
}
