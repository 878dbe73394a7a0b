//! Every form against a loop over the lanes.

use std::fmt::Debug;
use std::marker::PhantomData;

use bytemuck::Pod;
use pleach_shape::{BLOCK_LANES, Comparison};

use super::*;

const COMPARISONS: [Comparison; 6] = [
    Comparison::Lt,
    Comparison::Le,
    Comparison::Gt,
    Comparison::Ge,
    Comparison::Eq,
    Comparison::Ne,
];

/// The instruction sets of this machine.
fn available() -> impl Iterator<Item = Simd> {
    Simd::ALL.into_iter().filter(|simd| simd.is_available())
}

/// SplitMix64, so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn plane(&mut self) -> Plane {
        Plane(std::array::from_fn(|_| self.next()))
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.next() as usize % from.len()]
    }
}

/// A type that columns are compared as.
trait Number: Pod + Debug {
    /// Values at the ends, in the middle, and beside them.
    const EDGES: &'static [Self];

    fn random(random: &mut Random) -> Self;
    fn holds(cmp: Comparison, left: Self, right: Self) -> bool;
    fn compare<F: Form>(form: F, values: &[Plane], cmp: Comparison, constant: Self) -> F::Mask;

    /// `None` if there is no comparison of two columns of this type.
    fn pair<F: Form>(_: F, _: &[Plane], _: Comparison, _: &[Plane]) -> Option<F::Mask> {
        None
    }
}

macro_rules! whole_numbers {
    ($($ty:ty, $compare:ident, $($pair:ident)?, $edges:expr;)*) => {$(
        impl Number for $ty {
            const EDGES: &'static [$ty] = &$edges;

            fn random(random: &mut Random) -> $ty {
                random.next() as $ty
            }

            fn holds(cmp: Comparison, left: $ty, right: $ty) -> bool {
                match cmp {
                    Comparison::Lt => left < right,
                    Comparison::Le => left <= right,
                    Comparison::Gt => left > right,
                    Comparison::Ge => left >= right,
                    Comparison::Eq => left == right,
                    Comparison::Ne => left != right,
                }
            }

            fn compare<F: Form>(form: F, values: &[Plane], cmp: Comparison, constant: $ty) -> F::Mask {
                form.$compare(values, cmp, constant)
            }

            $(fn pair<F: Form>(form: F, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Option<F::Mask> {
                Some(form.$pair(left, cmp, right))
            })?
        }
    )*};
}
whole_numbers! {
    u8, compare_u8, , [0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff];
    u16, compare_u16, , [0, 1, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff];
    i32, compare_i32, pair_i32, [
        i32::MIN, i32::MIN + 1, -0x1_0000, -0x8000, -2, -1, 0, 1, 2, 0xff, 0x8000, 0xffff, 0x1_0000,
        i32::MAX - 1, i32::MAX,
    ];
    u32, compare_u32, , [
        0, 1, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff,
    ];
    u64, compare_u64, pair_u64, [
        0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001,
        0x1_8000_0000, 0x2_0000_0000, 0x7fff_ffff_0000_0000, 0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000, 0x8000_0000_0000_0001, 0xffff_ffff_0000_0000,
        0xffff_ffff_7fff_ffff, 0xffff_ffff_8000_0000, u64::MAX - 1, u64::MAX,
    ];
}

impl Number for f32 {
    const EDGES: &'static [f32] = &[
        f32::NEG_INFINITY,
        f32::MIN,
        -1.0,
        -f32::MIN_POSITIVE,
        -1e-45,
        -0.0,
        0.0,
        1e-45,
        // The greatest subnormal.
        f32::from_bits(0x007f_ffff),
        f32::MIN_POSITIVE,
        0.3,
        1.0,
        1.0 + f32::EPSILON,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
        -f32::NAN,
        // Signalling, and the ends of the payloads.
        f32::from_bits(0x7f80_0001),
        f32::from_bits(0x7fff_ffff),
        f32::from_bits(0xff80_0001),
        f32::from_bits(0xffff_ffff),
    ];

    fn random(random: &mut Random) -> f32 {
        f32::from_bits(random.next() as u32)
    }

    fn holds(cmp: Comparison, left: f32, right: f32) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        left.partial_cmp(&right).is_some_and(|order| match cmp {
            Comparison::Lt => order == Less,
            Comparison::Le => order != Greater,
            Comparison::Gt => order == Greater,
            Comparison::Ge => order != Less,
            Comparison::Eq => order == Equal,
            Comparison::Ne => order != Equal,
        })
    }

    fn compare<F: Form>(form: F, values: &[Plane], cmp: Comparison, constant: f32) -> F::Mask {
        form.compare_f32(values, cmp, constant)
    }

    fn pair<F: Form>(form: F, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Option<F::Mask> {
        Some(form.pair_f32(left, cmp, right))
    }
}

