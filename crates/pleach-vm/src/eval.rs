//! Evaluating conditions and expressions for one actor.

use arrayvec::ArrayVec;
use pleach_shape::expr::MAX_EXPR_STACK;
use pleach_shape::{ColumnIndex, Comparison, ExprCode, ExprIndex, ExprType, Shape, ValueType};

use crate::column::Row;

#[inline]
fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline]
fn int(bits: u64) -> i32 {
    bits as u32 as i32
}

#[inline]
fn from_float(value: f32) -> u64 {
    value.to_bits().into()
}

#[inline]
fn from_int(value: i32) -> u64 {
    u64::from(value as u32)
}

/// The value of an expression as bits: bools 0 or 1, i32 and f32 in the low half.
///
/// The shape's verifier has run the code over types, so operands are there, of the right type, and
/// no more than the stack holds.
pub(crate) fn evaluate(shape: &Shape, expr: ExprIndex, row: &Row<'_>, world: &[u64]) -> u64 {
    let tables = shape.tables();
    let mut stack = ArrayVec::<u64, MAX_EXPR_STACK>::new();
    for op in shape.expr_code(expr) {
        let (Some(code), Some(ty)) = (ExprCode::from_u8(op.code), ExprType::from_u8(op.ty)) else {
            return 0;
        };
        let mut operand = || stack.pop().unwrap_or_default();
        let value = match code {
            ExprCode::Const => match ty {
                ExprType::U64 => tables.constants[op.imm as usize],
                ExprType::Bool | ExprType::I32 | ExprType::F32 => op.imm.into(),
            },
            ExprCode::Column => {
                let column = ColumnIndex(op.imm);
                let ty = tables.columns[column.at()].ty().unwrap_or(ValueType::Bool);
                match ty {
                    ValueType::Bool => row.get::<bool>(column).into(),
                    ValueType::U8 => row.get::<u8>(column).into(),
                    ValueType::U16 => row.get::<u16>(column).into(),
                    ValueType::I32 => from_int(row.get(column)),
                    ValueType::F32 => from_float(row.get(column)),
                    ValueType::U64 => row.get(column),
                }
            }
            ExprCode::World => world[op.imm as usize],
            ExprCode::ToFloat => from_float(int(operand()) as f32),
            ExprCode::Not => operand() ^ 1,
            ExprCode::Neg => match ty {
                ExprType::F32 => from_float(-float(operand())),
                _ => from_int(int(operand()).wrapping_neg()),
            },
            ExprCode::Abs => match ty {
                ExprType::F32 => from_float(float(operand()).abs()),
                _ => from_int(int(operand()).wrapping_abs()),
            },
            _ => {
                let right = operand();
                binary(code, ty, operand(), right)
            }
        };
        // Full only if the code were not verified; the value would be lost, and nothing else.
        stack.try_push(value).ok();
    }
    stack.pop().unwrap_or_default()
}

/// E3: a division by zero is 0; `i32::MIN / -1` wraps.
#[inline(always)]
pub(crate) fn divided(left: i32, right: i32) -> i32 {
    if right == 0 {
        0
    } else {
        left.wrapping_div(right)
    }
}

/// E4: with a NaN on either side the comparison is false, which leaves the second operand.
#[inline(always)]
pub(crate) fn lesser<T: PartialOrd>(left: T, right: T) -> T {
    if left < right { left } else { right }
}

/// E4
#[inline(always)]
pub(crate) fn greater<T: PartialOrd>(left: T, right: T) -> T {
    if left > right { left } else { right }
}

fn binary(code: ExprCode, ty: ExprType, left: u64, right: u64) -> u64 {
    let compare = |cmp: Comparison| -> u64 {
        match ty {
            ExprType::I32 => cmp.i32(int(left), int(right)).into(),
            ExprType::F32 => cmp.f32(float(left), float(right)).into(),
            ExprType::Bool | ExprType::U64 => cmp.u64(left, right).into(),
        }
    };
    let compute = |on_int: fn(i32, i32) -> i32, on_float: fn(f32, f32) -> f32| -> u64 {
        match ty {
            ExprType::F32 => from_float(on_float(float(left), float(right))),
            _ => from_int(on_int(int(left), int(right))),
        }
    };
    match code {
        ExprCode::And => left & right,
        ExprCode::Or => left | right,
        ExprCode::Lt => compare(Comparison::Lt),
        ExprCode::Le => compare(Comparison::Le),
        ExprCode::Gt => compare(Comparison::Gt),
        ExprCode::Ge => compare(Comparison::Ge),
        ExprCode::Eq => compare(Comparison::Eq),
        ExprCode::Ne => compare(Comparison::Ne),
        ExprCode::Add => compute(i32::wrapping_add, |a, b| a + b),
        ExprCode::Sub => compute(i32::wrapping_sub, |a, b| a - b),
        ExprCode::Mul => compute(i32::wrapping_mul, |a, b| a * b),
        ExprCode::Div => compute(divided, |a, b| a / b),
        ExprCode::Min => compute(lesser, lesser),
        ExprCode::Max => compute(greater, greater),
        // Handled by the caller.
        ExprCode::Const
        | ExprCode::Column
        | ExprCode::World
        | ExprCode::ToFloat
        | ExprCode::Not
        | ExprCode::Neg
        | ExprCode::Abs => 0,
    }
}

/// Stores an expression's value in a column (E5): integers clamp to the column's range, integers
/// into `f32` convert, and a NaN becomes the one canonical NaN, so that columns are the same bits
/// on every machine (T6).
pub(crate) fn store(
    column: ColumnIndex,
    ty: ValueType,
    found: ExprType,
    bits: u64,
    row: &mut Row<'_>,
) {
    match (found, ty) {
        (ExprType::Bool, _) => row.set(column, bits != 0),
        (ExprType::U64, _) => row.set(column, bits),
        (ExprType::F32, _) => row.set(column, canonical(float(bits))),
        (ExprType::I32, ValueType::U8) => row.set(column, int(bits).clamp(0, u8::MAX.into()) as u8),
        (ExprType::I32, ValueType::U16) => {
            row.set(column, int(bits).clamp(0, u16::MAX.into()) as u16)
        }
        (ExprType::I32, ValueType::F32) => row.set(column, int(bits) as f32),
        (ExprType::I32, _) => row.set(column, int(bits)),
    }
}

fn canonical(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value }
}
