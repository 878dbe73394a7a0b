//! What the benchmarks need besides the crates they measure: [`boxed`], the behavior tree that a
//! program would have without Pleach.

pub mod boxed;
pub mod horde;
