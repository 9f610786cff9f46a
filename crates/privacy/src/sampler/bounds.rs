//! Real numbers between two integers: fixed-point intervals that are always rounded outwards.

use num_bigint::BigUint;
use num_integer::Integer;

/// A real number x in [0, ∞): lo ≤ x·2^bits ≤ hi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// At most x·2^bits.
    pub lo: BigUint,
    /// At least x·2^bits.
    pub hi: BigUint,
    /// Binary places.
    pub bits: u64,
}

impl Bounds {
    /// The number 1.
    pub fn one(bits: u64) -> Self {
        let one = BigUint::from(1u32) << bits;
        Self { lo: one.clone(), hi: one, bits }
    }

    /// The fraction p/q.
    pub fn ratio(p: &BigUint, q: &BigUint, bits: u64) -> Self {
        let (lo, rest) = (p << bits).div_rem(q);
        let hi = if rest == BigUint::ZERO { lo.clone() } else { &lo + 1u32 };
        Self { lo, hi, bits }
    }

    /// The product; both have the same number of places.
    pub fn times(&self, other: &Self) -> Self {
        let lo = (&self.lo * &other.lo) >> self.bits;
        let hi = shift_up(&self.hi * &other.hi, self.bits);
        Self { lo, hi, bits: self.bits }
    }

    /// Adds another number; both have the same number of places.
    pub fn add(&mut self, other: &Self) {
        self.lo += &other.lo;
        self.hi += &other.hi;
    }

    /// 1/x, for x ≥ 1/2.
    pub fn reciprocal(&self) -> Self {
        let square = BigUint::from(1u32) << (2 * self.bits);
        Self { lo: &square / &self.hi, hi: square.div_ceil(&self.lo), bits: self.bits }
    }

    /// The same number, if it is known to be at most 1.
    pub fn at_most_one(mut self) -> Self {
        // It has more bits than places from 1 on.
        if self.hi.bits() > self.bits {
            self.hi = BigUint::from(1u32) << self.bits;
        }
        self
    }

    /// The same number with fewer places.
    fn truncated(self, bits: u64) -> Self {
        let cut = self.bits - bits;
        Self { lo: self.lo >> cut, hi: shift_up(self.hi, cut), bits }
    }
}

/// ⌈x/2^places⌉.
fn shift_up(x: BigUint, places: u64) -> BigUint {
    let whole = x.trailing_zeros().is_none_or(|zeros| zeros >= places);
    let down = x >> places;
    if whole { down } else { down + 1u32 }
}

/// exp(−p/q), `q` positive, within 2^(1 − bits).
pub fn exp_minus(p: &BigUint, q: &BigUint, bits: u64) -> Bounds {
    // exp(−x) < 2⁻ˣ: the number has no digit that would show.
    if *p >= q * (bits + 1) {
        return Bounds { lo: BigUint::ZERO, hi: BigUint::from(1u32), bits };
    }
    // The exponent is halved until it is at most 1/2, the result squared as often.
    let mut halvings = 0u64;
    while p << 1 > q << halvings {
        halvings += 1;
    }
    let places = bits + 2 * halvings + 32;
    let x = Bounds::ratio(p, &(q << halvings), places);
    let mut power = series(&x);
    for _ in 0..halvings {
        power = power.times(&power);
    }
    power.truncated(bits)
}

/// exp(−x) for 0 ≤ x ≤ 1/2 as 1 − x(1 − x/2(1 − x/3(…))), where each bracket lies in [0, 1].
fn series(x: &Bounds) -> Bounds {
    let one = BigUint::from(1u32) << x.bits;
    let terms = terms(x.bits);
    let mut bracket = Bounds { lo: BigUint::ZERO, hi: one.clone(), bits: x.bits };
    for n in (1..=terms).rev() {
        let product = x.times(&bracket);
        let hi = &one - product.lo / n;
        let lo = &one - product.hi.div_ceil(&BigUint::from(n));
        bracket = Bounds { lo, hi, bits: x.bits };
    }
    bracket
}

/// The least n for which the product of (2i), i ≤ n, provably exceeds 2^bits: xⁿ/n! is then below 2^−bits.
fn terms(bits: u64) -> u64 {
    let (mut n, mut log) = (0u64, 0);
    while log <= bits {
        n += 1;
        log += u64::from(n.ilog2()) + 1;
    }
    n
}
