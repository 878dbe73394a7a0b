//! What stands in for a game: how long actions last, how they end and what that changes.

use pleach_vm::{BlockMut, ColumnKey, Plane, Population, Status};

use crate::chance::Chance;
use crate::dice::{Dice, Purpose, stream};
use crate::motion::{Number, by_type};

/// A deferred action.
#[derive(Clone, Debug)]
pub(crate) struct ActionScript {
    /// Ticks from the request to the result, at least and at most. `None`: it never ends by itself.
    pub(crate) lasts: Option<(u32, u32)>,
    /// The chance to succeed, for what ends without an error.
    pub(crate) succeeds: Chance,
    /// The chance that its system reports an error.
    pub(crate) errors: Chance,
    /// The code of that error.
    pub(crate) error_code: u32,
    pub(crate) on_success: Vec<Effect>,
    /// Also of errors, which are failures to the tree (L5).
    pub(crate) on_failure: Vec<Effect>,
}

impl Default for ActionScript {
    /// What happens to an action that a scenario does not describe: it succeeds by the next tick.
    fn default() -> ActionScript {
        ActionScript {
            lasts: Some((1, 1)),
            succeeds: Chance::ALWAYS,
            errors: Chance::NEVER,
            error_code: 1,
            on_success: Vec::new(),
            on_failure: Vec::new(),
        }
    }
}

/// How a deferred action ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Success,
    Failure,
    Error,
}

impl ActionScript {
    /// The tick at which an action launched in `tick` has its result; `u32::MAX` for never.
    pub(crate) fn due(&self, dice: Dice, actor: u64, stream: u32, tick: u32) -> u32 {
        match self.lasts {
            None => u32::MAX,
            Some((least, most)) => {
                let bits = dice.roll(actor, stream, Purpose::Duration, tick.into());
                tick.saturating_add(u64::between(least.into(), most.into(), bits) as u32)
            }
        }
    }

    /// How an action ends in `tick`.
    pub(crate) fn end(&self, dice: Dice, actor: u64, stream: u32, tick: u32) -> End {
        let roll = |purpose| dice.roll(actor, stream, purpose, tick.into());
        if self.errors != Chance::NEVER && self.errors.hits(roll(Purpose::Error)) {
            End::Error
        } else if self.succeeds.hits(roll(Purpose::Outcome)) {
            End::Success
        } else {
            End::Failure
        }
    }
}

/// What answers anew each tick: a persistent action or a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PulseScript {
    /// The chance a tick to answer Success.
    succeeds: Chance,
    /// The chance a tick to answer Success or Failure.
    finishes: Chance,
}

impl Default for PulseScript {
    /// What happens without a description: it succeeds at once.
    fn default() -> PulseScript {
        PulseScript {
            succeeds: Chance::ALWAYS,
            finishes: Chance::ALWAYS,
        }
    }
}

impl PulseScript {
    /// `None` if the chances add up to more than 1.
    pub(crate) fn new(succeeds: Chance, fails: Chance) -> Option<PulseScript> {
        let finishes = succeeds.or(fails)?;
        Some(PulseScript { succeeds, finishes })
    }

    /// The answer for a draw.
    pub(crate) fn answer(self, bits: u64) -> Status {
        if self.succeeds.hits(bits) {
            Status::Success
        } else if self.finishes.hits(bits) {
            Status::Failure
        } else {
            Status::Running
        }
    }
}

/// A column that an action's end changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Bool(SetTruth),
    U8(ChangeNumber<u8>),
    U16(ChangeNumber<u16>),
    I32(ChangeNumber<i32>),
    F32(ChangeNumber<f32>),
    U64(ChangeNumber<u64>),
}

/// A truth value that is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetTruth {
    key: ColumnKey<bool>,
    value: bool,
}

/// A number that is set or changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangeNumber<T: Number> {
    key: ColumnKey<T>,
    change: Change<T>,
    bounds: (T, T),
    stream: u32,
}

