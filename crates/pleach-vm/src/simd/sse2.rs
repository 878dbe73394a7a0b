//! Planes as four registers of 128 bits.

#![allow(
    unsafe_code,
    reason = "functions compiled for SSE2 are called, which every x86-64 processor has"
)]

use std::arch::x86_64::*;

use pleach_shape::Comparison;

use super::{Answers, Order, column, column_mut};
use crate::plane::Plane;

/// The form of every x86-64 processor.
#[derive(Clone, Copy)]
pub(super) struct Sse2;

type Quarters = [__m128i; 4];

/// The lanes that pass, 16 at a time.
#[inline]
#[target_feature(enable = "sse2")]
fn collect_8(passes: impl Fn(usize) -> __m128i) -> Quarters {
    let mut answers = Answers([0u16; 32]);
    for (index, answer) in answers.0.iter_mut().enumerate() {
        *answer = _mm_movemask_epi8(passes(index)) as u16;
    }
    answers.together()
}

/// The lanes that pass, 8 at a time.
#[inline]
#[target_feature(enable = "sse2")]
fn collect_16(passes: impl Fn(usize) -> __m128i) -> Quarters {
    collect_8(|i| _mm_packs_epi16(passes(i * 2), passes(i * 2 + 1)))
}

/// The lanes that pass, 4 at a time.
#[inline]
#[target_feature(enable = "sse2")]
fn collect_32(passes: impl Fn(usize) -> __m128i) -> Quarters {
    collect_16(|i| _mm_packs_epi32(passes(i * 2), passes(i * 2 + 1)))
}

/// The lanes whose left value compares so with the right one; `greater` and `equal` give the answers
/// for a vector of them.
macro_rules! whole {
    ($cmp:ident, $left:ident, $right:ident, $collect:ident, $greater:expr, $equal:expr) => {{
        let (order, opposite) = Order::of($cmp);
        let answers = match order {
            Order::Less => $collect(|i| $greater($right(i), $left(i))),
            Order::Greater => $collect(|i| $greater($left(i), $right(i))),
            Order::Equal => $collect(|i| $equal($left(i), $right(i))),
        };
        let turned = _mm_set1_epi64x(-i64::from(opposite));
        answers.map(|quarter| _mm_xor_si128(quarter, turned))
    }};
}

#[inline]
#[target_feature(enable = "sse2")]
fn whole_u8(lines: &[Plane], cmp: Comparison, constant: u8) -> Quarters {
    let values: &[__m128i; 32] = bytemuck::cast_ref(column::<8>(lines));
    // There are comparisons of signed numbers only, here and below.
    let least = _mm_set1_epi8(i8::MIN);
    let constant = _mm_xor_si128(_mm_set1_epi8(constant as i8), least);
    let left = |i: usize| _mm_xor_si128(values[i], least);
    let right = |_| constant;
    whole!(cmp, left, right, collect_8, _mm_cmpgt_epi8, _mm_cmpeq_epi8)
}

#[inline]
#[target_feature(enable = "sse2")]
fn whole_u16(lines: &[Plane], cmp: Comparison, constant: u16) -> Quarters {
    let values: &[__m128i; 64] = bytemuck::cast_ref(column::<16>(lines));
    let least = _mm_set1_epi16(i16::MIN);
    let constant = _mm_xor_si128(_mm_set1_epi16(constant as i16), least);
    let left = |i: usize| _mm_xor_si128(values[i], least);
    let right = |_| constant;
    whole!(
        cmp,
        left,
        right,
        collect_16,
        _mm_cmpgt_epi16,
        _mm_cmpeq_epi16
    )
}

