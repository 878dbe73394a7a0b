//! Blackboard columns and world values, one actor at a time.

use pleach_shape::{ColumnIndex, Value, ValueType};

use crate::actor::ActorId;
use crate::column::{
    ColumnKey, ColumnType, WorldKey, column_line, key_line, load_value, store_value, world_fits,
};
use crate::error::{AccessError, ColumnError};
use crate::population::Population;
use crate::results::NoSuchActor;

impl Population {
    /// The key of a column, for [`get`](Population::get) and [`set`](Population::set).
    ///
    /// # Errors
    /// When the tree declares no such column, or one of another type.
    pub fn column<T: ColumnType>(&self, name: &str) -> Result<ColumnKey<T>, ColumnError> {
        match self.shape.column(name) {
            Some((index, ty)) if ty == T::TYPE => {
                Ok(ColumnKey::new(index, self.shape.columns_tag()))
            }
            other => {
                let own = self.shape.tables().columns.iter();
                let names = own.take(self.shape.own_columns()).map(|def| def.name);
                Err(self.no_such::<T>(name, other.map(|(_, ty)| ty), names))
            }
        }
    }

    #[cold]
    fn no_such<T: ColumnType>(
        &self,
        name: &str,
        found: Option<ValueType>,
        declared: impl Iterator<Item = u32>,
    ) -> ColumnError {
        let known = declared.map(|name| self.shape.name(name).to_owned());
        ColumnError::new(name, T::TYPE, found, known.collect())
    }

    /// An actor's value of a column.
    ///
    /// # Errors
    /// When there is no such actor, or the key is of another shape.
    pub fn get<T: ColumnType>(&self, actor: ActorId, key: ColumnKey<T>) -> Result<T, AccessError> {
        let line = key_line(&self.shape, key)?;
        let (block, lane) = self.find(actor)?;
        Ok(T::load(&self.blocks[block].lines, line, lane))
    }

    /// Writes an actor's value of a column.
    ///
    /// # Errors
    /// When there is no such actor, or the key is of another shape; nothing has changed then.
    pub fn set<T: ColumnType>(
        &mut self,
        actor: ActorId,
        key: ColumnKey<T>,
        value: T,
    ) -> Result<(), AccessError> {
        let line = key_line(&self.shape, key)?;
        let (block, lane) = self.find(actor)?;
        value.store(&mut self.blocks[block].lines, line, lane);
        Ok(())
    }

    /// An actor's value of a column by index, whatever its type.
    ///
    /// # Errors
    /// When there is no such actor or column.
    pub fn value(&self, actor: ActorId, column: ColumnIndex) -> Result<Value, AccessError> {
        self.find(actor)?;
        self.value_at(actor, column)
    }

    /// The value in the actor's place, which it may have left since the last tick.
    pub(crate) fn value_at(
        &self,
        actor: ActorId,
        column: ColumnIndex,
    ) -> Result<Value, AccessError> {
        let (ty, line) = self.typed_line(column)?;
        let block = self.blocks.get(actor.block()).ok_or(NoSuchActor(actor))?;
        Ok(load_value(&block.lines, line, actor.lane(), ty))
    }

    /// Writes an actor's value of a column by index.
    ///
    /// # Errors
    /// When there is no such actor or column, or it has another type; nothing has changed then.
    pub fn set_value(
        &mut self,
        actor: ActorId,
        column: ColumnIndex,
        value: Value,
    ) -> Result<(), AccessError> {
        let line = column_line(&self.shape, column, value.ty())?;
        let (block, lane) = self.find(actor)?;
        store_value(&mut self.blocks[block].lines, line, lane, value);
        Ok(())
    }

    fn typed_line(&self, column: ColumnIndex) -> Result<(ValueType, usize), AccessError> {
        let ty = self
            .shape
            .tables()
            .columns
            .get(column.at())
            .and_then(|def| def.ty());
        let ty = ty.ok_or(AccessError::WrongColumn {
            column,
            asked: ValueType::Bool,
            found: None,
        })?;
        Ok((ty, column_line(&self.shape, column, ty)?))
    }

    /// The key of a world value that the tree reads.
    ///
    /// # Errors
    /// When the tree declares no such value, or one of another type.
    pub fn world_key<T: ColumnType>(&self, name: &str) -> Result<WorldKey<T>, ColumnError> {
        match self.shape.world_value(name) {
            Some((index, ty)) if ty == T::TYPE => Ok(WorldKey::new(index, self.shape.world_tag())),
            other => {
                let names = self.shape.tables().world.iter().map(|def| def.name);
                Err(self.no_such::<T>(name, other.map(|(_, ty)| ty), names))
            }
        }
    }

    /// Sets a world value as this population sees it. In a [`World`](crate::World) set it there:
    /// its tick hands its own values to all populations. `false` if the key is of another shape.
    pub fn set_world<T: ColumnType>(&mut self, key: WorldKey<T>, value: T) -> bool {
        let fits = world_fits(&self.shape, key);
        if fits {
            self.world[key.index.at()] = value.into().to_bits();
        }
        fits
    }

    /// A world value as this population sees it; `None` if the key is of another shape.
    pub fn world_value<T: ColumnType>(&self, key: WorldKey<T>) -> Option<T> {
        world_fits(&self.shape, key).then(|| T::from_bits(self.world[key.index.at()]))
    }
}
