//! What the benchmarks need besides the crates they measure: [`boxed`], the behavior tree that a
//! program would have without Pleach, and [`peers`], other ways to decide the same.

pub mod boxed;
pub mod horde;
pub mod peers;

/// The middle one of these figures, the upper one of two; NaN without any.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
