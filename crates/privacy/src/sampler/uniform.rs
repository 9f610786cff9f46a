//! Uniform integers below a bound, without bias: words that do not divide evenly are rejected.

use crate::random::Generator;
use num_bigint::BigUint;

/// Uniform on `0..n` (Lemire 2019: the high half of a product, its low half rejected where it is uneven).
///
/// `n` is positive. Expected words: 1/(1 − (2⁶⁴ mod n)/2⁶⁴), below 2 and about 1 for small `n`.
#[inline]
pub fn below_u64(generator: &mut Generator, n: u64) -> u64 {
    debug_assert!(n > 0);
    let mut product = u128::from(generator.next_u64()) * u128::from(n);
    if (product as u64) < n {
        let uneven = n.wrapping_neg() % n;
        while (product as u64) < uneven {
            product = u128::from(generator.next_u64()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

/// Uniform on `0..n`: as many bits as `n − 1` has, drawn again while they are not below `n`.
///
/// `n` is positive. Expected words: below 4 (two per try, and more than half of the tries succeed).
pub fn below_u128(generator: &mut Generator, n: u128) -> u128 {
    debug_assert!(n > 0);
    if let Ok(small) = u64::try_from(n) {
        return u128::from(below_u64(generator, small));
    }
    let spare = (n - 1).leading_zeros();
    loop {
        let word = u128::from(generator.next_u64()) << 64 | u128::from(generator.next_u64());
        let candidate = word >> spare;
        if candidate < n {
            return candidate;
        }
    }
}

/// Uniform on `0..n`, for `n` of any size: bits are drawn again while they are not below `n`.
///
/// `n` is positive. Expected words: below 2⌈bits(n − 1)/64⌉; none for `n` = 1.
pub fn below_big(generator: &mut Generator, n: &BigUint) -> BigUint {
    debug_assert!(*n > BigUint::ZERO);
    let bits = (n - 1u32).bits();
    loop {
        let candidate = bits_big(generator, bits);
        if candidate < *n {
            return candidate;
        }
    }
}

/// Uniform on `0..2^bits`. Words: ⌈bits/64⌉.
pub fn bits_big(generator: &mut Generator, bits: u64) -> BigUint {
    let words = bits.div_ceil(64);
    let halves = (0..words).map(|_| generator.next_u64()).flat_map(|word| [word as u32, (word >> 32) as u32]);
    BigUint::new(halves.collect()) >> (words * 64 - bits)
}