/// Signed numbers of 32 bits, once the bits of `TURN` are turned.
#[inline]
#[target_feature(enable = "sse2")]
fn whole_32<const TURN: i32>(
    lines: &[Plane],
    cmp: Comparison,
    right: impl Fn(usize) -> __m128i,
) -> Quarters {
    let values: &[__m128i; 128] = bytemuck::cast_ref(column::<32>(lines));
    let turn = _mm_set1_epi32(TURN);
    let left = |i: usize| _mm_xor_si128(values[i], turn);
    let right = |i: usize| _mm_xor_si128(right(i), turn);
    whole!(
        cmp,
        left,
        right,
        collect_32,
        _mm_cmpgt_epi32,
        _mm_cmpeq_epi32
    )
}

/// Four numbers of 64 bits: their lower halves and their upper ones.
type Split = [__m128i; 2];

#[inline]
#[target_feature(enable = "sse2")]
fn split(low: __m128i, high: __m128i) -> Split {
    let (low, high) = (_mm_castsi128_ps(low), _mm_castsi128_ps(high));
    let lower = _mm_shuffle_ps::<0b10_00_10_00>(low, high);
    let upper = _mm_shuffle_ps::<0b11_01_11_01>(low, high);
    // As signed numbers.
    let least = _mm_set1_epi32(i32::MIN);
    [lower, upper].map(|half| _mm_xor_si128(_mm_castps_si128(half), least))
}

#[inline]
#[target_feature(enable = "sse2")]
fn greater_64(left: Split, right: Split) -> __m128i {
    let lower = _mm_cmpgt_epi32(left[0], right[0]);
    let upper = _mm_cmpgt_epi32(left[1], right[1]);
    let tie = _mm_cmpeq_epi32(left[1], right[1]);
    _mm_or_si128(upper, _mm_and_si128(tie, lower))
}

#[inline]
#[target_feature(enable = "sse2")]
fn equal_64(left: Split, right: Split) -> __m128i {
    let lower = _mm_cmpeq_epi32(left[0], right[0]);
    let upper = _mm_cmpeq_epi32(left[1], right[1]);
    _mm_and_si128(lower, upper)
}

#[inline]
#[target_feature(enable = "sse2")]
fn whole_64(lines: &[Plane], cmp: Comparison, right: impl Fn(usize) -> Split) -> Quarters {
    let values: &[__m128i; 256] = bytemuck::cast_ref(column::<64>(lines));
    let left = |i: usize| split(values[i * 2], values[i * 2 + 1]);
    whole!(cmp, left, right, collect_32, greater_64, equal_64)
}

/// The lanes whose left value compares so with the right one.
#[inline]
#[target_feature(enable = "sse2")]
fn floats(lines: &[Plane], cmp: Comparison, right: impl Fn(usize) -> __m128) -> Quarters {
    let values: &[__m128; 128] = bytemuck::cast_ref(column::<32>(lines));
    macro_rules! collect {
        ($compare:expr) => {
            collect_32(|i| _mm_castps_si128($compare(values[i], right(i))))
        };
    }
    match cmp {
        Comparison::Lt => collect!(_mm_cmplt_ps),
        Comparison::Le => collect!(_mm_cmple_ps),
        Comparison::Gt => collect!(_mm_cmpgt_ps),
        Comparison::Ge => collect!(_mm_cmpge_ps),
        Comparison::Eq => collect!(_mm_cmpeq_ps),
        Comparison::Ne => collect!(|left, right| {
            // Ordered and unequal.
            _mm_and_ps(_mm_cmpord_ps(left, right), _mm_cmpneq_ps(left, right))
        }),
    }
}

macro_rules! operators {
    ($($name:ident($a:ident, $b:ident) $result:expr;)*) => {$(
        #[inline]
        #[target_feature(enable = "sse2")]
        fn $name(a: Quarters, b: Quarters) -> Quarters {
            [0, 1, 2, 3].map(|i| {
                let ($a, $b) = (a[i], b[i]);
                $result
            })
        }
    )*};
}
operators! {
    and(a, b) _mm_and_si128(a, b);
    or(a, b) _mm_or_si128(a, b);
    xor(a, b) _mm_xor_si128(a, b);
    and_not(a, b) _mm_andnot_si128(b, a);
}

