//! State streams: what the kernels that walk one actor at a time keep beside a block.

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::{Requirements, StateRecord};

use crate::block::NoMemory;

/// What a block's actors keep from one tick to the next is written down in one of three forms; a
/// kernel reads and writes one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Streams of records of parents that remember a child, of tasks and timers: pure stream and
    /// traversal stack. The canonical form.
    Parents,
    /// Streams of records of running leaves: the threaded stream.
    Leaves,
    /// Marks: lanes.
    Marks,
}

/// The state streams of a block: for each actor a length, and as many records. Empty for marks.
#[derive(Default)]
pub(crate) struct Streams {
    pub(crate) lengths: Vec<u32>,
    /// For each lane the capacity, those of a lane side by side.
    pub(crate) records: Vec<StateRecord>,
    pub(crate) capacity: usize,
}

impl Streams {
    /// Empty streams for that form; no memory for a form without records.
    pub(crate) fn new(form: Form, needs: &Requirements) -> Result<Streams, NoMemory> {
        Streams::for_lanes(form, needs, BLOCK_LANES)
    }

    /// The same for a block of which only the first lanes are used.
    pub(crate) fn for_lanes(
        form: Form,
        needs: &Requirements,
        lanes: usize,
    ) -> Result<Streams, NoMemory> {
        let capacity = match form {
            Form::Parents => needs.state_capacity,
            Form::Leaves => needs.leaf_capacity,
            Form::Marks => 0,
        } as usize;
        if capacity == 0 {
            return Ok(Streams::default());
        }
        let memory = |()| NoMemory;
        Ok(Streams {
            lengths: bytemuck::allocation::try_zeroed_vec(lanes).map_err(memory)?,
            records: bytemuck::allocation::try_zeroed_vec(lanes * capacity).map_err(memory)?,
            capacity,
        })
    }

    /// A lane's records, ascending by node.
    pub(crate) fn of(&self, lane: usize) -> &[StateRecord] {
        let length = self.lengths.get(lane).map_or(0, |&length| length as usize);
        &self.records[lane * self.capacity..][..length]
    }

    /// Replaces a lane's records. What does not fit is dropped: the requirements say that nothing is.
    pub(crate) fn put(&mut self, lane: usize, records: &[StateRecord]) {
        debug_assert!(records.len() <= self.capacity);
        let count = records.len().min(self.capacity);
        if let Some(length) = self.lengths.get_mut(lane) {
            *length = count as u32;
            self.records[lane * self.capacity..][..count].copy_from_slice(&records[..count]);
        }
    }

    pub(crate) fn clear(&mut self, lane: usize) {
        if let Some(length) = self.lengths.get_mut(lane) {
            *length = 0;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.lengths.as_slice()) + size_of_val(self.records.as_slice())
    }
}
