//! Planes as one register of 512 bits.

#![allow(
    unsafe_code,
    reason = "functions compiled for AVX-512 are called where the form's value proves that it is there"
)]

use std::arch::x86_64::*;
use std::array;

use pleach_shape::Comparison;

use super::{Answers, Order, Work, column, column_mut};
use crate::plane::Plane;

/// The form of processors with AVX-512 F, BW, DQ and VL. A value exists only where they are.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    /// The form, if this machine has it.
    #[inline]
    pub(super) fn detect() -> Option<Avx512> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        found.then_some(Avx512(()))
    }

    /// Does work, all of it compiled for this form.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: the form exists only after its features were found.
        unsafe { with_avx512(self, work) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,popcnt,bmi1,bmi2,lzcnt")]
fn with_avx512<W: Work>(form: Avx512, work: W) -> W::Output {
    work.run(form)
}

/// The lanes that pass, 64 a line.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn collect_8(passes: impl Fn(usize) -> __mmask64) -> __m512i {
    // So few words are sooner moved through general registers than stored and waited for.
    let [a, b, c, d, e, f, g, h] = array::from_fn(|line| passes(line) as i64);
    _mm512_setr_epi64(a, b, c, d, e, f, g, h)
}

/// The lanes that pass, 32 a line.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn collect_16(passes: impl Fn(usize) -> __mmask32) -> __m512i {
    collect_8(|i| _mm512_kunpackd(passes(i * 2 + 1).into(), passes(i * 2).into()))
}

// From here on each line's answers are stored as they come and loaded together. What else was tried
// for 32 lines, none of it faster, in throughput or latency: unpacking masks to pairs or fours before
// they are stored or moved to vectors through general registers; collecting bit `i` of every value in
// a vector by masked ors, to transpose the bits at last; signs of differences, narrowed to bytes.

/// The lanes that pass, 16 a line.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn collect_32(passes: impl Fn(usize) -> __mmask16) -> __m512i {
    let mut answers = Answers([0; 32]);
    for (line, answer) in answers.0.iter_mut().enumerate() {
        *answer = passes(line);
    }
    answers.together()
}

/// The lanes that pass, 8 a line.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn collect_64(passes: impl Fn(usize) -> __mmask8) -> __m512i {
    let mut answers = Answers([0; 64]);
    for (line, answer) in answers.0.iter_mut().enumerate() {
        *answer = passes(line);
    }
    answers.together()
}

macro_rules! whole {
    ($($(#[$doc:meta])* $name:ident: $lines:literal, $collect:ident, $less:ident, $greater:ident, $equal:ident;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        fn $name(left: &[Plane], cmp: Comparison, right: impl Fn(usize) -> __m512i) -> __m512i {
            let left: &[__m512i; $lines] = bytemuck::cast_ref(column::<$lines>(left));
            let (order, opposite) = Order::of(cmp);
            let mask = match order {
                Order::Less => $collect(|line| $less(left[line], right(line))),
                Order::Greater => $collect(|line| $greater(left[line], right(line))),
                Order::Equal => $collect(|line| $equal(left[line], right(line))),
            };
            _mm512_xor_si512(mask, _mm512_set1_epi64(-i64::from(opposite)))
        }
    )*};
}
whole! {
    /// The lanes whose left value compares so with the right one.
    whole_u8: 8, collect_8, _mm512_cmplt_epu8_mask, _mm512_cmpgt_epu8_mask, _mm512_cmpeq_epu8_mask;
    /// The lanes whose left value compares so with the right one.
    whole_u16: 16, collect_16, _mm512_cmplt_epu16_mask, _mm512_cmpgt_epu16_mask, _mm512_cmpeq_epu16_mask;
    /// The lanes whose left value compares so with the right one.
    whole_i32: 32, collect_32, _mm512_cmplt_epi32_mask, _mm512_cmpgt_epi32_mask, _mm512_cmpeq_epi32_mask;
    /// The lanes whose left value compares so with the right one.
    whole_u32: 32, collect_32, _mm512_cmplt_epu32_mask, _mm512_cmpgt_epu32_mask, _mm512_cmpeq_epu32_mask;
    /// The lanes whose left value compares so with the right one.
    whole_u64: 64, collect_64, _mm512_cmplt_epu64_mask, _mm512_cmpgt_epu64_mask, _mm512_cmpeq_epu64_mask;
}

/// The lanes whose left value compares so with the right one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn floats(left: &[Plane], cmp: Comparison, right: impl Fn(usize) -> __m512) -> __m512i {
    let left: &[__m512; 32] = bytemuck::cast_ref(column::<32>(left));
    match cmp {
        Comparison::Lt => collect_32(|i| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(left[i], right(i))),
        Comparison::Le => collect_32(|i| _mm512_cmp_ps_mask::<_CMP_LE_OQ>(left[i], right(i))),
        Comparison::Gt => collect_32(|i| _mm512_cmp_ps_mask::<_CMP_GT_OQ>(left[i], right(i))),
        Comparison::Ge => collect_32(|i| _mm512_cmp_ps_mask::<_CMP_GE_OQ>(left[i], right(i))),
        Comparison::Eq => collect_32(|i| _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(left[i], right(i))),
        // Ordered and unequal.
        Comparison::Ne => collect_32(|i| _mm512_cmp_ps_mask::<_CMP_NEQ_OQ>(left[i], right(i))),
    }
}

macro_rules! with_constant {
    ($($name:ident: $number:ty, $splat:ident, $with:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        fn $name(values: &[Plane], cmp: Comparison, constant: $number) -> __m512i {
            let constant = $splat(constant as _);
            $with(values, cmp, |_| constant)
        }
    )*};
}
with_constant! {
    compare_u8: u8, _mm512_set1_epi8, whole_u8;
    compare_u16: u16, _mm512_set1_epi16, whole_u16;
    compare_i32: i32, _mm512_set1_epi32, whole_i32;
    compare_u32: u32, _mm512_set1_epi32, whole_u32;
    compare_f32: f32, _mm512_set1_ps, floats;
    compare_u64: u64, _mm512_set1_epi64, whole_u64;
}

macro_rules! with_column {
    ($($name:ident: $vector:ty, $lines:literal, $with:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        fn $name(left: &[Plane], cmp: Comparison, right: &[Plane]) -> __m512i {
            let right: &[$vector; $lines] = bytemuck::cast_ref(column::<$lines>(right));
            $with(left, cmp, |line| right[line])
        }
    )*};
}
with_column! {
    pair_i32: __m512i, 32, whole_i32;
    pair_f32: __m512, 32, floats;
    pair_u64: __m512i, 64, whole_u64;
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn and(a: __m512i, b: __m512i) -> __m512i {
    _mm512_and_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn or(a: __m512i, b: __m512i) -> __m512i {
    _mm512_or_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn xor(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn and_not(a: __m512i, b: __m512i) -> __m512i {
    _mm512_andnot_si512(b, a)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn is_empty(a: __m512i) -> bool {
    _mm512_test_epi64_mask(a, a) == 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn fill_u32(mask: __m512i, value: u32, lines: &mut [Plane]) {
    let lines: &mut [__m512i; 32] = bytemuck::cast_mut(column_mut::<32>(lines));
    let value = _mm512_set1_epi32(value as i32);
    let bits: [__mmask16; 32] = bytemuck::cast(mask);
    for (line, bits) in lines.iter_mut().zip(bits) {
        *line = _mm512_mask_mov_epi32(*line, bits, value);
    }
}

form! { Avx512: __m512i }