#[inline]
#[target_feature(enable = "sse2")]
fn is_empty(a: Quarters) -> bool {
    let all = _mm_or_si128(_mm_or_si128(a[0], a[1]), _mm_or_si128(a[2], a[3]));
    _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) == 0xffff
}

#[inline]
#[target_feature(enable = "sse2")]
fn compare_u8(values: &[Plane], cmp: Comparison, constant: u8) -> Quarters {
    whole_u8(values, cmp, constant)
}

#[inline]
#[target_feature(enable = "sse2")]
fn compare_u16(values: &[Plane], cmp: Comparison, constant: u16) -> Quarters {
    whole_u16(values, cmp, constant)
}

#[inline]
#[target_feature(enable = "sse2")]
fn compare_i32(values: &[Plane], cmp: Comparison, constant: i32) -> Quarters {
    let constant = _mm_set1_epi32(constant);
    whole_32::<0>(values, cmp, |_| constant)
}

#[inline]
#[target_feature(enable = "sse2")]
fn compare_u32(values: &[Plane], cmp: Comparison, constant: u32) -> Quarters {
    let constant = _mm_set1_epi32(constant as i32);
    whole_32::<{ i32::MIN }>(values, cmp, |_| constant)
}

#[inline]
#[target_feature(enable = "sse2")]
fn compare_f32(values: &[Plane], cmp: Comparison, constant: f32) -> Quarters {
    let constant = _mm_set1_ps(constant);
    floats(values, cmp, |_| constant)
}

#[inline]
#[target_feature(enable = "sse2")]
fn compare_u64(values: &[Plane], cmp: Comparison, constant: u64) -> Quarters {
    let constant = _mm_set1_epi64x(constant as i64);
    let constant = split(constant, constant);
    whole_64(values, cmp, |_| constant)
}

#[inline]
#[target_feature(enable = "sse2")]
fn pair_i32(left: &[Plane], cmp: Comparison, right: &[Plane]) -> Quarters {
    let right: &[__m128i; 128] = bytemuck::cast_ref(column::<32>(right));
    whole_32::<0>(left, cmp, |i| right[i])
}

#[inline]
#[target_feature(enable = "sse2")]
fn pair_f32(left: &[Plane], cmp: Comparison, right: &[Plane]) -> Quarters {
    let right: &[__m128; 128] = bytemuck::cast_ref(column::<32>(right));
    floats(left, cmp, |i| right[i])
}

#[inline]
#[target_feature(enable = "sse2")]
fn pair_u64(left: &[Plane], cmp: Comparison, right: &[Plane]) -> Quarters {
    let right: &[__m128i; 256] = bytemuck::cast_ref(column::<64>(right));
    whole_64(left, cmp, |i| split(right[i * 2], right[i * 2 + 1]))
}

#[inline]
#[target_feature(enable = "sse2")]
fn fill_u32(mask: Quarters, value: u32, values: &mut [Plane]) {
    let values: &mut [__m128i; 128] = bytemuck::cast_mut(column_mut::<32>(values));
    let (groups, _) = values.as_chunks_mut::<4>();
    let value = _mm_set1_epi32(value as i32);
    let first = _mm_setr_epi32(1, 2, 4, 8);
    let second = _mm_slli_epi32::<4>(first);
    let third = _mm_slli_epi32::<8>(first);
    let fourth = _mm_slli_epi32::<12>(first);
    let words: [u16; 32] = bytemuck::cast(mask);
    for (group, word) in groups.iter_mut().zip(words) {
        let word = _mm_set1_epi32(word.into());
        for (values, bits) in group.iter_mut().zip([first, second, third, fourth]) {
            let chosen = _mm_cmpeq_epi32(_mm_and_si128(word, bits), bits);
            let stays = _mm_andnot_si128(chosen, *values);
            *values = _mm_or_si128(stays, _mm_and_si128(chosen, value));
        }
    }
}

form! { Sse2: Quarters }
