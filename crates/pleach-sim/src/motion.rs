//! How columns and world values start and move.

use pleach_vm::random::{below, unit};
use pleach_vm::{NumberType, Plane, Value};

use crate::chance::Chance;
use crate::dice::{Dice, Purpose};

/// How a truth value starts and flips.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Flips {
    /// The chance to start as true.
    pub(crate) start: Chance,
    /// The chance a tick to become true, for what is false.
    pub(crate) on: Chance,
    /// The chance a tick to become false, for what is true.
    pub(crate) off: Chance,
}

/// How a number starts and moves.
///
/// In each tick: with the chance `redraw` a fresh value from the range of starts, else the old one
/// plus `drift`, plus an even draw from `-walk` to `walk`, then into the bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Walk<T: Number> {
    pub(crate) start: (T, T),
    pub(crate) drift: T::Step,
    pub(crate) walk: T::Step,
    pub(crate) bounds: (T, T),
    pub(crate) redraw: Chance,
}

/// How a value of any type starts and moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Motion {
    Bool(Flips),
    U8(Walk<u8>),
    U16(Walk<u16>),
    I32(Walk<i32>),
    F32(Walk<f32>),
    U64(Walk<u64>),
}

/// One arm for truth values, one for all types of numbers.
macro_rules! by_type {
    ($any:expr, $enum:ident, bool $flips:pat => $truth:expr, number $walk:pat => $number:expr $(,)?) => {
        match $any {
            $enum::Bool($flips) => $truth,
            $enum::U8($walk) => $number,
            $enum::U16($walk) => $number,
            $enum::I32($walk) => $number,
            $enum::F32($walk) => $number,
            $enum::U64($walk) => $number,
        }
    };
}
pub(crate) use by_type;

/// A column type that can move.
pub(crate) trait Number:
    NumberType + PartialOrd + std::fmt::Display + std::fmt::Debug
{
    /// A difference of two values.
    type Step: Copy + PartialEq + PartialOrd + Default + std::fmt::Debug + Send + Sync;
    /// The lowest value.
    const LOWEST: Self;
    /// The highest value.
    const HIGHEST: Self;

    /// An even draw between two values, both included.
    fn between(low: Self, high: Self, bits: u64) -> Self;

    /// An even draw from `-width` to `width`.
    fn swing(width: Self::Step, bits: u64) -> Self::Step;

    /// The value moved by a step, within bounds. Does not overflow.
    fn moved(self, by: Self::Step, bounds: (Self, Self)) -> Self;

    /// The value of a [`Value`] of this very type.
    fn of(value: Value) -> Self {
        Self::from_bits(value.to_bits())
    }
}

/// The greatest step of a whole number a tick: two steps and any value fit `i64`.
pub(crate) const MAX_STEP: i64 = 1 << 32;

/// `low` plus an even draw below `span + 1`, which may be all 64 bits.
fn offset(span: u64, bits: u64) -> u64 {
    match span.checked_add(1) {
        Some(bound) => below(bits, bound),
        None => bits,
    }
}

/// An even draw from `-width` to `width`.
fn whole_swing(width: i64, bits: u64) -> i64 {
    below(bits, 2 * width.unsigned_abs() + 1) as i64 - width
}

macro_rules! small_number {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            type Step = i64;
            const LOWEST: $ty = <$ty>::MIN;
            const HIGHEST: $ty = <$ty>::MAX;

            fn between(low: $ty, high: $ty, bits: u64) -> $ty {
                let span = (i64::from(high) - i64::from(low)).unsigned_abs();
                (i64::from(low) + offset(span, bits) as i64) as $ty
            }

            fn swing(width: i64, bits: u64) -> i64 {
                whole_swing(width, bits)
            }

            fn moved(self, by: i64, (low, high): ($ty, $ty)) -> $ty {
                (i64::from(self) + by).clamp(low.into(), high.into()) as $ty
            }
        }
    )*};
}
small_number!(u8, u16, i32);

impl Number for u64 {
    type Step = i64;
    const LOWEST: u64 = u64::MIN;
    const HIGHEST: u64 = u64::MAX;

    fn between(low: u64, high: u64, bits: u64) -> u64 {
        low.wrapping_add(offset(high.wrapping_sub(low), bits))
    }

    fn swing(width: i64, bits: u64) -> i64 {
        whole_swing(width, bits)
    }

    fn moved(self, by: i64, (low, high): (u64, u64)) -> u64 {
        self.saturating_add_signed(by).clamp(low, high)
    }
}

impl Number for f32 {
    type Step = f32;
    const LOWEST: f32 = f32::MIN;
    const HIGHEST: f32 = f32::MAX;

    fn between(low: f32, high: f32, bits: u64) -> f32 {
        // `high - low` could overflow.
        let share = unit(bits);
        (low * (1.0 - share) + high * share).clamp(low, high)
    }

