//! Floating point with a side: every function says on which side of the true value its result lies. Only
//! `+ − × ÷` of IEEE doubles are used, so that TypeScript computes the same bits (`ts/privacy/directed.ts`).

/// ln 2 rounded up to 39 bits (by 1.8e-13): its multiples by up to 2¹⁴ are exact.
pub const LN2_UP: f64 = 381_061_692_393.0 / 549_755_813_888.0;
/// 2⁻⁴⁶ bounds the relative error of `ln1p` and of both series, which are good to a few 2⁻⁵²: Horner's rule with
/// positive terms of which the leading one dominates.
pub const SLACK: f64 = 1.0 / 70_368_744_177_664.0;

/// At least one unit in the last place above `x`, so above the true result that was rounded to `x`; monotone.
pub fn up(x: f64) -> f64 {
    x + (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// The mirror of [`up`].
pub fn down(x: f64) -> f64 {
    x - (x.abs() * f64::EPSILON + f64::MIN_POSITIVE)
}

/// ln((1 + s)/(1 − s)) for 0 ≤ s ≤ 1/3, within [`SLACK`] of it, and monotone: every step is.
/// The series 2s·Σ s²ʲ/(2j + 1), cut where 9⁻ʲ is below 2⁻⁵³.
fn log_ratio(s: f64) -> f64 {
    let square = s * s;
    let mut sum = 0.0;
    let mut odd = 35.0;
    while odd > 0.0 {
        sum = sum * square + 1.0 / odd;
        odd -= 2.0;
    }
    2.0 * s * sum
}

/// ln(1 + x) for x ≥ 0, within a relative error of [`SLACK`].
pub fn ln1p(x: f64) -> f64 {
    if x <= 1.0 {
        return log_ratio(x / (2.0 + x));
    }
    let (mut rest, mut halvings) = (1.0 + x, 0.0);
    while rest >= 2.0 {
        rest *= 0.5;
        halvings += 1.0;
    }
    halvings * std::f64::consts::LN_2 + log_ratio((rest - 1.0) / (rest + 1.0))
}

/// An upper bound of ln(1/x) for 0 < x ≤ 1, falling in x without exception: monotone between powers of two because
/// every step is, and across them because the part of the mantissa is capped by what the next power adds.
pub fn ln_reciprocal_up(x: f64) -> f64 {
    let (mut mantissa, mut doublings) = (x, 0.0);
    while mantissa <= 0.5 {
        mantissa *= 2.0;
        doublings += 1.0;
    }
    // Written so that it is monotone: 2/(1 + m) falls in m.
    let part = up(log_ratio(up(2.0 / (1.0 + mantissa)) - 1.0) * (1.0 + SLACK));
    up(doublings * LN2_UP + part.min(LN2_UP))
}

/// An upper bound of e^−y for 0 ≤ y ≤ 700, falling in y without exception (as [`ln_reciprocal_up`]). Its relative
/// error is below 1e-13 + y·3e-13.
pub fn exp_minus_up(y: f64) -> f64 {
    let mut halvings = (y / LN2_UP).floor();
    if halvings * LN2_UP > y {
        halvings -= 1.0;
    }
    let rest = y - halvings * LN2_UP;
    // e^rest from below, by its series.
    let (mut sum, mut term) = (1.0, 18.0);
    while term > 0.0 {
        sum = 1.0 + sum * rest / term;
        term -= 1.0;
    }
    let mut result = up(1.0 / (sum * (1.0 - SLACK))).clamp(0.5, 1.0);
    while halvings > 0.0 {
        result *= 0.5;
        halvings -= 1.0;
    }
    result
}
