//! Typed access to blackboard columns.

use std::marker::PhantomData;

use bytemuck::Pod;
use pleach_shape::layout::LINE_BYTES;
use pleach_shape::{ColumnIndex, Shape, Value, ValueType, WorldIndex};

use crate::error::AccessError;
use crate::plane::Plane;

mod sealed {
    pub trait Sealed {}
}

/// A type that a column can have: `bool`, `u8`, `u16`, `i32`, `f32`, `u64`.
pub trait ColumnType:
    Copy + PartialEq + Send + Sync + Into<Value> + sealed::Sealed + 'static
{
    /// The type's name at run time.
    const TYPE: ValueType;

    /// The value of bits as [`Value::to_bits`] gives them.
    fn from_bits(bits: u64) -> Self;

    #[doc(hidden)]
    fn load(lines: &[Plane], first: usize, lane: usize) -> Self;

    #[doc(hidden)]
    fn store(self, lines: &mut [Plane], first: usize, lane: usize);
}

/// A column type whose values lie side by side: all but `bool`, whose columns are planes.
pub trait NumberType: ColumnType + Pod {}

impl sealed::Sealed for bool {}
impl ColumnType for bool {
    const TYPE: ValueType = ValueType::Bool;

    fn from_bits(bits: u64) -> bool {
        bits != 0
    }

    #[inline(always)]
    fn load(lines: &[Plane], first: usize, lane: usize) -> bool {
        lines[first].get(lane)
    }

    #[inline(always)]
    fn store(self, lines: &mut [Plane], first: usize, lane: usize) {
        lines[first].put(lane, self);
    }
}

macro_rules! number_types {
    ($($ty:ty, $variant:ident, $from:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl ColumnType for $ty {
            const TYPE: ValueType = ValueType::$variant;

            fn from_bits(bits: u64) -> $ty {
                $from(bits)
            }

            #[inline(always)]
            fn load(lines: &[Plane], first: usize, lane: usize) -> $ty {
                let values: &[$ty] = bytemuck::cast_slice(lines);
                values[first * (LINE_BYTES / size_of::<$ty>()) + lane]
            }

            #[inline(always)]
            fn store(self, lines: &mut [Plane], first: usize, lane: usize) {
                let values: &mut [$ty] = bytemuck::cast_slice_mut(lines);
                values[first * (LINE_BYTES / size_of::<$ty>()) + lane] = self;
            }
        }
        impl NumberType for $ty {}
    )*};
}
number_types! {
    u8, U8, |bits| bits as u8;
    u16, U16, |bits| bits as u16;
    i32, I32, |bits| bits as u32 as i32;
    f32, F32, |bits| f32::from_bits(bits as u32);
    u64, U64, |bits| bits;
}

/// A column of known type: asked for once by name, then used without a look-up.
pub struct ColumnKey<T> {
    pub(crate) index: ColumnIndex,
    /// [`Shape::columns_tag`](pleach_shape::Shape::columns_tag) of the shape that it was asked of.
    pub(crate) tag: u32,
    marker: PhantomData<fn() -> T>,
}

/// A world value of known type: asked for once by name, then used without a look-up.
pub struct WorldKey<T> {
    pub(crate) index: WorldIndex,
    /// [`Shape::world_tag`](pleach_shape::Shape::world_tag) of the shape that it was asked of.
    pub(crate) tag: u32,
    marker: PhantomData<fn() -> T>,
}

macro_rules! key_impls {
    ($($key:ident, $index:ident;)*) => {$(
        impl<T> $key<T> {
            pub(crate) const fn new(index: $index, tag: u32) -> $key<T> {
                $key { index, tag, marker: PhantomData }
            }

            /// The index in the shape's table.
            pub const fn index(self) -> $index {
                self.index
            }
        }
        impl<T> Clone for $key<T> {
            fn clone(&self) -> $key<T> {
                *self
            }
        }
        impl<T> Copy for $key<T> {}
        impl<T> std::fmt::Debug for $key<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{:?}", self.index)
            }
        }
    )*};
}
key_impls! { ColumnKey, ColumnIndex; WorldKey, WorldIndex; }

/// First line of the column of a key.
pub(crate) fn key_line<T: ColumnType>(
    shape: &Shape,
    key: ColumnKey<T>,
) -> Result<usize, AccessError> {
    if key.tag != shape.columns_tag() {
        return Err(AccessError::ForeignKey(key.index));
    }
    column_line(shape, key.index, T::TYPE)
}

/// First line of a column, if it has that type.
pub(crate) fn column_line(
    shape: &Shape,
    column: ColumnIndex,
    asked: ValueType,
) -> Result<usize, AccessError> {
    let def = shape.tables().columns.get(column.at());
    let found = def.and_then(|def| def.ty());
    if found == Some(asked) {
        Ok(shape.layout().columns[column.at()] as usize)
    } else {
        Err(AccessError::WrongColumn {
            column,
            asked,
            found,
        })
    }
}

/// Whether a key is of a shape with the same world values.
pub(crate) fn world_fits<T: ColumnType>(shape: &Shape, key: WorldKey<T>) -> bool {
    let def = shape.tables().world.get(key.index.at());
    key.tag == shape.world_tag() && def.and_then(|def| def.ty()) == Some(T::TYPE)
}

/// One actor's values of all columns.
pub(crate) struct Row<'a> {
    pub(crate) lines: &'a mut [Plane],
    pub(crate) firsts: &'a [u32],
    pub(crate) lane: usize,
}

impl Row<'_> {
    #[inline(always)]
    pub(crate) fn get<T: ColumnType>(&self, column: ColumnIndex) -> T {
        T::load(self.lines, self.firsts[column.at()] as usize, self.lane)
    }

    #[inline(always)]
    pub(crate) fn set<T: ColumnType>(&mut self, column: ColumnIndex, value: T) {
        value.store(self.lines, self.firsts[column.at()] as usize, self.lane);
    }

    pub(crate) fn value(&self, column: ColumnIndex, ty: ValueType) -> Value {
        load_value(self.lines, self.firsts[column.at()] as usize, self.lane, ty)
    }
}

/// A column's value by its run-time type.
pub(crate) fn load_value(lines: &[Plane], first: usize, lane: usize, ty: ValueType) -> Value {
    match ty {
        ValueType::Bool => bool::load(lines, first, lane).into(),
        ValueType::U8 => u8::load(lines, first, lane).into(),
        ValueType::U16 => u16::load(lines, first, lane).into(),
        ValueType::I32 => i32::load(lines, first, lane).into(),
        ValueType::F32 => f32::load(lines, first, lane).into(),
        ValueType::U64 => u64::load(lines, first, lane).into(),
    }
}

/// Writes a value; its type must be the column's.
pub(crate) fn store_value(lines: &mut [Plane], first: usize, lane: usize, value: Value) {
    match value {
        Value::Bool(value) => value.store(lines, first, lane),
        Value::U8(value) => value.store(lines, first, lane),
        Value::U16(value) => value.store(lines, first, lane),
        Value::I32(value) => value.store(lines, first, lane),
        Value::F32(value) => value.store(lines, first, lane),
        Value::U64(value) => value.store(lines, first, lane),
    }
}