/// The lines of a column.
fn lines<T: Pod>(values: &[T]) -> Vec<Plane> {
    assert_eq!(values.len(), BLOCK_LANES);
    bytemuck::pod_collect_to_vec(values)
}

fn expected(holds: impl Fn(usize) -> bool) -> Plane {
    let mut plane = Plane::EMPTY;
    for lane in 0..BLOCK_LANES {
        plane.put(lane, holds(lane));
    }
    plane
}

struct Compare<'a, T>(&'a [Plane], Comparison, T);

impl<T: Number> Work for Compare<'_, T> {
    type Output = Plane;

    #[inline(always)]
    fn run<F: Form>(self, form: F) -> Plane {
        let mut plane = Plane::FULL;
        form.store(T::compare(form, self.0, self.1, self.2), &mut plane);
        plane
    }
}

struct Pair<'a, T>(&'a [Plane], Comparison, &'a [Plane], PhantomData<T>);

impl<T: Number> Work for Pair<'_, T> {
    type Output = Option<Plane>;

    #[inline(always)]
    fn run<F: Form>(self, form: F) -> Option<Plane> {
        let mut plane = Plane::FULL;
        form.store(T::pair(form, self.0, self.1, self.2)?, &mut plane);
        Some(plane)
    }
}

fn check_compare<T: Number>(values: &[T], constant: T) {
    let column = lines(values);
    for cmp in COMPARISONS {
        let expected = expected(|lane| T::holds(cmp, values[lane], constant));
        for simd in available() {
            let found = simd.run(Compare(&column, cmp, constant));
            assert_eq!(found, expected, "{simd:?}: {cmp:?} {constant:?}");
        }
    }
}

fn check_pair<T: Number>(left: &[T], right: &[T]) {
    let columns = (lines(left), lines(right));
    for cmp in COMPARISONS {
        let expected = expected(|lane| T::holds(cmp, left[lane], right[lane]));
        for simd in available() {
            let work = Pair::<T>(&columns.0, cmp, &columns.1, PhantomData);
            if let Some(found) = simd.run(work) {
                assert_eq!(found, expected, "{simd:?}: {cmp:?}");
            }
        }
    }
}

fn check_number<T: Number>() {
    let random = &mut Random(size_of::<T>() as u64);
    let mut column = |of: &dyn Fn(&mut Random) -> T| -> Vec<T> {
        (0..BLOCK_LANES).map(|_| of(random)).collect()
    };

    // Every edge against every edge, in some lane or other.
    let edges = column(&|random| random.pick(T::EDGES));
    let others = column(&|random| random.pick(T::EDGES));
    let anything = column(&T::random);
    let more = column(&T::random);
    for &constant in T::EDGES.iter().chain(&anything[..8]) {
        check_compare(&edges, constant);
        check_compare(&anything, constant);
        // All the same: all lanes are in, or none is.
        check_compare(&[constant; BLOCK_LANES], constant);
    }
    for pair in [(&edges, &others), (&edges, &anything), (&anything, &more)] {
        check_pair(pair.0, pair.1);
    }
    // Equal in about half of the lanes.
    let mixed: Vec<T> = std::iter::zip(&anything, &more)
        .enumerate()
        .map(|(lane, (&a, &b))| if (lane * lane) & 4 == 0 { a } else { b })
        .collect();
    check_pair(&mixed, &anything);

    // One lane that differs, at every position.
    for lane in 0..BLOCK_LANES {
        let (usual, other) = (T::EDGES[1], T::EDGES[T::EDGES.len() / 2]);
        let mut values = [usual; BLOCK_LANES];
        values[lane] = other;
        check_compare(&values, usual);
        check_compare(&values, other);
        check_pair(&values, &[usual; BLOCK_LANES]);
        check_pair(&[other; BLOCK_LANES], &values);
    }
}

