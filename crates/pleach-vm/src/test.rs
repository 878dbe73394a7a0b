//! Conditions resolved for a block: where the value lies, and the range it must lie in.
//!
//! A comparison of one column with a constant is a range check on integers. For whole numbers that
//! is plain; for floats the bits are mapped to integers of the same order first (flip the lower 31
//! bits of negative ones), in which the two zeros are neighbours and NaNs lie outside the range from
//! −∞ to ∞, so that no comparison holds for them (L1). So all such conditions are judged by the same
//! few instructions without a jump: types and comparisons change from leaf to leaf, and a jump that is
//! guessed wrongly costs more than all of this.

use pleach_shape::{ColumnIndex, Comparison, MAX_VALUES, Predicate, Shape};

use crate::plane::Plane;

// Columns of all types are read as 32-bit words here, and planes as two words for each of theirs.
const _: () = assert!(
    cfg!(target_endian = "little"),
    "blocks are laid out little-endian"
);

/// A condition of one column of at most 32 bits against a constant. 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    /// The 32-bit word of the block at which lane 0's value lies.
    first_word: u32,
    /// The value's bits in a word.
    mask: u32,
    /// The bits to turn where the value is negative: [`FLOAT`] or [`WHOLE`].
    flip: u32,
    /// The least value that passes, and how far the greatest lies above it.
    least: i32,
    span: u32,
    /// Logarithm of the bits that a value takes; [`GENERAL`] if the expression machine must say.
    shift: u8,
    /// Whether what lies outside the range passes instead.
    outside: bool,
}

const _: () = assert!(size_of::<Test>() == 24);

/// 32-bit words of a line.
const LINE_WORDS: u32 = 16;
// The widest blackboard there can be, all of it u64, still has its words numbered in 32 bits.
const _: () = assert!((MAX_VALUES as u64 * 64).next_power_of_two() * LINE_WORDS as u64 <= 1 << 32);

/// No logarithm of any width.
const GENERAL: u8 = u8::MAX;

/// Negative floats are ordered the other way round: all bits but the sign are turned.
const FLOAT: u32 = 0x7fff_ffff;
/// Whole numbers are in order.
const WHOLE: u32 = 0;

/// The order of values as an order of integers.
#[inline(always)]
const fn key(bits: u32, flip: u32) -> i32 {
    let negative = (bits as i32 >> 31) as u32;
    (bits ^ (negative & flip)) as i32
}

/// The values for which `value cmp constant` holds, as a range from least to greatest, and whether
/// it is what lies outside that does; `None` if no range says it.
///
/// `lowest` and `highest` are the least and greatest value that may hold at all; `below` and `above`
/// the neighbours of what equals the constant, which is `equal`.
fn range(cmp: Comparison, [lowest, highest]: [i64; 2], equal: [i64; 2]) -> ([i64; 2], bool) {
    let [first, last] = equal;
    match cmp {
        Comparison::Lt => ([lowest, first - 1], false),
        Comparison::Le => ([lowest, last], false),
        Comparison::Gt => ([last + 1, highest], false),
        Comparison::Ge => ([first, highest], false),
        Comparison::Eq => (equal, false),
        Comparison::Ne => (equal, true),
    }
}

impl Test {
    const GENERAL: Test = Test {
        first_word: 0,
        mask: 0,
        flip: WHOLE,
        least: 0,
        span: 0,
        shift: GENERAL,
        outside: false,
    };

    /// One for each expression of a shape.
    pub(crate) fn of(shape: &Shape) -> Box<[Test]> {
        let test = |predicate: &Predicate| match *predicate {
            Predicate::Bool { column, wanted } => {
                Test::whole(shape, column, 0, Comparison::Eq, wanted.into())
            }
            Predicate::U8 { column, cmp, value } => Test::whole(shape, column, 3, cmp, value),
            Predicate::U16 { column, cmp, value } => Test::whole(shape, column, 4, cmp, value),
            Predicate::I32 { column, cmp, value } => Test::whole(shape, column, 5, cmp, value),
            Predicate::F32 { column, cmp, value } => Test::float(shape, column, cmp, value),
            Predicate::U64 { .. } | Predicate::General(_) => Test::GENERAL,
        };
        shape.predicates().iter().map(test).collect()
    }

