//! Joins: a set of actors, and what their columns point at.

use pleach_shape::layout::BLOCK_LANES;

use super::planes::PlaneSet;
use super::set::ActorSet;
use crate::actor::ActorId;
use crate::column::{ColumnKey, NumberType, key_line};
use crate::error::AccessError;
use crate::plane::Plane;
use crate::population::Population;

/// Actors grouped by a column's value: see [`ActorSet::group_by`]. Its memory is reused.
#[derive(Clone, Debug)]
pub struct Groups<T> {
    /// Sorted.
    rows: Vec<(T, ActorId)>,
}

impl<T> Default for Groups<T> {
    fn default() -> Groups<T> {
        Groups { rows: Vec::new() }
    }
}

impl<T: Copy + Ord> Groups<T> {
    /// No groups.
    pub fn new() -> Groups<T> {
        Groups::default()
    }

    /// Each value that occurs, ascending, with its actors, by place.
    pub fn iter(&self) -> impl Iterator<Item = (T, &[(T, ActorId)])> {
        let groups = self.rows.chunk_by(|first, second| first.0 == second.0);
        groups.filter_map(|group| Some((group.first()?.0, group)))
    }

    /// The actors with that value, by place.
    pub fn of(&self, value: T) -> impl Iterator<Item = ActorId> + '_ {
        let first = self.rows.partition_point(|row| row.0 < value);
        let end = self.rows.partition_point(|row| row.0 <= value);
        self.rows[first..end].iter().map(|row| row.1)
    }

    /// How many actors there are in all groups.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Counts actors by the values of a column: `counts[value]` of them. Gives how many have a value behind the
/// end of `counts`, or a negative one.
pub(super) fn count_by<'a, T: NumberType + TryInto<usize>>(
    set: impl ActorSet<'a>,
    key: ColumnKey<T>,
    counts: &mut [u32],
) -> Result<u32, AccessError> {
    key_line(&set.population().shape, key)?;
    counts.fill(0);
    let mut others = 0;
    for_each_value(set, key, |value, _| {
        let index = value.try_into().ok();
        match index.and_then(|index: usize| counts.get_mut(index)) {
            Some(count) => *count += 1,
            None => others += 1,
        }
    })?;
    Ok(others)
}

pub(super) fn group_by<'a, T: NumberType + Ord>(
    set: impl ActorSet<'a>,
    key: ColumnKey<T>,
    groups: &mut Groups<T>,
) -> Result<(), AccessError> {
    key_line(&set.population().shape, key)?;
    groups.rows.clear();
    for_each_value(set, key, |value, actor| groups.rows.push((value, actor)))?;
    groups.rows.sort_unstable();
    Ok(())
}

/// The actors of `others` that the set's column points at.
pub(super) fn pointed_at<'a>(
    set: impl ActorSet<'a>,
    key: ColumnKey<u64>,
    others: &Population,
    into: &mut PlaneSet,
) -> Result<(), AccessError> {
    key_line(&set.population().shape, key)?;
    into.clear(others);
    for_each_value(set, key, |bits, _| {
        // Who is gone is nobody.
        let _ = into.insert(others, ActorId::from_bits(bits));
    })
}

/// How often each place of `others` is pointed at.
pub(super) fn count_pointed_at<'a>(
    set: impl ActorSet<'a>,
    key: ColumnKey<u64>,
    others: &Population,
    counts: &mut Vec<u32>,
) -> Result<u32, AccessError> {
    key_line(&set.population().shape, key)?;
    counts.clear();
    counts.resize(others.block_count() * BLOCK_LANES, 0);
    let mut nobody = 0;
    for_each_value(set, key, |bits, _| {
        let actor = ActorId::from_bits(bits);
        if others.is_alive(actor) {
            counts[actor.index() as usize] += 1;
        } else {
            nobody += 1;
        }
    })?;
    Ok(nobody)
}

fn for_each_value<'a, T: NumberType>(
    set: impl ActorSet<'a>,
    key: ColumnKey<T>,
    mut each: impl FnMut(T, ActorId),
) -> Result<(), AccessError> {
    let population = set.population();
    for (index, block) in population.blocks.iter().enumerate() {
        let values = population.values(key, index)?;
        for lane in set.plane(index).lanes() {
            each(values[lane], block.actor(index, lane));
        }
    }
    Ok(())
}

/// See [`ActorSet::pointing_into`].
#[derive(Clone, Copy)]
pub struct PointingInto<A, B> {
    set: A,
    key: ColumnKey<u64>,
    others: B,
}

impl<A, B> PointingInto<A, B> {
    pub(super) fn new(set: A, key: ColumnKey<u64>, others: B) -> PointingInto<A, B> {
        PointingInto { set, key, others }
    }
}

impl<'a, A: ActorSet<'a>, B: ActorSet<'a>> ActorSet<'a> for PointingInto<A, B> {
    fn population(&self) -> &'a Population {
        self.set.population()
    }

    fn plane(&self, block: usize) -> Plane {
        let mut pointing = Plane::EMPTY;
        // Nobody is in a block that does not exist, whatever a set says that is not of this crate.
        let Ok(values @ [_, ..]) = self.population().values(self.key, block) else {
            return pointing;
        };
        for lane in self.set.plane(block).lanes() {
            let actor = ActorId::from_bits(values[lane]);
            pointing.put(lane, self.others.contains(actor));
        }
        pointing
    }
}