#[test]
fn bytes_compare_as_in_a_loop() {
    check_number::<u8>();
    // There are few enough of them for all.
    let values: Vec<u8> = (0..BLOCK_LANES).map(|lane| (lane * 7) as u8).collect();
    for constant in 0..=u8::MAX {
        check_compare(&values, constant);
    }
}

#[test]
fn numbers_of_16_bits_compare_as_in_a_loop() {
    check_number::<u16>();
}

#[test]
fn signed_numbers_compare_as_in_a_loop() {
    check_number::<i32>();
}

#[test]
fn numbers_of_32_bits_compare_as_in_a_loop() {
    check_number::<u32>();
}

#[test]
fn floats_compare_as_in_a_loop() {
    check_number::<f32>();
}

#[test]
fn numbers_of_64_bits_compare_as_in_a_loop() {
    check_number::<u64>();
}

struct Operators(Plane, Plane);

impl Work for Operators {
    type Output = ([Plane; 6], [bool; 3]);

    #[inline(always)]
    fn run<F: Form>(self, form: F) -> Self::Output {
        let (a, b) = (form.load(&self.0), form.load(&self.1));
        let stored = |mask| {
            let mut plane = Plane::FULL;
            form.store(mask, &mut plane);
            plane
        };
        let planes = [
            a,
            form.empty(),
            form.and(a, b),
            form.or(a, b),
            form.xor(a, b),
            form.and_not(a, b),
        ];
        let facts = [
            form.is_empty(a),
            form.is_empty(b),
            form.is_empty(form.and(a, b)),
        ];
        (planes.map(stored), facts)
    }
}

fn check_operators(a: Plane, b: Plane) {
    let planes = [a, Plane::EMPTY, a & b, a | b, a ^ b, a & !b];
    let facts = [a.is_empty(), b.is_empty(), (a & b).is_empty()];
    for simd in available() {
        let found = simd.run(Operators(a, b));
        assert_eq!(found, (planes, facts), "{simd:?}: {a:?} {b:?}");
    }
}

#[test]
fn operators_are_those_of_planes() {
    let random = &mut Random(1);
    for _ in 0..100 {
        let (a, b) = (random.plane(), random.plane());
        check_operators(a, b);
        check_operators(a, !a);
        check_operators(a, b & !a);
    }
    let few = [Plane::EMPTY, Plane::FULL, Plane::first(1)];
    for (a, b) in few.into_iter().flat_map(|a| few.map(|b| (a, b))) {
        check_operators(a, b);
    }
    for lane in 0..BLOCK_LANES {
        let mut one = Plane::EMPTY;
        one.put(lane, true);
        check_operators(one, Plane::EMPTY);
        check_operators(Plane::EMPTY, one);
        check_operators(one, one);
        check_operators(one, !one);
        check_operators(random.plane(), one);
    }
}

struct Fill<'a>(Plane, u32, &'a mut [Plane]);

impl Work for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        form.fill_u32(form.load(&self.0), self.1, self.2);
    }
}

fn check_fill(mask: Plane, value: u32, before: &[u32]) {
    let after: Vec<u32> = before
        .iter()
        .enumerate()
        .map(|(lane, &old)| if mask.get(lane) { value } else { old })
        .collect();
    for simd in available() {
        // A line more than the column, to see that it stays.
        let mut column = lines(before);
        column.push(Plane::FULL);
        simd.run(Fill(mask, value, &mut column));
        assert_eq!(column.pop(), Some(Plane::FULL), "{simd:?}");
        assert!(column == lines(&after), "{simd:?}: {value} in {mask:?}");
    }
}