    fn swing(width: f32, bits: u64) -> f32 {
        f32::between(-width, width, bits)
    }

    /// NaN, which a tree can write, stays NaN.
    fn moved(self, by: f32, (low, high): (f32, f32)) -> f32 {
        (self + by).clamp(low, high)
    }
}

/// Whose value moves, and when.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) dice: Dice,
    pub(crate) stream: u32,
    pub(crate) tick: u64,
}

impl Moment {
    #[inline]
    fn roll(self, actor: u64, purpose: Purpose) -> u64 {
        self.dice.roll(actor, self.stream, purpose, self.tick)
    }
}

impl Flips {
    /// Whether values ever change.
    pub(crate) fn moves(&self) -> bool {
        self.on != Chance::NEVER || self.off != Chance::NEVER
    }

    pub(crate) fn started(&self, moment: Moment, actor: u64) -> bool {
        self.start.hits(moment.roll(actor, Purpose::Start))
    }

    #[inline]
    pub(crate) fn moved(&self, moment: Moment, actor: u64, value: bool) -> bool {
        let chance = if value { self.off } else { self.on };
        value ^ chance.hits(moment.roll(actor, Purpose::Move))
    }

    /// Starts the lanes below `count`, the first of which is `first`.
    pub(crate) fn start_plane(&self, moment: Moment, first: u64, count: usize, plane: &mut Plane) {
        for lane in 0..count {
            plane.put(lane, self.started(moment, first + lane as u64));
        }
    }

    /// Moves the lanes below `count` by a tick.
    pub(crate) fn move_plane(&self, moment: Moment, first: u64, count: usize, plane: &mut Plane) {
        for lane in 0..count {
            let value = plane.get(lane);
            plane.put(lane, self.moved(moment, first + lane as u64, value));
        }
    }
}

impl<T: Number> Walk<T> {
    /// What stays at a value.
    pub(crate) fn constant(value: T) -> Walk<T> {
        Walk {
            start: (value, value),
            drift: T::Step::default(),
            walk: T::Step::default(),
            bounds: (T::LOWEST, T::HIGHEST),
            redraw: Chance::NEVER,
        }
    }

    /// Whether values ever change.
    pub(crate) fn moves(&self) -> bool {
        let still = T::Step::default();
        self.drift != still || self.walk != still || self.redraw != Chance::NEVER
    }

    pub(crate) fn started(&self, moment: Moment, actor: u64) -> T {
        T::between(
            self.start.0,
            self.start.1,
            moment.roll(actor, Purpose::Start),
        )
    }

    #[inline]
    pub(crate) fn moved(&self, moment: Moment, actor: u64, value: T) -> T {
        if self.redraw != Chance::NEVER && self.redraw.hits(moment.roll(actor, Purpose::Redraw)) {
            return T::between(
                self.start.0,
                self.start.1,
                moment.roll(actor, Purpose::Fresh),
            );
        }
        let mut value = value.moved(self.drift, self.bounds);
        if self.walk != T::Step::default() {
            let step = T::swing(self.walk, moment.roll(actor, Purpose::Move));
            value = value.moved(step, self.bounds);
        }
        value
    }

    /// Starts a block's values, the first of which is of actor `first`.
    pub(crate) fn start_values(&self, moment: Moment, first: u64, values: &mut [T]) {
        for (actor, value) in (first..).zip(values) {
            *value = self.started(moment, actor);
        }
    }

    /// Moves a block's values by a tick.
    pub(crate) fn move_values(&self, moment: Moment, first: u64, values: &mut [T]) {
        for (actor, value) in (first..).zip(values) {
            *value = self.moved(moment, actor, *value);
        }
    }
}

