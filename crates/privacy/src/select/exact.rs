//! Intervals with integer endpoints, and logarithms in them: what decides when binary64 cannot.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::Zero;
use std::ops::{Add, Sub};

/// All that is known of a real number x: lo ≤ x·2ᵖ ≤ hi, for a precision p that the context fixes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: BigInt,
    pub(super) hi: BigInt,
}

impl Interval {
    /// The interval of a rational number, one unit wide.
    pub(super) fn of_ratio(x: &BigRational, precision: u32) -> Self {
        let lo = (x.numer() << precision).div_floor(x.denom());
        let hi = &lo + 1;
        Self { lo, hi }
    }

    fn times(self, factor: i64) -> Self {
        let (a, b) = (self.lo * factor, self.hi * factor);
        if factor < 0 { Self { lo: b, hi: a } } else { Self { lo: a, hi: b } }
    }

    /// Whether the number is certainly positive, certainly negative, or neither.
    pub(super) fn positive(&self) -> Option<bool> {
        match (self.lo.sign(), self.hi.sign()) {
            (Sign::Plus, _) => Some(true),
            (_, Sign::Minus) => Some(false),
            _ => None,
        }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { lo: self.lo + other.lo, hi: self.hi + other.hi }
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { lo: self.lo - other.hi, hi: self.hi - other.lo }
    }
}

/// ln(x·2ˢ) for x > 0, in an interval of width at most 2·(1 + |e|), where 2ᵉ is the power of two just below.
///
/// x = (1 + f)·2ᵇ with f in [0, 1), and ln(1 + f) = 2·atanh(f/(2 + f)).
pub(super) fn ln(x: &BigUint, shift: i64, precision: u32) -> Interval {
    let top = x.bits() - 1;
    let power = BigUint::from(1u8) << top;
    let mantissa = double_atanh(&(x - &power), &(x + &power), precision);
    let two = double_atanh(&BigUint::from(1u8), &BigUint::from(3u8), precision);
    mantissa + two.times(top as i64 + shift)
}

/// Digits beyond the precision, which take up what the truncations of [`double_atanh`] lose.
const GUARD: u32 = 16;

/// 2·atanh(a/b) for 0 ≤ a/b ≤ 1/3, in an interval two units wide.
///
/// In units of 2⁻⁽ᵖ⁺¹⁶⁾, with every operation rounding down: z loses less than 1, z² less than 5/3, and, since
/// z² ≤ 1/9, each power zᵏ less than 5/9 + loss/9 + 1, so always less than 2. Each term zᵏ/k then loses less
/// than 3; the terms after the last power that is not 0 add up to less than 3. With p ≤ 4,200 there are at most
/// 1,400 terms, so twice the sum is at most 8,406 < 2¹⁶ units too small, and never too large.
fn double_atanh(a: &BigUint, b: &BigUint, precision: u32) -> Interval {
    let unit = precision + GUARD;
    let z = (a << unit) / b;
    let square = (&z * &z) >> unit;
    let (mut power, mut sum, mut odd) = (z, BigUint::zero(), 1u32);
    while !power.is_zero() {
        sum += &power / odd;
        power = (power * &square) >> unit;
        odd += 2;
    }
    let lo = BigInt::from((sum << 1u32) >> GUARD);
    let hi = &lo + 2;
    Interval { lo, hi }
}

#[cfg(test)]
mod tests {
    use super::super::approximate;
    use super::*;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    fn contains(interval: &Interval, decimal: &str, digits: u32, precision: u32) {
        let value: BigInt = decimal.parse().expect("a decimal number");
        let scale = BigInt::from(10u8).pow(digits);
        assert!(&interval.lo * &scale <= (&value + 1) << precision, "{interval:?} is above {decimal}");
        assert!(&interval.hi * &scale >= value << precision, "{interval:?} is below {decimal}");
    }

    #[test]
    fn logarithms_match_published_digits() {
        for precision in [1, 16, 64, 96] {
            let two = ln(&BigUint::from(2u8), 0, precision);
            contains(&two, "693147180559945309417232121458176568", 36, precision);
            let ten = ln(&BigUint::from(10u8), 0, precision);
            contains(&ten, "2302585092994045684017991454684364207", 36, precision);
            let tenth = ln(&BigUint::from(5u8), -2, precision);
            contains(&tenth, "223143551314209755766295090309834503", 36, precision);
        }
    }

    proptest! {
        #[test]
        fn intervals_narrow_and_stay_where_they_were(x in 1u64.., shift in -80i64..80) {
            let (x, mut wide) = (BigUint::from(x), Interval { lo: BigInt::from(-1000), hi: BigInt::from(1000) });
            let mut precision = 0;
            for next in [64, 128, 512, 4200] {
                let narrow = ln(&x, shift, next);
                prop_assert!(&narrow.hi - &narrow.lo <= BigInt::from(2 + 2 * 144));
                prop_assert!(&wide.lo << (next - precision) <= narrow.hi);
                prop_assert!(narrow.lo <= &wide.hi << (next - precision));
                (wide, precision) = (narrow, next);
            }
        }

        #[test]
        fn binary64_logarithms_keep_their_bound(bits in 1u64 << 52..0x7ff0_0000_0000_0000) {
            let x = f64::from_bits(bits);
            let mantissa = BigUint::from(bits & ((1 << 52) - 1) | 1 << 52);
            let exact = ln(&mantissa, (bits >> 52) as i64 - 1075, 128);
            let found = BigRational::from_float(approximate::ln(x)).expect("it is finite");
            let off = (Interval::of_ratio(&found, 128) - exact).hi.to_f64().expect("it fits").abs();
            prop_assert!(off / 2f64.powi(128) <= approximate::LN_ERROR);
        }

        #[test]
        fn binary64_atanh_keeps_its_bound(u in 1u64..1 << 53) {
            let x = u as f64 / 2f64.powi(55);
            let exact = double_atanh(&BigUint::from(u), &BigUint::from((1u64 << 56) - u), 256);
            let found = BigRational::from_float(approximate::double_atanh(x / (2.0 - x))).expect("it is finite");
            let off = (Interval::of_ratio(&found, 256) - exact.clone()).hi.to_f64().expect("it fits").abs();
            prop_assert!(off <= exact.lo.to_f64().expect("it fits") * 2f64.powi(-49));
        }
    }
}
