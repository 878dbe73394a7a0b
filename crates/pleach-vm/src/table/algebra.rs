//! And, or, minus, not, and by chance.

use pleach_shape::layout::BLOCK_LANES;

use super::dice::Dice;
use super::set::ActorSet;
use crate::plane::Plane;
use crate::population::Population;
use crate::simd::{Form, Work};

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
        let population = self.population();
        let Some(actors) = population.blocks.get(block) else {
            return Plane::EMPTY;
        };
        population.simd.run(Throws {
            members: self.set.plane(block),
            first_actor: (block * BLOCK_LANES) as u32,
            generations: &actors.generations,
            threshold: self.threshold,
            dice: self.dice,
        })
    }
}

/// The throws of a block's members.
struct Throws<'a> {
    members: Plane,
    first_actor: u32,
    /// Empty where all are 0.
    generations: &'a [u32],
    threshold: u64,
    dice: Dice,
}

impl Work for Throws<'_> {
    type Output = Plane;

    /// Throws for all 64 lanes of a word of which anybody is a member: without a branch, so that the compiler
    /// takes as many at once as the processor does.
    #[inline(always)]
    fn run<F: Form>(self, _: F) -> Plane {
        const NONE: [u32; 64] = [0; 64];
        let mut lucky = self.members;
        let generations = self.generations.as_chunks::<64>().0;
        for (index, word) in lucky.0.iter_mut().enumerate() {
            if *word == 0 {
                continue;
            }
            let first = self.first_actor + index as u32 * 64;
            let generations = generations.get(index).unwrap_or(&NONE);
            let mut hits = [0u8; 64];
            for (lane, hit) in hits.iter_mut().enumerate() {
                let actor = u64::from(generations[lane]) << 32 | u64::from(first + lane as u32);
                *hit = u8::from(self.dice.throw(actor) >> 40 < self.threshold);
            }
            let hits = hits.iter().rev();
            *word &= hits.fold(0, |bits, &hit| bits << 1 | u64::from(hit));
        }
        lucky
    }
}
