//! Conditions recognised at a glance: what kernels evaluate without the expression machine.

use alloc::vec::Vec;

use crate::expr::{ExprCode, ExprDef, ExprOp, ExprType};
use crate::index::{ColumnIndex, ExprIndex};
use crate::tables::ColumnDef;
use crate::value::ValueType;

/// How two numbers are compared. All are false when either side is NaN (L1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Comparison {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`, false with NaN
    Ne,
}

impl Comparison {
    const fn of(code: ExprCode) -> Option<Comparison> {
        match code {
            ExprCode::Lt => Some(Comparison::Lt),
            ExprCode::Le => Some(Comparison::Le),
            ExprCode::Gt => Some(Comparison::Gt),
            ExprCode::Ge => Some(Comparison::Ge),
            ExprCode::Eq => Some(Comparison::Eq),
            ExprCode::Ne => Some(Comparison::Ne),
            _ => None,
        }
    }

    /// The comparison that gives the same answer with its sides exchanged.
    const fn mirrored(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
            Comparison::Eq => Comparison::Eq,
            Comparison::Ne => Comparison::Ne,
        }
    }

    /// Compares two integers.
    #[inline(always)]
    pub fn i32(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
        }
    }

    /// Compares two floats; false with NaN, `Ne` too.
    #[inline(always)]
    #[expect(
        clippy::double_comparisons,
        reason = "`!=` alone would be true with NaN"
    )]
    pub fn f32(self, left: f32, right: f32) -> bool {
        match self {
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
            Comparison::Eq => left == right,
            // Ordered and unequal.
            Comparison::Ne => left < right || left > right,
        }
    }

    /// Compares two 64-bit numbers.
    #[inline(always)]
    pub fn u64(self, left: u64, right: u64) -> bool {
        match self {
            Comparison::Lt => left < right,
            Comparison::Le => left <= right,
            Comparison::Gt => left > right,
            Comparison::Ge => left >= right,
            Comparison::Eq => left == right,
            Comparison::Ne => left != right,
        }
    }
}

/// An expression of type bool, classified. Derived from the code when a shape is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Predicate {
    /// A bool column, or its negation.
    Bool {
        /// The column.
        column: ColumnIndex,
        /// Whether the column must be true.
        wanted: bool,
    },
    /// A `u8` column against a constant.
    U8 {
        /// The column.
        column: ColumnIndex,
        /// The comparison.
        cmp: Comparison,
        /// The right side; may lie outside the column's range.
        value: i32,
    },
    /// A `u16` column against a constant.
    U16 {
        /// The column.
        column: ColumnIndex,
        /// The comparison.
        cmp: Comparison,
        /// The right side; may lie outside the column's range.
        value: i32,
    },
    /// An `i32` column against a constant.
    I32 {
        /// The column.
        column: ColumnIndex,
        /// The comparison.
        cmp: Comparison,
        /// The right side.
        value: i32,
    },
    /// An `f32` column against a constant.
    F32 {
        /// The column.
        column: ColumnIndex,
        /// The comparison.
        cmp: Comparison,
        /// The right side.
        value: f32,
    },
    /// A `u64` column against a constant.
    U64 {
        /// The column.
        column: ColumnIndex,
        /// The comparison.
        cmp: Comparison,
        /// The right side.
        value: u64,
    },
    /// Anything else: run the code.
    General(ExprIndex),
}

/// Classifies every expression; entries of other types than bool are `General`.
pub(crate) fn classify(
    exprs: &[ExprDef],
    code: &[ExprOp],
    columns: &[ColumnDef],
    constants: &[u64],
) -> Vec<Predicate> {
    exprs
        .iter()
        .enumerate()
        .map(|(index, def)| {
            let ops = &code[def.start as usize..(def.start + def.len) as usize];
            recognise(ops, columns, constants).unwrap_or(Predicate::General(ExprIndex::from(index)))
        })
        .collect()
}

fn recognise(ops: &[ExprOp], columns: &[ColumnDef], constants: &[u64]) -> Option<Predicate> {
    let code = |op: &ExprOp| ExprCode::from_u8(op.code);
    match ops {
        [load] if code(load) == Some(ExprCode::Column) && load.ty == ExprType::Bool as u8 => {
            Some(Predicate::Bool {
                column: ColumnIndex(load.imm),
                wanted: true,
            })
        }
        [load, not]
            if code(load) == Some(ExprCode::Column)
                && code(not) == Some(ExprCode::Not)
                && load.ty == ExprType::Bool as u8 =>
        {
            Some(Predicate::Bool {
                column: ColumnIndex(load.imm),
                wanted: false,
            })
        }
        [left, right, compare] => {
            let cmp = Comparison::of(code(compare)?)?;
            match (code(left)?, code(right)?) {
                (ExprCode::Column, ExprCode::Const) => {
                    against(left, right, cmp, columns, constants)
                }
                (ExprCode::Const, ExprCode::Column) => {
                    against(right, left, cmp.mirrored(), columns, constants)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn against(
    load: &ExprOp,
    constant: &ExprOp,
    cmp: Comparison,
    columns: &[ColumnDef],
    constants: &[u64],
) -> Option<Predicate> {
    let column = ColumnIndex(load.imm);
    let value = constant.imm as i32;
    match columns.get(column.at())?.ty()? {
        ValueType::U8 => Some(Predicate::U8 { column, cmp, value }),
        ValueType::U16 => Some(Predicate::U16 { column, cmp, value }),
        ValueType::I32 => Some(Predicate::I32 { column, cmp, value }),
        ValueType::F32 => Some(Predicate::F32 {
            column,
            cmp,
            value: f32::from_bits(constant.imm),
        }),
        ValueType::U64 => Some(Predicate::U64 {
            column,
            cmp,
            value: *constants.get(constant.imm as usize)?,
        }),
        ValueType::Bool => None,
    }
}
