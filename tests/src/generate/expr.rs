//! Random expressions that type-check over the generated trees' names.
//!
//! Bare whole numbers are drawn from those that `f32` holds exactly, so that they fit whatever they
//! meet; the greatest `i32` comes in through a column instead.

use pleach_tree::{BinaryOp, Expr, ExprKind, UnaryOp, col, lit};
use proptest::prelude::*;
use proptest::sample::select;

const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
];
const ARITHMETIC: [BinaryOp; 6] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Min,
    BinaryOp::Max,
];

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

fn unary(op: UnaryOp, inner: Expr) -> Expr {
    Expr::new(ExprKind::Unary(op, Box::new(inner)))
}

fn name_of(names: &'static [&'static str]) -> impl Strategy<Value = Expr> {
    select(names).prop_map(col)
}

fn whole() -> impl Strategy<Value = Expr> {
    prop_oneof![
        6 => -3..4,
        2 => -300..300,
        1 => select(&[i32::MIN, 1 << 30, 1 << 24, 255, 256, 65_535, 65_536][..]),
    ]
    .prop_map(lit)
}

fn float() -> impl Strategy<Value = Expr> {
    prop_oneof![
        4 => select(&[0.0_f32, -0.0, 0.5, 1.0, -1.0, 0.25, 2.0][..]),
        1 => select(&[f32::MAX, f32::MIN_POSITIVE, 1e-40, 1e30, -1e30][..]),
    ]
    .prop_map(lit)
}

/// An integer expression of at most that many levels below its root.
pub fn i32_expr(levels: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        4 => name_of(&[
            "score", "debt", "ammo", "mood", "rank", "level", "season", "budget", "stance", "phase"
        ]),
        1 => name_of(&["stance.wary", "stance.hostile", "phase.noon"]),
        4 => whole(),
    ];
    if levels == 0 {
        return leaf.boxed();
    }
    let inner = i32_expr(levels - 1);
    prop_oneof![
        2 => leaf,
        1 => (select(&[UnaryOp::Neg, UnaryOp::Abs][..]), inner.clone())
            .prop_map(|(op, inner)| unary(op, inner)),
        2 => (select(&ARITHMETIC[..]), inner.clone(), inner)
            .prop_map(|(op, left, right)| binary(op, left, right)),
    ]
    .boxed()
}

/// A float expression of at most that many levels below its root.
pub fn f32_expr(levels: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![name_of(&["health", "fear", "wind"]), float()];
    if levels == 0 {
        return leaf.boxed();
    }
    let inner = f32_expr(levels - 1);
    let integer = i32_expr(levels - 1);
    prop_oneof![
        3 => leaf,
        1 => (select(&[UnaryOp::Neg, UnaryOp::Abs][..]), inner.clone())
            .prop_map(|(op, inner)| unary(op, inner)),
        3 => (select(&ARITHMETIC[..]), inner.clone(), inner.clone())
            .prop_map(|(op, left, right)| binary(op, left, right)),
        1 => (select(&ARITHMETIC[..]), integer.clone(), inner.clone())
            .prop_map(|(op, left, right)| binary(op, left, right)),
        1 => (select(&ARITHMETIC[..]), inner, integer)
            .prop_map(|(op, left, right)| binary(op, left, right)),
    ]
    .boxed()
}

/// An opaque number: a name, or a bare whole number that only `u64` holds or that any type would.
pub fn u64_expr() -> BoxedStrategy<Expr> {
    prop_oneof![
        3 => name_of(&["target", "home", "leader"]),
        1 => select(&[0_u64, 1, 9, u64::MAX, 1 << 40][..]).prop_map(Expr::from),
    ]
    .boxed()
}

/// A test of at most that many levels below its root.
pub fn bool_expr(levels: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        4 => name_of(&["alert", "armed", "alarm"]),
        1 => any::<bool>().prop_map(lit),
    ];
    if levels == 0 {
        return leaf.boxed();
    }
    let inner = bool_expr(levels - 1);
    let integer = i32_expr(levels - 1);
    let real = f32_expr(levels - 1);
    let compare = |left: BoxedStrategy<Expr>, right: BoxedStrategy<Expr>| {
        (select(&COMPARISONS[..]), left, right)
            .prop_map(|(op, left, right)| binary(op, left, right))
    };
    let logic = select(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Eq, BinaryOp::Ne][..]);
    // Two bare numbers would be taken for i32, which u64's greatest does not fit.
    let handle = name_of(&["target", "home", "leader"]).boxed();
    prop_oneof![
        3 => leaf,
        2 => inner.clone().prop_map(|inner| unary(UnaryOp::Not, inner)),
        2 => (logic, inner.clone(), inner).prop_map(|(op, left, right)| binary(op, left, right)),
        2 => compare(integer.clone(), integer.clone()),
        2 => compare(real.clone(), real.clone()),
        1 => compare(integer.clone(), real.clone()),
        1 => compare(real, integer),
        1 => compare(handle.clone(), u64_expr()),
        1 => compare(u64_expr(), handle),
    ]
    .boxed()
}
