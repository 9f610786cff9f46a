//! The scale of a noise law: a fraction that the samplers take exactly as it is.

use marginalia_tables::error::{Code, Error, Result};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A positive fraction in lowest terms, its numerator at most 2⁹⁶ and its denominator at most 2⁶⁴ − 1: the `b` of
/// a discrete Laplace law, the `σ²` of a discrete Gaussian one. Always the value that is drawn from and charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    numerator: u128,
    denominator: u64,
}

/// The largest numerator.
const NUMERATOR_MAX: u128 = 1 << 96;

impl Scale {
    /// The least scale that is at least `requested`: more noise, never less, and exactly `requested` where its
    /// lowest terms are within the limits. Refused unless 0 < `requested` ≤ 2⁹⁶.
    #[inline(never)]
    pub fn at_least(requested: &BigRational) -> Result<Self> {
        if !requested.is_positive() || *requested > BigRational::from(BigInt::from(NUMERATOR_MAX)) {
            let message = "the scale of the noise must be above 0 and at most 2^96: ask for another budget";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let limits = (BigInt::from(NUMERATOR_MAX), BigInt::from(u64::MAX));
        let (numerator, denominator) = least_above(requested, &limits);
        match (numerator.to_u128(), denominator.to_u64()) {
            (Some(numerator), Some(denominator)) => Ok(Self { numerator, denominator }),
            _ => unreachable!("the search stays within the limits"),
        }
    }

    /// The numerator, in lowest terms.
    pub fn numerator(&self) -> BigUint {
        BigUint::from(self.numerator)
    }

    /// The denominator, in lowest terms.
    pub fn denominator(&self) -> BigUint {
        BigUint::from(self.denominator)
    }

    /// The exact value, for the account.
    pub fn to_ratio(self) -> BigRational {
        BigRational::new(BigInt::from(self.numerator), BigInt::from(self.denominator))
    }

    /// The value to about 16 digits, for variances and plans; no sampler uses it.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl std::fmt::Display for Scale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.to_ratio())
    }
}

/// A numerator and a denominator; 1/0 stands for infinity.
type Pair = (BigInt, BigInt);

/// The least fraction within the limits that is at least `x`, which is positive and at most the largest numerator.
///
/// A walk down the Stern–Brocot tree between below < x ≤ above. Every fraction strictly between neighbours is at
/// least their mediant in numerator and denominator, so when the mediant leaves the limits nothing within them
/// lies between x and `above`.
fn least_above(x: &BigRational, limits: &Pair) -> Pair {
    let mut below = (BigInt::zero(), BigInt::one());
    let mut above = (BigInt::one(), BigInt::zero());
    loop {
        // As many steps at once as keep the moved neighbour on its side: first `below`, then `above`.
        let gap = beyond(x, &below);
        let reach = -beyond(x, &above);
        let steps = if reach.is_zero() { None } else { Some((gap - 1i32) / reach) };
        let moved = advance(&below, &above, steps, limits);
        let stuck = moved == below;
        below = moved;
        let steps = -beyond(x, &above) / beyond(x, &below);
        let moved = advance(&above, &below, Some(steps), limits);
        if stuck && moved == above {
            return above;
        }
        above = moved;
    }
}

/// x − p/q, times both denominators.
#[inline(never)]
fn beyond(x: &BigRational, (p, q): &Pair) -> BigInt {
    x.numer() * q - p * x.denom()
}

/// `from + k·towards` for the greatest k that is at most `steps` and stays within the limits.
#[inline(never)]
fn advance(from: &Pair, towards: &Pair, steps: Option<BigInt>, limits: &Pair) -> Pair {
    let most = [room(&limits.0, &from.0, &towards.0), room(&limits.1, &from.1, &towards.1), steps];
    let k = most.into_iter().flatten().min().unwrap_or_default();
    (&from.0 + &k * &towards.0, &from.1 + &k * &towards.1)
}

/// How often `by` fits between `from` and the limit; always, if it is zero.
#[inline(never)]
fn room(limit: &BigInt, from: &BigInt, by: &BigInt) -> Option<BigInt> {
    (!by.is_zero()).then(|| (limit - from) / by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fraction(p: u128, q: u128) -> BigRational {
        BigRational::new(BigInt::from(p), BigInt::from(q))
    }

    fn at_least(x: &BigRational) -> BigRational {
        Scale::at_least(x).expect("within the limits").to_ratio()
    }

    #[test]
    fn fractions_within_the_limits_stay_as_they_are() {
        for (p, q) in [(1, 1000), (1, 3), (1, 1), (7, 3), (1 << 96, 1), (1, u64::MAX.into()), (1 << 95, 3)] {
            assert_eq!(at_least(&fraction(p, q)), fraction(p, q), "{p}/{q}");
        }
    }

    #[test]
    fn others_are_rounded_up() {
        let smallest = fraction(1, u64::MAX.into());
        assert_eq!(at_least(&fraction(1, u128::MAX / 2)), smallest);
        // Just above 2⁹⁵ only whole numbers and halves have numerators within 2⁹⁶.
        let odd = fraction((1 << 96) * 3 + 1, 6);
        assert_eq!(at_least(&odd), fraction((1 << 95) + 1, 1));
        let just_below_one = fraction((1 << 100) - 1, 1 << 100);
        assert_eq!(at_least(&just_below_one), fraction(1, 1));
    }

    #[test]
    fn what_cannot_be_a_scale_is_refused() {
        for bad in [fraction(0, 1), -fraction(1, 2), fraction((1 << 96) * 2 + 1, 2)] {
            assert_eq!(Scale::at_least(&bad).map_err(|error| error.code), Err(Code::OptionInvalid));
        }
    }

    proptest! {
        /// Against all fractions of small limits.
        #[test]
        fn the_walk_finds_the_least_above(p in 1u32..2000, q in 1u32..2000, most in 1u32..14, parts in 1u32..14) {
            let x = fraction(p.into(), q.into());
            prop_assume!(x <= fraction(most.into(), 1));
            let all = (1..=most).flat_map(|p| (1..=parts).map(move |q| fraction(p.into(), q.into())));
            let (numerator, denominator) = least_above(&x, &(most.into(), parts.into()));
            prop_assert!(numerator <= most.into() && denominator <= parts.into());
            prop_assert_eq!(Some(BigRational::new(numerator, denominator)), all.filter(|y| *y >= x).min());
        }

        #[test]
        fn scales_are_never_below_what_is_asked(p in 1u128.., q in 1u128..) {
            let x = fraction(p, q);
            prop_assume!(x <= fraction(1 << 96, 1));
            let y = at_least(&x);
            prop_assert!(y >= x);
            if p < 1 << 96 && q < 1 << 64 {
                prop_assert_eq!(y, x);
            } else {
                prop_assert!(y <= &x + fraction(1, 1));
            }
        }
    }
}
