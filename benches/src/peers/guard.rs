//! A guard as a struct: its columns, and what the host of a tree without Pleach keeps for it.
//!
//! Trees that keep nothing of their own across ticks call [`Guard::act`] and [`Guard::wait`] in
//! their leaves; the answers are those that the rules L2, T4 and D4 ask for.

use std::time::Duration;

use pleach_shape::Status;

use super::{Decision, Frame};

/// Slots of the guard scene's actions, in the order of its tree.
pub(super) mod slot {
    pub(crate) const FLEE: u8 = 0;
    pub(crate) const MELEE: u8 = 1;
    pub(crate) const SHOOT: u8 = 2;
    pub(crate) const CHASE: u8 = 3;
    pub(crate) const MOVE: u8 = 4;
    /// No action at all.
    pub(crate) const NONE: u8 = 7;
}

/// Below it a guard flees.
pub(super) const HURT: f32 = 0.3;
/// Below it a target is in reach.
pub(super) const REACH: f32 = 3.0;
/// How long a guard waits where it has moved to, microseconds.
pub(super) const WAIT: u32 = 2_000_000;

/// Microseconds of a tick, as guards count them.
pub(super) fn micros(dt: Duration) -> u32 {
    u32::try_from(dt.as_micros()).unwrap_or(u32::MAX)
}

/// How an action ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Answer {
    /// It has not.
    #[default]
    None,
    Success,
    Failure,
}

/// One guard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    pub(super) health: f32,
    pub(super) dist: f32,
    pub(super) ammo: i32,
    /// What is left of the wait, microseconds; 0 when it does not wait.
    pub(super) left: u32,
    /// The same as the last tick left it.
    pub(super) was_left: u32,
    /// Microseconds of this tick.
    dt: u32,
    pub(super) has_target: bool,
    /// How the action ended that was wanted last.
    pub(super) answer: Answer,
    /// The action that was wanted in the last tick.
    pub(super) had: u8,
    /// The action that is wanted now.
    pub(super) want: u8,
    /// The action that is to be stopped.
    pub(super) cancel: u8,
    pub(super) status: Option<Status>,
}

impl Default for Guard {
    fn default() -> Guard {
        Guard {
            health: 0.0,
            dist: 0.0,
            ammo: 0,
            left: 0,
            was_left: 0,
            dt: 0,
            has_target: false,
            answer: Answer::None,
            had: slot::NONE,
            want: slot::NONE,
            cancel: slot::NONE,
            status: None,
        }
    }
}

impl Guard {
    /// Before its tree is ticked.
    #[inline]
    pub(super) fn begin(&mut self, dt: u32) {
        self.dt = dt;
        self.had = self.want;
        self.want = slot::NONE;
        self.was_left = self.left;
        // Who does not come to wait in this tick starts afresh.
        self.left = 0;
    }

    /// A visit of an action.
    #[inline]
    pub(super) fn act(&mut self, slot: u8) -> Status {
        if self.had == slot {
            match self.answer {
                Answer::None => {}
                Answer::Success => return Status::Success,
                Answer::Failure => return Status::Failure,
            }
        }
        self.want = slot;
        Status::Running
    }

    /// Whether it was waiting in the last tick: what a sequence with a memory would know.
    #[inline]
    pub(super) fn waits(&self) -> bool {
        self.was_left > 0
    }

    /// A visit of the wait.
    #[inline]
    pub(super) fn wait(&mut self) -> Status {
        if self.was_left == 0 {
            self.left = WAIT;
            return Status::Running;
        }
        self.left = self.was_left.saturating_sub(self.dt);
        if self.left == 0 {
            Status::Success
        } else {
            Status::Running
        }
    }

    /// Behind its tree's tick.
    #[inline]
    pub(super) fn finish(&mut self, status: Status) {
        let stopped = self.had != self.want && self.answer == Answer::None;
        self.cancel = if stopped { self.had } else { slot::NONE };
        self.answer = Answer::None;
        self.status = Some(status);
    }

    /// What it decided.
    pub(super) fn decision(&self) -> Decision {
        let continues = self.want == self.had;
        Decision {
            status: self.status,
            launch: if continues { 0 } else { bit(self.want) },
            keep_on: if continues { bit(self.want) } else { 0 },
            cancel: bit(self.cancel),
        }
    }
}

/// The set of that action, or of none.
pub(super) fn bit(slot: u8) -> u32 {
    if slot == slot::NONE { 0 } else { 1 << slot }
}

/// Hands a tick's columns and results to guards.
pub(super) fn refresh<'a>(guards: impl Iterator<Item = &'a mut Guard>, frame: &Frame) {
    let columns = frame
        .floats(0)
        .zip(frame.floats(1))
        .zip(frame.integers(2))
        .zip(frame.bools(3));
    for (actor, (guard, (((health, dist), ammo), has_target))) in guards.zip(columns).enumerate() {
        guard.health = health;
        guard.dist = dist;
        guard.ammo = ammo;
        guard.has_target = has_target;
        if let Some(success) = frame.result(guard.want.into(), actor) {
            guard.answer = if success {
                Answer::Success
            } else {
                Answer::Failure
            };
        }
    }
}
