//! What a run of the colony measured and counted.

use std::time::Duration;

use serde::Serialize;

use super::history::History;
use crate::figures::TickTimes;
use crate::fingerprint::Fingerprint;

/// What a run of the colony measured and counted.
///
/// Serialises to one object; its field names are meant to stay.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ColonyFigures {
    /// `colony`: tells these figures from those of a [scenario](crate::Figures).
    pub scenario: &'static str,
    /// How many dwarves lived.
    pub dwarves: u32,
    /// How many plants stand at a time.
    pub plants: u32,
    /// How many workshops may be built.
    pub workshops: u32,
    /// How many places the map has from west to east.
    pub width: u16,
    /// How many from north to south.
    pub height: u16,
    /// How many ticks ran.
    pub ticks: u32,
    /// The time between two ticks, in seconds.
    pub dt: f64,
    /// The kernel that walked.
    pub kernel: &'static str,
    /// How many threads walked.
    pub threads: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// Everything that happened, as one number.
    pub hash: Fingerprint,
    /// How long frames took.
    pub frame_ns: FrameTimes,
    /// What was done in all ticks.
    pub totals: Totals,
    /// How the colony changed over time.
    pub history: History,
}

/// How long frames took, in nanoseconds: each of their parts, and the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FrameTimes {
    /// The trees of dwarves and plants decide, and requests are read.
    pub decisions: TickTimes,
    /// Who claims what, what grows, what is built and made.
    pub rules: TickTimes,
    /// Dwarves walk.
    pub movement: TickTimes,
    /// All of these in one frame. Its percentiles are no sums of theirs: parts are slow in
    /// different frames.
    pub frame: TickTimes,
}

/// What was done since the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Totals {
    /// Plants that were cut.
    pub harvested: u64,
    /// Goods that were made in workshops.
    pub goods: u64,
    /// Workshops that were built.
    pub built: u32,
    /// Plants that came up, those of the beginning included.
    pub sprouted: u64,
}

/// The times of frames while they run: 24 bytes a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameLog {
    frames: Vec<[u64; 3]>,
}

impl FrameLog {
    /// A log with room for so many frames.
    pub fn new(frames: u32) -> FrameLog {
        FrameLog {
            frames: Vec::with_capacity(frames as usize),
        }
    }

    /// Takes the times of a frame's parts.
    pub fn push(&mut self, decisions: Duration, rules: Duration, movement: Duration) {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.frames.push([decisions, rules, movement].map(nanos));
    }

    /// The percentiles of all frames.
    pub fn times(&self) -> FrameTimes {
        let part =
            |part: usize| TickTimes::of(self.frames.iter().map(|frame| frame[part]).collect());
        let sum = |frame: &[u64; 3]| {
            frame
                .iter()
                .fold(0, |sum: u64, &part| sum.saturating_add(part))
        };
        FrameTimes {
            decisions: part(0),
            rules: part(1),
            movement: part(2),
            frame: TickTimes::of(self.frames.iter().map(sum).collect()),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::history::Sample;
    use super::super::scene::ByStage;
    use super::*;

    #[test]
    fn a_frame_is_the_sum_of_its_parts() {
        let mut log = FrameLog::new(2);
        let nanos = Duration::from_nanos;
        log.push(nanos(5), nanos(1), nanos(2));
        log.push(nanos(1), nanos(30), nanos(3));
        let times = log.times();
        let max = [times.decisions, times.rules, times.movement, times.frame].map(|time| time.max);
        assert_eq!(max, [5, 30, 3, 34]);
        assert_eq!(times.frame.p50, 8);
        log.push(Duration::MAX, Duration::MAX, Duration::ZERO);
        assert_eq!(log.times().frame.max, u64::MAX);
        assert_eq!(FrameLog::default().times(), FrameTimes::default());
    }

    #[test]
    fn figures_serialise_to_one_object() {
        let mut history = History::new();
        history.record(Sample {
            plants: ByStage {
                sapling: 3,
                ..ByStage::default()
            },
            ..Sample::default()
        });
        let figures = ColonyFigures {
            scenario: "colony",
            dwarves: 1_000,
            plants: 200,
            workshops: 50,
            width: 96,
            height: 40,
            ticks: 3_000,
            dt: 1.0 / 60.0,
            kernel: "auto",
            threads: 2,
            seed: 1,
            hash: Fingerprint(0xabc),
            frame_ns: FrameTimes::default(),
            totals: Totals {
                harvested: 9,
                ..Totals::default()
            },
            history,
        };
        let json = serde_json::to_value(&figures).unwrap();
        assert_eq!(json["scenario"], "colony");
        assert_eq!(json["hash"], "0000000000000abc");
        assert_eq!(json["totals"]["harvested"], 9);
        assert_eq!(json["history"]["spacing"], 1);
        assert_eq!(json["history"]["samples"][0]["plants"]["sapling"], 3);
        for part in ["decisions", "rules", "movement", "frame"] {
            assert_eq!(json["frame_ns"][part]["p99"], 0, "{part}");
        }
    }
}
