//! The expression machine, a column at a time: the same operations in the same order as
//! [`evaluate`](crate::eval::evaluate) does for one actor, each for all lanes of the block.
//!
//! An operand takes [`OPERAND_LINES`] lines, of which a truth value uses one, a plane, and numbers of 32
//! bits half. Lanes without an actor are computed along with the others: nothing can fail (E1–E6).

use pleach_shape::layout::{BLOCK_LANES, LINE_BYTES};
use pleach_shape::{Comparison, ExprCode, ExprIndex, ExprOp, ExprType, ValueType};

use super::scratch::OPERAND_LINES;
use super::sweep::Sweep;
use crate::eval;
use crate::plane::Plane;
use crate::simd::Form;

/// Lines of 512 numbers of 32 bits.
const LINES_32: usize = BLOCK_LANES * 4 / LINE_BYTES;

impl Sweep<'_> {
    /// Evaluates code that gives a truth value.
    #[inline(always)]
    pub(super) fn expression<F: Form>(&mut self, form: F, expr: ExprIndex) -> F::Mask {
        let code = self.tick.shape.expr_code(expr);
        let mut top = 0usize;
        for op in code {
            let (Some(kind), Some(ty)) = (ExprCode::from_u8(op.code), ExprType::from_u8(op.ty))
            else {
                return form.empty();
            };
            match kind {
                ExprCode::Const | ExprCode::Column | ExprCode::World => {
                    let into = OPERAND_LINES * top;
                    self.push(into, kind, ty, op);
                    top += 1;
                }
                ExprCode::ToFloat | ExprCode::Not | ExprCode::Neg | ExprCode::Abs => {
                    let into = OPERAND_LINES * (top - 1);
                    let operand = &mut self.scratch.operands[into..into + OPERAND_LINES];
                    unary(form, kind, ty, operand);
                }
                _ => {
                    top -= 1;
                    let (left, right) = self.scratch.operands.split_at_mut(OPERAND_LINES * top);
                    let left = &mut left[OPERAND_LINES * (top - 1)..];
                    binary(form, kind, ty, left, &right[..OPERAND_LINES]);
                }
            }
        }
        form.load(&self.scratch.operands[0])
    }

    #[inline(always)]
    fn push(&mut self, into: usize, kind: ExprCode, ty: ExprType, op: &ExprOp) {
        let tables = self.tick.shape.tables();
        let operand = &mut self.scratch.operands[into..into + OPERAND_LINES];
        if kind == ExprCode::Column {
            let column = op.imm as usize;
            let line = self.tick.shape.layout().columns[column] as usize;
            let lines = &self.place.parts.columns[line..];
            match tables.columns[column].ty().unwrap_or(ValueType::Bool) {
                ValueType::Bool => operand[0] = lines[0],
                ValueType::U8 => {
                    let values: &[u8] = bytemuck::cast_slice(&lines[..LINES_32 / 4]);
                    widen(values, operand);
                }
                ValueType::U16 => {
                    let values: &[u16] = bytemuck::cast_slice(&lines[..LINES_32 / 2]);
                    widen(values, operand);
                }
                ValueType::I32 | ValueType::F32 => {
                    operand[..LINES_32].copy_from_slice(&lines[..LINES_32]);
                }
                ValueType::U64 => operand.copy_from_slice(&lines[..OPERAND_LINES]),
            }
            return;
        }
        let bits = match (kind, ty) {
            (ExprCode::World, _) => self.tick.world[op.imm as usize],
            (_, ExprType::U64) => tables.constants[op.imm as usize],
            (_, ExprType::Bool | ExprType::I32 | ExprType::F32) => op.imm.into(),
        };
        match ty {
            ExprType::Bool => operand[0] = if bits != 0 { Plane::FULL } else { Plane::EMPTY },
            ExprType::I32 | ExprType::F32 => {
                let values: &mut [u32] = bytemuck::cast_slice_mut(&mut operand[..LINES_32]);
                values.fill(bits as u32);
            }
            ExprType::U64 => bytemuck::cast_slice_mut::<Plane, u64>(operand).fill(bits),
        }
    }
}

#[inline(always)]
fn widen<T: Copy + Into<i32>>(values: &[T], operand: &mut [Plane]) {
    let wide: &mut [i32] = bytemuck::cast_slice_mut(&mut operand[..LINES_32]);
    for (wide, &value) in wide.iter_mut().zip(values) {
        *wide = value.into();
    }
}

