//! How a colony came to be what it is: samples over time.

use serde::Serialize;

use super::scene::ByStage;

/// The colony at one moment, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sample {
    /// How many ticks were done.
    pub tick: u64,
    /// Dwarves that did nothing.
    pub idle: u32,
    /// Dwarves that cut a plant or were on their way to it.
    pub harvesting: u32,
    /// Dwarves that worked in a workshop or were on their way to it.
    pub working: u32,
    /// Plants by their stage.
    pub plants: ByStage<u32>,
    /// Workshops that were built.
    pub workshops: u32,
    /// Workshops in which a dwarf worked, or to which one was on its way.
    pub workshops_busy: u32,
    /// Plants that had been cut since the beginning.
    pub harvested: u64,
    /// Goods that had been made since the beginning.
    pub goods: u64,
}

/// Samples at equal distances, from tick 0 on, and one of the end. There are
/// [`CAPACITY`](History::CAPACITY) of them at most, and the last one: when there would be more, every
/// other one is dropped and the distance doubles. So a history takes a few kilobytes, however long
/// the run.
///
/// ```
/// use pleach_sim::colony::{History, Sample};
///
/// let mut history = History::new();
/// for tick in 0..=100_000 {
///     if history.wants(tick) {
///         history.record(Sample { tick, idle: 5, ..Sample::default() });
///     }
/// }
/// assert_eq!(history.spacing(), 512);
/// assert_eq!(history.samples().len(), 196);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct History {
    /// Ticks between two samples: a power of two.
    spacing: u64,
    samples: Vec<Sample>,
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

impl History {
    /// The most samples that are kept, beside the last one.
    pub const CAPACITY: usize = 200;

    /// A history without samples that wants every tick.
    pub fn new() -> History {
        History {
            spacing: 1,
            samples: Vec::with_capacity(History::CAPACITY + 2),
        }
    }

    /// Whether a sample of that tick would be kept: whoever asks first counts less.
    pub fn wants(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.spacing)
    }

    /// Takes a sample, if it is wanted and later than those that it has.
    pub fn record(&mut self, sample: Sample) {
        if !self.wants(sample.tick) || !self.is_new(&sample) {
            return;
        }
        self.samples.push(sample);
        if self.samples.len() > History::CAPACITY {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.samples
                .retain(|sample| sample.tick.is_multiple_of(spacing));
        }
    }

    /// Takes the sample of the end, wanted or not. One that is not later than all others is left out.
    pub fn finish(&mut self, sample: Sample) {
        if self.is_new(&sample) {
            self.samples.push(sample);
        }
    }

    fn is_new(&self, sample: &Sample) -> bool {
        self.samples
            .last()
            .is_none_or(|last| last.tick < sample.tick)
    }

    /// Ticks between two samples; the last one may come sooner.
    pub fn spacing(&self) -> u64 {
        self.spacing
    }

    /// The samples, in the order of time.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The first and the last sample.
    pub fn ends(&self) -> Option<(&Sample, &Sample)> {
        self.samples.first().zip(self.samples.last())
    }

    /// One number of the samples in so many columns of equal time, from the first sample to the
    /// last: in each column the mean of its samples or, where there is none, the latest before it.
    /// Without samples there are no columns.
    pub fn columns(&self, columns: usize, number: impl Fn(&Sample) -> u64) -> Vec<f64> {
        let Some((first, last)) = self.ends() else {
            return Vec::new();
        };
        let span = u128::from(last.tick - first.tick) + 1;
        // Ticks are 64 bits wide, and columns are few.
        let column = |sample: &Sample| {
            (u128::from(sample.tick - first.tick) * columns as u128 / span) as usize
        };
        let (mut latest, mut at) = (number(first) as f64, 0);
        let of_column = |index: usize| {
            let (mut sum, mut count) = (0.0, 0.0);
            while let Some(sample) = self.samples.get(at)
                && column(sample) <= index
            {
                latest = number(sample) as f64;
                (sum, count, at) = (sum + latest, count + 1.0, at + 1);
            }
            if count > 0.0 { sum / count } else { latest }
        };
        (0..columns).map(of_column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(tick: u64) -> Sample {
        Sample {
            tick,
            harvested: tick,
            ..Sample::default()
        }
    }

    fn of_ticks(ticks: u64) -> History {
        let mut history = History::new();
        (0..=ticks).for_each(|tick| history.record(sample(tick)));
        history
    }

    #[test]
    fn a_history_thins_out_and_stays_even() {
        for ticks in [0, 1, 199, 200, 201, 399, 400, 3_000, 1_000_000] {
            let mut history = of_ticks(ticks);
            let samples = history.samples();
            assert!(samples.len() <= History::CAPACITY, "{ticks}");
            // Never thinner than it has to be.
            assert!(
                history.spacing() == 1 || samples.len() > History::CAPACITY / 2,
                "{ticks}: {}",
                samples.len()
            );
            for (index, sample) in samples.iter().enumerate() {
                assert_eq!(sample.tick, index as u64 * history.spacing());
            }
            history.finish(sample(ticks));
            let last = history.samples().last().unwrap();
            assert_eq!(last.tick, ticks);
            assert!(history.samples().is_sorted_by(|a, b| a.tick < b.tick));
            assert!(history.samples().len() <= History::CAPACITY + 1);
        }
    }

    #[test]
    fn what_is_not_new_is_left_out() {
        let mut history = of_ticks(5);
        history.record(sample(5));
        history.record(sample(3));
        history.finish(sample(4));
        assert_eq!(history, of_ticks(5));
    }

    #[test]
    fn columns_are_means_and_gaps_hold_the_latest() {
        let history = of_ticks(7);
        let number = |sample: &Sample| sample.harvested;
        assert_eq!(history.columns(4, number), [0.5, 2.5, 4.5, 6.5]);
        assert_eq!(history.columns(1, number), [3.5]);
        assert_eq!(history.columns(0, number), [0.0; 0]);
        let mut few = History::new();
        few.record(sample(0));
        few.finish(sample(3));
        assert_eq!(
            few.columns(8, number),
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0]
        );
        assert_eq!(History::new().columns(4, number), [0.0; 0]);
        let mut far = History::new();
        far.record(sample(0));
        far.finish(sample(u64::MAX));
        assert_eq!(far.columns(2, number), [0.0, u64::MAX as f64]);
    }
}