    fn whole(shape: &Shape, column: ColumnIndex, shift: u8, cmp: Comparison, value: i32) -> Test {
        let all = [i32::MIN.into(), i32::MAX.into()];
        let (passes, outside) = range(cmp, all, [value.into(); 2]);
        Test::new(shape, column, shift, WHOLE, passes, outside)
    }

    fn float(shape: &Shape, column: ColumnIndex, cmp: Comparison, value: f32) -> Test {
        if cmp == Comparison::Ne || value.is_nan() {
            // What is unequal lies on both sides, but a NaN does not.
            return Test::GENERAL;
        }
        let key = |value: f32| i64::from(key(value.to_bits(), FLOAT));
        let all = [key(f32::NEG_INFINITY), key(f32::INFINITY)];
        let equal = if value == 0.0 {
            [key(-0.0), key(0.0)]
        } else {
            [key(value); 2]
        };
        let (passes, outside) = range(cmp, all, equal);
        Test::new(shape, column, 5, FLOAT, passes, outside)
    }

    fn new(
        shape: &Shape,
        column: ColumnIndex,
        shift: u8,
        flip: u32,
        [least, greatest]: [i64; 2],
        outside: bool,
    ) -> Test {
        // An empty range is everything, turned outside.
        let empty = least > greatest;
        let (least, greatest) = if empty {
            (i32::MIN.into(), i32::MAX.into())
        } else {
            (least, greatest)
        };
        Test {
            first_word: shape.layout().columns[column.at()] * LINE_WORDS,
            least: least as i32,
            span: (greatest - least) as u32,
            mask: u32::MAX >> (32 - (1u32 << shift)),
            flip,
            shift,
            outside: outside != empty,
        }
    }

    /// Whether the lane's actor passes; `None` if the expression machine must say.
    #[inline(always)]
    pub(crate) fn holds(&self, lines: &[Plane], lane: usize) -> Option<bool> {
        if self.shift == GENERAL {
            return None;
        }
        let words: &[u32] = bytemuck::cast_slice(lines);
        let bit = lane << self.shift;
        let found = (words[self.first_word as usize + bit / 32] >> (bit % 32)) & self.mask;
        Some(self.passes(found))
    }

    #[inline(always)]
    fn passes(&self, found: u32) -> bool {
        let above = (key(found, self.flip) as u32).wrapping_sub(self.least as u32);
        (above <= self.span) != self.outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_tree::{Tree, compile, condition, selector};

    const COMPARISONS: [(&str, Comparison); 6] = [
        ("<", Comparison::Lt),
        ("<=", Comparison::Le),
        (">", Comparison::Gt),
        (">=", Comparison::Ge),
        ("==", Comparison::Eq),
        ("!=", Comparison::Ne),
    ];

    fn shape() -> Shape {
        let tree = Tree::build("t").column("f", 0.0_f32).column("i", 0_i32);
        compile(&tree.root(selector([condition("f > i")]))).expect("compiles")
    }

    #[test]
    fn ranges_say_what_comparisons_of_whole_numbers_say() {
        let shape = shape();
        let values = [
            i32::MIN,
            i32::MIN + 1,
            -2,
            -1,
            0,
            1,
            2,
            255,
            65_535,
            i32::MAX - 1,
            i32::MAX,
        ];
        for (text, cmp) in COMPARISONS {
            for constant in values {
                let test = Test::whole(&shape, ColumnIndex(1), 5, cmp, constant);
                for value in values {
                    let expected = cmp.i32(value, constant);
                    assert_eq!(
                        test.passes(value as u32),
                        expected,
                        "{value} {text} {constant}"
                    );
                }
            }
        }
    }

    #[test]
    fn ranges_say_what_comparisons_of_floats_say() {
        let shape = shape();
        let values = [
            f32::NEG_INFINITY,
            f32::MIN,
            -1.0,
            -1e-45,
            -0.0,
            0.0,
            1e-45,
            f32::MIN_POSITIVE,
            0.3,
            1.0,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            -f32::NAN,
            f32::from_bits(0x7f80_0001),
            f32::from_bits(0xffff_ffff),
        ];
        for (text, cmp) in COMPARISONS {
            for constant in values {
                let test = Test::float(&shape, ColumnIndex(0), cmp, constant);
                for value in values.into_iter().filter(|_| test.shift != GENERAL) {
                    let expected = cmp.f32(value, constant);
                    assert_eq!(
                        test.passes(value.to_bits()),
                        expected,
                        "{value} {text} {constant}"
                    );
                }
            }
        }
    }
}
