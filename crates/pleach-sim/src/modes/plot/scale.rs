//! Scales: where a number lies on a logarithmic axis.

/// A logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Numbers at its ends.
    low: f64,
    high: f64,
    /// Pixels at its ends.
    from: f64,
    to: f64,
}

impl Scale {
    /// An axis over the least and the greatest of some numbers, and a part of their distance more
    /// on either side. Whatever has no logarithm is left out; without any there is an axis all the
    /// same.
    pub(super) fn over(numbers: impl Iterator<Item = f64>, more: f64) -> Scale {
        let logs = numbers.map(f64::ln).filter(|log| log.is_finite());
        let ends = logs.fold(None, |ends, log| match ends {
            None => Some((log, log)),
            Some((low, high)) => Some((f64::min(low, log), f64::max(high, log))),
        });
        let (mut low, mut high) = ends.unwrap_or((0.0, 10f64.ln()));
        // A single number, or nearly: a little around it.
        let short = 3f64.ln() - (high - low);
        if short > 0.0 {
            (low, high) = (low - short / 2.0, high + short / 2.0);
        }
        let more = (high - low) * more;
        Scale {
            low: (low - more).exp(),
            high: (high + more).exp(),
            from: 0.0,
            to: 1.0,
        }
    }

    /// The same axis, laid from one pixel to another.
    pub(super) fn laid(self, from: f64, to: f64) -> Scale {
        Scale { from, to, ..self }
    }

    /// Where a number lies.
    pub(super) fn at(&self, number: f64) -> f64 {
        let part = (number / self.low).ln() / (self.high / self.low).ln();
        self.from + part * (self.to - self.from)
    }

    /// Powers of ten; if there are few of them, also their double and fivefold.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let decades = self.multiples(&[1.0]);
        if decades.len() > 2 {
            return decades;
        }
        self.multiples(&[1.0, 2.0, 5.0])
    }

    fn multiples(&self, of: &[f64]) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor(), self.high.log10().ceil());
        let decades = first as i32..=last as i32;
        decades
            .flat_map(|decade| of.iter().map(move |factor| factor * 10f64.powi(decade)))
            .filter(|number| (self.low..=self.high).contains(number))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_equally_far_apart() {
        let scale = Scale::over([1.0, 100.0, 10_000.0].into_iter(), 0.0).laid(0.0, 100.0);
        let places = [1.0, 100.0, 10_000.0].map(|number| scale.at(number).round());
        assert_eq!(places, [0.0, 50.0, 100.0]);
        let down = scale.laid(100.0, 0.0);
        assert_eq!(down.at(100.0).round(), 50.0);
    }

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |low: f64, high: f64| Scale::over([low, high].into_iter(), 0.01).ticks();
        assert_eq!(ticks(1.0, 1_000.0), [1.0, 10.0, 100.0, 1_000.0]);
        assert_eq!(ticks(18.0, 110.0), [20.0, 50.0, 100.0]);
        // A single number has neighbours.
        assert!(!ticks(64.0, 64.0).is_empty());
    }

    #[test]
    fn numbers_without_logarithm_are_left_out() {
        let scale = Scale::over([0.0, f64::NAN, f64::INFINITY, -1.0].into_iter(), 0.1);
        assert!(scale.at(5.0).is_finite() && !scale.ticks().is_empty());
    }
}
