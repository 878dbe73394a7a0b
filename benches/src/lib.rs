//! What the benchmarks need besides the crates they measure: [`boxed`], the behavior tree that a
//! program would have without Pleach, and [`peers`], other ways to decide the same.

pub mod boxed;
pub mod horde;
pub mod peers;
