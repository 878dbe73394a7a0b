//! A block: 512 actors, everything they have, one range of memory.

use std::sync::Arc;

use pleach_shape::layout::{
    BLOCK_LANES, BlockLayout, CONTROL_PLANES, PERSISTENT_PLANES, SLOT_PLANES,
};
use pleach_shape::{Shape, Status, Value};

use crate::actor::ActorId;
use crate::bits::Bits;
use crate::census::BlockCensus;
use crate::column::store_value;
use crate::observe::Event;
use crate::pace::Paces;
use crate::plane::Plane;
use crate::report::Tally;
use crate::stream::{Form, Streams};
use crate::watch::Watched;

/// The control planes of a block, in this order.
pub(crate) mod control {
    /// The lane holds an actor.
    pub(crate) const ALIVE: usize = 0;
    /// The actor is in the tree: it is walked each tick.
    pub(crate) const LOADED: usize = 1;
    /// The actor was taken out of the tree since the last tick; what it ran is to be halted.
    pub(crate) const LEAVING: usize = 2;
    /// Root status of the last walk: success, failure, running.
    pub(crate) const STATUS: usize = 3;
    /// The actor was walked in the last tick.
    pub(crate) const TICKED: usize = 6;
}

/// The planes of a deferred slot, in this order. The first two hold four states between them:
///
/// | | `WAITING` | `ANSWERED` |
/// |---|---|---|
/// | not requested, or finished | 0 | 0 |
/// | requested, no result yet | 1 | 0 |
/// | requested, the result is Success | 1 | 1 |
/// | requested, the result is Failure | 0 | 1 |
pub(crate) mod slot {
    /// See above.
    pub(crate) const WAITING: usize = 0;
    /// A result is in.
    pub(crate) const ANSWERED: usize = 1;
    /// The action was launched in the last tick. During a walk: wanted in this tick.
    pub(crate) const LAUNCHED: usize = 2;
    /// The action was cancelled in the last tick.
    pub(crate) const CANCELLED: usize = 3;
}

/// The planes of a latch, in this order.
pub(crate) mod latch {
    /// A Cooldown has a deadline; a RunOnce has ended.
    pub(crate) const SET: usize = 0;
    /// The RunOnce ended with Success. (A Cooldown does not have this one.)
    pub(crate) const OK: usize = 1;
}

/// The planes of a persistent slot, in this order.
pub(crate) mod persistent {
    /// Its system answered Success or Failure.
    pub(crate) const DONE: usize = 0;
    /// It answered Success.
    pub(crate) const OK: usize = 1;
}

/// Which planes hold anybody; a plane that is not named here is empty.
#[derive(Default)]
pub(crate) struct Occupied {
    /// Deferred slots with a plane that is not empty.
    pub(crate) slots: Bits,
    /// Marks. (Kept by the lanes kernel alone.)
    pub(crate) marks: Bits,
}

pub(crate) struct Block {
    /// See [`BlockLayout`].
    pub(crate) lines: Vec<Plane>,
    /// In what form the actors' state is written down.
    pub(crate) form: Form,
    /// The state streams; empty while the state is in marks.
    pub(crate) streams: Streams,
    pub(crate) occupied: Occupied,
    /// The moment from which narrow deadlines are counted: see [`Timers`](crate::timer::Timers).
    pub(crate) timer_epoch: u64,
    /// How often each place was given out before; empty where none was given out twice.
    pub(crate) generations: Vec<u32>,
    pub(crate) paces: Paces,
    /// How many actors tick when any do: rises at once, and falls by a sixteenth a tick, so that turns of
    /// different sizes do not send [`Kernel::Auto`](crate::Kernel::Auto) to and fro.
    pub(crate) usual: u32,
    pub(crate) tally: Tally,
    pub(crate) census: Option<BlockCensus>,
    /// The last walk of the traced actor, if it lies here.
    pub(crate) events: Vec<Event>,
}

/// A block's memory, taken apart.
pub(crate) struct Sections<'a> {
    pub(crate) columns: &'a mut [Plane],
    pub(crate) control: &'a mut [Plane; CONTROL_PLANES],
    pub(crate) deferred: &'a mut [Plane],
    pub(crate) persistent: &'a mut [Plane],
    pub(crate) marks: &'a mut [Plane],
    /// Counters of loops, and orders of random composites.
    pub(crate) counters: &'a mut [Plane],
    pub(crate) latches: &'a mut [Plane],
    pub(crate) timers: &'a mut [Plane],
}

/// The memory for another block could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoMemory;

impl Block {
    /// An empty block, as of that moment of the clock.
    pub(crate) fn new(
        shape: &Shape,
        watched: Option<&Arc<Watched>>,
        now: u64,
    ) -> Result<Block, NoMemory> {
        Block::of_lines(shape, shape.layout().lines, watched, now)
    }

