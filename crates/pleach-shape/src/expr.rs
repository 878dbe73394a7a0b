//! Expressions at run time: postfix code over typed operands.
//!
//! Rules (`docs/semantics.md`, E1–E6): narrow columns widen to `i32`; `i32` meets `f32` by
//! conversion; comparisons with NaN are false, `!=` included; integer arithmetic wraps and a
//! division by zero is 0; `u64` is only compared. Nothing can fail at run time.

use bytemuck::{Pod, Zeroable};
use core::fmt;

use crate::tables::{ColumnDef, WorldDef};
use crate::value::ValueType;

/// The deepest operand stack an expression may need.
pub const MAX_EXPR_STACK: usize = 32;
/// The longest code of one expression, in operations.
pub const MAX_EXPR_LEN: usize = 4096;

/// The four types that operands have on the expression stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ExprType {
    /// A truth value.
    Bool = 0,
    /// A signed 32-bit integer; `u8` and `u16` columns widen to it.
    I32 = 1,
    /// A 32-bit float.
    F32 = 2,
    /// An opaque 64-bit number.
    U64 = 3,
}

impl ExprType {
    /// The checked conversion from a discriminant.
    pub const fn from_u8(byte: u8) -> Option<ExprType> {
        match byte {
            0 => Some(ExprType::Bool),
            1 => Some(ExprType::I32),
            2 => Some(ExprType::F32),
            3 => Some(ExprType::U64),
            _ => None,
        }
    }

    /// The type that a value has once it is on the stack.
    pub const fn of(ty: ValueType) -> ExprType {
        match ty {
            ValueType::Bool => ExprType::Bool,
            ValueType::U8 | ValueType::U16 | ValueType::I32 => ExprType::I32,
            ValueType::F32 => ExprType::F32,
            ValueType::U64 => ExprType::U64,
        }
    }

    /// Whether a value of this type may be stored in a column of type `column` (E5): integers into
    /// any integer column, clamped to its range; integers into `f32`, converted; else the same type.
    pub const fn stores_into(self, column: ValueType) -> bool {
        matches!(
            (self, column),
            (ExprType::Bool, ValueType::Bool)
                | (
                    ExprType::I32,
                    ValueType::U8 | ValueType::U16 | ValueType::I32 | ValueType::F32
                )
                | (ExprType::F32, ValueType::F32)
                | (ExprType::U64, ValueType::U64)
        )
    }

    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            ExprType::Bool => "bool",
            ExprType::I32 => "i32",
            ExprType::F32 => "f32",
            ExprType::U64 => "u64",
        }
    }
}

impl fmt::Display for ExprType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! expr_codes {
    ($($name:ident = $code:literal, $text:literal, $doc:literal;)*) => {
        /// What one expression operation does.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum ExprCode {
            $(#[doc = $doc] $name = $code,)*
        }

        impl ExprCode {
            /// The checked conversion from a code byte.
            #[inline]
            pub const fn from_u8(code: u8) -> Option<ExprCode> {
                match code {
                    $($code => Some(ExprCode::$name),)*
                    _ => None,
                }
            }

            /// The operator as written in text.
            pub const fn text(self) -> &'static str {
                match self {
                    $(ExprCode::$name => $text,)*
                }
            }
        }
    };
}

expr_codes! {
    Const = 1, "const", "Pushes `imm` (bool, i32 or f32 bits), or for u64 the constant at index `imm`.";
    Column = 2, "column", "Pushes the actor's value of column `imm`, widened.";
    World = 3, "world", "Pushes world value `imm`, widened.";
    ToFloat = 4, "float", "i32 to f32.";
    Not = 5, "not", "Truth value negated.";
    And = 6, "and", "Both hold. Both sides are evaluated; nothing has side effects.";
    Or = 7, "or", "Either holds.";
    Neg = 8, "-", "Negated; integers wrap.";
    Abs = 9, "abs", "Absolute value; `i32::MIN` stays.";
    Add = 10, "+", "Sum; integers wrap.";
    Sub = 11, "-", "Difference; integers wrap.";
    Mul = 12, "*", "Product; integers wrap.";
    Div = 13, "/", "Quotient; integers truncate, wrap, and give 0 for a division by 0.";
    Min = 14, "min", "The lesser; with a NaN on either side, the second operand.";
    Max = 15, "max", "The greater; with a NaN on either side, the second operand.";
    Lt = 16, "<", "Less.";
    Le = 17, "<=", "Less or equal.";
    Gt = 18, ">", "Greater.";
    Ge = 19, ">=", "Greater or equal.";
    Eq = 20, "==", "Equal.";
    Ne = 21, "!=", "Unequal; false with NaN.";
}

/// One operation of an expression: plain old data, 8 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct ExprOp {
    /// The code of an [`ExprCode`].
    pub code: u8,
    /// The [`ExprType`] of the operands. (For Column and World: what they push.)
    pub ty: u8,
    /// Always 0.
    pub reserved: u16,
    /// Constant bits or an index.
    pub imm: u32,
}

const _: () = assert!(size_of::<ExprOp>() == 8);

impl ExprOp {
    /// An operation on operands of type `ty`.
    pub const fn new(code: ExprCode, ty: ExprType, imm: u32) -> ExprOp {
        ExprOp {
            code: code as u8,
            ty: ty as u8,
            reserved: 0,
            imm,
        }
    }
}

