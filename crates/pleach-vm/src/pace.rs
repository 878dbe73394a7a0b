//! Pace: actors that tick every few ticks only.

use crate::actor::ActorId;
use crate::plane::Plane;
use crate::population::Population;
use crate::results::NoSuchActor;

/// How often an actor ticks: in the ticks of its population whose number, plus `phase`, is a multiple
/// of `every` (T7). Both are counted in ticks; the first tick has number 1.
///
/// ```
/// use pleach_vm::Interval;
///
/// let third = Interval::new(3, 1);
/// let due: Vec<u64> = (1..=9).filter(|&tick| third.is_due(tick)).collect();
/// assert_eq!(due, [2, 5, 8]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    every: u32,
    phase: u32,
}

impl Interval {
    /// Every tick.
    pub const ALWAYS: Interval = Interval { every: 1, phase: 0 };

    /// Every that many ticks (0 is taken for 1), shifted by `phase`: actors of different phases tick in
    /// different ticks, which spreads the work.
    pub const fn new(every: u32, phase: u32) -> Interval {
        let every = if every == 0 { 1 } else { every };
        Interval {
            every,
            phase: phase % every,
        }
    }

    /// The number of ticks from one turn to the next, at least 1.
    pub const fn every(self) -> u32 {
        self.every
    }

    /// The shift in ticks, below [`every`](Interval::every).
    pub const fn phase(self) -> u32 {
        self.phase
    }

    /// Whether the population's tick of that number is one of its.
    pub const fn is_due(self, tick: u64) -> bool {
        tick.wrapping_add(self.phase as u64)
            .is_multiple_of(self.every as u64)
    }
}

/// Lanes that tick at the same interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) interval: Interval,
    pub(crate) lanes: Plane,
    /// The clock at their last tick, or when they were put together.
    last_micros: u64,
    /// How long they had not ticked, as of this tick.
    pub(crate) dt_micros: u64,
}

/// The paces of a block. No lane is in two of them.
#[derive(Clone, Debug)]
pub(crate) struct Paces {
    /// Beside the block itself, since most blocks have only one.
    most: Pace,
    others: Vec<Pace>,
}