    /// The same with another number of lines, for who has a layout of its own.
    pub(crate) fn of_lines(
        shape: &Shape,
        lines: usize,
        watched: Option<&Arc<Watched>>,
        now: u64,
    ) -> Result<Block, NoMemory> {
        let lines = bytemuck::allocation::try_zeroed_vec(lines).map_err(|()| NoMemory)?;
        let needs = shape.requirements();
        Ok(Block {
            lines,
            form: Form::Marks,
            streams: Streams::default(),
            occupied: Occupied {
                slots: Bits::new(needs.deferred_slots as usize).ok_or(NoMemory)?,
                marks: Bits::new(needs.marks as usize).ok_or(NoMemory)?,
            },
            timer_epoch: now,
            generations: Vec::new(),
            paces: Paces::new(now),
            usual: 0,
            tally: Tally::default(),
            census: match watched {
                Some(watched) => Some(BlockCensus::new(watched, None).ok_or(NoMemory)?),
                None => None,
            },
            events: Vec::new(),
        })
    }

    pub(crate) fn sections(&mut self, layout: &BlockLayout) -> Sections<'_> {
        sections(&mut self.lines, layout)
    }

    pub(crate) fn control<'a>(&'a self, layout: &BlockLayout, plane: usize) -> &'a Plane {
        &self.lines[layout.control + plane]
    }

    pub(crate) fn control_mut<'a>(
        &'a mut self,
        layout: &BlockLayout,
        plane: usize,
    ) -> &'a mut Plane {
        &mut self.lines[layout.control + plane]
    }

    pub(crate) fn slot<'a>(&'a self, layout: &BlockLayout, slot: usize, plane: usize) -> &'a Plane {
        &self.lines[layout.deferred + slot * SLOT_PLANES + plane]
    }

    pub(crate) fn slot_mut<'a>(
        &'a mut self,
        layout: &BlockLayout,
        slot: usize,
        plane: usize,
    ) -> &'a mut Plane {
        &mut self.lines[layout.deferred + slot * SLOT_PLANES + plane]
    }

    pub(crate) fn persistent_mut<'a>(
        &'a mut self,
        layout: &BlockLayout,
        slot: usize,
        plane: usize,
    ) -> &'a mut Plane {
        &mut self.lines[layout.persistent + slot * PERSISTENT_PLANES + plane]
    }

    pub(crate) fn generation(&self, lane: usize) -> u32 {
        self.generations.get(lane).copied().unwrap_or(0)
    }

    /// Makes room for generations other than 0, before a place of the block is given out again.
    pub(crate) fn count_generations(&mut self) {
        if self.generations.is_empty() {
            self.generations = vec![0; BLOCK_LANES];
        }
    }

    pub(crate) fn actor(&self, block: usize, lane: usize) -> ActorId {
        ActorId::new((block * BLOCK_LANES + lane) as u32, self.generation(lane))
    }

    /// Gives a lane to a new actor: defaults in its columns, nothing else.
    pub(crate) fn settle(&mut self, shape: &Shape, lane: usize, now: u64) {
        let layout = shape.layout();
        let parts = self.sections(layout);
        for (column, &first) in shape.tables().columns.iter().zip(&layout.columns) {
            if let Some(ty) = column.ty() {
                store_value(
                    parts.columns,
                    first as usize,
                    lane,
                    Value::from_bits(ty, column.default),
                );
            }
        }
        for plane in parts
            .control
            .iter_mut()
            .chain(parts.deferred)
            .chain(parts.persistent)
            .chain(parts.marks)
            .chain(parts.latches)
        {
            plane.put(lane, false);
        }
        parts.control[control::ALIVE].put(lane, true);
        parts.control[control::LOADED].put(lane, true);
        self.streams.clear(lane);
        self.paces.settle(lane, now);
    }

    /// Forgets what outlives a halt: cooldowns, how RunOnces have ended, and the columns that belong to
    /// nodes.
    pub(crate) fn forget_lasting(&mut self, shape: &Shape, lane: usize) {
        let layout = shape.layout();
        let parts = self.sections(layout);
        for plane in parts.latches {
            plane.put(lane, false);
        }
        let columns = shape.tables().columns.iter().zip(&layout.columns);
        for (column, &first) in columns.skip(shape.own_columns()) {
            if let Some(ty) = column.ty() {
                let value = Value::from_bits(ty, column.default);
                store_value(parts.columns, first as usize, lane, value);
            }
        }
    }

    /// Root status of the lane's last walk.
    pub(crate) fn status(&self, layout: &BlockLayout, lane: usize) -> Option<Status> {
        Status::ALL.into_iter().find(|&status| {
            self.control(layout, control::STATUS + status as usize)
                .get(lane)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Plane>()
            + self.streams.bytes()
            + size_of_val(self.generations.as_slice())
    }
}

pub(crate) fn sections<'a>(lines: &'a mut [Plane], layout: &BlockLayout) -> Sections<'a> {
    let (columns, rest) = lines.split_at_mut(layout.control);
    // A layout always has the control planes.
    let (control, rest) = rest
        .split_first_chunk_mut()
        .unwrap_or_else(|| unreachable!());
    let (deferred, rest) = rest.split_at_mut(layout.persistent - layout.deferred);
    let (persistent, rest) = rest.split_at_mut(layout.marks - layout.persistent);
    let (marks, rest) = rest.split_at_mut(layout.counters - layout.marks);
    let (counters, rest) = rest.split_at_mut(layout.latches - layout.counters);
    let (latches, timers) = rest.split_at_mut(layout.timers - layout.latches);
    Sections {
        columns,
        control,
        deferred,
        persistent,
        marks,
        counters,
        latches,
        timers,
    }
}