impl Motion {
    /// What stays at a value.
    pub(crate) fn constant(value: Value) -> Motion {
        match value {
            Value::Bool(value) => Motion::Bool(Flips {
                start: if value { Chance::ALWAYS } else { Chance::NEVER },
                on: Chance::NEVER,
                off: Chance::NEVER,
            }),
            Value::U8(value) => Motion::U8(Walk::constant(value)),
            Value::U16(value) => Motion::U16(Walk::constant(value)),
            Value::I32(value) => Motion::I32(Walk::constant(value)),
            Value::F32(value) => Motion::F32(Walk::constant(value)),
            Value::U64(value) => Motion::U64(Walk::constant(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{NOBODY, stream};

    fn moment(tick: u64) -> Moment {
        Moment {
            dice: Dice::new(3),
            stream: stream("x", 0),
            tick,
        }
    }

    #[test]
    fn a_constant_stays() {
        let walk = Walk::constant(7_u8);
        assert!(!walk.moves());
        assert_eq!(walk.started(moment(0), 1), 7);
        assert_eq!(walk.moved(moment(1), 1, 7), 7);
    }

    #[test]
    fn starts_fill_their_range_evenly() {
        let walk = Walk {
            start: (10_i32, 13),
            ..Walk::constant(0)
        };
        let mut values = vec![0; 4000];
        walk.start_values(moment(0), 0, &mut values);
        for wanted in 10..=13 {
            let share = values.iter().filter(|&&value| value == wanted).count();
            // Standard deviation 27; five of them.
            assert!((865..1135).contains(&share), "{share} starts at {wanted}");
        }
        assert!(values.iter().all(|value| (10..=13).contains(value)));
    }

    #[test]
    fn a_walk_stays_in_its_bounds_and_reaches_them() {
        let walk = Walk {
            walk: 0.2_f32,
            bounds: (0.0, 1.0),
            ..Walk::constant(0.5)
        };
        let mut value = 0.5;
        let mut seen = (value, value);
        for tick in 1..2000 {
            let next = walk.moved(moment(tick), 0, value);
            assert!((next - value).abs() <= 0.2 && (0.0..=1.0).contains(&next));
            value = next;
            seen = (value.min(seen.0), value.max(seen.1));
        }
        assert_eq!(seen, (0.0, 1.0));
    }

    #[test]
    fn drift_adds_up_and_stops_at_the_bound() {
        let walk = Walk {
            drift: -30,
            bounds: (5, 255),
            ..Walk::constant(100_u8)
        };
        let values: Vec<u8> = (1..6)
            .scan(100, |value, tick| {
                *value = walk.moved(moment(tick), 0, *value);
                Some(*value)
            })
            .collect();
        assert_eq!(values, [70, 40, 10, 5, 5]);
    }

    #[test]
    fn redraws_come_from_the_range_of_starts() {
        let walk = Walk {
            start: (100_u16, 200),
            redraw: Chance::ALWAYS,
            drift: 1,
            ..Walk::constant(0)
        };
        let values: Vec<u16> = (1..200)
            .map(|tick| walk.moved(moment(tick), 0, 9999))
            .collect();
        assert!(values.iter().all(|value| (100..=200).contains(value)));
        assert!(values.iter().any(|&value| value != values[0]));
    }

    #[test]
    fn flips_keep_the_balance_of_their_chances() {
        let flips = Flips {
            start: Chance::NEVER,
            on: Chance::new(0.1).unwrap(),
            off: Chance::new(0.3).unwrap(),
        };
        let mut plane = Plane::FULL;
        flips.start_plane(moment(0), 0, 512, &mut plane);
        assert!(plane.is_empty());
        let mut on = 0;
        for tick in 1..=1000 {
            flips.move_plane(moment(tick), 0, 512, &mut plane);
            on += plane.count();
        }
        // 0.1 / (0.1 + 0.3) of the time.
        let share = f64::from(on) / 512_000.0;
        assert!((0.24..0.26).contains(&share), "{share}");
    }

    #[test]
    fn lanes_beyond_the_count_are_left_alone() {
        let flips = Flips {
            start: Chance::ALWAYS,
            on: Chance::ALWAYS,
            off: Chance::NEVER,
        };
        let mut plane = Plane::EMPTY;
        flips.start_plane(moment(0), 0, 3, &mut plane);
        flips.move_plane(moment(1), 0, 5, &mut plane);
        assert_eq!(plane, Plane::first(5));
    }

    #[test]
    fn no_number_overflows_at_the_ends_of_its_type() {
        assert_eq!(i32::MAX.moved(MAX_STEP, (i32::MIN, i32::MAX)), i32::MAX);
        assert_eq!(i32::MIN.moved(-MAX_STEP, (i32::MIN, i32::MAX)), i32::MIN);
        assert_eq!(u64::MAX.moved(MAX_STEP, (0, u64::MAX)), u64::MAX);
        assert_eq!(1_u64.moved(-5, (0, u64::MAX)), 0);
        assert_eq!(f32::MAX.moved(f32::MAX, (f32::MIN, f32::MAX)), f32::MAX);
        assert!(f32::NAN.moved(1.0, (0.0, 1.0)).is_nan());
        for bits in [0, u64::MAX / 3, u64::MAX] {
            assert!(f32::between(f32::MIN, f32::MAX, bits).is_finite());
            assert_eq!(u64::between(0, u64::MAX, bits), bits);
            assert!((-5..=5).contains(&whole_swing(5, bits)));
            assert_eq!(i32::between(3, 3, bits), 3);
        }
        assert_eq!(i32::between(i32::MIN, i32::MAX, u64::MAX), i32::MAX);
        assert_eq!(u8::between(0, 255, 0), 0);
    }

    #[test]
    fn world_values_move_as_nobodys() {
        let walk = Walk {
            walk: 5,
            ..Walk::constant(0_i32)
        };
        let of = |actor| {
            (1..50)
                .map(|tick| walk.moved(moment(tick), actor, 0))
                .collect::<Vec<_>>()
        };
        assert_ne!(of(NOBODY), of(0));
        assert_eq!(of(NOBODY), of(NOBODY));
    }
}