impl Paces {
    pub(crate) fn new(now: u64) -> Paces {
        Paces {
            most: Pace::new(Interval::ALWAYS, Plane::FULL, now),
            others: Vec::new(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Pace> {
        std::iter::once(&self.most).chain(&self.others)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Pace> {
        std::iter::once(&mut self.most).chain(&mut self.others)
    }

    /// Gives lanes an interval. They lose nothing of the time that they waited.
    pub(crate) fn set(&mut self, lanes: Plane, interval: Interval) {
        for index in 0..=self.others.len() {
            let pace = self.all_mut().nth(index);
            let Some(pace) = pace.filter(|pace| pace.interval != interval) else {
                continue;
            };
            let (moved, last) = (pace.lanes & lanes, pace.last_micros);
            pace.lanes &= !lanes;
            self.put(moved, interval, last);
        }
        self.others.retain(|pace| !pace.lanes.is_empty());
    }

    /// A lane is given to a new actor: it ticks every tick, and has waited for nothing yet.
    pub(crate) fn settle(&mut self, lane: usize, now: u64) {
        let mut lanes = Plane::EMPTY;
        lanes.put(lane, true);
        for pace in self.all_mut() {
            pace.lanes &= !lanes;
        }
        self.put(lanes, Interval::ALWAYS, now);
        self.others.retain(|pace| !pace.lanes.is_empty());
    }

    fn put(&mut self, lanes: Plane, interval: Interval, last: u64) {
        if lanes.is_empty() {
            return;
        }
        let alike = |pace: &&mut Pace| pace.interval == interval && pace.last_micros == last;
        if let Some(pace) = self.all_mut().find(alike) {
            pace.lanes |= lanes;
        } else if self.most.lanes.is_empty() {
            self.most = Pace::new(interval, lanes, last);
        } else {
            self.others.push(Pace::new(interval, lanes, last));
        }
    }

    pub(crate) fn of(&self, lane: usize) -> Interval {
        let pace = self.all().find(|pace| pace.lanes.get(lane));
        pace.map_or(Interval::ALWAYS, |pace| pace.interval)
    }

    /// The lanes whose turn it is in a tick. Their clocks move on.
    pub(crate) fn begin(&mut self, tick: u64, now: u64) -> Plane {
        self.merge();
        let mut due = Plane::EMPTY;
        for pace in self.all_mut() {
            // Of the others, too: who leaves is told.
            pace.dt_micros = now - pace.last_micros.min(now);
            if pace.interval.is_due(tick) {
                due |= pace.lanes;
                pace.last_micros = now;
            }
        }
        due
    }

    /// Paces that have ticked together since they were parted are one.
    fn merge(&mut self) {
        let mut index = 0;
        while index < self.others.len() {
            let pace = self.others[index];
            let mut before = std::iter::once(&mut self.most).chain(&mut self.others[..index]);
            let alike = before.find(|other| {
                (other.interval, other.last_micros) == (pace.interval, pace.last_micros)
            });
            if let Some(other) = alike {
                other.lanes |= pace.lanes;
                self.others.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// The time since the lane's last tick.
    pub(crate) fn dt_micros(&self, lane: usize) -> u64 {
        let pace = self.all().find(|pace| pace.lanes.get(lane));
        pace.map_or(0, |pace| pace.dt_micros)
    }
}

impl Pace {
    fn new(interval: Interval, lanes: Plane, now: u64) -> Pace {
        Pace {
            interval,
            lanes,
            last_micros: now,
            dt_micros: 0,
        }
    }
}

impl Population {
    /// Lets an actor tick every few ticks only, shifted by the interval's phase (T7). In between nothing
    /// happens to it: it requests nothing, and what it requested goes on; a result waits for its next
    /// turn. Its deadlines are moments of the clock, so it loses no time (T3), and its callbacks are told
    /// the time since its own last turn. Unloading, resetting and despawning it do not wait for its turn.
    /// A new actor ticks every tick.
    ///
    /// ```
    /// use pleach_tree::{action, compile, Tree};
    /// use pleach_vm::{Interval, Outcome, Population, Status};
    /// use std::time::Duration;
    ///
    /// let mut crows = Population::new(compile(&Tree::build("crow").root(action("circle")))?);
    /// let [near, far] = [crows.spawn()?, crows.spawn()?];
    /// crows.set_interval(far, Interval::new(4, 0))?; // in ticks 4, 8, 12, …
    ///
    /// let mut ticked = [0; 8];
    /// for tick in &mut ticked {
    ///     *tick = crows.tick(Duration::from_millis(16)).counts.ticked;
    /// }
    /// assert_eq!(ticked, [1, 1, 1, 2, 1, 1, 1, 2]);
    ///
    /// // A result waits until its actor's turn comes.
    /// let circle = crows.slots("circle")[0];
    /// crows.set_result(far, circle, Outcome::Success)?;
    /// for _ in 9..12 {
    ///     crows.tick(Duration::from_millis(16));
    ///     assert_eq!(crows.status(far)?, Some(Status::Running));
    /// }
    /// crows.tick(Duration::from_millis(16));
    /// assert_eq!(crows.status(far)?, Some(Status::Success));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A block does the same work for one actor that is due as for many, so intervals save most where
    /// all actors of a block have the same one: see [`set_block_interval`](Population::set_block_interval)
    /// and [`stagger`](Population::stagger).
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn set_interval(&mut self, actor: ActorId, interval: Interval) -> Result<(), NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        let mut lanes = Plane::EMPTY;
        lanes.put(lane, true);
        self.blocks[block].paces.set(lanes, interval);
        Ok(())
    }

    /// Gives all actors of a block an interval; `false` if there is no such block. A block that is not
    /// due costs next to nothing. (Actors that are spawned into it later tick every tick.)
    pub fn set_block_interval(&mut self, block: usize, interval: Interval) -> bool {
        let found = self.blocks.get_mut(block);
        found
            .map(|block| block.paces.set(Plane::FULL, interval))
            .is_some()
    }

    /// Lets the actors there are tick every `every` ticks (0 is taken for 1), block by block in turn, so
    /// that each tick has about the same number of blocks to do.
    pub fn stagger(&mut self, every: u32) {
        for index in 0..self.blocks.len() {
            let phase = index % every.max(1) as usize;
            self.set_block_interval(index, Interval::new(every, phase as u32));
        }
    }

    /// How often an actor ticks.
    ///
    /// # Errors
    /// When there is no such actor.
    pub fn interval(&self, actor: ActorId) -> Result<Interval, NoSuchActor> {
        let (block, lane) = self.find(actor)?;
        Ok(self.blocks[block].paces.of(lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_ticks_at_its_interval() {
        let mut paces = Paces::new(0);
        paces.set(Plane::first(100), Interval::new(4, 1));
        paces.set(Plane::first(10), Interval::new(3, 0));
        paces.set(Plane::first(5), Interval::ALWAYS);
        let intervals = [0, 7, 50, 400].map(|lane| paces.of(lane));
        assert_eq!(intervals.map(Interval::every), [1, 3, 4, 1]);
        for tick in 1..=24u64 {
            let due = paces.begin(tick, tick * 10);
            for (lane, interval) in [0, 7, 50, 400].into_iter().zip(intervals) {
                assert_eq!(due.get(lane), interval.is_due(tick), "{lane} in {tick}");
                if due.get(lane) && tick > 4 {
                    let waited = u64::from(interval.every()) * 10;
                    assert_eq!(paces.dt_micros(lane), waited);
                }
            }
        }
    }

    #[test]
    fn every_zero_ticks_is_every_tick() {
        assert!((0..9).all(|tick| Interval::new(0, 7).is_due(tick)));
    }
}