/// Where an expression's code lies: plain old data, 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable, Debug)]
pub struct ExprDef {
    /// First operation, an index into the shape's expression code.
    pub start: u32,
    /// Number of operations.
    pub len: u32,
    /// The [`ExprType`] of the result.
    pub ty: u32,
}

/// What is wrong with an expression's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExprFault {
    Empty,
    TooLong,
    Code(u8),
    Type(u8),
    Reserved,
    Index(u32),
    StackEmpty,
    StackFull,
    Operands,
    Leftover,
    Result,
}

impl fmt::Display for ExprFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExprFault::Empty => f.write_str("has no code"),
            ExprFault::TooLong => write!(f, "has more than {MAX_EXPR_LEN} operations"),
            ExprFault::Code(code) => write!(f, "has the unknown operation {code}"),
            ExprFault::Type(ty) => write!(f, "has the unknown type {ty}"),
            ExprFault::Reserved => f.write_str("has reserved bytes that are not 0"),
            ExprFault::Index(index) => {
                write!(f, "names index {index}, which its table does not hold")
            }
            ExprFault::StackEmpty => f.write_str("takes an operand that is not there"),
            ExprFault::StackFull => write!(f, "needs more than {MAX_EXPR_STACK} operands at once"),
            ExprFault::Operands => {
                f.write_str("applies an operation to operands of the wrong type")
            }
            ExprFault::Leftover => f.write_str("leaves more or less than one result"),
            ExprFault::Result => f.write_str("gives a result of another type than it states"),
        }
    }
}

/// Runs the code over types instead of values: what passes can be evaluated without a check.
pub(crate) fn check_code(
    code: &[ExprOp],
    result: u32,
    columns: &[ColumnDef],
    world: &[WorldDef],
    constants: &[u64],
) -> Result<(), ExprFault> {
    if code.is_empty() {
        return Err(ExprFault::Empty);
    }
    if code.len() > MAX_EXPR_LEN {
        return Err(ExprFault::TooLong);
    }
    let mut stack = [ExprType::Bool; MAX_EXPR_STACK];
    let mut top = 0usize;
    for op in code {
        let kind = ExprCode::from_u8(op.code).ok_or(ExprFault::Code(op.code))?;
        let ty = ExprType::from_u8(op.ty).ok_or(ExprFault::Type(op.ty))?;
        if op.reserved != 0 {
            return Err(ExprFault::Reserved);
        }
        let (takes, gives) = match kind {
            ExprCode::Const => {
                let in_range = match ty {
                    ExprType::Bool => op.imm <= 1,
                    ExprType::I32 | ExprType::F32 => true,
                    ExprType::U64 => (op.imm as usize) < constants.len(),
                };
                if !in_range {
                    return Err(ExprFault::Index(op.imm));
                }
                (0, ty)
            }
            ExprCode::Column | ExprCode::World => {
                let declared = if kind == ExprCode::Column {
                    columns.get(op.imm as usize).and_then(ColumnDef::ty)
                } else {
                    world.get(op.imm as usize).and_then(WorldDef::ty)
                };
                let declared = declared.ok_or(ExprFault::Index(op.imm))?;
                if ExprType::of(declared) != ty {
                    return Err(ExprFault::Operands);
                }
                (0, ty)
            }
            ExprCode::ToFloat => {
                if ty != ExprType::I32 {
                    return Err(ExprFault::Operands);
                }
                (1, ExprType::F32)
            }
            ExprCode::Not => (1, ExprType::Bool),
            ExprCode::And | ExprCode::Or => (2, ExprType::Bool),
            ExprCode::Neg | ExprCode::Abs => (1, ty),
            ExprCode::Add
            | ExprCode::Sub
            | ExprCode::Mul
            | ExprCode::Div
            | ExprCode::Min
            | ExprCode::Max => (2, ty),
            ExprCode::Lt | ExprCode::Le | ExprCode::Gt | ExprCode::Ge => (2, ExprType::Bool),
            ExprCode::Eq | ExprCode::Ne => (2, ExprType::Bool),
        };
        let fits = match kind {
            ExprCode::Not | ExprCode::And | ExprCode::Or => ty == ExprType::Bool,
            ExprCode::Neg
            | ExprCode::Abs
            | ExprCode::Add
            | ExprCode::Sub
            | ExprCode::Mul
            | ExprCode::Div
            | ExprCode::Min
            | ExprCode::Max => matches!(ty, ExprType::I32 | ExprType::F32),
            ExprCode::Lt | ExprCode::Le | ExprCode::Gt | ExprCode::Ge => ty != ExprType::Bool,
            _ => true,
        };
        if !fits {
            return Err(ExprFault::Operands);
        }
        if takes > 0 && op.imm != 0 {
            return Err(ExprFault::Index(op.imm));
        }
        if top < takes {
            return Err(ExprFault::StackEmpty);
        }
        if stack[top - takes..top].iter().any(|&found| found != ty) {
            return Err(ExprFault::Operands);
        }
        top -= takes;
        if top == MAX_EXPR_STACK {
            return Err(ExprFault::StackFull);
        }
        stack[top] = gives;
        top += 1;
    }
    if top != 1 {
        return Err(ExprFault::Leftover);
    }
    if stack[0] as u32 != result {
        return Err(ExprFault::Result);
    }
    Ok(())
}
