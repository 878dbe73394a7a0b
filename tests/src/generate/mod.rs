//! Random trees, inputs and host scripts.
//!
//! Trees are proptest strategies, so that a failing one shrinks; [`tree_from_seed`] draws one
//! without a test around it. Everything that happens to a tree while it runs ([`Script`]) is a pure
//! function of a seed and of indices (actor, tick, node, slot, column): engines that process actors in
//! any order, or ask twice, see the same.

mod compound;
mod expr;
mod kind;
mod script;
mod tree;

pub use expr::{bool_expr, f32_expr, i32_expr, u64_expr};
pub use script::{Lifecycle, Script, ScriptHost};
pub use tree::{
    MAX_LEVELS, MAX_TREE_NODES, compound_tree, tree, tree_from_seed, tree_without_draws,
    tree_without_draws_from_seed,
};

use pleach_shape::Value;
use pleach_tree::{Tree, TreeBuilder};

/// The blackboard that every generated tree has: some columns of every type, and an enumeration.
pub const COLUMNS: [(&str, Value); 12] = [
    ("alert", Value::Bool(false)),
    ("armed", Value::Bool(true)),
    ("ammo", Value::U8(3)),
    ("mood", Value::U8(200)),
    ("rank", Value::U16(40_000)),
    ("score", Value::I32(-7)),
    ("debt", Value::I32(i32::MAX)),
    ("health", Value::F32(1.0)),
    ("fear", Value::F32(0.25)),
    ("target", Value::U64(0)),
    ("home", Value::U64(u64::MAX)),
    ("stance", Value::U8(0)),
];

/// The world values that every generated tree reads: one of every type, and an enumeration.
pub const WORLD: [(&str, Value); 7] = [
    ("alarm", Value::Bool(false)),
    ("level", Value::U8(1)),
    ("season", Value::U16(300)),
    ("budget", Value::I32(1_000)),
    ("wind", Value::F32(-0.5)),
    ("leader", Value::U64(9)),
    ("phase", Value::U8(0)),
];

/// The labels of the enumerations among [`COLUMNS`] and [`WORLD`]. Their values may also be others.
pub const LABELS: [(&str, [&str; 3]); 2] = [
    ("stance", ["idle", "wary", "hostile"]),
    ("phase", ["dawn", "noon", "night"]),
];

/// A tree of that name with [`COLUMNS`] and [`WORLD`] declared.
pub fn declared(name: &str) -> TreeBuilder {
    let labels = |name| LABELS.iter().find(|(known, _)| *known == name);
    let builder = Tree::build(name);
    let builder = COLUMNS
        .iter()
        .fold(builder, |builder, &(name, default)| match labels(name) {
            Some((_, labels)) => builder.enumeration(name, *labels),
            None => builder.column(name, default),
        });
    WORLD
        .iter()
        .fold(builder, |builder, &(name, default)| match labels(name) {
            Some((_, labels)) => builder.world_enumeration(name, *labels),
            None => builder.world(name, default),
        })
}

/// A well-mixed 64-bit number for a seed and a list of indices (T6: counter-based).
pub fn draw(seed: u64, indices: &[u64]) -> u64 {
    indices.iter().fold(finalise(seed), |state, &index| {
        finalise(
            state.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd6e8_feb8_6659_fd93),
        )
    })
}

/// The finalising permutation of splitmix64.
fn finalise(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
