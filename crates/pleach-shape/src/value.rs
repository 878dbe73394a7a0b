//! The types a blackboard column, a world value or a parameter can have.

use core::fmt;

/// The type of a blackboard column, world value or parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ValueType {
    /// A truth value; as a column, a plane of one bit an actor.
    Bool = 0,
    /// An unsigned byte.
    U8 = 1,
    /// An unsigned 16-bit integer.
    U16 = 2,
    /// A signed 32-bit integer.
    I32 = 3,
    /// A 32-bit float.
    F32 = 4,
    /// An entity, handle or other opaque 64-bit number: compared, never computed with.
    U64 = 5,
}

impl ValueType {
    /// All types, in the order of their discriminants.
    pub const ALL: [ValueType; 6] = [
        ValueType::Bool,
        ValueType::U8,
        ValueType::U16,
        ValueType::I32,
        ValueType::F32,
        ValueType::U64,
    ];

    /// The checked conversion from a discriminant.
    pub const fn from_u8(byte: u8) -> Option<ValueType> {
        match byte {
            0 => Some(ValueType::Bool),
            1 => Some(ValueType::U8),
            2 => Some(ValueType::U16),
            3 => Some(ValueType::I32),
            4 => Some(ValueType::F32),
            5 => Some(ValueType::U64),
            _ => None,
        }
    }

    /// The name used in text files: `bool`, `u8`, `u16`, `i32`, `f32`, `u64`.
    pub const fn name(self) -> &'static str {
        match self {
            ValueType::Bool => "bool",
            ValueType::U8 => "u8",
            ValueType::U16 => "u16",
            ValueType::I32 => "i32",
            ValueType::F32 => "f32",
            ValueType::U64 => "u64",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<ValueType> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Bits that one actor's value takes in a column.
    pub const fn bits(self) -> usize {
        match self {
            ValueType::Bool => 1,
            ValueType::U8 => 8,
            ValueType::U16 => 16,
            ValueType::I32 | ValueType::F32 => 32,
            ValueType::U64 => 64,
        }
    }

    /// The type's zero: `false`, `0`, `0.0`.
    pub const fn zero(self) -> Value {
        match self {
            ValueType::Bool => Value::Bool(false),
            ValueType::U8 => Value::U8(0),
            ValueType::U16 => Value::U16(0),
            ValueType::I32 => Value::I32(0),
            ValueType::F32 => Value::F32(0.0),
            ValueType::U64 => Value::U64(0),
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A typed value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An unsigned byte.
    U8(u8),
    /// An unsigned 16-bit integer.
    U16(u16),
    /// A signed 32-bit integer.
    I32(i32),
    /// A 32-bit float.
    F32(f32),
    /// An opaque 64-bit number.
    U64(u64),
}

impl Value {
    /// The value's type.
    #[inline]
    pub const fn ty(self) -> ValueType {
        match self {
            Value::Bool(_) => ValueType::Bool,
            Value::U8(_) => ValueType::U8,
            Value::U16(_) => ValueType::U16,
            Value::I32(_) => ValueType::I32,
            Value::F32(_) => ValueType::F32,
            Value::U64(_) => ValueType::U64,
        }
    }

    /// The value as 64 bits: booleans 0 or 1, narrower numbers in the low bits, zero above.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        match self {
            Value::Bool(v) => v as u64,
            Value::U8(v) => v as u64,
            Value::U16(v) => v as u64,
            Value::I32(v) => v as u32 as u64,
            Value::F32(v) => v.to_bits() as u64,
            Value::U64(v) => v,
        }
    }

    /// The inverse of [`to_bits`](Value::to_bits); bits above the type's width are ignored, and any
    /// bit set makes a boolean true.
    #[inline]
    pub const fn from_bits(ty: ValueType, bits: u64) -> Value {
        match ty {
            ValueType::Bool => Value::Bool(bits != 0),
            ValueType::U8 => Value::U8(bits as u8),
            ValueType::U16 => Value::U16(bits as u16),
            ValueType::I32 => Value::I32(bits as u32 as i32),
            ValueType::F32 => Value::F32(f32::from_bits(bits as u32)),
            ValueType::U64 => Value::U64(bits),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(v) => fmt::Display::fmt(v, f),
            Value::U8(v) => fmt::Display::fmt(v, f),
            Value::U16(v) => fmt::Display::fmt(v, f),
            Value::I32(v) => fmt::Display::fmt(v, f),
            Value::F32(v) => fmt::Debug::fmt(v, f),
            Value::U64(v) => fmt::Display::fmt(v, f),
        }
    }
}

macro_rules! value_from {
    ($($ty:ty, $variant:ident;)*) => {$(
        impl From<$ty> for Value {
            #[inline]
            fn from(value: $ty) -> Value {
                Value::$variant(value)
            }
        }
    )*};
}
value_from! { bool, Bool; u8, U8; u16, U16; i32, I32; f32, F32; u64, U64; }
