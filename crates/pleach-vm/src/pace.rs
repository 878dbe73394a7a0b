//! Pace: actors that tick every few ticks only.

use crate::plane::Plane;

/// How often an actor ticks: in the ticks of its population whose number, plus `phase`, is a multiple
/// of `every`.
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

    /// The number of ticks from one to the next.
    pub const fn every(self) -> u32 {
        self.every
    }

    /// The shift.
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
    /// Lanes that are in no other.
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

    /// Gives lanes an interval. Those that have it already lose nothing of the time they waited.
    pub(crate) fn set(&mut self, lanes: Plane, interval: Interval, now: u64) {
        let mut new = lanes;
        for pace in std::iter::once(&mut self.most).chain(&mut self.others) {
            if pace.interval == interval {
                new &= !pace.lanes;
            } else {
                pace.lanes &= !lanes;
            }
        }
        self.others.retain(|pace| !pace.lanes.is_empty());
        if new.is_empty() {
            return;
        }
        if self.most.lanes.is_empty() {
            // Everybody is somewhere else now, or among the new ones.
            self.most = Pace::new(interval, Plane::EMPTY, now);
        }
        let mut found = std::iter::once(&mut self.most).chain(&mut self.others);
        match found.find(|pace| pace.interval == interval) {
            Some(pace) => pace.lanes |= new,
            None => self.others.push(Pace::new(interval, new, now)),
        }
    }

    pub(crate) fn of(&self, lane: usize) -> Interval {
        let pace = self.all().find(|pace| pace.lanes.get(lane));
        pace.map_or(Interval::ALWAYS, |pace| pace.interval)
    }

    /// The lanes whose turn it is in a tick. Their clocks move on.
    pub(crate) fn begin(&mut self, tick: u64, now: u64) -> Plane {
        let mut due = Plane::EMPTY;
        for pace in std::iter::once(&mut self.most).chain(&mut self.others) {
            if pace.interval.is_due(tick) {
                due |= pace.lanes;
                pace.dt_micros = now - pace.last_micros.min(now);
                pace.last_micros = now;
            }
        }
        due
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_ticks_at_its_interval() {
        let mut paces = Paces::new(0);
        paces.set(Plane::first(100), Interval::new(4, 1), 0);
        paces.set(Plane::first(10), Interval::new(3, 0), 0);
        paces.set(Plane::first(5), Interval::ALWAYS, 0);
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
