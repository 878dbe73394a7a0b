//! Tables and rules: what happened at a node as sets of actors, their algebra and joins, and what rules
//! write back.

mod climb;
mod expected;
mod loads;
mod stage;
mod story;
mod watching;
