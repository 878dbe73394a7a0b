//! Expressions, evaluated as they stand: rules E1 to E6.

use pleach_shape::{Value, ValueType};
use pleach_tree::{BinaryOp, Expr, ExprKind, Tree, UnaryOp};

/// What the names in an expression mean.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// Declares them.
    pub tree: &'a Tree,
    /// The actor's columns, in declared order.
    pub columns: &'a [Value],
    /// The world values, in declared order.
    pub world: &'a [Value],
}

/// What an expression evaluates to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// A truth value.
    Bool(bool),
    /// An integer; `u8` and `u16` widen to it.
    I32(i32),
    /// A float.
    F32(f32),
    /// An opaque number.
    U64(u64),
    /// A bare whole number, which has met nothing yet.
    Whole(i128),
}

impl Operand {
    /// The truth value of a test.
    ///
    /// # Panics
    /// On anything else, which no compiled condition gives.
    pub fn truth(self) -> bool {
        match self {
            Operand::Bool(holds) => holds,
            other => panic!("a condition must be a bool, found {other:?}"),
        }
    }

    /// A number that meets nothing that would give it a type is an `i32`.
    fn settled(self) -> Operand {
        match self {
            Operand::Whole(value) => Operand::I32(fits(value)),
            other => other,
        }
    }
}

fn fits<T: TryFrom<i128>>(value: i128) -> T {
    T::try_from(value).unwrap_or_else(|_| panic!("{value} does not fit its type"))
}

/// Evaluates an expression.
///
/// # Panics
/// On one that does not type-check, which no compiled tree has.
pub fn evaluate(expr: &Expr, names: &Names<'_>) -> Operand {
    match &expr.kind {
        ExprKind::Bool(value) => Operand::Bool(*value),
        ExprKind::Int(value) => Operand::Whole(*value),
        ExprKind::Float(value) => Operand::F32(*value),
        ExprKind::Name(name) => named(name, names),
        ExprKind::Unary(op, inner) => {
            let inner = evaluate(inner, names).settled();
            match (op, inner) {
                (UnaryOp::Not, Operand::Bool(value)) => Operand::Bool(!value),
                (UnaryOp::Neg, Operand::I32(value)) => Operand::I32(value.wrapping_neg()),
                (UnaryOp::Neg, Operand::F32(value)) => Operand::F32(-value),
                (UnaryOp::Abs, Operand::I32(value)) => Operand::I32(value.wrapping_abs()),
                (UnaryOp::Abs, Operand::F32(value)) => Operand::F32(value.abs()),
                (op, inner) => panic!("{op:?} does not apply to {inner:?}"),
            }
        }
        ExprKind::Binary(op, left, right) => {
            match met(evaluate(left, names), evaluate(right, names)) {
                (Operand::Bool(a), Operand::Bool(b)) => bools(*op, a, b),
                (Operand::I32(a), Operand::I32(b)) => integers(*op, a, b),
                (Operand::F32(a), Operand::F32(b)) => floats(*op, a, b),
                (Operand::U64(a), Operand::U64(b)) => handles(*op, a, b),
                (a, b) => panic!("{op:?} does not apply to {a:?} and {b:?}"),
            }
        }
        ExprKind::Invalid(text, error) => panic!("`{text}` is no expression: {error}"),
    }
}

fn named(name: &str, names: &Names<'_>) -> Operand {
    let column = names
        .tree
        .columns()
        .iter()
        .position(|column| column.name == name);
    let world = names
        .tree
        .world()
        .iter()
        .position(|world| world.name == name);
    let value = match (column, world) {
        (Some(column), _) => names.columns[column],
        (None, Some(world)) => names.world[world],
        (None, None) => return label(name, names.tree),
    };
    match value {
        Value::Bool(value) => Operand::Bool(value),
        Value::U8(value) => Operand::I32(value.into()),
        Value::U16(value) => Operand::I32(value.into()),
        Value::I32(value) => Operand::I32(value),
        Value::F32(value) => Operand::F32(value),
        Value::U64(value) => Operand::U64(value),
    }
}

/// The constant that a label of an enumeration stands for, `enumeration.label`.
fn label(name: &str, tree: &Tree) -> Operand {
    let columns = tree.columns().iter();
    let columns = columns.map(|column| (&column.name, &column.labels));
    let world = tree.world().iter();
    let world = world.map(|world| (&world.name, &world.labels));
    for (of, labels) in columns.chain(world) {
        let value = labels
            .iter()
            .position(|label| *name == format!("{of}.{label}"));
        if let Some(value) = value {
            return Operand::Whole(value as i128);
        }
    }
    panic!("`{name}` is not declared")
}

