//! Planes as two registers of 256 bits.

#![allow(
    unsafe_code,
    reason = "functions compiled for AVX2 are called where the form's value proves that it is there"
)]

use std::arch::x86_64::*;

use pleach_shape::Comparison;

use super::{Answers, Order, Work, column, column_mut};
use crate::plane::Plane;

/// The form of processors with AVX2. A value exists only where they are.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

type Halves = [__m256i; 2];

impl Avx2 {
    /// The form, if this machine has it.
    #[inline]
    pub(super) fn detect() -> Option<Avx2> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        found.then_some(Avx2(()))
    }

    /// Does work, all of it compiled for this form.
    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: the form exists only after its features were found.
        unsafe { with_avx2(self, work) }
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn with_avx2<W: Work>(form: Avx2, work: W) -> W::Output {
    work.run(form)
}

/// The lanes that pass, 32 at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn collect_8(passes: impl Fn(usize) -> __m256i) -> Halves {
    let mut answers = Answers([0u32; 16]);
    for (index, answer) in answers.0.iter_mut().enumerate() {
        *answer = _mm256_movemask_epi8(passes(index)) as u32;
    }
    answers.together()
}

/// Exchanges the bits of a mask with those `DISTANCE` higher.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const DISTANCE: i32>(halves: Halves, mask: u32) -> Halves {
    let mask = _mm256_set1_epi32(mask as i32);
    halves.map(|half| {
        let turn = _mm256_xor_si256(half, _mm256_srli_epi32::<DISTANCE>(half));
        let turn = _mm256_and_si256(turn, mask);
        let both = _mm256_or_si256(turn, _mm256_slli_epi32::<DISTANCE>(turn));
        _mm256_xor_si256(half, both)
    })
}

/// The lanes that pass, 16 at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn collect_16(passes: impl Fn(usize) -> __m256i) -> Halves {
    // Narrowing works in each 128 bits apart. To mend the order in the answer takes less than a
    // permutation each time.
    let answers = collect_8(|i| _mm256_packs_epi16(passes(i * 2), passes(i * 2 + 1)));
    exchange::<8>(answers, 0x0000_ff00)
}

/// The lanes that pass, 8 at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn collect_32(passes: impl Fn(usize) -> __m256i) -> Halves {
    // The two in the middle are exchanged so that one more exchange of bits puts everything right.
    let answers = collect_8(|i| {
        let low = _mm256_packs_epi32(passes(i * 4), passes(i * 4 + 2));
        let high = _mm256_packs_epi32(passes(i * 4 + 1), passes(i * 4 + 3));
        _mm256_packs_epi16(low, high)
    });
    exchange::<12>(answers, 0x0000_f0f0)
}

/// The lanes that pass, 4 at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn collect_64(passes: impl Fn(usize) -> __m256i) -> Halves {
    let answers = collect_32(|i| {
        let low = _mm256_castsi256_ps(passes(i * 2));
        let high = _mm256_castsi256_ps(passes(i * 2 + 1));
        _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(low, high))
    });
    exchange::<2>(answers, 0x0c0c_0c0c)
}

macro_rules! whole {
    ($($(#[$doc:meta])* $name:ident: $vectors:literal, $lines:literal, $collect:ident, $greater:ident, $equal:ident, $splat:ident($least:expr);)*) => {$(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name(left: &[Plane], cmp: Comparison, right: impl Fn(usize) -> __m256i) -> Halves {
            let left: &[__m256i; $vectors] = bytemuck::cast_ref(column::<$lines>(left));
            // There are comparisons of signed numbers only.
            let least = $splat($least);
            let left = |i: usize| _mm256_xor_si256(left[i], least);
            let right = |i: usize| _mm256_xor_si256(right(i), least);
            let (order, opposite) = Order::of(cmp);
            let answers = match order {
                Order::Less => $collect(|i| $greater(right(i), left(i))),
                Order::Greater => $collect(|i| $greater(left(i), right(i))),
                Order::Equal => $collect(|i| $equal(left(i), right(i))),
            };
            let turned = _mm256_set1_epi64x(-i64::from(opposite));
            answers.map(|half| _mm256_xor_si256(half, turned))
        }
    )*};
}
whole! {
    /// The lanes whose left value compares so with the right one.
    whole_u8: 16, 8, collect_8, _mm256_cmpgt_epi8, _mm256_cmpeq_epi8, _mm256_set1_epi8(i8::MIN);
    /// The lanes whose left value compares so with the right one.
    whole_u16: 32, 16, collect_16, _mm256_cmpgt_epi16, _mm256_cmpeq_epi16, _mm256_set1_epi16(i16::MIN);
    /// The lanes whose left value compares so with the right one.
    whole_i32: 64, 32, collect_32, _mm256_cmpgt_epi32, _mm256_cmpeq_epi32, _mm256_set1_epi32(0);
    /// The lanes whose left value compares so with the right one.
    whole_u32: 64, 32, collect_32, _mm256_cmpgt_epi32, _mm256_cmpeq_epi32, _mm256_set1_epi32(i32::MIN);
    /// The lanes whose left value compares so with the right one.
    whole_u64: 128, 64, collect_64, _mm256_cmpgt_epi64, _mm256_cmpeq_epi64, _mm256_set1_epi64x(i64::MIN);
}

