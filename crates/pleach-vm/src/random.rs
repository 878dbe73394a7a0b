//! Counter-based random numbers (T6).
//!
//! A draw is a pure function of (seed, actor, node, draw): no state, so any kernel, thread or
//! order of actors gets the same number. The mixing is the finaliser of SplitMix64 (Steele, Lea,
//! Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014), applied once for each
//! part of the key.

/// The increment of SplitMix64: 2^64 by the golden ratio, odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// 64 random bits for a key.
#[inline(always)]
pub const fn draw(seed: u64, actor: u64, node: u32, draw: u64) -> u64 {
    let z = mix(seed.wrapping_add(GOLDEN));
    let z = mix(z ^ actor.wrapping_mul(GOLDEN));
    let z = mix(z.wrapping_add(node as u64).wrapping_add(GOLDEN));
    mix(z ^ draw.wrapping_mul(GOLDEN))
}

/// A number in `0..bound` (0 for a bound of 0): the high half of a product, without a division.
/// The bias is below `bound / 2^64`.
#[inline]
pub const fn below(bits: u64, bound: u64) -> u64 {
    ((bits as u128 * bound as u128) >> 64) as u64
}

/// A number in `[0, 1)` with 24 random bits, exact in `f32`.
#[inline]
pub const fn unit(bits: u64) -> f32 {
    (bits >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_key_matters() {
        let base = draw(1, 2, 3, 4);
        assert_eq!(base, draw(1, 2, 3, 4));
        for other in [
            draw(2, 2, 3, 4),
            draw(1, 3, 3, 4),
            draw(1, 2, 4, 4),
            draw(1, 2, 3, 5),
        ] {
            // Half of the bits differ, give or take.
            assert!((16..48).contains(&(base ^ other).count_ones()));
        }
    }

    #[test]
    fn bounded_draws_are_even() {
        let mut counts = [0u32; 6];
        for index in 0..60_000 {
            counts[below(draw(7, index, 0, 0), 6) as usize] += 1;
            let unit = unit(draw(7, index, 1, 0));
            assert!((0.0..1.0).contains(&unit));
        }
        // Standard deviation about 91; six of them.
        assert!(
            counts.iter().all(|&count| (9_450..10_550).contains(&count)),
            "{counts:?}"
        );
    }
}