/// How a number changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Change<T: Number> {
    /// To an even draw between two values.
    Set(T, T),
    /// By a step, within the column's bounds.
    Add(T::Step),
}

impl SetTruth {
    /// `None` if the population's tree has no such column.
    pub(crate) fn new(population: &Population, column: &str, value: bool) -> Option<SetTruth> {
        let key = population.column(column).ok()?;
        Some(SetTruth { key, value })
    }
}

impl<T: Number> ChangeNumber<T> {
    /// `None` if the population's tree has no such column of that type.
    pub(crate) fn new(
        population: &Population,
        column: &str,
        change: Change<T>,
        bounds: (T, T),
    ) -> Option<ChangeNumber<T>> {
        Some(ChangeNumber {
            key: population.column(column).ok()?,
            change,
            bounds,
            stream: stream(column, 1),
        })
    }

    fn apply(&self, block: &mut BlockMut<'_>, lanes: Plane, dice: Dice, tick: u64, first: u64) {
        let Ok(values) = block.values_mut(self.key) else {
            return;
        };
        for lane in lanes.lanes() {
            values[lane] = match self.change {
                Change::Set(low, high) => T::between(
                    low,
                    high,
                    dice.roll(first + lane as u64, self.stream, Purpose::Effect, tick),
                ),
                Change::Add(step) => values[lane].moved(step, self.bounds),
            };
        }
    }
}

impl Effect {
    /// Changes the column for these lanes of a block, whose first actor is `first`.
    pub(crate) fn apply(
        &self,
        block: &mut BlockMut<'_>,
        lanes: Plane,
        dice: Dice,
        tick: u64,
        first: u64,
    ) {
        by_type!(self, Effect, bool set => {
            if let Ok(plane) = block.plane_mut(set.key) {
                *plane = if set.value { *plane | lanes } else { *plane & !lanes };
            }
        }, number change => change.apply(block, lanes, dice, tick, first));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_fill_their_range_and_outcomes_keep_their_chances() {
        let script = ActionScript {
            lasts: Some((3, 6)),
            succeeds: Chance::new(0.75).unwrap(),
            errors: Chance::new(0.2).unwrap(),
            ..ActionScript::default()
        };
        let dice = Dice::new(1);
        let mut lasted = [0; 8];
        let mut ends = [0; 3];
        for actor in 0..10_000 {
            lasted[(script.due(dice, actor, 5, 100) - 100) as usize] += 1;
            ends[script.end(dice, actor, 5, 100) as usize] += 1;
        }
        assert_eq!(
            lasted.iter().sum::<i32>(),
            lasted[3..=6].iter().sum::<i32>()
        );
        assert!(
            lasted[3..=6]
                .iter()
                .all(|&count| (2_250..2_750).contains(&count)),
            "{lasted:?}"
        );
        let expected = [6_000, 2_000, 2_000];
        assert!(
            ends.iter()
                .zip(expected)
                .all(|(&found, wanted): (&i32, i32)| (found - wanted).abs() < 250),
            "{ends:?}"
        );
    }

    #[test]
    fn endless_actions_are_never_due() {
        let endless = ActionScript {
            lasts: None,
            ..ActionScript::default()
        };
        assert_eq!(endless.due(Dice::new(1), 0, 0, 7), u32::MAX);
        assert_eq!(ActionScript::default().due(Dice::new(1), 0, 0, 7), 8);
    }

    #[test]
    fn a_pulse_answers_by_its_chances() {
        let third = Chance::new(0.25).unwrap();
        let pulse = PulseScript::new(third, Chance::EVEN).unwrap();
        assert_eq!(pulse.answer(0), Status::Success);
        assert_eq!(pulse.answer(u64::MAX / 2), Status::Failure);
        assert_eq!(pulse.answer(u64::MAX), Status::Running);
        assert!(PulseScript::new(Chance::ALWAYS, third).is_none());
    }
}
