//! Branch-free selects over arrays of columns: the loops that an expert would write for exactly these
//! two trees, to be vectorised by the compiler.
//!
//! All branches of the tree are judged for all actors, 64 at a time, and the decision is selected.
//! Each pass over the 64 keeps to one width of number, so that it fills whole registers: 16 floats
//! or 64 bytes with AVX-512. Excused from: everything that makes a tree a tree, as `if` and `else`
//! are; a change of the tree is a change of these loops.

use std::time::Duration;

use pleach_shape::Status;

use super::deep::{Leaf, bound, leaf};
use super::guard::{self, HURT, REACH, WAIT, bit, slot};
use super::instructions::{self, Instructions, Loop};
use super::{Contender, Decision, Frame};

/// Actors of a pass: a register of bytes.
const LANES: usize = 64;

/// A column, in parts of a pass's length.
type Column<T> = Vec<[T; LANES]>;

fn column<T: Copy>(actors: usize, value: T) -> Column<T> {
    vec![[value; LANES]; actors.div_ceil(LANES)]
}

fn fill<T>(column: &mut Column<T>, values: impl Iterator<Item = T>) {
    let places = column.as_flattened_mut().iter_mut();
    places.zip(values).for_each(|(place, value)| *place = value);
}

/// An action that ended well, badly, or not.
mod answer {
    pub(super) const NONE: u8 = 0;
    pub(super) const SUCCESS: u8 = 1;
    pub(super) const FAILURE: u8 = 2;
}

/// Bits of a signal, above the two of the status.
mod signal {
    /// The wanted action is new.
    pub(super) const LAUNCH: u8 = 1 << 2;
    /// Where the cancelled slot begins.
    pub(super) const CANCEL: u32 = 3;
    /// Before the first tick: no status.
    pub(super) const NEVER: u8 = 3 | super::slot::NONE << CANCEL;
}

fn status_of(signal: u8) -> Option<Status> {
    Status::ALL
        .into_iter()
        .find(|&status| status as u8 == signal & 3)
}

/// Guards, column by column.
pub(super) struct Guards {
    instructions: Instructions,
    actors: usize,
    health: Column<f32>,
    dist: Column<f32>,
    ammo: Column<i32>,
    has_target: Column<u8>,
    /// How the wanted action ended.
    answer: Column<u8>,
    /// What is left of the wait; 0 when there is none.
    left: Column<u32>,
    /// The wanted action.
    want: Column<u8>,
    /// Status, whether the wanted action is new, and the cancelled one.
    signal: Column<u8>,
}

impl Guards {
    pub(super) fn new(actors: usize, instructions: Instructions) -> Guards {
        Guards {
            instructions,
            actors,
            health: column(actors, 0.0),
            dist: column(actors, 0.0),
            ammo: column(actors, 0),
            has_target: column(actors, 0),
            answer: column(actors, answer::NONE),
            left: column(actors, 0),
            want: column(actors, slot::NONE),
            signal: column(actors, signal::NEVER),
        }
    }
}

impl Contender for Guards {
    fn refresh(&mut self, frame: &Frame) {
        fill(&mut self.health, frame.floats(0));
        fill(&mut self.dist, frame.floats(1));
        fill(&mut self.ammo, frame.integers(2));
        fill(&mut self.has_target, frame.bools(3).map(u8::from));
        let want = self.want.as_flattened();
        let answers =
            want.iter()
                .enumerate()
                .map(|(actor, &slot)| match frame.result(slot.into(), actor) {
                    None => answer::NONE,
                    Some(true) => answer::SUCCESS,
                    Some(false) => answer::FAILURE,
                });
        fill(&mut self.answer, answers);
    }

    fn tick(&mut self, dt: Duration) {
        let dt = guard::micros(dt);
        instructions::run(self.instructions, GuardLoop { guards: self, dt });
    }

    fn decisions(&self) -> Vec<Decision> {
        let signals = self.signal.as_flattened().iter();
        let decided = self.want.as_flattened().iter().zip(signals);
        let decisions = decided.map(|(&want, &signal)| {
            let new = signal & signal::LAUNCH != 0;
            Decision {
                status: status_of(signal),
                launch: if new { bit(want) } else { 0 },
                keep_on: if new { 0 } else { bit(want) },
                cancel: bit(signal >> signal::CANCEL),
            }
        });
        decisions.take(self.actors).collect()
    }
}

struct GuardLoop<'a> {
    guards: &'a mut Guards,
    dt: u32,
}

