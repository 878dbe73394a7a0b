//! Planes in registers: the same work for every instruction set.
//!
//! A comparison of a column with a constant answers for 512 lanes at once, and what is done with
//! the answers is a handful of bit operations on whole planes. Both depend on how wide the
//! processor's registers are, so work on planes is written once, over a [`Form`], and compiled for
//! each of them; [`Simd`] says at run time which one is used. Every form gives the same bits.
//!
//! This is the only module with `unsafe` code, and it needs it to call functions compiled for
//! instructions that the processor was found to have. A form's value is the proof of that. Memory is
//! read and written through references; a slice that is shorter than its column is a panic, checked
//! once a call. (A [`prefetch`] takes a pointer as well; it has no effect but on time.)

/// The form of an instruction set, from functions compiled for it that have the methods' names.
#[cfg(target_arch = "x86_64")]
macro_rules! form {
    ($form:ident: $mask:ty) => {
        impl $crate::simd::Form for $form {
            type Mask = $mask;

            #[inline(always)]
            fn empty(self) -> $mask {
                bytemuck::cast(Plane::EMPTY)
            }

            #[inline(always)]
            fn load(self, plane: &Plane) -> $mask {
                bytemuck::cast(*plane)
            }

            #[inline(always)]
            fn store(self, mask: $mask, plane: &mut Plane) {
                *plane = bytemuck::cast(mask);
            }

            form! { @calls
                and(a: $mask, b: $mask) -> $mask;
                or(a: $mask, b: $mask) -> $mask;
                xor(a: $mask, b: $mask) -> $mask;
                and_not(a: $mask, b: $mask) -> $mask;
                is_empty(a: $mask) -> bool;
                compare_u8(values: &[Plane], cmp: Comparison, constant: u8) -> $mask;
                compare_u16(values: &[Plane], cmp: Comparison, constant: u16) -> $mask;
                compare_i32(values: &[Plane], cmp: Comparison, constant: i32) -> $mask;
                compare_u32(values: &[Plane], cmp: Comparison, constant: u32) -> $mask;
                compare_f32(values: &[Plane], cmp: Comparison, constant: f32) -> $mask;
                compare_u64(values: &[Plane], cmp: Comparison, constant: u64) -> $mask;
                pair_i32(left: &[Plane], cmp: Comparison, right: &[Plane]) -> $mask;
                pair_f32(left: &[Plane], cmp: Comparison, right: &[Plane]) -> $mask;
                pair_u64(left: &[Plane], cmp: Comparison, right: &[Plane]) -> $mask;
                fill_u32(mask: $mask, value: u32, values: &mut [Plane]) -> ();
            }
        }
    };
    (@calls $($name:ident($($argument:ident: $ty:ty),*) -> $output:ty;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $ty),*) -> $output {
            // SAFETY: a form exists only where the processor has what its functions are compiled for.
            unsafe { $name($($argument),*) }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use pleach_shape::Comparison;

use crate::plane::Plane;

#[cfg(target_arch = "x86_64")]
use {avx2::Avx2, avx512::Avx512, sse2::Sse2};

use portable::Portable;

/// The instruction sets that planes can be computed with.
///
/// All of them give the same bits; they differ in speed. In ascending order of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Simd {
    /// No instructions of any particular processor.
    Portable,
    /// 128 bits: every x86-64 processor.
    Sse2,
    /// 256 bits: x86-64 processors with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// 512 bits: those that have AVX-512 F, BW, DQ and VL as well.
    Avx512,
}

impl Simd {
    /// Every instruction set, whether this machine has it or not.
    pub const ALL: [Simd; 4] = [Simd::Portable, Simd::Sse2, Simd::Avx2, Simd::Avx512];

    /// Its name: `portable`, `sse2`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            Simd::Portable => "portable",
            Simd::Sse2 => "sse2",
            Simd::Avx2 => "avx2",
            Simd::Avx512 => "avx512",
        }
    }

    /// The instruction set of that name.
    pub fn from_name(name: &str) -> Option<Simd> {
        Simd::ALL.into_iter().find(|simd| simd.name() == name)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Simd::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Sse2 => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Sse2 | Simd::Avx2 | Simd::Avx512 => false,
        }
    }

    /// The fastest that this machine has.
    pub fn best() -> Simd {
        let mut fastest_first = Simd::ALL.into_iter().rev();
        fastest_first
            .find(|simd| simd.is_available())
            .unwrap_or(Simd::Portable)
    }

    /// What this process uses: the one that the environment variable `PLEACH_SIMD` names if this
    /// machine has it, else the best. The variable is read once.
    pub fn detected() -> Simd {
        static DETECTED: OnceLock<Simd> = OnceLock::new();
        *DETECTED.get_or_init(|| Simd::asked_for(std::env::var("PLEACH_SIMD").ok().as_deref()))
    }

    fn asked_for(name: Option<&str>) -> Simd {
        name.and_then(Simd::from_name)
            .filter(|simd| simd.is_available())
            .unwrap_or_else(Simd::best)
    }

    /// Does work with this instruction set, or with the best one below if the machine lacks it.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            if self == Simd::Avx512
                && let Some(form) = Avx512::detect()
            {
                return form.run(work);
            }
            if self >= Simd::Avx2
                && let Some(form) = Avx2::detect()
            {
                return form.run(work);
            }
            if self >= Simd::Sse2 {
                return work.run(Sse2);
            }
        }
        work.run(Portable)
    }
}

