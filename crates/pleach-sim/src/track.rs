//! Motions bound to the columns and world values that they move.

use pleach_vm::{BlockMut, ColumnKey, Population, WorldKey};

use crate::dice::{Dice, NOBODY, stream};
use crate::motion::{Flips, Moment, Motion, Number, Walk, by_type};

/// A motion and what it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track<K, M> {
    key: K,
    stream: u32,
    motion: M,
}

/// A motion of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColumnTrack {
    Bool(Track<ColumnKey<bool>, Flips>),
    U8(Track<ColumnKey<u8>, Walk<u8>>),
    U16(Track<ColumnKey<u16>, Walk<u16>>),
    I32(Track<ColumnKey<i32>, Walk<i32>>),
    F32(Track<ColumnKey<f32>, Walk<f32>>),
    U64(Track<ColumnKey<u64>, Walk<u64>>),
}

/// A motion of a world value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WorldTrack {
    Bool(Track<WorldKey<bool>, Flips>),
    U8(Track<WorldKey<u8>, Walk<u8>>),
    U16(Track<WorldKey<u16>, Walk<u16>>),
    I32(Track<WorldKey<i32>, Walk<i32>>),
    F32(Track<WorldKey<f32>, Walk<f32>>),
    U64(Track<WorldKey<u64>, Walk<u64>>),
}

/// Makes the variant of a motion's type, with the key that `$population.$key(name)` gives.
macro_rules! bind {
    ($enum:ident, $population:ident . $key:ident ($name:ident), $motion:ident, [$($variant:ident),*]) => {
        match $motion {
            $(Motion::$variant(motion) => $enum::$variant(Track {
                key: $population.$key($name).ok()?,
                stream: stream($name, 0),
                motion,
            }),)*
        }
    };
}

impl<K, M> Track<K, M> {
    fn moment(&self, dice: Dice, tick: u64) -> Moment {
        Moment {
            dice,
            stream: self.stream,
            tick,
        }
    }
}

impl ColumnTrack {
    /// Binds a motion to the column of that name; `None` if the population's tree has no such
    /// column of that type. Any population of the tree's shape will do.
    pub(crate) fn new(population: &Population, name: &str, motion: Motion) -> Option<ColumnTrack> {
        Some(bind!(
            ColumnTrack,
            population.column(name),
            motion,
            [Bool, U8, U16, I32, F32, U64]
        ))
    }

    /// Gives a block's actors, as many as `count`, the first of which is `first`, their first value.
    pub(crate) fn start(&self, block: &mut BlockMut<'_>, dice: Dice, first: u64, count: usize) {
        by_type!(self, ColumnTrack, bool track => {
            if let Ok(plane) = block.plane_mut(track.key) {
                track.motion.start_plane(track.moment(dice, 0), first, count, plane);
            }
        }, number track => track.start_block(block, dice, first, count));
    }

    /// Moves a block's values by a tick.
    pub(crate) fn refresh(
        &self,
        block: &mut BlockMut<'_>,
        dice: Dice,
        tick: u64,
        first: u64,
        count: usize,
    ) {
        by_type!(self, ColumnTrack, bool track => {
            if track.motion.moves() && let Ok(plane) = block.plane_mut(track.key) {
                track.motion.move_plane(track.moment(dice, tick), first, count, plane);
            }
        }, number track => track.move_block(block, dice, tick, first, count));
    }

    /// Feeds a block's values, as bits in the order of actors, to `word`.
    pub(crate) fn read(&self, block: &BlockMut<'_>, count: usize, mut word: impl FnMut(u64)) {
        by_type!(self, ColumnTrack, bool track => {
            if let Ok(plane) = block.plane(track.key) {
                plane.0.iter().for_each(|&bits| word(bits));
            }
        }, number track => {
            if let Ok(values) = block.values(track.key) {
                values.iter().take(count).for_each(|&value| word(canonical_bits(value.into())));
            }
        });
    }
}

/// A value's bits, with one NaN for all: which one an operation gives is the machine's choice.
pub(crate) fn canonical_bits(value: pleach_vm::Value) -> u64 {
    match value {
        pleach_vm::Value::F32(value) if value.is_nan() => f32::NAN.to_bits().into(),
        value => value.to_bits(),
    }
}

// The keys are of the shape that the population runs, so access never fails.
impl<T: Number> Track<ColumnKey<T>, Walk<T>> {
    fn start_block(&self, block: &mut BlockMut<'_>, dice: Dice, first: u64, count: usize) {
        if let Ok(values) = block.values_mut(self.key)
            && let Some(values) = values.get_mut(..count)
        {
            self.motion
                .start_values(self.moment(dice, 0), first, values);
        }
    }

    fn move_block(
        &self,
        block: &mut BlockMut<'_>,
        dice: Dice,
        tick: u64,
        first: u64,
        count: usize,
    ) {
        if self.motion.moves()
            && let Ok(values) = block.values_mut(self.key)
            && let Some(values) = values.get_mut(..count)
        {
            self.motion
                .move_values(self.moment(dice, tick), first, values);
        }
    }
}

impl WorldTrack {
    /// Binds a motion to the world value of that name; `None` if the population's tree has no such
    /// value of that type.
    pub(crate) fn new(population: &Population, name: &str, motion: Motion) -> Option<WorldTrack> {
        Some(bind!(
            WorldTrack,
            population.world_key(name),
            motion,
            [Bool, U8, U16, I32, F32, U64]
        ))
    }

    /// Gives the value its first.
    pub(crate) fn start(&self, population: &mut Population, dice: Dice) {
        by_type!(self, WorldTrack, bool track => {
            population.set_world(track.key, track.motion.started(track.moment(dice, 0), NOBODY));
        }, number track => {
            population.set_world(track.key, track.motion.started(track.moment(dice, 0), NOBODY));
        });
    }

    /// Moves the value by a tick.
    pub(crate) fn refresh(&self, population: &mut Population, dice: Dice, tick: u64) {
        by_type!(self, WorldTrack, bool track => {
            if let Some(value) = population.world_value(track.key) {
                let value = track.motion.moved(track.moment(dice, tick), NOBODY, value);
                population.set_world(track.key, value);
            }
        }, number track => {
            if track.motion.moves() && let Some(value) = population.world_value(track.key) {
                let value = track.motion.moved(track.moment(dice, tick), NOBODY, value);
                population.set_world(track.key, value);
            }
        });
    }

    /// The value as bits.
    pub(crate) fn read(&self, population: &Population) -> u64 {
        let value = by_type!(self, WorldTrack,
            bool track => population.world_value(track.key).map(Into::into),
            number track => population.world_value(track.key).map(Into::into));
        value.map_or(0, canonical_bits)
    }
}