impl Loop for GuardLoop<'_> {
    #[inline(always)]
    fn run(self) {
        let GuardLoop { guards, dt } = self;
        let senses = guards.health.iter().zip(&guards.dist);
        let senses = senses.zip(&guards.ammo).zip(&guards.has_target);
        let memory = guards.answer.iter_mut().zip(&mut guards.left);
        let decided = guards.want.iter_mut().zip(&mut guards.signal);
        for ((((health, dist), ammo), has_target), ((answer, left), (want, signal))) in
            senses.zip(memory.zip(decided))
        {
            guard_pass(
                dt, health, dist, ammo, has_target, answer, left, want, signal,
            );
        }
    }
}

/// Decides for 64 guards.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "one array a column")]
fn guard_pass(
    dt: u32,
    health: &[f32; LANES],
    dist: &[f32; LANES],
    ammo: &[i32; LANES],
    has_target: &[u8; LANES],
    answer: &mut [u8; LANES],
    left: &mut [u32; LANES],
    want: &mut [u8; LANES],
    signal: &mut [u8; LANES],
) {
    let mut hurt = [false; LANES];
    let mut near = [false; LANES];
    let mut armed = [false; LANES];
    let mut waits = [false; LANES];
    // Whether a guard that waited goes on with it if it comes there.
    let mut goes_on = [false; LANES];
    for lane in 0..LANES {
        hurt[lane] = health[lane] < HURT;
        near[lane] = dist[lane] < REACH;
        armed[lane] = ammo[lane] > 0;
        waits[lane] = left[lane] > 0;
        goes_on[lane] = left[lane] > dt;
    }
    // The wait: visited at all, and for the first time.
    let mut stays = [false; LANES];
    let mut begins = [false; LANES];
    for lane in 0..LANES {
        let had = want[lane];
        let failed = if answer[lane] == answer::FAILURE {
            had
        } else {
            slot::NONE
        };
        let succeeded = if answer[lane] == answer::SUCCESS {
            had
        } else {
            slot::NONE
        };
        let flees = hurt[lane] & (failed != slot::FLEE);
        let strikes = near[lane] & (failed != slot::MELEE);
        let shoots = armed[lane] & (failed != slot::SHOOT);
        let chases = failed != slot::CHASE;
        let fights = (has_target[lane] != 0) & (strikes | shoots | chases);
        let fight = if strikes {
            slot::MELEE
        } else if shoots {
            slot::SHOOT
        } else {
            slot::CHASE
        };
        let reached = if flees {
            slot::FLEE
        } else if fights {
            fight
        } else {
            slot::MOVE
        };
        let moves = reached == slot::MOVE;
        let arrived = moves & !waits[lane] & (succeeded == slot::MOVE);
        let waited = moves & waits[lane];
        let goes_on = waited & goes_on[lane];
        begins[lane] = arrived;
        stays[lane] = goes_on;
        let ends = (reached == succeeded) & !moves | waited & !goes_on;
        let fails = moves & !waits[lane] & (failed == slot::MOVE);
        let status = if ends {
            Status::Success as u8
        } else if fails {
            Status::Failure as u8
        } else {
            Status::Running as u8
        };
        let acts = !ends & !fails & !arrived & !waited;
        let wanted = if acts { reached } else { slot::NONE };
        let launch = if wanted != had { signal::LAUNCH } else { 0 };
        let cancels = (wanted != had) & (answer[lane] == answer::NONE);
        let cancelled = if cancels { had } else { slot::NONE };
        want[lane] = wanted;
        signal[lane] = status | launch | cancelled << signal::CANCEL;
        answer[lane] = answer::NONE;
    }
    for lane in 0..LANES {
        let rest = if stays[lane] { left[lane] - dt } else { 0 };
        left[lane] = if begins[lane] { WAIT } else { rest };
    }
}

/// The whole part of a number from 0 to 255. `as` would do, but it is a branch for each number:
/// it saturates, and the processor's conversion does not.
#[inline(always)]
fn floor(number: f32) -> u8 {
    // Large enough that its last bit counts ones.
    const ONES: f32 = 8_388_608.0;
    let rounded = number + ONES;
    (rounded.to_bits() as u8).wrapping_sub(u8::from(rounded - ONES > number))
}

/// Rows of the deep scene, column by column.
pub(super) struct Rows {
    instructions: Instructions,
    actors: usize,
    levels: [Column<f32>; 4],
    holds: [Column<u8>; 4],
    status: Column<u8>,
}

impl Rows {
    pub(super) fn new(actors: usize, instructions: Instructions) -> Rows {
        Rows {
            instructions,
            actors,
            levels: std::array::from_fn(|_| column(actors, 0.0)),
            holds: std::array::from_fn(|_| column(actors, 0)),
            status: column(actors, signal::NEVER),
        }
    }
}