/// Asks for lines that will be needed soon. What is computed does not change, only when.
#[inline]
#[allow(
    unsafe_code,
    reason = "the intrinsic takes a pointer, which it does not follow as a program would"
)]
pub(crate) fn prefetch(lines: &[Plane]) {
    #[cfg(target_arch = "x86_64")]
    for line in lines {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect that a program can observe, at any address (Intel SDM,
        // PREFETCHh); this one is that of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = lines;
}

/// Work that can be done in any form.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it. To be `#[inline(always)]`, as is everything generic that it calls: what is not part
    /// of the function compiled for the form's instructions cannot use them.
    fn run<F: Form>(self, form: F) -> Self::Output;
}

/// One way to compute with planes; a value of it is the proof that the processor can.
///
/// Comparisons are unrolled loops: a work that has each of them in one place has it inlined there,
/// and saves what a call costs, about a third of a comparison of 32 lines.
///
/// Values of a column are given as its lines, [`column_lines`](pleach_shape::layout::column_lines)
/// of them; lines beyond those are not looked at, and fewer are a panic.
pub(crate) trait Form: Copy {
    /// A plane in registers.
    type Mask: Copy;

    /// No lane.
    fn empty(self) -> Self::Mask;

    /// A plane from memory.
    fn load(self, plane: &Plane) -> Self::Mask;

    /// A plane to memory.
    fn store(self, mask: Self::Mask, plane: &mut Plane);

    /// The lanes in both.
    fn and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// The lanes in either.
    fn or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// The lanes in exactly one.
    fn xor(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// The lanes in the first and not in the second.
    fn and_not(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// Whether no lane is in.
    fn is_empty(self, a: Self::Mask) -> bool;

    /// The lanes whose value, of 8 lines, compares so with a constant.
    fn compare_u8(self, values: &[Plane], cmp: Comparison, constant: u8) -> Self::Mask;

    /// The lanes whose value, of 16 lines, compares so with a constant.
    fn compare_u16(self, values: &[Plane], cmp: Comparison, constant: u16) -> Self::Mask;

    /// The lanes whose value, of 32 lines, compares so with a constant.
    fn compare_i32(self, values: &[Plane], cmp: Comparison, constant: i32) -> Self::Mask;

    /// The lanes whose value, of 32 lines, compares so with a constant.
    fn compare_u32(self, values: &[Plane], cmp: Comparison, constant: u32) -> Self::Mask;

    /// The lanes whose value, of 32 lines, compares so with a constant. None if either is NaN, for
    /// [`Comparison::Ne`] too.
    fn compare_f32(self, values: &[Plane], cmp: Comparison, constant: f32) -> Self::Mask;

    /// The lanes whose value, of 64 lines, compares so with a constant.
    fn compare_u64(self, values: &[Plane], cmp: Comparison, constant: u64) -> Self::Mask;

    /// The lanes whose left value compares so with their right one, 32 lines each.
    fn pair_i32(self, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Self::Mask;

    /// The lanes whose left value compares so with their right one, 32 lines each. None where either
    /// is NaN, for [`Comparison::Ne`] too.
    fn pair_f32(self, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Self::Mask;

    /// The lanes whose left value compares so with their right one, 64 lines each.
    fn pair_u64(self, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Self::Mask;

    /// Writes a value into the lanes of a mask, of 32 lines; the others stay.
    fn fill_u32(self, mask: Self::Mask, value: u32, values: &mut [Plane]);
}

/// What comparisons of whole numbers come down to, so that there are three loops and not six.
#[derive(Clone, Copy)]
enum Order {
    Less,
    Greater,
    Equal,
}

impl Order {
    /// The order, and whether the comparison asks for its opposite.
    #[inline(always)]
    const fn of(cmp: Comparison) -> (Order, bool) {
        match cmp {
            Comparison::Lt => (Order::Less, false),
            Comparison::Ge => (Order::Less, true),
            Comparison::Gt => (Order::Greater, false),
            Comparison::Le => (Order::Greater, true),
            Comparison::Eq => (Order::Equal, false),
            Comparison::Ne => (Order::Equal, true),
        }
    }
}

/// Answers of a comparison on their way into registers, a few lanes at a time.
#[cfg(target_arch = "x86_64")]
#[repr(align(64))]
struct Answers<T>(T);

#[cfg(target_arch = "x86_64")]
impl<T: bytemuck::Pod> Answers<T> {
    /// Reads them back as a whole.
    ///
    /// That they are in memory by then is the point: a compiler that sees through it builds the
    /// registers out of general ones, an insertion for every answer, and that takes longer than
    /// waiting for the stores does.
    #[inline(always)]
    fn together<M: bytemuck::Pod>(&mut self) -> M {
        bytemuck::cast(std::hint::black_box(self).0)
    }
}

/// The lines of a column.
///
/// # Panics
///
/// If there are fewer.
#[inline(always)]
fn column<const LINES: usize>(values: &[Plane]) -> &[Plane; LINES] {
    match values.first_chunk() {
        Some(lines) => lines,
        None => too_short(values.len(), LINES),
    }
}

/// The lines of a column, to be written.
///
/// # Panics
///
/// If there are fewer.
#[inline(always)]
fn column_mut<const LINES: usize>(values: &mut [Plane]) -> &mut [Plane; LINES] {
    let found = values.len();
    match values.first_chunk_mut() {
        Some(lines) => lines,
        None => too_short(found, LINES),
    }
}

#[cold]
#[inline(never)]
fn too_short(found: usize, lines: usize) -> ! {
    panic!("{found} lines are no column of {lines}")
}
