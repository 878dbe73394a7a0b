//! An axis: where a number lies between 0 and the greatest.

/// A linear axis from 0.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    most: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis from 0 to at least 1, laid from one pixel to another.
    pub fn to(most: u64, from: f64, to: f64) -> Axis {
        let most = most.max(1) as f64;
        Axis { most, from, to }
    }

    /// Where a number lies; nothing lies beyond an end.
    pub fn at(&self, number: u64) -> f64 {
        let part = (number as f64 / self.most).min(1.0);
        self.from + part * (self.to - self.from)
    }

    /// Round whole numbers from 0 on, equally far apart: two at least, and no more steps than that
    /// unless it is a single one.
    pub fn ticks(&self, steps: u32) -> Vec<u64> {
        let rough = self.most / f64::from(steps.max(1));
        let decade = 10f64.powf(rough.max(1.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * decade)
            .into_iter()
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(rough);
        let count = (self.most / step) as u64;
        if count == 0 {
            return vec![0, self.most as u64];
        }
        (0..=count).map(|index| index * step as u64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let ticks = |most, steps| Axis::to(most, 0.0, 1.0).ticks(steps);
        assert_eq!(ticks(3_000, 3), [0, 1_000, 2_000, 3_000]);
        assert_eq!(ticks(1_000, 4), [0, 500, 1_000]);
        assert_eq!(ticks(200, 4), [0, 50, 100, 150, 200]);
        assert_eq!(ticks(1, 4), [0, 1]);
        assert_eq!(ticks(0, 4), [0, 1]);
        assert_eq!(ticks(7, 1), [0, 7]);
        for most in [0, 1, 2, 3, 9, 11, 999, 1 << 40, u64::MAX] {
            let found = ticks(most, 4);
            assert!((2..=5).contains(&found.len()), "{most}: {found:?}");
            assert!(found.is_sorted_by(|a, b| a < b), "{most}: {found:?}");
        }
    }

    #[test]
    fn numbers_lie_between_the_ends() {
        let up = Axis::to(10, 100.0, 0.0);
        assert_eq!(
            [0, 5, 10, 11].map(|number| up.at(number)),
            [100.0, 50.0, 0.0, 0.0]
        );
        assert_eq!(Axis::to(0, 0.0, 8.0).at(0), 0.0);
    }
}