#[inline(always)]
fn ints(operand: &mut [Plane], with: impl Fn(i32) -> i32) {
    let values: &mut [i32] = bytemuck::cast_slice_mut(&mut operand[..LINES_32]);
    for value in values {
        *value = with(*value);
    }
}

#[inline(always)]
fn floats(operand: &mut [Plane], with: impl Fn(f32) -> f32) {
    let values: &mut [f32] = bytemuck::cast_slice_mut(&mut operand[..LINES_32]);
    for value in values {
        *value = with(*value);
    }
}

#[inline(always)]
fn unary<F: Form>(form: F, kind: ExprCode, ty: ExprType, operand: &mut [Plane]) {
    match (kind, ty) {
        (ExprCode::Not, _) => {
            let turned = form.xor(form.load(&operand[0]), form.load(&Plane::FULL));
            form.store(turned, &mut operand[0]);
        }
        (ExprCode::ToFloat, _) => {
            let values: &mut [u32] = bytemuck::cast_slice_mut(&mut operand[..LINES_32]);
            for value in values {
                *value = (*value as i32 as f32).to_bits();
            }
        }
        (ExprCode::Neg, ExprType::F32) => floats(operand, |value| -value),
        (ExprCode::Neg, _) => ints(operand, i32::wrapping_neg),
        (_, ExprType::F32) => floats(operand, f32::abs),
        _ => ints(operand, i32::wrapping_abs),
    }
}

#[inline(always)]
fn binary<F: Form>(form: F, kind: ExprCode, ty: ExprType, left: &mut [Plane], right: &[Plane]) {
    let cmp = match kind {
        ExprCode::Lt => Comparison::Lt,
        ExprCode::Le => Comparison::Le,
        ExprCode::Gt => Comparison::Gt,
        ExprCode::Ge => Comparison::Ge,
        ExprCode::Eq => Comparison::Eq,
        ExprCode::Ne => Comparison::Ne,
        ExprCode::And | ExprCode::Or => {
            let (one, other) = (form.load(&left[0]), form.load(&right[0]));
            let both = match kind {
                ExprCode::And => form.and(one, other),
                _ => form.or(one, other),
            };
            form.store(both, &mut left[0]);
            return;
        }
        _ => {
            arithmetic(kind, ty, left, right);
            return;
        }
    };
    let holds = match ty {
        ExprType::I32 => form.pair_i32(left, cmp, right),
        ExprType::F32 => form.pair_f32(left, cmp, right),
        ExprType::U64 => form.pair_u64(left, cmp, right),
        ExprType::Bool => {
            let unequal = form.xor(form.load(&left[0]), form.load(&right[0]));
            match cmp {
                Comparison::Ne => unequal,
                // Only equality is asked of truth values.
                _ => form.xor(unequal, form.load(&Plane::FULL)),
            }
        }
    };
    form.store(holds, &mut left[0]);
}

#[inline(always)]
fn arithmetic(kind: ExprCode, ty: ExprType, left: &mut [Plane], right: &[Plane]) {
    if ty == ExprType::F32 {
        let left: &mut [f32] = bytemuck::cast_slice_mut(&mut left[..LINES_32]);
        let right: &[f32] = bytemuck::cast_slice(&right[..LINES_32]);
        match kind {
            ExprCode::Add => pairs(left, right, |a, b| a + b),
            ExprCode::Sub => pairs(left, right, |a, b| a - b),
            ExprCode::Mul => pairs(left, right, |a, b| a * b),
            ExprCode::Div => pairs(left, right, |a, b| a / b),
            ExprCode::Min => pairs(left, right, eval::lesser),
            _ => pairs(left, right, eval::greater),
        }
    } else {
        let left: &mut [i32] = bytemuck::cast_slice_mut(&mut left[..LINES_32]);
        let right: &[i32] = bytemuck::cast_slice(&right[..LINES_32]);
        match kind {
            ExprCode::Add => pairs(left, right, i32::wrapping_add),
            ExprCode::Sub => pairs(left, right, i32::wrapping_sub),
            ExprCode::Mul => pairs(left, right, i32::wrapping_mul),
            ExprCode::Div => pairs(left, right, eval::divided),
            ExprCode::Min => pairs(left, right, eval::lesser),
            _ => pairs(left, right, eval::greater),
        }
    }
}

#[inline(always)]
fn pairs<T: Copy>(left: &mut [T], right: &[T], with: impl Fn(T, T) -> T) {
    for (left, &right) in left.iter_mut().zip(right) {
        *left = with(*left, right);
    }
}