/// E1: both operands in one type.
fn met(left: Operand, right: Operand) -> (Operand, Operand) {
    match (left, right) {
        (Operand::Whole(_), Operand::Whole(_)) => (left.settled(), right.settled()),
        (Operand::Whole(value), typed) => (as_type_of(value, typed), typed),
        (typed, Operand::Whole(value)) => (typed, as_type_of(value, typed)),
        (Operand::I32(a), Operand::F32(_)) => (Operand::F32(a as f32), right),
        (Operand::F32(_), Operand::I32(b)) => (left, Operand::F32(b as f32)),
        same => same,
    }
}

fn as_type_of(value: i128, typed: Operand) -> Operand {
    match typed {
        Operand::I32(_) => Operand::I32(fits(value)),
        Operand::F32(_) => Operand::F32(value as f32),
        Operand::U64(_) => Operand::U64(fits(value)),
        Operand::Bool(_) | Operand::Whole(_) => panic!("{value} does not fit {typed:?}"),
    }
}

fn bools(op: BinaryOp, a: bool, b: bool) -> Operand {
    Operand::Bool(match op {
        BinaryOp::Or => a || b,
        BinaryOp::And => a && b,
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        op => panic!("{op:?} does not apply to bools"),
    })
}

fn integers(op: BinaryOp, a: i32, b: i32) -> Operand {
    Operand::I32(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => 0,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Min => {
            if a < b {
                a
            } else {
                b
            }
        }
        BinaryOp::Max => {
            if a > b {
                a
            } else {
                b
            }
        }
        BinaryOp::Lt => return Operand::Bool(a < b),
        BinaryOp::Le => return Operand::Bool(a <= b),
        BinaryOp::Gt => return Operand::Bool(a > b),
        BinaryOp::Ge => return Operand::Bool(a >= b),
        BinaryOp::Eq => return Operand::Bool(a == b),
        BinaryOp::Ne => return Operand::Bool(a != b),
        BinaryOp::And | BinaryOp::Or => panic!("{op:?} does not apply to integers"),
    })
}

// Clippy takes "less or greater" for "unequal", which it is not with NaN (L1).
#[allow(clippy::double_comparisons)]
fn floats(op: BinaryOp, a: f32, b: f32) -> Operand {
    Operand::F32(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        // Not `f32::min`: with a NaN on either side the second operand is the answer, and of two
        // zeros the second, whatever their signs.
        BinaryOp::Min => {
            if a < b {
                a
            } else {
                b
            }
        }
        BinaryOp::Max => {
            if a > b {
                a
            } else {
                b
            }
        }
        BinaryOp::Lt => return Operand::Bool(a < b),
        BinaryOp::Le => return Operand::Bool(a <= b),
        BinaryOp::Gt => return Operand::Bool(a > b),
        BinaryOp::Ge => return Operand::Bool(a >= b),
        BinaryOp::Eq => return Operand::Bool(a == b),
        // L1: false with NaN, unlike Rust's `!=`.
        BinaryOp::Ne => return Operand::Bool(a < b || a > b),
        BinaryOp::And | BinaryOp::Or => panic!("{op:?} does not apply to floats"),
    })
}

fn handles(op: BinaryOp, a: u64, b: u64) -> Operand {
    Operand::Bool(match op {
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        op => panic!("{op:?} does not apply to u64"),
    })
}

/// E5: the value as a column of that type stores it.
///
/// # Panics
/// On a value that no compiled Set stores in such a column.
pub fn clamped(operand: Operand, column: ValueType) -> Value {
    match (operand, column) {
        (Operand::Bool(value), ValueType::Bool) => Value::Bool(value),
        (Operand::I32(value), ValueType::U8) => Value::U8(value.clamp(0, 0xff) as u8),
        (Operand::I32(value), ValueType::U16) => Value::U16(value.clamp(0, 0xffff) as u16),
        (Operand::I32(value), ValueType::I32) => Value::I32(value),
        (Operand::I32(value), ValueType::F32) => Value::F32(value as f32),
        // A NaN's sign and payload depend on the machine; T6 does not allow that to be stored.
        (Operand::F32(value), ValueType::F32) if value.is_nan() => Value::F32(f32::NAN),
        (Operand::F32(value), ValueType::F32) => Value::F32(value),
        (Operand::U64(value), ValueType::U64) => Value::U64(value),
        (Operand::Whole(value), ValueType::U8) => Value::U8(fits(value)),
        (Operand::Whole(value), ValueType::U16) => Value::U16(fits(value)),
        (Operand::Whole(value), ValueType::I32) => Value::I32(fits(value)),
        (Operand::Whole(value), ValueType::F32) => Value::F32(value as f32),
        (Operand::Whole(value), ValueType::U64) => Value::U64(fits(value)),
        (value, column) => panic!("{value:?} does not fit a column of type {column}"),
    }
}
