//! A decision: what an actor's tick comes to, in one form for all contenders.

use pleach_shape::Status;
use pleach_vm::random::draw;

/// What a tick came to for one actor. Slots are bits: bit `s` for slot `s`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Decision {
    /// Root status; `None` before the first tick.
    pub status: Option<Status>,
    /// Actions to begin.
    pub launch: u32,
    /// Actions to go on with.
    pub keep_on: u32,
    /// Actions to stop.
    pub cancel: u32,
}

/// A number for all decisions and their order.
pub fn checksum(decisions: &[Decision]) -> u64 {
    decisions.iter().fold(0, |sum, decision| {
        let status = decision.status.map_or(3, |status| status as u32);
        let requests = u64::from(decision.launch) << 32 | u64::from(decision.keep_on);
        draw(sum, requests, decision.cancel, u64::from(status))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let running = Decision {
            status: Some(Status::Running),
            launch: 1,
            keep_on: 2,
            cancel: 4,
        };
        let others = [
            Decision {
                status: None,
                ..running
            },
            Decision {
                launch: 0,
                ..running
            },
            Decision {
                keep_on: 0,
                ..running
            },
            Decision {
                cancel: 0,
                ..running
            },
        ];
        for other in others {
            assert_ne!(checksum(&[running]), checksum(&[other]));
            assert_ne!(checksum(&[running, other]), checksum(&[other, running]));
        }
    }
}
