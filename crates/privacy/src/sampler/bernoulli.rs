//! Coins with exact probabilities: p/q, and exp(−p/q).
//!
//! There are two exact ways to exp(−γ). [`exp_big`] is Algorithm 1 of Canonne, Kamath and Steinke (2020), "The
//! discrete Gaussian for differential privacy": only coins of rational probability, on integers of any size.
//! [`exp`] compares a uniform real number with exp(−γ) digit by digit: 64 bits of both decide except with
//! probability 2⁻⁵⁸, and otherwise more digits of both are computed until they differ ([`Digits`]).

use super::bounds::{Bounds, exp_minus};
use super::uniform::{below_big, below_u64};
use crate::random::Generator;
use num_bigint::BigUint;
use num_integer::Integer;

/// One with probability p/q, else zero. `p` ≤ `q`, `q` positive. Expected words: below 2.
pub fn ratio(generator: &mut Generator, p: u64, q: u64) -> bool {
    debug_assert!(p <= q);
    below_u64(generator, q) < p
}

/// One with probability p/q, else zero. `p` ≤ `q`, `q` positive. Expected words: below 2⌈bits(q)/64⌉.
pub fn ratio_big(generator: &mut Generator, p: &BigUint, q: &BigUint) -> bool {
    debug_assert!(p <= q);
    below_big(generator, q) < *p
}

/// One with probability exp(−p/q), else zero: Algorithm 1 of Canonne, Kamath and Steinke (2020).
///
/// `q` positive. Expected coins of rational probability: below 3 where p ≤ q, below 6 for any `p`.
pub fn exp_big(generator: &mut Generator, p: &BigUint, q: &BigUint) -> bool {
    let (mut whole, rest) = p.div_rem(q);
    let one = BigUint::from(1u32);
    while whole > BigUint::ZERO {
        if !exp_within_one(generator, &one, &one) {
            return false;
        }
        whole -= 1u32;
    }
    exp_within_one(generator, &rest, q)
}

/// The case 0 ≤ p/q ≤ 1: the number of successes of coins γ/1, γ/2, γ/3, … before the first failure is even with
/// probability 1 − γ + γ²/2! − … = exp(−γ).
fn exp_within_one(generator: &mut Generator, p: &BigUint, q: &BigUint) -> bool {
    let mut denominator = q.clone();
    let mut even = true;
    while ratio_big(generator, p, &denominator) {
        even = !even;
        denominator += q;
    }
    even
}

/// One with probability exp(−p/q), else zero. `q` positive. Words: 1, and more with probability below 2⁻⁵⁸.
pub fn exp(generator: &mut Generator, p: u64, q: u64) -> bool {
    debug_assert!(q > 0);
    let whole = u128::from(p / q) << 64;
    let rest = (u128::from(p % q) << 64) / u128::from(q);
    let gamma = Gamma { lo: whole + rest, hi: whole + rest + 1 };
    let uniform = generator.next_u64();
    compare(generator, uniform, gamma, || (BigUint::from(p), BigUint::from(q)))
}

/// An exponent γ ≥ 0 between two multiples of 2⁻⁶⁴.
#[derive(Debug, Clone, Copy)]
pub struct Gamma {
    /// At most γ·2⁶⁴.
    pub lo: u128,
    /// At least γ·2⁶⁴.
    pub hi: u128,
}

/// Whether the uniform real number that begins with the 64 bits `uniform` is below exp(−γ).
pub(super) fn compare(
    generator: &mut Generator,
    uniform: u64,
    gamma: Gamma,
    exact: impl FnOnce() -> (BigUint, BigUint),
) -> bool {
    // exp is decreasing: the least value comes from the greatest exponent.
    if u128::from(uniform) < exp_q64(gamma.hi).0 {
        return true;
    }
    if u128::from(uniform) >= exp_q64(gamma.lo).1 {
        return false;
    }
    let (p, q) = exact();
    Digits::new(uniform, 64).below(generator, |bits| exp_minus(&p, &q, bits))
}

/// exp(−g/2⁶⁴)·2⁶⁴ between two integers less than 64 apart.
pub(super) fn exp_q64(g: u128) -> (u128, u128) {
    const ONE: u128 = 1 << 64;
    /// 21! > 2⁶⁵: the series may stop at the 21st term.
    const TERMS: u64 = 21;
    let whole = (g >> 64) as u64;
    if whole >= 64 {
        return (0, 1);
    }
    let fraction = g & (ONE - 1);
    // exp(−x) = 1 − x(1 − x/2(1 − x/3(…))), each bracket within [0, 1]. What is cut from a product makes the next
    // bracket too large: e_k ≤ (e_{k+1} + 2)/k + 1 units, which is below 7 for k = 1.
    let mut bracket = ONE;
    for k in (1..=TERMS).rev() {
        // Below 2⁶⁴, because the fraction is: one word is divided.
        bracket = ONE - u128::from(((fraction * (bracket >> 1)) >> 63) as u64 / k);
    }
    let (mut lo, mut hi) = (bracket - 8, (bracket + 8).min(ONE));
    if fraction == 0 {
        (lo, hi) = (ONE, ONE);
    }
    for (i, power) in POWERS.iter().enumerate() {
        if whole >> i & 1 == 1 {
            lo = ((lo >> 1) * u128::from(*power)) >> 63;
            hi = ((((hi >> 1) + 1) * (u128::from(*power) + 1)) >> 63) + 1;
        }
    }
    (lo, hi)
}

/// ⌊exp(−2^i)·2⁶⁴⌋ for i = 0..6.
const POWERS: [u64; 6] = [
    6_786_177_901_268_885_274,
    2_496_495_334_008_788_799,
    337_863_903_126_961_437,
    6_188_193_243_211_692,
    2_075_907_567_336,
    233_612,
];

/// A uniform real number in [0, 1), of which only so many binary digits are drawn as a comparison needs.
#[derive(Debug)]
pub struct Digits {
    drawn: BigUint,
    bits: u64,
}

impl Digits {
    /// The number whose first `bits` digits are those of `drawn`.
    pub fn new(drawn: u64, bits: u64) -> Self {
        Self { drawn: BigUint::from(drawn), bits }
    }

    /// Whether the number is below the real number that `at` encloses, to as many bits as it is asked for.
    ///
    /// Exact: it answers only when every continuation of the drawn digits gives the same answer.
    /// Expected words: less than 2; each further word is needed with probability 2⁻⁶⁰ or so.
    pub fn below(mut self, generator: &mut Generator, at: impl Fn(u64) -> Bounds) -> bool {
        loop {
            if let Some(answer) = self.compare(&at(self.bits + 64)) {
                return answer;
            }
            self.extend(generator);
        }
    }

    /// Whether it is below what `bounds` enclose; none if the digits drawn so far do not tell.
    pub(super) fn compare(&self, bounds: &Bounds) -> Option<bool> {
        let scale = bounds.bits - self.bits;
        if (&self.drawn + 1u32) << scale <= bounds.lo {
            return Some(true);
        }
        (&self.drawn << scale >= bounds.hi).then_some(false)
    }

    /// Draws 64 more digits.
    pub(super) fn extend(&mut self, generator: &mut Generator) {
        self.drawn = (&self.drawn << 64) | BigUint::from(generator.next_u64());
        self.bits += 64;
    }

    /// How many digits are drawn.
    pub(super) fn bits(&self) -> u64 {
        self.bits
    }
}
