//! Planes as eight words, in plain Rust.

use std::array;

use bytemuck::Pod;
use pleach_shape::{BLOCK_LANES, Comparison};

use super::{Form, Order, column, column_mut};
use crate::plane::{PLANE_WORDS, Plane};

/// The form of every machine.
#[derive(Clone, Copy)]
pub(super) struct Portable;

type Words = [u64; PLANE_WORDS];

/// A column's values, one a lane.
#[inline(always)]
fn values<T: Pod, const LINES: usize>(lines: &[Plane]) -> &[T; BLOCK_LANES]
where
    [Plane; LINES]: Pod,
{
    bytemuck::cast_ref::<[Plane; LINES], [T; BLOCK_LANES]>(column(lines))
}

/// The lanes that pass.
#[inline(always)]
fn collect(passes: impl Fn(usize) -> bool) -> Words {
    array::from_fn(|word| {
        // A byte a lane first: comparing and narrowing to bytes is what compilers vectorise, while
        // shifting each answer to its bit keeps them from it.
        let mut bytes = [0; 64];
        for (lane, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from(passes(word * 64 + lane));
        }
        squeeze(bytes)
    })
}

/// One bit of each byte, all of which are 0 or 1.
#[inline(always)]
fn squeeze(bytes: [u8; 64]) -> u64 {
    // Byte `i` has its bit at 8·i, and 2^(56 − 7·i) takes it to 56 + i. No two of the other products
    // meet, so that none of them carries into the top byte.
    const TO_TOP: u64 = 0x0102_0408_1020_4080;
    let (eights, _) = bytes.as_chunks::<8>();
    let mut word = 0;
    for (index, &eight) in eights.iter().enumerate() {
        word |= (u64::from_le_bytes(eight).wrapping_mul(TO_TOP) >> 56) << (index * 8);
    }
    word
}

/// The lanes whose whole numbers compare so.
#[inline(always)]
fn whole<T: Ord + Copy>(
    left: &[T; BLOCK_LANES],
    cmp: Comparison,
    right: impl Fn(usize) -> T,
) -> Words {
    let (order, opposite) = Order::of(cmp);
    let words = match order {
        Order::Less => collect(|lane| left[lane] < right(lane)),
        Order::Greater => collect(|lane| left[lane] > right(lane)),
        Order::Equal => collect(|lane| left[lane] == right(lane)),
    };
    let turned = u64::from(opposite).wrapping_neg();
    words.map(|word| word ^ turned)
}

/// The lanes whose floats compare so.
#[inline(always)]
fn floats(left: &[f32; BLOCK_LANES], cmp: Comparison, right: impl Fn(usize) -> f32) -> Words {
    match cmp {
        Comparison::Lt => collect(|lane| left[lane] < right(lane)),
        Comparison::Le => collect(|lane| left[lane] <= right(lane)),
        Comparison::Gt => collect(|lane| left[lane] > right(lane)),
        Comparison::Ge => collect(|lane| left[lane] >= right(lane)),
        Comparison::Eq => collect(|lane| left[lane] == right(lane)),
        // Ordered and unequal.
        Comparison::Ne => collect(|lane| (left[lane] < right(lane)) | (left[lane] > right(lane))),
    }
}

#[inline(always)]
fn zip(a: Words, b: Words, op: impl Fn(u64, u64) -> u64) -> Words {
    array::from_fn(|index| op(a[index], b[index]))
}

impl Form for Portable {
    type Mask = Words;

    #[inline(always)]
    fn empty(self) -> Words {
        [0; PLANE_WORDS]
    }

    #[inline(always)]
    fn load(self, plane: &Plane) -> Words {
        plane.0
    }

    #[inline(always)]
    fn store(self, mask: Words, plane: &mut Plane) {
        plane.0 = mask;
    }

    #[inline(always)]
    fn and(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a ^ b)
    }

    #[inline(always)]
    fn and_not(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a & !b)
    }

    #[inline(always)]
    fn is_empty(self, a: Words) -> bool {
        a.into_iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn compare_u8(self, lines: &[Plane], cmp: Comparison, constant: u8) -> Words {
        whole(values::<u8, 8>(lines), cmp, |_| constant)
    }

    #[inline(always)]
    fn compare_u16(self, lines: &[Plane], cmp: Comparison, constant: u16) -> Words {
        whole(values::<u16, 16>(lines), cmp, |_| constant)
    }

    #[inline(always)]
    fn compare_i32(self, lines: &[Plane], cmp: Comparison, constant: i32) -> Words {
        whole(values::<i32, 32>(lines), cmp, |_| constant)
    }

    #[inline(always)]
    fn compare_u32(self, lines: &[Plane], cmp: Comparison, constant: u32) -> Words {
        whole(values::<u32, 32>(lines), cmp, |_| constant)
    }

    #[inline(always)]
    fn compare_f32(self, lines: &[Plane], cmp: Comparison, constant: f32) -> Words {
        floats(values::<f32, 32>(lines), cmp, |_| constant)
    }

    #[inline(always)]
    fn compare_u64(self, lines: &[Plane], cmp: Comparison, constant: u64) -> Words {
        whole(values::<u64, 64>(lines), cmp, |_| constant)
    }

    #[inline(always)]
    fn pair_i32(self, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Words {
        let right = values::<i32, 32>(right);
        whole(values::<i32, 32>(left), cmp, |lane| right[lane])
    }

    #[inline(always)]
    fn pair_f32(self, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Words {
        let right = values::<f32, 32>(right);
        floats(values::<f32, 32>(left), cmp, |lane| right[lane])
    }

    #[inline(always)]
    fn pair_u64(self, left: &[Plane], cmp: Comparison, right: &[Plane]) -> Words {
        let right = values::<u64, 64>(right);
        whole(values::<u64, 64>(left), cmp, |lane| right[lane])
    }

    #[inline(always)]
    fn fill_u32(self, mask: Words, value: u32, lines: &mut [Plane]) {
        let values: &mut [u32; BLOCK_LANES] = bytemuck::cast_mut(column_mut::<32>(lines));
        let (groups, _) = values.as_chunks_mut::<32>();
        for (index, group) in groups.iter_mut().enumerate() {
            let bits = (mask[index / 2] >> (index % 2 * 32)) as u32;
            for (lane, old) in group.iter_mut().enumerate() {
                // All ones in a lane that stays.
                let stays = ((bits >> lane) & 1).wrapping_sub(1);
                *old = (*old & stays) | (value & !stays);
            }
        }
    }
}