impl Contender for Rows {
    fn refresh(&mut self, frame: &Frame) {
        for (column, values) in self.holds.iter_mut().enumerate() {
            fill(values, frame.bools(column).map(u8::from));
        }
        for (column, values) in self.levels.iter_mut().enumerate() {
            fill(values, frame.floats(column + 4));
        }
    }

    fn tick(&mut self, _: Duration) {
        instructions::run(self.instructions, RowLoop { rows: self });
    }

    fn decisions(&self) -> Vec<Decision> {
        let decisions = self.status.as_flattened().iter().map(|&status| Decision {
            status: status_of(status),
            ..Decision::default()
        });
        decisions.take(self.actors).collect()
    }
}

struct RowLoop<'a> {
    rows: &'a mut Rows,
}

impl Loop for RowLoop<'_> {
    #[inline(always)]
    fn run(self) {
        let Rows {
            levels,
            holds,
            status,
            ..
        } = self.rows;
        for (pass, status) in status.iter_mut().enumerate() {
            let levels = levels.each_ref().map(|column| &column[pass]);
            let holds = holds.each_ref().map(|column| &column[pass]);
            row_pass(levels, holds, status);
        }
    }
}

/// How many of the deep tree's bounds are not above a level: it is below bound `step` where this is at
/// most `step`. Bounds are steps of 1/32 above 0.25.
#[inline(always)]
fn bounds_passed(level: f32) -> u8 {
    // Exact for floats between the bounds; below them negative, and so 0.
    let passed = (level - bound(0)) * 32.0 + 1.0;
    // What is not below the last bound is below none, and neither is NaN.
    let passed = if level < bound(15) { passed } else { 16.0 };
    floor(passed.max(0.0))
}

/// Decides for 64 rows. Each float is held against all bounds at once, and then 32 leaves compare
/// bytes: four times as many in a register as floats.
#[inline(always)]
fn row_pass(levels: [&[f32; LANES]; 4], holds: [&[u8; LANES]; 4], status: &mut [u8; LANES]) {
    let mut steps = [[0_u8; LANES]; 4];
    for (steps, levels) in steps.iter_mut().zip(levels) {
        for (step, &level) in steps.iter_mut().zip(levels) {
            *step = bounds_passed(level);
        }
    }
    let [steps_0, steps_1, steps_2, steps_3] = &steps;
    let [holds_0, holds_1, holds_2, holds_3] = holds;
    for lane in 0..LANES {
        let steps = [steps_0[lane], steps_1[lane], steps_2[lane], steps_3[lane]];
        let holds = [holds_0[lane], holds_1[lane], holds_2[lane], holds_3[lane]];
        let success = root(&|index| match leaf(index) {
            Leaf::Holds(column) => holds[column],
            Leaf::Below(column, step) => u8::from(steps[column] <= step),
        });
        // Success is 0 and Failure 1.
        status[lane] = success ^ 1;
    }
}

const _: () = assert!(Status::Success as u8 == 0 && Status::Failure as u8 == 1);

// One function a level, as in `branches`, but without a branch: `|` and `&` judge both sides.

#[inline(always)]
fn root(leaf: &impl Fn(usize) -> u8) -> u8 {
    level_1(leaf, 0) | level_1(leaf, 1)
}

#[inline(always)]
fn level_1(leaf: &impl Fn(usize) -> u8, place: usize) -> u8 {
    level_2(leaf, 2 * place) & level_2(leaf, 2 * place + 1)
}

#[inline(always)]
fn level_2(leaf: &impl Fn(usize) -> u8, place: usize) -> u8 {
    level_3(leaf, 2 * place) | level_3(leaf, 2 * place + 1)
}

#[inline(always)]
fn level_3(leaf: &impl Fn(usize) -> u8, place: usize) -> u8 {
    level_4(leaf, 2 * place) & level_4(leaf, 2 * place + 1)
}

#[inline(always)]
fn level_4(leaf: &impl Fn(usize) -> u8, place: usize) -> u8 {
    level_5(leaf, 2 * place) | level_5(leaf, 2 * place + 1)
}

#[inline(always)]
fn level_5(leaf: &impl Fn(usize) -> u8, place: usize) -> u8 {
    leaf(2 * place) & leaf(2 * place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_pass_bounds_exactly() {
        let mut levels = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -1.0, 1.0];
        for step in 0..16 {
            levels.extend([bound(step), bound(step).next_down(), bound(step).next_up()]);
        }
        for level in levels {
            for step in 0..16 {
                let below = bounds_passed(level) <= step;
                assert_eq!(below, level < bound(step), "{level} and bound {step}");
            }
        }
    }
}
