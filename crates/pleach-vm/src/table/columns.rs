//! Sets that a population has of itself: everyone, and who has what in a column.

use pleach_shape::layout::BLOCK_LANES;

use super::planes::{PlaneSet, Stored};
use super::set::ActorSet;
use crate::block::control;
use crate::column::{ColumnKey, NumberType, key_line};
use crate::error::AccessError;
use crate::plane::Plane;
use crate::population::Population;

/// See [`Population::everyone`].
#[derive(Clone, Copy)]
pub struct Everyone<'a> {
    population: &'a Population,
    plane: usize,
}

impl<'a> ActorSet<'a> for Everyone<'a> {
    fn population(&self) -> &'a Population {
        self.population
    }

    #[inline]
    fn plane(&self, block: usize) -> Plane {
        let layout = self.population.shape.layout();
        let block = self.population.blocks.get(block);
        block.map_or(Plane::EMPTY, |block| {
            *block.control(layout, self.plane) & *block.control(layout, control::ALIVE)
        })
    }
}

/// See [`Population::actors_with`].
#[derive(Clone, Copy)]
pub struct With<'a> {
    population: &'a Population,
    line: usize,
}

impl<'a> ActorSet<'a> for With<'a> {
    fn population(&self) -> &'a Population {
        self.population
    }

    #[inline]
    fn plane(&self, block: usize) -> Plane {
        let alive = self.population.everyone().plane(block);
        let block = self.population.blocks.get(block);
        block.map_or(Plane::EMPTY, |block| block.lines[self.line] & alive)
    }
}

/// See [`Population::actors_where`].
#[derive(Clone, Copy)]
pub struct Where<'a, T, F> {
    population: &'a Population,
    key: ColumnKey<T>,
    holds: F,
}

impl<'a, T: NumberType, F: Fn(T) -> bool + Copy> ActorSet<'a> for Where<'a, T, F> {
    fn population(&self) -> &'a Population {
        self.population
    }

    fn plane(&self, block: usize) -> Plane {
        let Ok(values) = self.population.values(self.key, block) else {
            return Plane::EMPTY;
        };
        let mut plane = Plane::EMPTY;
        for (word, values) in plane.0.iter_mut().zip(values.as_chunks::<64>().0) {
            // One bit a value, in a loop that compilers turn into comparisons of many at once.
            *word = values
                .iter()
                .rev()
                .fold(0, |bits, &value| bits << 1 | u64::from((self.holds)(value)));
        }
        plane & self.population.everyone().plane(block)
    }
}

impl Population {
    /// All living actors.
    pub fn everyone(&self) -> Everyone<'_> {
        Everyone {
            population: self,
            plane: control::ALIVE,
        }
    }

    /// The actors that are in the tree.
    pub fn loaded(&self) -> Everyone<'_> {
        Everyone {
            population: self,
            plane: control::LOADED,
        }
    }

    /// The actors whose value of a truth column is true.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn actors_with(&self, key: ColumnKey<bool>) -> Result<With<'_>, AccessError> {
        Ok(With {
            population: self,
            line: key_line(&self.shape, key)?,
        })
    }

    /// The actors for whose value of a column `holds`. It is asked of all 512 places of a block, whether or
    /// not an actor is there, and should only compare: then compilers make a loop of it that compares many at
    /// once. Of one that answers differently each time, who is in the set is nothing to rely on.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn actors_where<T: NumberType, F: Fn(T) -> bool + Copy>(
        &self,
        key: ColumnKey<T>,
        holds: F,
    ) -> Result<Where<'_, T, F>, AccessError> {
        key_line(&self.shape, key)?;
        Ok(Where {
            population: self,
            key,
            holds,
        })
    }

    /// A column of numbers of a block: 512 values, one a lane, whether or not the lane holds an actor. Empty
    /// for a block that does not exist. Costs nothing; for systems that compute with whole columns.
    ///
    /// # Errors
    /// When the key is of another shape.
    pub fn values<T: NumberType>(
        &self,
        key: ColumnKey<T>,
        block: usize,
    ) -> Result<&[T], AccessError> {
        let line = key_line(&self.shape, key)?;
        let lines = BLOCK_LANES * size_of::<T>() / size_of::<Plane>();
        let block = self.blocks.get(block);
        Ok(block.map_or(&[], |block| {
            bytemuck::cast_slice(&block.lines[line..line + lines])
        }))
    }

    /// The actors of a kept set that still live. Of a set that was kept for another population, nobody.
    pub fn those_in<'a>(&'a self, set: &'a PlaneSet) -> Stored<'a> {
        Stored::new(self, set)
    }
}
