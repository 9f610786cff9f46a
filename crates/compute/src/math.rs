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

/// About the logarithm of Wright's ω(s), the positive solution of ω + ln ω = s: near enough for [`nearer`].
pub fn log_omega(s: f64) -> f64 {
    if s < -2.0 {
        let e = exp(s);
        s - e / (1.0 + e)
    } else if s < 2.0 {
        // The series about s = 1, where ω = 1 and ω' = 1/2.
        let d = s - 1.0;
        s - (1.0 + d * (0.5 + d * (0.0625 - d * 0.005))).max(0.05)
    } else {
        let log = ln(s);
        log - log / s
    }
}

/// From about l = ln ω(s) a step of Newton's method on e^l + l = s. Of errors that are small it leaves the square.
#[inline(always)]
pub fn nearer(l: f64, s: f64) -> Nearer {
    let e = exp(l);
    let residual = e + l - s;
    let inverse = 1.0 / (1.0 + e);
    let slope = e * inverse;
    Nearer { log: l - residual * inverse, omega: e - residual * slope, slope, residual }
}

/// What a step of [`nearer`] gives.
pub struct Nearer {
    /// ln ω.
    pub log: f64,
    /// ω.
    pub omega: f64,
    /// dω/ds = ω/(1 + ω).
    pub slope: f64,
    /// How far e^l + l was from s.
    pub residual: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// ω after so many steps that nothing is left to be done.
    fn omega(s: f64) -> f64 {
        let log = (0..5).fold(log_omega(s), |log, _| nearer(log, s).log);
        nearer(log, s).omega
    }

    #[test]
    fn omega_has_the_golden_values() {
        for (s, expected) in [
            (0.0, 0.567_143_290_409_783_8),
            (1.0, 1.0),
            (-5.0, 0.006_693_000_497_730_993),
            (100.0, 95.441_486_645_575_84),
            (1e6, 999_986.184_503_257_6),
        ] {
            assert!((omega(s) / expected - 1.0).abs() < 2e-15, "{s}: {}", omega(s));
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
            // Its logarithm is near from the start.
            prop_assert!((log_omega(s) - libm::log(omega)).abs() <= 0.1);
        }
    }
}
