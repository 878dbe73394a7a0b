//! And, or, minus, not, and by chance.

use super::dice::Dice;
use super::set::ActorSet;
use crate::plane::Plane;
use crate::population::Population;

/// The plane of an operand, which holds nobody if it is of another population.
#[inline(always)]
fn operand<'a, A: ActorSet<'a>, B: ActorSet<'a>>(first: &A, second: &B, block: usize) -> Plane {
    if std::ptr::eq(first.population(), second.population()) {
        second.plane(block)
    } else {
        Plane::EMPTY
    }
}

macro_rules! pairs {
    ($($(#[$doc:meta])* $name:ident, |$first:ident, $second:ident| $plane:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<A, B>(A, B);

        impl<A, B> $name<A, B> {
            pub(super) fn new(first: A, second: B) -> $name<A, B> {
                $name(first, second)
            }
        }

        impl<'a, A: ActorSet<'a>, B: ActorSet<'a>> ActorSet<'a> for $name<A, B> {
            fn population(&self) -> &'a Population {
                self.0.population()
            }

            #[inline]
            fn plane(&self, block: usize) -> Plane {
                let $second = operand(&self.0, &self.1, block);
                let $first = self.0.plane(block);
                $plane
            }
        }
    )*};
}
pairs! {
    /// See [`ActorSet::and`].
    And, |first, second| first & second;
    /// See [`ActorSet::or`].
    Or, |first, second| first | second;
    /// See [`ActorSet::minus`].
    Minus, |first, second| first & !second;
}

/// See [`ActorSet::not`].
#[derive(Clone, Copy)]
pub struct Not<S>(S);

impl<S> Not<S> {
    pub(super) fn new(set: S) -> Not<S> {
        Not(set)
    }
}

impl<'a, S: ActorSet<'a>> ActorSet<'a> for Not<S> {
    fn population(&self) -> &'a Population {
        self.0.population()
    }

    #[inline]
    fn plane(&self, block: usize) -> Plane {
        self.population().everyone().plane(block) & !self.0.plane(block)
    }
}

/// See [`ActorSet::chance`].
#[derive(Clone, Copy)]
pub struct Chance<S> {
    set: S,
    threshold: u64,
    dice: Dice,
}

/// Chances are whole numbers of this: what 24 bits can tell apart, as `random::unit`.
const THROWS: u64 = 1 << 24;

impl<S> Chance<S> {
    pub(super) fn new(set: S, probability: f32, dice: Dice) -> Chance<S> {
        let threshold = (f64::from(probability.clamp(0.0, 1.0)) * THROWS as f64) as u64;
        Chance {
            set,
            threshold,
            dice,
        }
    }
}

impl<'a, S: ActorSet<'a>> ActorSet<'a> for Chance<S> {
    fn population(&self) -> &'a Population {
        self.set.population()
    }

    fn plane(&self, block: usize) -> Plane {
        let mut lucky = Plane::EMPTY;
        let Some(actors) = self.population().blocks.get(block) else {
            return lucky;
        };
        for lane in self.set.plane(block).lanes() {
            let actor = actors.actor(block, lane);
            lucky.put(
                lane,
                self.dice.throw(actor.to_bits()) >> 40 < self.threshold,
            );
        }
        lucky
    }
}