/// The lanes whose left value compares so with the right one.
#[inline]
#[target_feature(enable = "avx2")]
fn floats(left: &[Plane], cmp: Comparison, right: impl Fn(usize) -> __m256) -> Halves {
    let left: &[__m256; 64] = bytemuck::cast_ref(column::<32>(left));
    macro_rules! collect_floats {
        ($op:ident) => {
            collect_32(|i| _mm256_castps_si256(_mm256_cmp_ps::<$op>(left[i], right(i))))
        };
    }
    match cmp {
        Comparison::Lt => collect_floats!(_CMP_LT_OQ),
        Comparison::Le => collect_floats!(_CMP_LE_OQ),
        Comparison::Gt => collect_floats!(_CMP_GT_OQ),
        Comparison::Ge => collect_floats!(_CMP_GE_OQ),
        Comparison::Eq => collect_floats!(_CMP_EQ_OQ),
        // Ordered and unequal.
        Comparison::Ne => collect_floats!(_CMP_NEQ_OQ),
    }
}

macro_rules! with_constant {
    ($($name:ident: $number:ty, $splat:ident, $with:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name(values: &[Plane], cmp: Comparison, constant: $number) -> Halves {
            let constant = $splat(constant as _);
            $with(values, cmp, |_| constant)
        }
    )*};
}
with_constant! {
    compare_u8: u8, _mm256_set1_epi8, whole_u8;
    compare_u16: u16, _mm256_set1_epi16, whole_u16;
    compare_i32: i32, _mm256_set1_epi32, whole_i32;
    compare_u32: u32, _mm256_set1_epi32, whole_u32;
    compare_f32: f32, _mm256_set1_ps, floats;
    compare_u64: u64, _mm256_set1_epi64x, whole_u64;
}

macro_rules! with_column {
    ($($name:ident: $vector:ty, $vectors:literal, $lines:literal, $with:ident;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name(left: &[Plane], cmp: Comparison, right: &[Plane]) -> Halves {
            let right: &[$vector; $vectors] = bytemuck::cast_ref(column::<$lines>(right));
            $with(left, cmp, |i| right[i])
        }
    )*};
}
with_column! {
    pair_i32: __m256i, 64, 32, whole_i32;
    pair_f32: __m256, 64, 32, floats;
    pair_u64: __m256i, 128, 64, whole_u64;
}

macro_rules! operators {
    ($($name:ident($a:ident, $b:ident) $result:expr;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $name(a: Halves, b: Halves) -> Halves {
            [0, 1].map(|i| {
                let ($a, $b) = (a[i], b[i]);
                $result
            })
        }
    )*};
}
operators! {
    and(a, b) _mm256_and_si256(a, b);
    or(a, b) _mm256_or_si256(a, b);
    xor(a, b) _mm256_xor_si256(a, b);
    and_not(a, b) _mm256_andnot_si256(b, a);
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_empty(a: Halves) -> bool {
    let all = _mm256_or_si256(a[0], a[1]);
    _mm256_testz_si256(all, all) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn fill_u32(mask: Halves, value: u32, lines: &mut [Plane]) {
    let lines: &mut [__m256i; 64] = bytemuck::cast_mut(column_mut::<32>(lines));
    let (groups, _) = lines.as_chunks_mut::<4>();
    let value = _mm256_set1_epi32(value as i32);
    let first = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let second = _mm256_slli_epi32::<8>(first);
    let third = _mm256_slli_epi32::<16>(first);
    let fourth = _mm256_slli_epi32::<24>(first);
    let words: [u32; 16] = bytemuck::cast(mask);
    for (group, word) in groups.iter_mut().zip(words) {
        let word = _mm256_set1_epi32(word as i32);
        for (line, bits) in group.iter_mut().zip([first, second, third, fourth]) {
            let chosen = _mm256_cmpeq_epi32(_mm256_and_si256(word, bits), bits);
            *line = _mm256_blendv_epi8(*line, value, chosen);
        }
    }
}

form! { Avx2: Halves }
