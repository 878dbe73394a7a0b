//! Deadlines: narrow ones in 32 bits, wide ones in 64.

use pleach_shape::layout::{BLOCK_LANES, LINES_U32, NARROW_MICROS, timer_lines};
use pleach_shape::{BlockLayout, TimerDef};

use crate::plane::Plane;

/// A block's timers.
///
/// A narrow deadline is kept as its distance from the block's `epoch`, in microseconds. At the start
/// of a tick the clock is less than [`NARROW_MICROS`] ahead of the epoch ([`advance`]), and a narrow time
/// is at most as long, so the distance fits.
pub(crate) struct Timers<'a> {
    /// The block's lines from [`BlockLayout::timers`] on.
    pub(crate) lines: &'a mut [Plane],
    pub(crate) layout: &'a BlockLayout,
    pub(crate) defs: &'a [TimerDef],
    pub(crate) epoch: u64,
}

/// The lines of one timer.
pub(crate) enum TimerLines<'a> {
    /// 512 distances from the epoch.
    Narrow(&'a mut [Plane]),
    /// 512 moments.
    Wide(&'a mut [u64]),
}

impl Timers<'_> {
    pub(crate) fn of(&mut self, timer: u32) -> TimerLines<'_> {
        let timer = timer as usize;
        let from = self.layout.timer_firsts[timer] as usize - self.layout.timers;
        let lines = timer_lines(self.defs[timer].micros);
        let lines = &mut self.lines[from..from + lines];
        if lines.len() == LINES_U32 {
            TimerLines::Narrow(lines)
        } else {
            TimerLines::Wide(bytemuck::cast_slice_mut(lines))
        }
    }

    /// A lane's deadline, in microseconds of the clock.
    #[inline]
    pub(crate) fn get(&self, timer: u32, lane: usize) -> u64 {
        deadline(
            self.layout,
            self.defs,
            (self.lines, self.epoch),
            timer,
            lane,
        )
    }

    #[inline]
    pub(crate) fn set(&mut self, timer: u32, lane: usize, deadline: u64) {
        let epoch = self.epoch;
        match self.of(timer) {
            TimerLines::Narrow(lines) => {
                let distances: &mut [u32] = bytemuck::cast_slice_mut(lines);
                distances[lane] = distance(deadline, epoch);
            }
            TimerLines::Wide(moments) => moments[lane] = deadline,
        }
    }
}

/// D4: the duration of a timer that starts, drawn evenly from those it may take: a function of (seed,
/// actor, node, tick).
pub(crate) fn drawn(def: &TimerDef, seed: u64, actor: u64, tick: u64) -> u64 {
    let bits = crate::random::draw(seed, actor, def.node, tick);
    let choices = (def.micros - def.shortest).checked_add(1);
    // All 2^64 durations are as many as there are draws.
    def.shortest + choices.map_or(bits, |choices| crate::random::below(bits, choices))
}

/// A lane's deadline, out of the lines of a block's timers and its epoch.
#[inline]
pub(crate) fn deadline(
    layout: &BlockLayout,
    defs: &[TimerDef],
    (lines, epoch): (&[Plane], u64),
    timer: u32,
    lane: usize,
) -> u64 {
    let timer = timer as usize;
    let from = layout.timer_firsts[timer] as usize - layout.timers;
    let lines = &lines[from..from + timer_lines(defs[timer].micros)];
    if lines.len() == LINES_U32 {
        let distances: &[u32] = bytemuck::cast_slice(lines);
        epoch.saturating_add(distances[lane].into())
    } else {
        bytemuck::cast_slice::<Plane, u64>(lines)[lane]
    }
}

/// The distance of a deadline from the epoch, as it is kept.
pub(crate) fn distance(deadline: u64, epoch: u64) -> u32 {
    u32::try_from(deadline.saturating_sub(epoch)).unwrap_or(u32::MAX)
}

/// Moves the epoch on where the clock has come too far from it. A deadline that has passed becomes the
/// new epoch, which has passed as well.
pub(crate) fn advance(epoch: &mut u64, now: u64, lines: &mut [Plane], defs: &[TimerDef]) {
    let ahead = now.saturating_sub(*epoch);
    if ahead < NARROW_MICROS {
        return;
    }
    *epoch = now;
    let mut rest = lines;
    for def in defs {
        let (timer, behind) = rest.split_at_mut(timer_lines(def.micros));
        if timer.len() == LINES_U32 {
            let distances: &mut [u32] = bytemuck::cast_slice_mut(timer);
            debug_assert_eq!(distances.len(), BLOCK_LANES);
            let by = u32::try_from(ahead).unwrap_or(u32::MAX);
            for distance in distances {
                *distance = distance.saturating_sub(by);
            }
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn def(micros: u64) -> TimerDef {
        TimerDef {
            micros,
            shortest: micros,
            node: 0,
            reserved: 0,
        }
    }

    #[test]
    fn durations_are_drawn_from_the_first_to_the_last_one() {
        let drawn = |shortest, micros, tick| {
            let def = TimerDef {
                shortest,
                ..def(micros)
            };
            super::drawn(&def, 1, 2, tick)
        };
        let few: Vec<u64> = (0..200).map(|tick| drawn(7, 9, tick)).collect();
        for expected in 7..=9 {
            assert!(few.contains(&expected), "{expected}");
        }
        assert!(few.iter().all(|drawn| (7..=9).contains(drawn)));
        let last = u64::MAX;
        for tick in 0..200 {
            assert_eq!(drawn(5, 5, tick), 5);
            assert_eq!(drawn(last, last, tick), last);
            assert!(drawn(last - 1, last, tick) >= last - 1);
            assert!(drawn(1, last, tick) >= 1);
        }
        let halves = (0..200).filter(|&tick| drawn(0, last, tick) > last / 2);
        // Standard deviation about 7.
        assert!((60..140).contains(&halves.count()));
    }

    #[test]
    fn deadlines_survive_the_epochs_moves() {
        let defs = [def(NARROW_MICROS), def(NARROW_MICROS + 1)];
        let layout = BlockLayout {
            timer_firsts: vec![7, 7 + LINES_U32 as u32],
            timers: 7,
            ..BlockLayout::default()
        };
        let mut lines = vec![Plane::EMPTY; 96];
        let (mut epoch, mut now) = (0, 0);
        let mut expected = [[0u64; 4]; 2];
        for step in 0..64u64 {
            now += if step % 5 == 4 {
                NARROW_MICROS / 2
            } else {
                NARROW_MICROS / 3
            };
            advance(&mut epoch, now, &mut lines, &defs);
            let mut timers = Timers {
                lines: &mut lines,
                layout: &layout,
                defs: &defs,
                epoch,
            };
            for (timer, lanes) in expected.iter_mut().enumerate() {
                for (lane, expected) in lanes.iter_mut().enumerate() {
                    let found = timers.get(timer as u32, lane * 100);
                    // What has passed may be said to have passed at another moment.
                    assert_eq!(found.max(now), (*expected).max(now), "step {step}");
                    if lane as u64 == step % 4 {
                        *expected = now + defs[timer].micros;
                        timers.set(timer as u32, lane * 100, *expected);
                    }
                }
            }
        }
    }
}
