//! Sets of actors, and their algebra: block by block, when somebody asks.

use pleach_shape::layout::BLOCK_LANES;

use super::algebra::{And, Chance, Minus, Not, Or};
use super::dice::{self, Dice};
use super::join::{self, Groups, PointingInto};
use super::planes::PlaneSet;
use crate::actor::ActorId;
use crate::column::{ColumnKey, NumberType, key_line};
use crate::error::AccessError;
use crate::plane::{Lanes, Plane};
use crate::population::Population;

/// A set of actors of one population, a plane a block.
///
/// Sets are views: cheap to copy, computed a block at a time when they are counted, walked over or stored,
/// with no memory of their own. `a.and(b).minus(c).count()` is one pass over the planes of all three: eight
/// words a block of 512 actors and operand. Each question computes the set anew; what is asked often, and costs
/// more than planes do (chance, joins, [`actors_where`](Population::actors_where)), is better
/// [stored](ActorSet::store) once.
///
/// An operand of another population holds nobody: `and` with one is empty, `or` and `minus` leave the first.
///
/// A set of your own gives the same population whenever it is asked, the same plane of a block, and in it only
/// lanes of actors that live. If it does not, who is in it is nothing to rely on, but nothing panics.
///
/// ```
/// use pleach_tree::{action, compile, selector, when, Tree};
/// use pleach_vm::{Population, table::ActorSet};
/// use std::time::Duration;
///
/// let tree = Tree::build("guard")
///     .column("armed", false)
///     .column("health", 1.0_f32)
///     .root(selector([when(action("fight"), "armed"), action("flee")]));
/// let mut guards = Population::new(compile(&tree)?);
/// let (fight, armed) = (guards.watch("fight")?, guards.column::<bool>("armed")?);
/// let health = guards.column::<f32>("health")?;
/// let ids = guards.spawn_many(10)?;
/// for &id in &ids[..4] {
///     guards.set(id, armed, true)?;
/// }
/// guards.set(ids[0], health, 0.2)?;
/// guards.tick(Duration::from_millis(16));
///
/// let fighting = guards.table(fight)?.active();
/// let hurt = guards.actors_where(health, |health| health < 0.3)?;
/// assert_eq!(fighting.count(), 4);
/// assert_eq!(fighting.and(hurt).actors().collect::<Vec<_>>(), [ids[0]]);
/// assert_eq!(fighting.not().count(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ActorSet<'a>: Copy {
    /// Whose actors they are.
    fn population(&self) -> &'a Population;

    /// The lanes of a block that are in the set; empty for a block that does not exist.
    fn plane(&self, block: usize) -> Plane;

    /// Actors in both sets.
    fn and<S: ActorSet<'a>>(self, other: S) -> And<Self, S> {
        And::new(self, other)
    }

    /// Actors in either set.
    fn or<S: ActorSet<'a>>(self, other: S) -> Or<Self, S> {
        Or::new(self, other)
    }

    /// Actors in this set that are not in the other: the difference.
    fn minus<S: ActorSet<'a>>(self, other: S) -> Minus<Self, S> {
        Minus::new(self, other)
    }

    /// The population's living actors that are not in the set.
    fn not(self) -> Not<Self> {
        Not::new(self)
    }

    /// Each actor of the set by chance: with `probability`, of 1 everybody, of 0 (or NaN) nobody, in steps of
    /// 2⁻²⁴. An actor's throw is of its own, whoever else is in the set: whoever is lucky at 20 % is at 30 %.
    /// Costs a throw, about two nanoseconds, for each of any 64 neighbours of whom one is in the set.
    fn chance(self, probability: f32, dice: Dice) -> Chance<Self> {
        Chance::new(self, probability, dice)
    }

    /// The actors of this set whose `key` column holds the [bits](ActorId::to_bits) of an actor of `others`,
    /// which may be of another population: dwarves whose plant is grown.
    ///
    /// `others` is asked once for each member: a set that is computed, by `actors_where` or by chance, is better
    /// [kept](ActorSet::store) first and given as [`those_in`](Population::those_in).
    ///
    /// # Errors
    /// When the key is of another shape.
    fn pointing_into<S: ActorSet<'a>>(
        self,
        key: ColumnKey<u64>,
        others: S,
    ) -> Result<PointingInto<Self, S>, AccessError> {
        key_line(&self.population().shape, key)?;
        Ok(PointingInto::new(self, key, others))
    }

    /// Counts the actors by the values of a column, such as an enumeration: `counts[value]` of them. Gives how
    /// many have a value that `counts` has no place for. One pass, without a sort.
    ///
    /// # Errors
    /// When the key is of another shape; nothing has changed then.
    fn count_by<T: NumberType + TryInto<usize>>(
        self,
        key: ColumnKey<T>,
        counts: &mut [u32],
    ) -> Result<u32, AccessError> {
        join::count_by(self, key, counts)
    }

    /// Groups the actors by the values of a column, such as the entity that they follow: into `groups`, whose
    /// memory is reused (16 bytes an actor for a `u64` column). Sorts, in n log n steps for n actors.
    ///
    /// # Errors
    /// When the key is of another shape; nothing has changed then.
    fn group_by<T: NumberType + Ord>(
        self,
        key: ColumnKey<T>,
        groups: &mut Groups<T>,
    ) -> Result<(), AccessError> {
        join::group_by(self, key, groups)
    }

    /// The actors of another population, or the same, whose [bits](ActorId::to_bits) the set's `key` column
    /// holds: plants that a dwarf has claimed. Bits that name nobody who lives are passed over. One look-up for
    /// each member of the set.
    ///
    /// ```
    /// use pleach_tree::{action, compile, idle, Tree};
    /// use pleach_vm::{Population, table::{ActorSet, PlaneSet}};
    ///
    /// let mut plants = Population::new(compile(&Tree::build("plant").root(idle()))?);
    /// let tree = Tree::build("dwarf").column("claim", u64::MAX).root(action("harvest"));
    /// let mut dwarves = Population::new(compile(&tree)?);
    /// let claim = dwarves.column::<u64>("claim")?;
    /// let (beds, workers) = (plants.spawn_many(6)?, dwarves.spawn_many(3)?);
    /// for (&dwarf, &plant) in workers.iter().zip(&beds[2..4]) {
    ///     dwarves.set(dwarf, claim, plant.to_bits())?;
    /// }
    ///
    /// let mut claimed = PlaneSet::new();
    /// dwarves.everyone().pointed_at(claim, &plants, &mut claimed)?;
    /// let claimed = plants.those_in(&claimed);
    /// assert_eq!(claimed.actors().collect::<Vec<_>>(), beds[2..4]);
    /// // And the other way round: whoever has a plant that still grows.
    /// let busy = dwarves.everyone().pointing_into(claim, plants.everyone())?;
    /// assert_eq!(busy.actors().collect::<Vec<_>>(), workers[..2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the key is of another shape; nothing has changed then.
    fn pointed_at(
        self,
        key: ColumnKey<u64>,
        others: &Population,
        into: &mut PlaneSet,
    ) -> Result<(), AccessError> {
        join::pointed_at(self, key, others, into)
    }

    /// How often each actor of another population, or the same, is pointed at: `counts[place]` times, where
    /// the place is its [index](ActorId::index). Gives how many point at nobody who lives. One look-up for each
    /// member of the set; four bytes for each place of `others`, in memory that is reused.
    ///
    /// # Errors
    /// When the key is of another shape; nothing has changed then.
    fn count_pointed_at(
        self,
        key: ColumnKey<u64>,
        others: &Population,
        counts: &mut Vec<u32>,
    ) -> Result<u32, AccessError> {
        join::count_pointed_at(self, key, others, counts)
    }

    /// How many there are.
    fn count(&self) -> usize {
        let blocks = 0..self.population().block_count();
        blocks.map(|block| self.plane(block).count() as usize).sum()
    }

    /// Whether there is nobody. Looks no further than the first block with somebody.
    fn is_empty(&self) -> bool {
        (0..self.population().block_count()).all(|block| self.plane(block).is_empty())
    }

    /// Whether an actor is in the set. Computes the set for its block.
    fn contains(&self, actor: ActorId) -> bool {
        let population = self.population();
        let Some(block) = population.blocks.get(actor.block()) else {
            return false;
        };
        block.generation(actor.lane()) == actor.generation()
            && self.plane(actor.block()).get(actor.lane())
    }

    /// The actors, by place. The first n of them are `actors().take(n)`. A few instructions for each.
    fn actors(self) -> Actors<'a, Self> {
        Actors::new(self)
    }

    /// Keeps the set, whatever `into` held before. Allocates where the population has grown since.
    fn store(&self, into: &mut PlaneSet) {
        let planes = into.open(self.population());
        for (block, plane) in planes.iter_mut().enumerate() {
            *plane = self.plane(block);
        }
    }

    /// Keeps the first `count` actors of the set, by place. Gives how many there are. Computes no block behind
    /// the last of them.
    fn store_first(&self, count: usize, into: &mut PlaneSet) -> usize {
        let mut left = count;
        for (block, plane) in into.open(self.population()).iter_mut().enumerate() {
            *plane = if left == 0 {
                Plane::EMPTY
            } else {
                dice::first_lanes(self.plane(block), left)
            };
            left -= plane.count() as usize;
        }
        count - left
    }

    /// Keeps `count` actors of the set, any `count` of them with the same probability; all, if there are no
    /// more. Gives how many there are. Costs a throw for each that is kept, whatever the size of the set, and
    /// computes the set twice.
    ///
    /// ```
    /// use pleach_tree::{compile, idle, Tree};
    /// use pleach_vm::{Population, table::{ActorSet, PlaneSet}};
    ///
    /// let tree = Tree::build("guest").column("invited", false).root(idle());
    /// let mut guests = Population::new(compile(&tree)?);
    /// let invited = guests.column::<bool>("invited")?;
    /// guests.spawn_many(2_000)?;
    ///
    /// let mut set = PlaneSet::new();
    /// assert_eq!(guests.everyone().store_sample(5, guests.dice(1), &mut set), 5);
    /// guests.conclude("party", invited, &set)?;
    /// let guests_of_honour = guests.actors_with(invited)?;
    /// assert_eq!(guests_of_honour.count(), 5);
    /// assert!(guests_of_honour.minus(guests.those_in(&set)).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn store_sample(&self, count: usize, dice: Dice, into: &mut PlaneSet) -> usize {
        let all = self.count();
        if count >= all {
            self.store(into);
            return all;
        }
        let planes = into.open(self.population());
        let all = all.min(planes.len() * BLOCK_LANES);
        let count = count.min(all);
        dice::draw_ranks(count, all, dice, planes);
        dice::ranks_to_lanes(planes, all, |block| self.plane(block));
        count
    }
}

/// Walks over the actors of a set, by place.
#[derive(Clone)]
pub struct Actors<'a, S> {
    set: S,
    population: &'a Population,
    block: usize,
    lanes: Lanes,
}

impl<'a, S: ActorSet<'a>> Actors<'a, S> {
    fn new(set: S) -> Actors<'a, S> {
        Actors {
            population: set.population(),
            lanes: set.plane(0).lanes(),
            block: 0,
            set,
        }
    }
}

impl<'a, S: ActorSet<'a>> Iterator for Actors<'a, S> {
    type Item = ActorId;

    #[inline]
    fn next(&mut self) -> Option<ActorId> {
        loop {
            if let Some(lane) = self.lanes.next() {
                let block = self.population.blocks.get(self.block)?;
                return Some(block.actor(self.block, lane));
            }
            if self.block + 1 >= self.population.block_count() {
                return None;
            }
            self.block += 1;
            self.lanes = self.set.plane(self.block).lanes();
        }
    }
}
