//! Logarithms in binary64 with proven bounds, from additions, products and quotients alone: those are correctly
//! rounded on every platform, so the bounds (and the bytes) are the same everywhere.

use std::f64::consts::{LN_2, SQRT_2};

/// What [`ln`] may be wrong by.
pub(super) const LN_ERROR: f64 = 1.0 / (1u64 << 41) as f64;

/// ln x for positive normal x, wrong by at most [`LN_ERROR`] = 2⁻⁴¹.
///
/// x = m·2ᵉ with m in [√½, √2), and ln m = 2·atanh((m − 1)/(m + 1)), whose argument is at most 0.1716. The
/// error: ≤ 2⁻⁴⁹·0.35 from [`double_atanh`], and for |e| ≤ 1023 three roundings (of ln 2, the product, the
/// sum) of at most 710·2⁻⁵³ each; together below 2⁻⁴¹.
pub(super) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa >= SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    double_atanh((mantissa - 1.0) / (mantissa + 1.0)) + exponent as f64 * LN_2
}

/// 2·atanh z for |z| ≤ 0.1716, with a relative error of at most 2⁻⁴⁹ if z has one of at most 3·2⁻⁵³.
///
/// Ten terms of Σ z²ᵏ/(2k + 1): the rest is below 0.1716²⁰/21/(1 − 0.03) < 2⁻⁵⁵. In Horner's rule each of the
/// roundings is damped by z² ≤ 0.03, so the sum (in [1, 1.01]) is wrong by less than 3·2⁻⁵³; z² and the last
/// product add less than 4·2⁻⁵³, z itself 3·2⁻⁵³ once directly and 0.06 times through z².
pub(super) fn double_atanh(z: f64) -> f64 {
    let square = z * z;
    let mut sum = 0.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * square + 1.0 / odd;
    }
    2.0 * z * sum
}
