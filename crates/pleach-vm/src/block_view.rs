//! Whole blocks for the host: columns as slices, results as planes, blocks in parallel.

use pleach_shape::layout::{BLOCK_LANES, LINE_BYTES};
use pleach_shape::{Shape, SlotIndex, Status};

use crate::actor::ActorId;
use crate::block::{Block, control, persistent, slot};
use crate::column::{ColumnKey, NumberType, key_line};
use crate::error::AccessError;
use crate::parallel::for_each_block;
use crate::plane::Plane;
use crate::population::Population;
use crate::report::ActionError;
use crate::results::{Delivery, NoSuchActor, Outcome, ResultError, ResultRecord};

/// A block of a population, open for writing: what a host refreshes between ticks.
///
/// Blocks are independent: [`Population::par_blocks`] hands them to several threads, and different
/// actors never race.
pub struct BlockMut<'a> {
    shape: &'a Shape,
    block: &'a mut Block,
    index: usize,
}

impl BlockMut<'_> {
    /// The block's number; its actors have the places from `512 * index` on.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The lanes that hold an actor.
    pub fn alive(&self) -> Plane {
        *self.block.control(self.shape.layout(), control::ALIVE)
    }

    /// The lanes whose actor is in the tree.
    pub fn loaded(&self) -> Plane {
        *self.block.control(self.shape.layout(), control::LOADED)
    }

    /// The lanes whose last walk ended with this root status.
    pub fn status(&self, status: Status) -> Plane {
        *self
            .block
            .control(self.shape.layout(), control::STATUS + status as usize)
    }

    /// The actor of a lane, or the one that had it last.
    pub fn actor(&self, lane: usize) -> ActorId {
        self.block.actor(self.index, lane.min(BLOCK_LANES - 1))
    }

    /// A column of numbers: 512 values, one a lane, whether or not the lane holds an actor.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn values<T: NumberType>(&self, key: ColumnKey<T>) -> Result<&[T], AccessError> {
        let line = key_line(self.shape, key)?;
        let lines = BLOCK_LANES * size_of::<T>() / LINE_BYTES;
        Ok(bytemuck::cast_slice(&self.block.lines[line..line + lines]))
    }

    /// A column of numbers, to write. Lanes without an actor may be written; nobody reads them.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn values_mut<T: NumberType>(
        &mut self,
        key: ColumnKey<T>,
    ) -> Result<&mut [T], AccessError> {
        let line = key_line(self.shape, key)?;
        let lines = BLOCK_LANES * size_of::<T>() / LINE_BYTES;
        Ok(bytemuck::cast_slice_mut(
            &mut self.block.lines[line..line + lines],
        ))
    }

    /// A column of truth values.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn plane(&self, key: ColumnKey<bool>) -> Result<Plane, AccessError> {
        Ok(self.block.lines[key_line(self.shape, key)?])
    }

    /// A column of truth values, to write.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn plane_mut(&mut self, key: ColumnKey<bool>) -> Result<&mut Plane, AccessError> {
        let line = key_line(self.shape, key)?;
        Ok(&mut self.block.lines[line])
    }

    /// The lanes whose actor waits for a result in that slot. Empty for a slot that does not exist.
    pub fn outstanding(&self, slot: SlotIndex) -> Plane {
        if slot.at() >= self.shape.tables().deferred.len() {
            return Plane::EMPTY;
        }
        let layout = self.shape.layout();
        let waiting = *self.block.slot(layout, slot.at(), slot::WAITING)
            & !*self.block.slot(layout, slot.at(), slot::ANSWERED);
        waiting & self.loaded() & !*self.block.control(layout, control::LEAVING)
    }

    /// Hands in results for many actors at once: `done` says for whom, `success` which of them
    /// succeeded. Gives the lanes that were taken: those that wait for a result.
    ///
    /// # Errors
    /// When there is no such slot.
    pub fn set_results(
        &mut self,
        slot: SlotIndex,
        done: Plane,
        success: Plane,
    ) -> Result<Plane, ResultError> {
        let slots = self.shape.requirements().deferred_slots;
        if slot.0 >= slots {
            return Err(ResultError::NoSuchSlot { slot, slots });
        }
        let layout = self.shape.layout();
        let taken = done & self.outstanding(slot);
        *self.block.slot_mut(layout, slot.at(), slot::ANSWERED) |= taken;
        *self.block.slot_mut(layout, slot.at(), slot::WAITING) &= !(taken & !success);
        Ok(taken)
    }

    /// Writes the status of a persistent action for many actors at once (L3): for the lanes of
    /// `lanes`, Success where `success`, else Failure where `failure`, else Running.
    ///
    /// # Errors
    /// When there is no such slot.
    pub fn set_persistent(
        &mut self,
        slot: SlotIndex,
        lanes: Plane,
        success: Plane,
        failure: Plane,
    ) -> Result<(), ResultError> {
        let slots = self.shape.requirements().persistent_slots;
        if slot.0 >= slots {
            return Err(ResultError::NoSuchSlot { slot, slots });
        }
        let layout = self.shape.layout();
        let lanes = lanes & self.alive();
        let done = self
            .block
            .persistent_mut(layout, slot.at(), persistent::DONE);
        *done = (*done & !lanes) | ((success | failure) & lanes);
        let ok = self.block.persistent_mut(layout, slot.at(), persistent::OK);
        *ok = (*ok & !lanes) | (success & lanes);
        Ok(())
    }
}

