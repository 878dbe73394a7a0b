//! Reading and writing expressions.

use pleach_tree::{BinaryOp, Expr, ExprKind, MAX_EXPR_DEPTH, UnaryOp, col, lit};
use proptest::prelude::*;

fn read(text: &str) -> Expr {
    Expr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> (u32, String) {
    let error = Expr::parse(text).expect_err(text);
    (error.span.start, error.message)
}

#[test]
fn operators_bind_as_expected() {
    assert_eq!(
        read("a or b and not c < 1 + 2 * -d"),
        read("a or (b and (not (c < (1 + (2 * (-d))))))")
    );
    assert_eq!(read("a - b - c"), read("(a - b) - c"));
    assert_eq!(read("a && b || !c"), read("a and b or not c"));
    assert_eq!(read("health < 0.3"), col("health").lt(0.3_f32));
    assert_eq!(
        read("min(a, 3) >= abs(-2)"),
        col("a").min(3).ge(lit(-2).abs())
    );
    assert_eq!(read(" \t1.5e3 "), lit(1500.0_f32));
}

#[test]
fn what_is_no_expression_is_refused_with_its_place() {
    for (text, at, message) in [
        ("", 0, "expected a number, a name or `(`, found the end"),
        ("a <", 3, "expected a number, a name or `(`, found the end"),
        ("a < b < c", 6, "comparisons do not chain"),
        ("a = 1", 2, "found `=`, which assigns"),
        ("(a", 2, "expected `)`, found the end"),
        ("a b", 2, "expected an operator or the end, found `b`"),
        ("1x", 0, "`1` runs into what follows it"),
        (
            "a # b",
            2,
            "found `#`, which begins no number, name or operator",
        ),
        (
            "é",
            0,
            "found `é`, which begins no number, name or operator",
        ),
        ("mix(1, 2)", 0, "unknown function `mix`"),
        ("min(1)", 0, "`min` takes two arguments, found 1"),
        ("1e99", 0, "`1e99` is too large for f32"),
        (
            "99999999999999999999",
            0,
            "`99999999999999999999` is too large for u64",
        ),
    ] {
        assert_eq!(refused(text), (at, message.into()), "{text}");
    }
}

#[test]
fn deep_nesting_is_refused_not_fatal() {
    for text in [
        "(".repeat(100_000),
        "not ".repeat(100_000) + "a",
        "- ".repeat(100_000) + "a",
        "abs(".repeat(100_000),
        "a and ".repeat(100_000) + "a",
        "1 + ".repeat(100_000) + "1",
    ] {
        let (_, message) = refused(&text);
        assert_eq!(
            message,
            format!("the expression nests deeper than {MAX_EXPR_DEPTH} levels")
        );
    }
}

#[test]
fn what_is_built_deeper_than_the_limit_is_invalid_and_drops_safely() {
    let mut at_limit = col("x");
    let mut beyond = col("x");
    for level in 1..1_000_000 {
        if level < MAX_EXPR_DEPTH {
            at_limit = at_limit.negated();
        }
        beyond = beyond.negated();
    }
    assert_eq!(at_limit.levels(), MAX_EXPR_DEPTH);
    // As deep as it may be, it is written with a parenthesis a level, and still reads back.
    assert_eq!(read(&at_limit.to_string()), at_limit);
    assert!(beyond.levels() <= MAX_EXPR_DEPTH);
    let tree = pleach_tree::Tree::build("t")
        .column("x", 1)
        .root(pleach_tree::condition(beyond));
    let error = pleach_tree::compile(&tree)
        .expect_err("too deep")
        .to_string();
    assert!(error.contains("nests deeper than 128 levels"), "{error}");
}

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(lit),
        any::<u64>().prop_map(lit),
        any::<i32>().prop_map(lit),
        any::<f32>()
            .prop_filter("a literal is finite", |value| value.is_finite())
            .prop_map(lit),
        "[a-z_][a-z0-9_.]{0,8}"
            .prop_filter("a word of the language", |name| pleach_tree::is_identifier(
                name
            ))
            .prop_map(col),
    ];
    let unary = prop::sample::select(vec![UnaryOp::Not, UnaryOp::Neg, UnaryOp::Abs]);
    let binary = prop::sample::select(vec![
        BinaryOp::Or,
        BinaryOp::And,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Min,
        BinaryOp::Max,
    ]);
    leaf.prop_recursive(6, 64, 2, move |inner| {
        prop_oneof![
            (unary.clone(), inner.clone())
                .prop_map(|(op, a)| Expr::new(ExprKind::Unary(op, Box::new(a)))),
            (binary.clone(), inner.clone(), inner)
                .prop_map(|(op, a, b)| Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(expr in expr()) {
        let text = expr.to_string();
        prop_assert_eq!(Expr::parse(&text), Ok(expr), "{}", text);
    }

    #[test]
    fn reading_never_panics(text in "[ -~é\n]{0,40}") {
        Expr::parse(&text).ok();
    }
}
