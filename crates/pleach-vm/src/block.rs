//! A block: 512 actors, everything they have, one range of memory.

use pleach_shape::layout::{
    BLOCK_LANES, BlockLayout, CONTROL_PLANES, LINES_U64, PERSISTENT_PLANES, SLOT_PLANES,
};
use pleach_shape::{Shape, StateRecord, Status, Value};

use crate::actor::ActorId;
use crate::census::BlockCensus;
use crate::column::store_value;
use crate::kernel::Scratch;
use crate::observe::Event;
use crate::plane::Plane;
use crate::report::Tally;

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
}

/// The planes of a deferred slot, in this order.
pub(crate) mod slot {
    /// The actor has requested the action, and it has not finished.
    pub(crate) const OUTSTANDING: usize = 0;
    /// The action was launched in the last tick. During a walk: wanted in this tick.
    pub(crate) const LAUNCHED: usize = 1;
    /// The action was cancelled in the last tick.
    pub(crate) const CANCELLED: usize = 2;
    /// A result is in.
    pub(crate) const DONE: usize = 3;
    /// The result is Success.
    pub(crate) const OK: usize = 4;
}

/// The planes of a persistent slot, in this order.
pub(crate) mod persistent {
    /// Its system answered Success or Failure.
    pub(crate) const DONE: usize = 0;
    /// It answered Success.
    pub(crate) const OK: usize = 1;
}

pub(crate) struct Block {
    /// See [`BlockLayout`].
    pub(crate) lines: Vec<Plane>,
    /// What a walk works in. A block has its own, so that threads share nothing; it is about one
    /// lane's worth.
    pub(crate) scratch: Scratch,
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
    pub(crate) timers: &'a mut [u64],
    pub(crate) generations: &'a mut [u32],
    /// Empty for a shape that keeps no records.
    pub(crate) lengths: &'a mut [u32],
    pub(crate) records: &'a mut [StateRecord],
}

/// The memory for another block could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoMemory;

impl Block {
    pub(crate) fn new(shape: &Shape, census: bool) -> Result<Block, NoMemory> {
        let layout = shape.layout();
        let lines = bytemuck::allocation::try_zeroed_vec(layout.lines).map_err(|()| NoMemory)?;
        Ok(Block {
            lines,
            scratch: Scratch::for_shape(shape.requirements()).ok_or(NoMemory)?,
            tally: Tally::default(),
            census: match census {
                true => Some(BlockCensus::new(shape.len()).ok_or(NoMemory)?),
                false => None,
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

    pub(crate) fn generation(&self, layout: &BlockLayout, lane: usize) -> u32 {
        let words: &[u32] = bytemuck::cast_slice(&self.lines[layout.generations..layout.lengths]);
        words[lane]
    }

    pub(crate) fn actor(&self, layout: &BlockLayout, block: usize, lane: usize) -> ActorId {
        ActorId::new(
            (block * BLOCK_LANES + lane) as u32,
            self.generation(layout, lane),
        )
    }

    /// Gives a lane to a new actor: defaults in its columns, nothing else.
    pub(crate) fn settle(&mut self, shape: &Shape, lane: usize) {
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
        {
            plane.put(lane, false);
        }
        if let Some(length) = parts.lengths.get_mut(lane) {
            *length = 0;
        }
        parts.control[control::ALIVE].put(lane, true);
        parts.control[control::LOADED].put(lane, true);
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
    }
}

pub(crate) fn sections<'a>(lines: &'a mut [Plane], layout: &BlockLayout) -> Sections<'a> {
    let (columns, rest) = lines.split_at_mut(layout.control);
    // A layout always has the control planes.
    let (control, rest) = rest
        .split_first_chunk_mut()
        .unwrap_or_else(|| unreachable!());
    let (deferred, rest) = rest.split_at_mut(layout.persistent - layout.deferred);
    let (persistent, rest) = rest.split_at_mut(layout.timers - layout.persistent);
    let (timers, rest) = rest.split_at_mut(layout.generations - layout.timers);
    let (generations, rest) = rest.split_at_mut(layout.lengths - layout.generations);
    let (lengths, records) = rest.split_at_mut(layout.records - layout.lengths);
    debug_assert_eq!(records.len(), layout.record_capacity * LINES_U64);
    Sections {
        columns,
        control,
        deferred,
        persistent,
        timers: bytemuck::cast_slice_mut(timers),
        generations: bytemuck::cast_slice_mut(generations),
        lengths: bytemuck::cast_slice_mut(lengths),
        records: bytemuck::cast_slice_mut(records),
    }
}
