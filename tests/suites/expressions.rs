//! Expressions under the reference: rules E1 to E6, by hand.

use pleach_shape::{Value, ValueType};
use pleach_tests::reference::expr::{Names, Operand, clamped, evaluate};
use pleach_tree::{Expr, Tree, succeed};

fn evaluated(text: &str) -> Operand {
    let tree = Tree::build("expressions")
        .column("byte", 200_u8)
        .column("short", 60_000_u16)
        .column("least", i32::MIN)
        .column("most", i32::MAX)
        .column("nan", 0.0_f32)
        .column("half", 0.5_f32)
        .column("entity", u64::MAX)
        .column("yes", true)
        .world("three", 3)
        .root(succeed());
    let mut columns: Vec<Value> = tree.columns().iter().map(|column| column.default).collect();
    columns[4] = Value::F32(-f32::NAN);
    let world: Vec<Value> = tree.world().iter().map(|world| world.default).collect();
    let names = Names {
        tree: &tree,
        columns: &columns,
        world: &world,
    };
    evaluate(&Expr::parse(text).expect("the texts here parse"), &names)
}

fn holds(text: &str) -> bool {
    evaluated(text).truth()
}

#[test]
fn narrow_columns_widen() {
    assert_eq!(evaluated("byte + short"), Operand::I32(60_200));
    assert!(holds("byte < 300") && holds("byte > -1"));
    assert_eq!(evaluated("byte"), Operand::I32(200));
}

#[test]
fn integers_meet_floats_by_conversion() {
    assert_eq!(evaluated("three * half"), Operand::F32(1.5));
    assert_eq!(evaluated("half - 1"), Operand::F32(-0.5));
    assert!(holds("most == 2147483648.0"), "the conversion rounds");
}

#[test]
fn comparisons_with_nan_are_false() {
    for op in ["<", "<=", ">", ">=", "==", "!="] {
        assert!(!holds(&format!("nan {op} half")), "{op}");
        assert!(!holds(&format!("half {op} nan")), "{op}");
        assert!(!holds(&format!("nan {op} nan")), "{op}");
    }
    assert!(holds("not (nan != nan)"));
    assert!(holds("half != three") && holds("0.0 == -0.0"));
}

#[test]
fn integers_wrap_and_a_division_by_zero_is_zero() {
    assert_eq!(evaluated("most + 1"), Operand::I32(i32::MIN));
    assert_eq!(evaluated("least - 1"), Operand::I32(i32::MAX));
    assert_eq!(evaluated("most * 2"), Operand::I32(-2));
    assert_eq!(evaluated("least / -1"), Operand::I32(i32::MIN));
    assert_eq!(evaluated("most / 0"), Operand::I32(0));
    assert_eq!(evaluated("-7 / 2"), Operand::I32(-3), "truncates");
    assert_eq!(evaluated("abs(least)"), Operand::I32(i32::MIN));
    assert_eq!(evaluated("-least"), Operand::I32(i32::MIN));
    assert_eq!(evaluated("half / 0"), Operand::F32(f32::INFINITY));
}

#[test]
fn min_and_max_give_the_second_operand_when_they_cannot_tell() {
    assert_eq!(evaluated("min(nan, half)"), Operand::F32(0.5));
    assert_eq!(evaluated("max(nan, half)"), Operand::F32(0.5));
    for text in ["min(half, nan)", "max(half, nan)"] {
        let Operand::F32(found) = evaluated(text) else {
            panic!("{text} is a float");
        };
        assert!(found.is_nan(), "{text}");
    }
    let zero = |text: &str| match evaluated(text) {
        Operand::F32(found) => found.to_bits(),
        other => panic!("{other:?} is no float"),
    };
    assert_eq!(zero("min(-0.0, 0.0)"), 0.0_f32.to_bits());
    assert_eq!(zero("max(0.0, -0.0)"), (-0.0_f32).to_bits());
    assert_eq!(evaluated("max(three, -1)"), Operand::I32(3));
}

#[test]
fn opaque_numbers_are_compared_whole() {
    assert!(holds("entity == 18446744073709551615"));
    assert!(holds("entity > 0") && holds("5 < entity"));
}

#[test]
fn both_sides_of_and_and_or_count() {
    assert!(holds("yes and half < 1") && !holds("yes and half > 1"));
    assert!(holds("half > 1 or yes") && holds("yes != false"));
}

#[test]
fn a_set_clamps_converts_and_knows_one_nan() {
    assert_eq!(clamped(Operand::I32(300), ValueType::U8), Value::U8(255));
    assert_eq!(clamped(Operand::I32(-1), ValueType::U8), Value::U8(0));
    assert_eq!(clamped(Operand::I32(-1), ValueType::U16), Value::U16(0));
    assert_eq!(
        clamped(Operand::I32(70_000), ValueType::U16),
        Value::U16(65_535)
    );
    assert_eq!(
        clamped(Operand::I32(-70_000), ValueType::I32),
        Value::I32(-70_000)
    );
    assert_eq!(
        clamped(Operand::I32(16_777_217), ValueType::F32),
        Value::F32(16_777_216.0)
    );
    assert_eq!(clamped(Operand::Whole(7), ValueType::U64), Value::U64(7));
    let stored = clamped(evaluated("nan"), ValueType::F32);
    assert_eq!(
        stored.to_bits(),
        u64::from(f32::NAN.to_bits()),
        "its sign is gone"
    );
    let computed = clamped(evaluated("half / 0 - half / 0"), ValueType::F32);
    assert_eq!(computed.to_bits(), u64::from(f32::NAN.to_bits()));
    let zero = clamped(evaluated("-(0.0)"), ValueType::F32);
    assert_eq!(
        zero.to_bits(),
        u64::from((-0.0_f32).to_bits()),
        "zeros keep their sign"
    );
}