impl Population {
    /// The blocks, to refresh columns and hand in results block by block.
    pub fn blocks_mut(&mut self) -> impl Iterator<Item = BlockMut<'_>> {
        let Population { shape, blocks, .. } = self;
        let views = blocks.iter_mut().enumerate();
        views.map(|(index, block)| BlockMut {
            shape,
            block,
            index,
        })
    }

    /// One block, to refresh columns and hand in results; `None` if there are not that many.
    pub fn block_mut(&mut self, index: usize) -> Option<BlockMut<'_>> {
        let Population { shape, blocks, .. } = self;
        let block = blocks.get_mut(index)?;
        Some(BlockMut {
            shape,
            block,
            index,
        })
    }

    /// Runs over all blocks, on the threads of the current rayon pool.
    pub fn par_blocks(&mut self, run: impl Fn(BlockMut<'_>) + Sync + Send) {
        let Population { shape, blocks, .. } = self;
        let shape: &Shape = shape;
        for_each_block(blocks, |index, block| {
            run(BlockMut {
                shape,
                block,
                index,
            })
        });
    }

    fn lane(&self, actor: ActorId) -> Result<(usize, usize), NoSuchActor> {
        if self.is_alive(actor) {
            Ok((actor.block(), actor.lane()))
        } else {
            Err(NoSuchActor(actor))
        }
    }

    /// Hands in one result of a deferred action.
    ///
    /// # Errors
    /// When there is no such actor or slot, the actor does not wait for it, or a result is already
    /// in; nothing has changed then.
    pub fn set_result(
        &mut self,
        actor: ActorId,
        slot: SlotIndex,
        outcome: Outcome,
    ) -> Result<(), ResultError> {
        let (block, lane) = self.lane(actor)?;
        let Population { shape, blocks, .. } = self;
        let layout = shape.layout();
        let slots = shape.requirements().deferred_slots;
        if slot.0 >= slots {
            return Err(ResultError::NoSuchSlot { slot, slots });
        }
        let block = &mut blocks[block];
        let waiting = block.slot(layout, slot.at(), slot::WAITING).get(lane);
        let answered = block.slot(layout, slot.at(), slot::ANSWERED).get(lane);
        let waits = (waiting || answered)
            && block.control(layout, control::LOADED).get(lane)
            && !block.control(layout, control::LEAVING).get(lane);
        if !waits {
            return Err(ResultError::NotOutstanding(actor, slot));
        }
        if answered {
            return Err(ResultError::AlreadyAnswered(actor, slot));
        }
        block
            .slot_mut(layout, slot.at(), slot::ANSWERED)
            .put(lane, true);
        block
            .slot_mut(layout, slot.at(), slot::WAITING)
            .put(lane, outcome == Outcome::Success);
        if let Outcome::Error(code) = outcome {
            let token = pleach_shape::TokenIndex(shape.tables().deferred[slot.at()].node);
            if let Some(node) = shape.node_id(token) {
                self.pending_errors.push(ActionError {
                    actor,
                    slot,
                    node,
                    code,
                });
            }
        }
        Ok(())
    }

    /// Hands in a queue of results, in any order. What is refused changes nothing.
    pub fn deliver(&mut self, results: impl IntoIterator<Item = ResultRecord>) -> Delivery {
        let mut delivery = Delivery::default();
        for (position, record) in results.into_iter().enumerate() {
            match self.set_result(record.actor, record.slot, record.outcome) {
                Ok(()) => delivery.taken += 1,
                Err(error) => {
                    delivery.refused += 1;
                    delivery.first_refusal.get_or_insert((position, error));
                }
            }
        }
        delivery
    }

    /// Hands in results for a whole plane of a block: `done` says for whom, `success` which of
    /// them succeeded. Gives the lanes that were taken.
    ///
    /// # Errors
    /// When there is no such slot or block.
    pub fn set_result_plane(
        &mut self,
        slot: SlotIndex,
        block: usize,
        done: Plane,
        success: Plane,
    ) -> Result<Plane, ResultError> {
        let blocks = self.block_count();
        let error = ResultError::NoSuchBlock { block, blocks };
        self.block_mut(block)
            .ok_or(error)?
            .set_results(slot, done, success)
    }

    /// Writes the status of a persistent action for one actor; it stays until it is written again
    /// (L3).
    ///
    /// # Errors
    /// When there is no such actor or slot.
    pub fn set_persistent(
        &mut self,
        actor: ActorId,
        slot: SlotIndex,
        status: Status,
    ) -> Result<(), ResultError> {
        let (block, lane) = self.lane(actor)?;
        let Population { shape, blocks, .. } = self;
        let slots = shape.requirements().persistent_slots;
        if slot.0 >= slots {
            return Err(ResultError::NoSuchSlot { slot, slots });
        }
        let block = &mut blocks[block];
        block
            .persistent_mut(shape.layout(), slot.at(), persistent::DONE)
            .put(lane, status.is_finished());
        block
            .persistent_mut(shape.layout(), slot.at(), persistent::OK)
            .put(lane, status == Status::Success);
        Ok(())
    }
}
