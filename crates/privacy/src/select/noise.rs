//! The noise of each mechanism as a function of a uniform number U, once in binary64 with a radius, once in
//! intervals that narrow as U gets more digits.

use super::approximate;
use super::exact::{self, Interval};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

/// What is added to a candidate's log-weight ln w + t·score before the largest sum wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// −ln E with E = −ln(1 − U): a standard Gumbel variable, the noise of the exponential mechanism.
    Gumbel,
    /// −ln U: a standard exponential variable, the noise of permute-and-flip.
    Exponential,
}

/// 2⁶⁴.
const ALL: f64 = (1u128 << 64) as f64;

impl Noise {
    /// (centre, radius): every U in [u, u + 1]·2⁻⁶⁴ has its noise within the radius of the centre. The radius is
    /// infinite at the ends, where the noise is unbounded.
    pub(super) fn near(self, u: u64) -> (f64, f64) {
        match self {
            Noise::Exponential => exponential_near(u),
            Noise::Gumbel => gumbel_near(u),
        }
    }

    /// The noise for U in [a, a + 1]·2⁻ᵐ; `None` when more digits of U are needed to bound it.
    pub(super) fn within(self, a: &BigUint, m: u32, precision: u32) -> Option<Interval> {
        match self {
            Noise::Exponential => exponential_within(a, m, precision),
            Noise::Gumbel => gumbel_within(a, m, precision),
        }
    }
}

/// Radius: 2⁻⁴¹ from the logarithm, 2⁻⁵² because u is rounded to 53 digits, and ln((u + 1)/u) ≤ 1/u, which is
/// doubled to cover the rounding of the quotient and the sum.
fn exponential_near(u: u64) -> (f64, f64) {
    if u == 0 {
        return (0.0, f64::INFINITY);
    }
    let u = u as f64;
    (-approximate::ln(u / ALL), 2.0 * approximate::LN_ERROR + 2.0 / u)
}

/// Radius: below U = 1/4, E = 2·atanh(U/(2 − U)) has a relative error of 2⁻⁴⁹; above, E ≥ 0.28 has an absolute
/// one of 2⁻⁴¹ + 2⁻⁵², hence a relative one below 2⁻³⁹; the logarithm of E adds 2⁻⁴¹, so 2⁻³⁸ holds all. From
/// u to u + 1, E grows by at most 1/(v − 1) with v = 2⁶⁴ − u, and E ≥ u·2⁻⁶⁴, so −ln E falls by at most
/// 2⁶⁴/u/(v − 1); twice that covers the roundings.
fn gumbel_near(u: u64) -> (f64, f64) {
    if u == 0 {
        return (0.0, f64::INFINITY);
    }
    let rest = u.wrapping_neg();
    let (low, high) = (u as f64 / ALL, rest as f64 / ALL);
    let waiting =
        if u < 1 << 62 { approximate::double_atanh(low / (2.0 - low)) } else { -approximate::ln(high) };
    let width = 2.0 / low / (rest - 1) as f64;
    (-approximate::ln(waiting), 8.0 * approximate::LN_ERROR + width)
}

fn exponential_within(a: &BigUint, m: u32, precision: u32) -> Option<Interval> {
    if a.is_zero() {
        return None;
    }
    let shift = -i64::from(m);
    let hi = -exact::ln(a, shift, precision).lo;
    let lo = -exact::ln(&(a + 1u8), shift, precision).hi;
    Some(Interval { lo, hi })
}

fn gumbel_within(a: &BigUint, m: u32, precision: u32) -> Option<Interval> {
    let rest = (BigUint::from(1u8) << m) - a;
    if rest <= BigUint::from(1u8) {
        return None;
    }
    let shift = -i64::from(m);
    let soonest: BigInt = -exact::ln(&rest, shift, precision).hi;
    let latest: BigInt = -exact::ln(&(rest - 1u8), shift, precision).lo;
    let soonest = soonest.to_biguint().filter(|waiting| !waiting.is_zero())?;
    let shift = -i64::from(precision);
    let hi = -exact::ln(&soonest, shift, precision).lo;
    let lo = -exact::ln(&latest.to_biguint()?, shift, precision).hi;
    Some(Interval { lo, hi })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    const BOTH: [Noise; 2] = [Noise::Gumbel, Noise::Exponential];

    /// The exact interval for u in units of 1, as binary64.
    fn exact(noise: Noise, u: u64) -> Option<(f64, f64)> {
        let interval = noise.within(&BigUint::from(u), 64, 160)?;
        let unit = |x: &BigInt| x.to_f64().expect("it fits") / 2f64.powi(160);
        Some((unit(&interval.lo), unit(&interval.hi)))
    }

    fn check(u: u64) {
        for noise in BOTH {
            let (centre, radius) = noise.near(u);
            match exact(noise, u) {
                Some((lo, hi)) => assert!(centre - radius <= lo && hi <= centre + radius, "{noise:?} {u:x}"),
                None => assert_eq!(radius, f64::INFINITY, "{noise:?} {u:x}"),
            }
        }
    }

    #[test]
    fn radii_hold_at_the_ends() {
        for u in (0..64).map(|i| 1u64 << i).flat_map(|u| [u - 1, u, u + 1]) {
            check(u);
            check(!u);
        }
    }

    #[test]
    fn radii_are_small_where_candidates_win() {
        for u in [1u64 << 36, 1 << 44, 1 << 62, 1 << 63, 0xffff << 48, !(1 << 36)] {
            assert!(BOTH.iter().all(|noise| noise.near(u).1 < 1e-9));
        }
    }

    #[test]
    fn unbounded_noise_asks_for_digits() {
        assert_eq!(Noise::Exponential.within(&BigUint::zero(), 80, 96), None);
        assert_eq!(Noise::Gumbel.within(&BigUint::zero(), 80, 96), None);
        assert_eq!(Noise::Gumbel.within(&((BigUint::from(1u8) << 80) - 1u8), 80, 96), None);
    }

    proptest! {
        #[test]
        fn radii_hold(u: u64, zeros in 0u32..64) {
            check(u >> zeros);
            check(!(u >> zeros));
        }

        #[test]
        fn intervals_shrink_into_each_other(u in 1u64.., more: u64) {
            for noise in BOTH {
                let coarse = noise.within(&BigUint::from(u), 64, 96);
                let fine = noise.within(&((BigUint::from(u) << 64) + more), 128, 160);
                if let (Some(coarse), Some(fine)) = (coarse, fine) {
                    prop_assert!((&coarse.lo - 1) << 64 <= fine.lo && fine.hi <= (&coarse.hi + 1) << 64);
                }
            }
        }
    }
}
