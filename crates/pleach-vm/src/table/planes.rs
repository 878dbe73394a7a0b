//! Sets that are kept.

use super::set::ActorSet;
use crate::actor::ActorId;
use crate::plane::Plane;
use crate::population::Population;
use crate::results::NoSuchActor;

/// A set of actors of one population that is kept: a plane a block, in memory that is reused.
///
/// It knows places, not ids: it is meant for the time between two ticks, in which no place is given to
/// another actor. Kept for longer, it may name whoever has the place by then. 64 bytes a block.
#[derive(Clone, Default, Debug)]
pub struct PlaneSet {
    /// The population's identity; 0 while there is none.
    owner: u64,
    planes: Vec<Plane>,
}

impl PlaneSet {
    /// The empty set, of no population yet.
    pub const fn new() -> PlaneSet {
        PlaneSet {
            owner: 0,
            planes: Vec::new(),
        }
    }

    /// Makes it the empty set of a population. (Allocates where the population has grown.)
    pub fn clear(&mut self, population: &Population) {
        self.open(population).fill(Plane::EMPTY);
    }

    /// Puts an actor in. A set that belonged to another population is empty before.
    ///
    /// # Errors
    /// When there is no such actor; nothing has changed then.
    pub fn insert(&mut self, population: &Population, actor: ActorId) -> Result<(), NoSuchActor> {
        let (block, lane) = population.find(actor)?;
        if self.owner != population.identity {
            self.clear(population);
        }
        if self.planes.len() <= block {
            self.planes.resize(population.block_count(), Plane::EMPTY);
        }
        self.planes[block].put(lane, true);
        Ok(())
    }

    /// Takes an actor out. (It is in no set that belongs to another population.)
    ///
    /// # Errors
    /// When there is no such actor; nothing has changed then.
    pub fn remove(&mut self, population: &Population, actor: ActorId) -> Result<(), NoSuchActor> {
        let (block, lane) = population.find(actor)?;
        if self.owner == population.identity
            && let Some(plane) = self.planes.get_mut(block)
        {
            plane.put(lane, false);
        }
        Ok(())
    }

    /// How many places are in it, whoever is there by now.
    pub fn count(&self) -> usize {
        self.planes.iter().map(|plane| plane.count() as usize).sum()
    }

    /// Whether no place is in it.
    pub fn is_empty(&self) -> bool {
        self.planes.iter().all(Plane::is_empty)
    }

    /// Its planes, one a block; blocks behind the last one hold nobody.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// A plane for each block of a population, to be filled. What they hold is left from before; of another
    /// population nothing is, since who fills them may panic.
    pub(super) fn open(&mut self, population: &Population) -> &mut [Plane] {
        if self.owner != population.identity {
            self.planes.clear();
            self.owner = population.identity;
        }
        self.planes.resize(population.block_count(), Plane::EMPTY);
        &mut self.planes
    }

    /// Whether it was filled for that population, or for none.
    pub(super) fn fits(&self, population: &Population) -> bool {
        self.owner == population.identity || self.owner == 0
    }

    pub(super) fn plane(&self, block: usize) -> Plane {
        self.planes.get(block).copied().unwrap_or(Plane::EMPTY)
    }
}

/// See [`Population::those_in`].
#[derive(Clone, Copy)]
pub struct Stored<'a> {
    population: &'a Population,
    set: Option<&'a PlaneSet>,
}

impl<'a> Stored<'a> {
    pub(super) fn new(population: &'a Population, set: &'a PlaneSet) -> Stored<'a> {
        Stored {
            population,
            set: Some(set).filter(|set| set.fits(population)),
        }
    }
}

impl<'a> ActorSet<'a> for Stored<'a> {
    fn population(&self) -> &'a Population {
        self.population
    }

    #[inline]
    fn plane(&self, block: usize) -> Plane {
        let kept = self.set.map_or(Plane::EMPTY, |set| set.plane(block));
        kept & self.population.everyone().plane(block)
    }
}
