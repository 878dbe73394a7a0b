//! Pace: actors that tick every few ticks only.

use pleach_shape::layout::BLOCK_LANES;

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

/// The paces of a block: each interval once, each lane in one of them.
#[derive(Clone, Debug)]
pub(crate) struct Paces {
    /// Beside the block itself, since most blocks have only one.
    most: Pace,
    others: Vec<Pace>,
    /// Lanes that have not ticked since they were given their interval, and the clock at their last tick,
    /// where it is not that of their pace.
    waiting: Vec<Waiting>,
    /// Of each lane the place of its pace: 0 for `most`, then the others. Empty while there is only one.
    place: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    lane: u16,
    last_micros: u64,
    dt_micros: u64,
}

impl Paces {
    pub(crate) fn new(now: u64) -> Paces {
        Paces {
            most: Pace::new(Interval::ALWAYS, Plane::FULL, now),
            others: Vec::new(),
            waiting: Vec::new(),
            place: Vec::new(),
        }
    }

    fn at(&self, lane: usize) -> &Pace {
        match self.place.get(lane) {
            Some(&place) if place > 0 => &self.others[place as usize - 1],
            _ => &self.most,
        }
    }

    /// The clock at the lane's last tick.
    fn last_micros(&self, lane: usize) -> u64 {
        let waiting = self
            .waiting
            .iter()
            .find(|waiting| usize::from(waiting.lane) == lane);
        waiting.map_or(self.at(lane).last_micros, |waiting| waiting.last_micros)
    }

    /// Gives lanes an interval. They lose nothing of the time that they waited.
    pub(crate) fn set(&mut self, lanes: Plane, interval: Interval) {
        for lane in lanes.lanes() {
            if self.at(lane).interval != interval {
                self.move_to(lane, interval, self.last_micros(lane));
            }
        }
        self.tidy();
    }

    /// A lane is given to a new actor: it ticks every tick, and has waited for nothing yet.
    pub(crate) fn settle(&mut self, lane: usize, now: u64) {
        if (self.at(lane).interval, self.last_micros(lane)) != (Interval::ALWAYS, now) {
            self.move_to(lane, Interval::ALWAYS, now);
            self.tidy();
        }
    }

    fn move_to(&mut self, lane: usize, interval: Interval, last: u64) {
        if self.place.is_empty() {
            self.place = vec![0; BLOCK_LANES];
        }
        match self.place[lane] {
            0 => self.most.lanes.put(lane, false),
            place => self.others[place as usize - 1].lanes.put(lane, false),
        }
        self.waiting
            .retain(|waiting| usize::from(waiting.lane) != lane);
        let known = self
            .others
            .iter()
            .position(|pace| pace.interval == interval);
        let place = if self.most.interval == interval {
            0
        } else if let Some(known) = known {
            known + 1
        } else {
            self.others.push(Pace::new(interval, Plane::EMPTY, last));
            self.others.len()
        };
        self.place[lane] = place as u16;
        let pace = match place {
            0 => &mut self.most,
            place => &mut self.others[place - 1],
        };
        pace.lanes.put(lane, true);
        if pace.last_micros != last {
            self.waiting.push(Waiting {
                lane: lane as u16,
                last_micros: last,
                dt_micros: 0,
            });
        }
    }

    /// Leaves out paces that nobody has any more.
    fn tidy(&mut self) {
        if self.others.iter().all(|pace| !pace.lanes.is_empty()) && !self.most.lanes.is_empty() {
            return;
        }
        self.others.retain(|pace| !pace.lanes.is_empty());
        if self.most.lanes.is_empty()
            && let Some(pace) = self.others.pop()
        {
            self.most = pace;
        }
        self.place.fill(0);
        for (place, pace) in (1u16..).zip(&self.others) {
            for lane in pace.lanes.lanes() {
                self.place[lane] = place;
            }
        }
        if self.others.is_empty() {
            self.place = Vec::new();
        }
    }

    pub(crate) fn of(&self, lane: usize) -> Interval {
        self.at(lane).interval
    }

    /// The lanes whose turn it is in a tick. Their clocks move on.
    pub(crate) fn begin(&mut self, tick: u64, now: u64) -> Plane {
        let mut due = Plane::EMPTY;
        // Of those that are not due, too: who leaves is told how long it has waited.
        for waiting in &mut self.waiting {
            waiting.dt_micros = now - waiting.last_micros.min(now);
        }
        for pace in std::iter::once(&mut self.most).chain(&mut self.others) {
            pace.dt_micros = now - pace.last_micros.min(now);
            if pace.interval.is_due(tick) {
                due |= pace.lanes;
                pace.last_micros = now;
            }
        }
        due
    }

    /// The end of a tick: those that were due have ticked with their pace.
    pub(crate) fn end(&mut self, due: Plane) {
        if !self.waiting.is_empty() {
            self.waiting.retain(|waiting| !due.get(waiting.lane.into()));
        }
    }

    /// The time since the lane's last tick.
    pub(crate) fn dt_micros(&self, lane: usize) -> u64 {
        let waiting = self
            .waiting
            .iter()
            .find(|waiting| usize::from(waiting.lane) == lane);
        waiting.map_or(self.at(lane).dt_micros, |waiting| waiting.dt_micros)
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
            paces.end(due);
        }
    }

    #[test]
    fn every_zero_ticks_is_every_tick() {
        assert!((0..9).all(|tick| Interval::new(0, 7).is_due(tick)));
    }
}
