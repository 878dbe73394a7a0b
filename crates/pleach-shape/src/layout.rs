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
//! | marks of the [threaded stream](crate::threaded) | 1 each |
//! | counters of loops | 1 for each bit of the greatest count |
//! | orders of random composites | 1 a child |
//! | latches | a Cooldown's 1, a RunOnce's 2 |
//! | timers (deadlines) | 32 for a time of up to [`NARROW_MICROS`], else 64 each |
//!
//! That is all that the lanes kernel keeps. The kernels that walk one actor at a time keep a state
//! stream for each instead of marks; it lies beside the block, and only while they run.

use alloc::vec::Vec;

use crate::tables::Tables;
use crate::token::NONE;
use crate::value::ValueType;

/// Actors in a block.
pub const BLOCK_LANES: usize = 512;
/// Bytes of a line.
pub const LINE_BYTES: usize = 64;
/// Alive, loaded, leaving; the three root statuses, ticked.
pub const CONTROL_PLANES: usize = 7;
/// Of those, what a tick only writes.
pub const CONTROL_OUTPUTS: usize = 4;
/// Waiting, answered; launched, cancelled.
pub const SLOT_PLANES: usize = 4;
/// Of those, what a tick only writes.
pub const SLOT_OUTPUTS: usize = 2;
/// Done, ok.
pub const PERSISTENT_PLANES: usize = 2;
/// Lines of a column of 64-bit values, such as a timer.
pub const LINES_U64: usize = BLOCK_LANES * 8 / LINE_BYTES;
/// Lines of a column of 32-bit values.
pub const LINES_U32: usize = BLOCK_LANES * 4 / LINE_BYTES;

/// The longest time of a timer that is kept in 32 bits: 2^31 µs, 35 minutes and 47 seconds.
///
/// Such a deadline is kept as its distance from a moment of the block, which is moved on before the
/// clock is as far ahead of it again, so the sum fits 32 bits.
pub const NARROW_MICROS: u64 = 1 << 31;

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
    /// First line of the marks.
    pub marks: usize,
    /// First line of the counters.
    pub counters: usize,
    /// First line of each loop's counter, least bit first; the last entry is one past the counters.
    pub counter_firsts: Vec<u32>,
    /// First line of each random composite's order, one line a child: which have finished.
    pub order_firsts: Vec<u32>,
    /// First line of the latches.
    pub latches: usize,
    /// First line of each latch.
    pub latch_firsts: Vec<u32>,
    /// First line of the timers.
    pub timers: usize,
    /// First line of each timer.
    pub timer_firsts: Vec<u32>,
    /// Lines of the block.
    pub lines: usize,
}

/// Lines that a column of that type takes in a block.
pub const fn column_lines(ty: ValueType) -> usize {
    ty.bits()
}

impl BlockLayout {
    /// The layout for tables that are verified, and a number of marks.
    pub(crate) fn of(tables: &Tables, marks: usize) -> BlockLayout {
        let mut layout = BlockLayout::default();
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
        layout.marks = line;
        line += marks;
        layout.counters = line;
        for def in &tables.loops {
            layout.counter_firsts.push(line as u32);
            line += counter_bits(def.limit) as usize;
        }
        layout.counter_firsts.push(line as u32);
        for def in &tables.randoms {
            layout.order_firsts.push(line as u32);
            line += def.children as usize;
        }
        layout.latches = line;
        for def in &tables.latches {
            layout.latch_firsts.push(line as u32);
            line += latch_lines(def.timer == NONE);
        }
        layout.timers = line;
        for timer in &tables.timers {
            layout.timer_firsts.push(line as u32);
            line += timer_lines(timer.micros);
        }
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

    /// Bits of state that an actor carries from one tick to the next: all but its columns and what a
    /// tick only writes for others to read. (A line is one bit a lane.)
    pub const fn state_bits_per_actor(&self) -> usize {
        self.lines - self.control - self.output_bits_per_actor()
    }

    /// Bits that a tick only writes: root status, who was ticked, launches and cancels.
    pub const fn output_bits_per_actor(&self) -> usize {
        CONTROL_OUTPUTS + (self.persistent - self.deferred) / SLOT_PLANES * SLOT_OUTPUTS
    }
}

/// Bits of the counter of a loop that ends after so many iterations: it counts those behind it, one less
/// at most.
pub const fn counter_bits(limit: u32) -> u32 {
    u32::BITS - limit.saturating_sub(1).leading_zeros()
}

/// Lines of a latch: whether there is something, and for a RunOnce how its child finished.
pub const fn latch_lines(run_once: bool) -> usize {
    1 + run_once as usize
}

/// Lines of the timer of a node that runs for that time.
pub const fn timer_lines(micros: u64) -> usize {
    if micros <= NARROW_MICROS {
        LINES_U32
    } else {
        LINES_U64
    }
}
