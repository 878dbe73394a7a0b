//! Where a scenario's randomness comes from.

use pleach_vm::random::draw;

/// What a number is drawn for. Part of its key, so that one stream's draws of a tick differ.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// A column's first value.
    Start = 0,
    /// A column's step or flip.
    Move = 1,
    /// Whether a column takes a fresh value.
    Redraw = 2,
    /// That fresh value.
    Fresh = 3,
    /// How long an action lasts.
    Duration = 4,
    /// Whether an action succeeds.
    Outcome = 5,
    /// Whether its system reports an error.
    Error = 6,
    /// A value that an action's end sets.
    Effect = 7,
    /// A persistent action's status.
    Persistent = 8,
}

/// The "actor" of world values, which belong to nobody.
pub(crate) const NOBODY: u64 = u64::MAX;

/// Draws that depend on (seed, actor, stream, tick, purpose) and on nothing else: not on threads,
/// kernel or order.
///
/// A stream is a column or a leaf by name, not by number, so that one more column in a tree does
/// not change what happens in the others.
#[derive(Clone, Copy)]
pub(crate) struct Dice {
    seed: u64,
}

impl Dice {
    /// The dice of a scenario's seed. The population draws from the same seed; this one is mixed
    /// once more, so that the two never draw with the same key.
    pub(crate) fn new(seed: u64) -> Dice {
        Dice {
            seed: draw(seed, NOBODY, u32::MAX, 0),
        }
    }

    /// 64 random bits.
    #[inline]
    pub(crate) fn roll(self, actor: u64, stream: u32, purpose: Purpose, tick: u64) -> u64 {
        draw(self.seed, actor, stream, tick << 8 | purpose as u64)
    }
}

/// The stream of a name (FNV-1a); `number` tells things of one name apart.
pub(crate) fn stream(name: &str, number: usize) -> u32 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash.wrapping_add((number as u32).wrapping_mul(0x9E37_79B9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_key_matters() {
        let dice = Dice::new(7);
        let base = dice.roll(1, stream("health", 0), Purpose::Move, 5);
        assert_eq!(
            base,
            Dice::new(7).roll(1, stream("health", 0), Purpose::Move, 5)
        );
        let others = [
            Dice::new(8).roll(1, stream("health", 0), Purpose::Move, 5),
            dice.roll(2, stream("health", 0), Purpose::Move, 5),
            dice.roll(1, stream("wealth", 0), Purpose::Move, 5),
            dice.roll(1, stream("health", 1), Purpose::Move, 5),
            dice.roll(1, stream("health", 0), Purpose::Start, 5),
            dice.roll(1, stream("health", 0), Purpose::Move, 6),
        ];
        assert!(others.iter().all(|&other| other != base));
    }
}
