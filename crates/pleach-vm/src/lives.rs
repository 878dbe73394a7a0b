//! The lives of actors: who is added, taken in and out, begins anew, and is removed.

use std::cmp::Reverse;

use pleach_shape::layout::BLOCK_LANES;

use crate::actor::ActorId;
use crate::block::{Block, control};
use crate::error::SpawnError;
use crate::plane::Plane;
use crate::population::Population;
use crate::results::NoSuchActor;

impl Population {
    /// Adds an actor: default columns, loaded, its tree not yet started.
    ///
    /// # Errors
    /// When ids or memory run out.
    pub fn spawn(&mut self) -> Result<ActorId, SpawnError> {
        self.place(true)
    }

    /// Adds an actor that is not in the tree: it is not walked until it is [loaded](Population::load), one
    /// by itself or [with a set](Population::load_set) that a rule has found.
    ///
    /// # Errors
    /// When ids or memory run out.
    pub fn spawn_unloaded(&mut self) -> Result<ActorId, SpawnError> {
        self.place(false)
    }

    fn place(&mut self, loaded: bool) -> Result<ActorId, SpawnError> {
        let index = match self.free.pop() {
            Some(Reverse(index)) => index,
            None => {
                if self.used == u32::MAX {
                    return Err(SpawnError::Full);
                }
                if self.used as usize == self.blocks.len() * BLOCK_LANES {
                    self.add_block()?;
                }
                self.used += 1;
                self.used - 1
            }
        };
        let (block, lane) = (index as usize / BLOCK_LANES, index as usize % BLOCK_LANES);
        self.blocks[block].settle(&self.shape, lane, self.now_micros);
        if !loaded {
            *self.blocks[block].control_mut(self.shape.layout(), control::LOADED) &=
                !Plane::single(lane);
        }
        self.alive += 1;
        Ok(self.blocks[block].actor(block, lane))
    }

    /// Adds several actors; gives their ids.
    ///
    /// # Errors
    /// When ids or memory run out; the actors added until then stay.
    pub fn spawn_many(&mut self, count: usize) -> Result<Vec<ActorId>, SpawnError> {
        let mut actors = Vec::new();
        let bytes = (count as u64).saturating_mul(size_of::<ActorId>() as u64);
        let no_memory = |_| SpawnError::NoMemory { bytes };
        actors.try_reserve_exact(count).map_err(no_memory)?;
        for _ in 0..count {
            actors.push(self.spawn()?);
        }
        Ok(actors)
    }

    #[cold]
    fn add_block(&mut self) -> Result<(), SpawnError> {
        let bytes = self.shape.requirements().block_bytes;
        let no_memory = |_| SpawnError::NoMemory { bytes };
        self.blocks
            .try_reserve(1)
            .map_err(|_| SpawnError::NoMemory { bytes })?;
        let block =
            Block::new(&self.shape, self.watched.as_ref(), self.now_micros).map_err(no_memory)?;
        self.blocks.push(block);
        Ok(())
    }

    #[inline]
    pub(crate) fn find(&self, actor: ActorId) -> Result<(usize, usize), NoSuchActor> {
        let layout = self.shape.layout();
        let (index, lane) = (actor.block(), actor.lane());
        let block = self.blocks.get(index).ok_or(NoSuchActor(actor))?;
        let lives = block.control(layout, control::ALIVE).get(lane)
            && block.generation(lane) == actor.generation();
        if lives {
            Ok((index, lane))
        } else {
            Err(NoSuchActor(actor))
        }
    }

    /// Removes an actor. What it ran is halted in the next tick: running tasks get their exit,
    /// outstanding actions their Cancel, under the old id. Its place is given out again after
    /// that.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn despawn(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        self.mark(
            actor,
            &[
                (control::ALIVE, false),
                (control::LOADED, false),
                (control::LEAVING, true),
            ],
        )?;
        self.alive -= 1;
        self.blocks[actor.block()].count_generations();
        self.departing.push(actor.index());
        Ok(())
    }

    /// Takes an actor out of the tree. What it ran is halted in the next tick; it is not walked
    /// until it is loaded again, and then starts afresh.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn unload(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        self.mark(actor, &[(control::LOADED, false), (control::LEAVING, true)])
    }

    /// Puts an actor into the tree: it is walked from the next tick on. Nothing happens to one
    /// that is in.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn load(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        self.mark(actor, &[(control::LOADED, true)])
    }

    /// Throws an actor's progress away: in the next tick what it ran is halted, before any visit,
    /// and, if it is loaded, its tree starts afresh.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn reset(&mut self, actor: ActorId) -> Result<(), NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        self.blocks[block].forget_lasting(&self.shape, lane);
        self.mark(actor, &[(control::LEAVING, true)])
    }

    fn mark(&mut self, actor: ActorId, marks: &[(usize, bool)]) -> Result<(), NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        for &(plane, value) in marks {
            self.blocks[block]
                .control_mut(self.shape.layout(), plane)
                .put(lane, value);
        }
        Ok(())
    }

    /// Whether the actor exists.
    pub fn is_alive(&self, actor: ActorId) -> bool {
        self.find(actor).is_ok()
    }

    /// Whether the actor exists and is in the tree.
    pub fn is_loaded(&self, actor: ActorId) -> bool {
        self.find(actor).is_ok_and(|(block, lane)| {
            self.blocks[block]
                .control(self.shape.layout(), control::LOADED)
                .get(lane)
        })
    }

    /// How many actors there are.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// All actors, by place.
    pub fn actors(&self) -> impl Iterator<Item = ActorId> + '_ {
        let layout = self.shape.layout();
        self.blocks
            .iter()
            .enumerate()
            .flat_map(move |(index, block)| {
                let alive = block.control(layout, control::ALIVE).lanes();
                alive.map(move |lane| block.actor(index, lane))
            })
    }
}
