//! Tables and rules: what happened at a node as sets of actors, their algebra and joins, and what rules
//! write back.

mod algebra;
mod climb;
mod crowd;
mod expected;
mod foreign;
mod joins;
mod loads;
mod names;
mod rules;
mod stage;
mod story;
mod watching;
