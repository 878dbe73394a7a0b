//! Random trees over all kinds of nodes.

use pleach_shape::{Role, ValueType};
use pleach_tree::{
    Expr, ExprKind, NodeDef, NodeKind, Tree, action, condition, fail, idle, persistent_action,
    query, set, succeed, task, wait, wait_between,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::compound::{allowed, sprinkled};
use super::expr::{bool_expr, f32_expr, i32_expr, u64_expr};
use super::kind::{self, MAX_CHILDREN, capacity, composite, decorator, range, time};
use super::{COLUMNS, declared, draw};

/// The most nodes a generated tree has.
pub const MAX_TREE_NODES: u32 = 200;
/// The most levels a generated tree has, leaves included.
pub const MAX_LEVELS: u32 = 30;

/// How deep the bushy part of a tree nests; the rest of [`MAX_LEVELS`] is a chain above it.
const BUSH_LEVELS: u32 = 7;
/// How deep the expressions of conditions and sets nest.
const EXPR_LEVELS: u32 = 3;

/// A random tree, at most [`MAX_TREE_NODES`] nodes and [`MAX_LEVELS`] levels, that compiles. It
/// shrinks to fewer and simpler nodes.
pub fn tree() -> impl Strategy<Value = Tree> {
    root().prop_map(|root| finished(&root))
}

/// A random tree in which nothing depends on who the actor is and which tick it is: without random
/// orders and drawn times.
pub fn tree_without_draws() -> impl Strategy<Value = Tree> {
    root().prop_map(|root| finished(&without_draws(&root)))
}

/// A random tree with compound nodes among the others, and without draws: those are keyed with a node's
/// place in the stream, which is another one than in the tree here.
pub fn compound_tree() -> impl Strategy<Value = Tree> {
    (root(), any::<u64>()).prop_map(|(root, seed)| {
        let root = sprinkled(&without_draws(&root), seed);
        allowed(finished, &root)
    })
}

/// The tree that a seed stands for; the same on every machine.
pub fn tree_from_seed(seed: u64) -> Tree {
    finished(&root_from_seed(seed))
}

/// The same for [`tree_without_draws`].
pub fn tree_without_draws_from_seed(seed: u64) -> Tree {
    finished(&without_draws(&root_from_seed(seed)))
}

/// A random root, whose kinds are not yet in line with their children.
fn root() -> impl Strategy<Value = NodeDef> {
    // The more children proptest expects, the rarer it nests; told the truth, it makes small trees.
    let bush = leaf().prop_recursive(BUSH_LEVELS, MAX_TREE_NODES, 2, |inner| {
        let children = prop::collection::vec(inner.clone(), 1..=MAX_CHILDREN);
        prop_oneof![
            6 => (composite(), children).prop_map(|(kind, children)| NodeDef::new(kind, children)),
            3 => (decorator(), inner).prop_map(|(kind, child)| NodeDef::new(kind, [child])),
        ]
    });
    let longest = (MAX_LEVELS - BUSH_LEVELS - 1) as usize;
    let link = (prop_oneof![composite(), decorator()], leaf(), any::<bool>());
    let chain = prop_oneof![
        3 => Just(Vec::new()).boxed(),
        1 => prop::collection::vec(link, 0..=longest).boxed(),
    ];
    (bush, chain).prop_map(|(bush, chain)| {
        chain.into_iter().fold(bush, |below, (kind, beside, left)| {
            let decorates = kind.role() == Role::Decorator;
            match (decorates, left) {
                (true, _) => NodeDef::new(kind, [below]),
                (false, true) => NodeDef::new(kind, [beside, below]),
                (false, false) => NodeDef::new(kind, [below, beside]),
            }
        })
    })
}

fn root_from_seed(seed: u64) -> NodeDef {
    let mut bytes = [0; 32];
    for (part, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        chunk.copy_from_slice(&draw(seed, &[part as u64]).to_le_bytes());
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    // The strategy filters nothing, so it rejects nothing.
    let drawn = root()
        .new_tree(&mut runner)
        .expect("the tree strategy never rejects");
    drawn.current()
}

fn finished(root: &NodeDef) -> Tree {
    let mut budget = MAX_TREE_NODES;
    declared("generated").root(fitted(root, &mut budget))
}

fn without_draws(def: &NodeDef) -> NodeDef {
    let kind = match def.kind() {
        NodeKind::RandomSequence => NodeKind::Sequence,
        NodeKind::RandomSelector => NodeKind::Selector,
        NodeKind::WaitBetween { max, .. } => NodeKind::Wait(*max),
        kind => kind.clone(),
    };
    NodeDef::new(kind, def.children().iter().map(without_draws))
}

/// Rebuilds a node within a budget of nodes: drops children that no longer fit, and brings its kind in
/// line with what is left.
fn fitted(def: &NodeDef, budget: &mut u32) -> NodeDef {
    *budget = budget.saturating_sub(1);
    let mut children = Vec::new();
    for child in def.children().iter().take(capacity(def.kind())) {
        // The first child is kept even over the budget: no composite is empty.
        if children.is_empty() || *budget > 0 {
            children.push(if *budget > 1 {
                fitted(child, budget)
            } else {
                *budget = 0;
                succeed()
            });
        }
    }
    let kind = match def.kind().role() {
        Role::Leaf => def.kind().clone(),
        _ => kind::fitted(def.kind(), children.len()),
    };
    NodeDef::new(kind, children)
}

/// A leaf of any kind.
fn leaf() -> BoxedStrategy<NodeDef> {
    let named =
        |prefix: &'static str| (0..4_u32).prop_map(move |number| format!("{prefix}_{number}"));
    prop_oneof![
        1 => Just(succeed()),
        1 => Just(fail()),
        1 => Just(idle()),
        3 => bool_expr(EXPR_LEVELS).prop_map(condition),
        2 => named("query").prop_map(query),
        5 => (named("action"), any::<bool>()).prop_map(|(name, aims)| {
            let action = action(name);
            if aims { action.param("speed", 2.5_f32).param_from("at", "target") } else { action }
        }),
        2 => named("persistent").prop_map(persistent_action),
        4 => named("task").prop_map(task),
        2 => time().prop_map(wait),
        2 => range().prop_map(|(min, max)| wait_between(min, max)),
        3 => set_leaf(),
    ]
    .boxed()
}

fn set_leaf() -> BoxedStrategy<NodeDef> {
    let columns_of = |types: &'static [ValueType]| {
        let names: Vec<&'static str> = COLUMNS
            .iter()
            .filter(|(_, default)| types.contains(&default.ty()))
            .map(|(name, _)| *name)
            .collect();
        select(names)
    };
    let narrow = (
        columns_of(&[ValueType::U8, ValueType::U16]),
        i32_expr(EXPR_LEVELS),
    );
    let wide = (
        columns_of(&[ValueType::I32, ValueType::F32]),
        i32_expr(EXPR_LEVELS),
    );
    prop_oneof![
        (columns_of(&[ValueType::Bool]), bool_expr(EXPR_LEVELS)),
        narrow.prop_map(|(column, value)| (column, narrowed(value))),
        wide,
        (columns_of(&[ValueType::F32]), f32_expr(EXPR_LEVELS)),
        (columns_of(&[ValueType::U64]), u64_expr()),
    ]
    .prop_map(|(column, value)| set(column, value))
    .boxed()
}

/// A bare number that a narrow column refuses becomes a sum, which it clamps.
fn narrowed(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Int(number) if !(0..=255).contains(&number) => value.plus(0),
        _ => value,
    }
}
