//! Coins and uniform integers against their probabilities.

use super::super::bernoulli::{self, exp_q64};
use super::super::bounds::exp_minus;
use super::super::uniform::{below_big, below_u64, below_u128, bits_big};
use super::verdict::chi2;
use super::{generator, many};
use crate::random::Generator;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use proptest::prelude::*;

/// Bernstein: the number of heads is off by more than √(2vx) + x/3 with probability at most 2e⁻ˣ; x = 15.
#[track_caller]
fn lands(n: usize, probability: f64, mut coin: impl FnMut() -> bool) {
    let heads = (0..n).filter(|_| coin()).count() as f64;
    let n = n as f64;
    let allowed = (2.0 * n * probability * (1.0 - probability) * 15.0).sqrt() + 5.0;
    assert!((heads - n * probability).abs() <= allowed, "{heads} heads of {n}, probability {probability}");
}

#[test]
fn coins_of_rational_probability() {
    let mut stream = generator(200);
    for (p, q) in [(0u64, 1u64), (1, 1), (1, 2), (1, 3), (1, 1_000_000), (6, 7), ((1 << 63) + 1, u64::MAX)] {
        lands(many(), p as f64 / q as f64, || bernoulli::ratio(&mut stream, p, q));
        let (p, q) = (BigUint::from(p) << 100u32, BigUint::from(q) << 100u32);
        let probability = p.to_f64().unwrap_or(0.0) / q.to_f64().unwrap_or(1.0);
        lands(many() / 10, probability, || bernoulli::ratio_big(&mut stream, &p, &q));
    }
}

/// Exponents 0, tiny, with no finite binary form, 1, above 1, large, and so large that a head would be a miracle.
const EXPONENTS: [(u64, u64); 11] = [
    (0, 1),
    (1, u64::MAX),
    (1, 1_000_000),
    (1, 3),
    (1, 2),
    (1, 1),
    (7, 3),
    (u64::MAX, u64::MAX - 1),
    (10, 1),
    (200, 1),
    (u64::MAX, 1),
];

#[test]
fn coins_of_exponential_probability() {
    let mut stream = generator(201);
    for (p, q) in EXPONENTS {
        let probability = (-(p as f64) / q as f64).exp();
        lands(many(), probability, || bernoulli::exp(&mut stream, p, q));
        let (p, q) = (BigUint::from(p), BigUint::from(q));
        lands(many() / 5, probability, || bernoulli::exp_big(&mut stream, &p, &q));
        // From no digits at all: the comparison that 64 digits leave to chance 2⁻⁵⁸.
        let digits = || bernoulli::Digits::new(0, 0).below(&mut stream, |bits| exp_minus(&p, &q, bits));
        lands(2000, probability, digits);
    }
}

/// The check on coins has power: a probability off by one part in a hundred is found.
#[test]
#[should_panic(expected = "heads")]
fn a_coin_that_is_off() {
    let mut stream = generator(202);
    lands(many(), (-1f64 / 3.0).exp(), || bernoulli::exp(&mut stream, 101, 300));
}

fn uniform(n: u128, mut draw: impl FnMut() -> u128) {
    let classes = n.min(16);
    let mut observed = vec![0.0; classes as usize];
    for _ in 0..many() / 5 {
        let x = draw();
        assert!(x < n);
        // Stretches of equal length but for one unit.
        let class = if n <= 16 { x } else { x / n.div_ceil(classes) };
        observed[class as usize] += 1.0;
    }
    let share = |i: u128| {
        let step = n.div_ceil(classes);
        ((step * (i + 1)).min(n) - (step * i).min(n)) as f64 / n as f64
    };
    let shares: Vec<f64> = (0..classes).map(share).collect();
    chi2("uniform", &observed, &shares).unwrap_or_else(|failed| panic!("below {n}: {failed}"));
}

/// Bounds that do not divide the range of the words, up to those where half of the words are rejected.
#[test]
fn uniform_integers() {
    let mut stream = generator(203);
    for n in [1, 2, 3, 7, 10, 1000, (1 << 62) + 1, (1 << 63) + 1, u64::MAX] {
        uniform(n.into(), || below_u64(&mut stream, n).into());
    }
    for n in [1, 5, (1 << 64) - 1, 1 << 64, (1 << 64) + 1, (1 << 100) + (1 << 99) + 1, 1 << 120] {
        uniform(n, || below_u128(&mut stream, n));
        let big = BigUint::from(n);
        uniform(n, || below_big(&mut stream, &big).to_u128().expect("below n"));
    }
}

#[test]
fn a_bound_of_one_takes_no_word() {
    let (mut stream, mut again) = (generator(204), generator(204));
    assert_eq!(below_big(&mut stream, &BigUint::from(1u32)), BigUint::ZERO);
    assert_eq!(bits_big(&mut stream, 0), BigUint::ZERO);
    assert_eq!(stream.next_u64(), again.next_u64());
}

/// exp(−p/q)·2¹⁹², from another implementation (Python's decimal module, 120 digits).
#[test]
fn exponentials_enclose_their_digits() {
    for (p, q, digits) in [
        (1u32, 1u32, "5e2d58d8b3bcdf1abadec7829054f90dda9805aab56c7733"),
        (1, 3, "b76e989179752689c5984c9c50ebe4c9a86a1feb960e6212"),
        (7, 3, "18d327a69b3be5a89091f41b3ea83993a6784a0d55521f55"),
        (1, 1000, "ffbe7f2b78d4edd22e4295a3f09843f72bb3b131814e8ffd"),
        (50, 1, "e92beaa3f041f6b8ed658ce62ba754"),
    ] {
        let expected = BigUint::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal");
        let bounds = exp_minus(&p.into(), &q.into(), 192);
        assert!(bounds.lo <= &expected + 1u32 && expected <= bounds.hi, "exp(-{p}/{q})");
        assert!(&bounds.hi - &bounds.lo <= BigUint::from(2u32), "exp(-{p}/{q}) is not known well");
        // Fewer places enclose the same number.
        let coarse = exp_minus(&p.into(), &q.into(), 70);
        assert!(coarse.lo <= &expected >> 122 && (&expected >> 122) <= coarse.hi);
    }
    let nothing = exp_minus(&BigUint::from(1u64 << 60), &BigUint::from(1u32), 64);
    assert_eq!((nothing.lo, nothing.hi), (BigUint::ZERO, BigUint::from(1u32)));
}

proptest! {
    /// The 64-bit exponential encloses the one of any precision.
    #[test]
    fn words_enclose_exponentials(whole in 0u64..70, fraction: u64, cut in 0u32..64) {
        let g = u128::from(whole) << 64 | u128::from(fraction >> cut);
        let (lo, hi) = exp_q64(g);
        let exact = exp_minus(&BigUint::from(g), &(BigUint::from(1u32) << 64), 128);
        prop_assert!(BigUint::from(lo) << 64 <= exact.hi);
        prop_assert!(BigUint::from(hi) << 64 >= exact.lo);
        prop_assert!(lo <= hi && hi - lo < 64);
    }

    #[test]
    fn whatever_the_fraction_a_coin_lands(p: u64, q in 1u64.., key in 1u8..) {
        let mut stream: Generator = generator(key);
        bernoulli::exp(&mut stream, p, q);
    }
}