#[test]
fn filling_writes_the_lanes_of_the_mask() {
    let random = &mut Random(2);
    let before: Vec<u32> = (0..BLOCK_LANES).map(|_| random.next() as u32).collect();
    for mask in [Plane::EMPTY, Plane::FULL] {
        check_fill(mask, 0, &before);
        check_fill(mask, u32::MAX, &before);
    }
    for _ in 0..100 {
        check_fill(random.plane(), random.next() as u32, &before);
    }
    for lane in 0..BLOCK_LANES {
        let mut one = Plane::EMPTY;
        one.put(lane, true);
        check_fill(one, !before[lane], &before);
        check_fill(!one, random.next() as u32, &before);
    }
}

#[test]
fn a_slice_shorter_than_its_column_is_a_panic() {
    fn check(lines: usize, name: &str, work: impl Fn(Simd, &mut [Plane])) {
        for simd in available() {
            let panics = |lines: usize| {
                let mut short = vec![Plane::EMPTY; lines];
                let call = std::panic::AssertUnwindSafe(|| work(simd, &mut short));
                std::panic::catch_unwind(call).is_err()
            };
            assert!(panics(lines - 1), "{simd:?} {name}");
            assert!(panics(0), "{simd:?} {name}");
            assert!(!panics(lines), "{simd:?} {name}");
            assert!(!panics(lines + 1), "{simd:?} {name}");
        }
    }
    fn compare<T: Number>(lines: usize) {
        let name = std::any::type_name::<T>();
        check(lines, name, |simd, values| {
            simd.run(Compare(values, Comparison::Lt, T::zeroed()));
        });
    }
    fn pair<T: Number>(lines: usize) {
        let name = std::any::type_name::<T>();
        let whole = vec![Plane::EMPTY; lines];
        fn work<'a, T>(left: &'a [Plane], right: &'a [Plane]) -> Pair<'a, T> {
            Pair(left, Comparison::Lt, right, PhantomData)
        }
        check(lines, name, |simd, left| {
            simd.run(work::<T>(left, &whole));
        });
        check(lines, name, |simd, right| {
            simd.run(work::<T>(&whole, right));
        });
    }
    compare::<u8>(8);
    compare::<u16>(16);
    compare::<i32>(32);
    compare::<u32>(32);
    compare::<f32>(32);
    compare::<u64>(64);
    pair::<i32>(32);
    pair::<f32>(32);
    pair::<u64>(64);
    check(32, "fill", |simd, values| {
        simd.run(Fill(Plane::FULL, 1, values));
    });
}

#[test]
fn names_lead_back_to_the_instruction_sets() {
    for simd in Simd::ALL {
        assert_eq!(Simd::from_name(simd.name()), Some(simd));
    }
    assert_eq!(Simd::from_name("AVX2"), None);
    assert_eq!(Simd::from_name(""), None);
}

#[test]
fn what_is_asked_for_is_used_if_it_is_there() {
    let best = Simd::best();
    assert!(best.is_available());
    assert!(
        Simd::ALL
            .into_iter()
            .all(|simd| simd <= best || !simd.is_available())
    );
    for simd in Simd::ALL {
        let used = if simd.is_available() { simd } else { best };
        assert_eq!(Simd::asked_for(Some(simd.name())), used);
    }
    assert_eq!(Simd::asked_for(None), best);
    assert_eq!(Simd::asked_for(Some("mmx")), best);
    assert!(Simd::detected().is_available());
}

/// What work was done with: the bytes of a mask's registers tell the forms apart.
struct Alignment;

impl Work for Alignment {
    type Output = usize;

    #[inline(always)]
    fn run<F: Form>(self, _: F) -> usize {
        align_of::<F::Mask>()
    }
}

#[test]
fn work_is_done_with_the_instruction_set_or_the_best_below() {
    for simd in Simd::ALL {
        let mut below = Simd::ALL.into_iter().rev().filter(|&other| other <= simd);
        let bytes = match below.find(|other| other.is_available()) {
            Some(Simd::Avx512) => 64,
            Some(Simd::Avx2) => 32,
            Some(Simd::Sse2) => 16,
            Some(Simd::Portable) | None => align_of::<u64>(),
        };
        assert_eq!(simd.run(Alignment), bytes, "{simd:?}");
    }
}
