//! Elementary functions with the same bits on every platform.

use std::f64::consts::LOG2_E;

/// ln 2 in two parts, the first with so few bits that its product with an exponent is exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Added to a small number it leaves its nearest integer in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// 1/k! for k = 0 .. 13: on |r| ≤ ln 2 / 2 what is left out is below 5e-18.
const FACTORIALS: [f64; 14] = [
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// eˣ without branches, so that loops over rows become SIMD; 0 below -708, and e⁷⁰⁹ above 709.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x_in = x.clamp(-708.0, 709.0);
    let shifted = x_in * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x_in - n * LN2_HIGH) - n * LN2_LOW;
    let f = &FACTORIALS;
    let r2 = r * r;
    let r4 = r2 * r2;
    let low = (f[0] + f[1] * r) + (f[2] + f[3] * r) * r2;
    let middle = (f[4] + f[5] * r) + (f[6] + f[7] * r) * r2;
    let high = (f[8] + f[9] * r) + (f[10] + f[11] * r) * r2;
    let top = f[12] + f[13] * r;
    let series = low + r4 * (middle + r4 * (high + r4 * top));
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    if x < -708.0 { 0.0 } else { series * power }
}

/// Natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Wright's ω: the positive solution of ω + ln ω = s (Lawrence, Corless and Jeffrey 2012).
pub fn omega(s: f64) -> f64 {
    if s < -40.0 {
        return exp(s);
    }
    let mut omega = guess(s);
    for _ in 0..4 {
        let residual = s - omega - ln(omega);
        omega = improve(omega, residual);
        if residual.abs() <= 1e-4 {
            break;
        }
    }
    omega
}

/// Near enough to ω for the fourth-order step to converge.
fn guess(s: f64) -> f64 {
    if s < -2.0 {
        let e = exp(s);
        e / (1.0 + e)
    } else if s < 2.0 {
        // The series about s = 1, where ω = 1 and ω' = 1/2.
        let d = s - 1.0;
        (1.0 + d * (0.5 + d * (0.0625 - d * 0.005))).max(0.05)
    } else {
        let log = ln(s);
        s - log + log / s
    }
}

/// The step of Fritsch, Shafer and Crowley (1973): the error goes down with its fourth power, so that a residual
/// of 1e-4 before it leaves none after.
fn improve(omega: f64, residual: f64) -> f64 {
    let one = 1.0 + omega;
    let a = 2.0 * one * (one + residual * (2.0 / 3.0));
    omega * (1.0 + residual / one * (a - residual) / (a - 2.0 * residual))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn omega_has_the_golden_values() {
        for (s, expected) in [
            (0.0, 0.567_143_290_409_783_8),
            (1.0, 1.0),
            (-5.0, 0.006_693_000_497_730_993),
            (100.0, 95.441_486_645_575_84),
            (1e6, 999_986.184_503_257_6),
        ] {
            assert!((omega(s) / expected - 1.0).abs() < 1e-15, "{s}: {}", omega(s));
        }
        assert_eq!(omega(-1e9), 0.0);
    }

    #[test]
    fn exp_at_its_ends() {
        assert_eq!((exp(0.0), exp(-709.0), exp(f64::NEG_INFINITY)), (1.0, 0.0, 0.0));
        assert!(exp(-708.0) > 0.0 && exp(-708.0) < 1e-307);
        assert_eq!(exp(1e9), exp(709.0));
        assert!(exp(709.0).is_finite() && exp(f64::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn exp_is_right_to_two_units(x in -708.0..709.0f64) {
            let expected = libm::exp(x);
            prop_assert!((exp(x) - expected).abs() <= 2.0 * f64::EPSILON * expected);
        }

        #[test]
        fn omega_solves_its_equation(s in -39.0..1e4f64) {
            let omega = omega(s);
            let residual = omega + libm::log(omega) - s;
            prop_assert!(residual.abs() <= 1e-15 * (1.0 + s.abs() + omega), "{}", residual);
        }
    }
}
