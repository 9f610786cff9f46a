//! Between ρ-zCDP and (ε, δ), by the optimised conversion of Canonne, Kamath and Steinke ("The Discrete Gaussian for
//! Differential Privacy", 2020, Corollary 13): ρ-zCDP implies (ε, δ) for every order α > 1 with
//!
//! δ = exp((α − 1)(αρ − ε)) · (1 − 1/α)^α / (α − 1).
//!
//! With a = α − 1 and K(a) = ln(1 + a) + a·ln(1 + 1/a), both terms positive, this is ln δ = a((1 + a)ρ − ε) − K(a).
//! Solved for each of the three:
//!
//! - ln δ(a) = a((1 + a)ρ − ε) − K(a), least where (1 + 2a)ρ = ε + ln(1 + 1/a);
//! - ε(a) = (1 + a)ρ + (L − K(a))/a with L = ln(1/δ), least where a²ρ + ln(1 + a) = L;
//! - ρ(a) = (ε − (L − K(a))/a)/(1 + a), greatest where a²(ε + ln(1 + 1/a)) = (1 + 2a)(L − ln(1 + a)).
//!
//! K′(a) = ln(1 + 1/a) gives the conditions; each has one solution, because the second derivative is positive
//! (negative for ρ) wherever the first is zero.
//!
//! **Safe.** *Any* a gives a true statement, so only the rounding at the a chosen matters, and every step of that is
//! rounded outward. **Monotone.** The a come from a fixed grid of 2¹⁹ steps per power of two, and the result is the
//! best over the whole grid: for each a it is a composition of monotone steps, and the best of monotone functions
//! is monotone. Only the points near the optimum are tried, because the others cannot be best: a point j steps
//! from the best one is worse by (j² − j)·4e-13 of the curvature, and rounding is below 1e-12 of it in the range
//! accepted. **Close.** Half a step from the optimum costs 5e-13 of the curvature relative to the result, which
//! stays below 400 for ε ≥ 1e-3.

use crate::directed::{SLACK, down, exp_minus_up, ln_reciprocal_up, ln1p, up};
use crate::rational::{Ratio, double, from_double, invalid, parse};
use marginalia_tables::Result;

/// Amounts that can be converted.
const SMALLEST: f64 = 1e-12;
const LARGEST: f64 = 1e5;
/// No δ is told to be smaller than 10⁻³⁰⁰, of which the double is a hair more; as an input it must not be.
const SMALLEST_DELTA: f64 = 1e-300;

/// Steps of the grid per power of two, its powers, and how far from the optimum it is searched.
const STEPS: i64 = 1 << 19;
const LOWEST: i64 = -40;
const POWERS: i64 = 110;
const WINDOW: i64 = 4;

/// The least ε that ρ-zCDP is known to imply with this δ, rounded up; also its shortest decimal is not below.
pub fn epsilon(rho: &Ratio, delta: &Ratio) -> Result<f64> {
    let (rho, log) = (amount(rho, true, "ρ")?, log_delta(delta)?);
    let start = last(|a| a * a * rho + ln1p(a) < log);
    let at = |a: f64| up(up(up(1.0 + a) * rho) + up(up(log - k_down(a)) / a));
    Ok(up(near(start).map(at).fold(f64::INFINITY, f64::min).max(0.0)))
}

/// The largest ρ of which (ε, δ) is known to follow, rounded down; also its shortest decimal is not above.
pub fn rho(epsilon: &Ratio, delta: &Ratio) -> Result<f64> {
    let (epsilon, log) = (amount(epsilon, false, "ε")?, log_delta(delta)?);
    let start = last(|a| a * a * (epsilon + ln1p(1.0 / a)) < (1.0 + 2.0 * a) * (log - ln1p(a)));
    let at = |a: f64| down(down(epsilon - up(up(log - k_down(a)) / a)).max(0.0) / up(1.0 + a));
    Ok(down(near(start).map(at).fold(0.0, f64::max)).max(0.0))
}

/// The least δ that ρ-zCDP is known to imply with this ε, which may be 0; rounded up, never below 1e-300.
pub fn delta(rho: &Ratio, epsilon: &Ratio) -> Result<f64> {
    let rho = amount(rho, true, "ρ")?;
    let epsilon = if *epsilon == Ratio::default() { 0.0 } else { amount(epsilon, false, "ε")? };
    let start = last(|a| (1.0 + 2.0 * a) * rho < epsilon + ln1p(1.0 / a));
    let at = |a: f64| up(up(a * up(up(up(1.0 + a) * rho) - epsilon)) - k_down(a));
    let log = near(start).map(at).fold(f64::INFINITY, f64::min);
    let bound = match log {
        log if log >= 0.0 => 1.0,
        log if log < -690.0 => 0.0,
        log => up(exp_minus_up(-log)),
    };
    Ok(bound.clamp(SMALLEST_DELTA, 1.0))
}

/// [`rho`] as an exact amount: the shortest decimal of the double.
pub fn rho_allowed(epsilon: &Ratio, delta: &Ratio) -> Result<Ratio> {
    from_double(rho(epsilon, delta)?)
}

/// An amount rounded to a double on the side given.
pub(crate) fn amount(value: &Ratio, up: bool, name: &str) -> Result<f64> {
    // Rounded to the other side, the bounds themselves would lie outside.
    if double(value, true) >= SMALLEST && double(value, false) <= LARGEST {
        Ok(double(value, up))
    } else {
        Err(invalid(&format!("{name} must lie between 1e-12 and 1e5 to be converted")))
    }
}

fn log_delta(delta: &Ratio) -> Result<f64> {
    if (from_double(SMALLEST_DELTA)?..=parse("1/2")?).contains(delta) {
        Ok(ln_reciprocal_up(double(delta, false)))
    } else {
        Err(invalid("δ must lie between 1e-300 and 1/2: it bounds the chance that the promise of ε fails"))
    }
}

/// K(a), rounded down.
fn k_down(a: f64) -> f64 {
    (ln1p(a) + a * ln1p(1.0 / a)) * (1.0 - SLACK)
}

fn grid(index: i64) -> f64 {
    let mut a = (STEPS + index % STEPS) as f64 / STEPS as f64;
    for _ in 0..index / STEPS {
        a *= 2.0;
    }
    for _ in LOWEST..0 {
        a *= 0.5;
    }
    a
}

/// The last index of the grid at which a condition that holds below some point holds.
fn last(holds: impl Fn(f64) -> bool) -> i64 {
    let (mut low, mut high) = (0, POWERS * STEPS);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if holds(grid(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn near(index: i64) -> impl Iterator<Item = f64> {
    (index - WINDOW..=index + WINDOW).filter(|index| (0..POWERS * STEPS).contains(index)).map(grid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The best over thousands of grid points around is what the few give: the argument for monotonicity.
    fn wide(start: i64, at: impl Fn(f64) -> f64) -> f64 {
        (start - 3000..start + 3000)
            .filter(|index| (0..POWERS * STEPS).contains(index))
            .map(|index| at(grid(index)))
            .fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn few_points_suffice(power in -11.0..4.9_f64, decimals in 0.31..290.0_f64) {
            let rho = 10f64.powf(power);
            let log = ln_reciprocal_up(10f64.powf(-decimals));
            let start = last(|a| a * a * rho + ln1p(a) < log);
            let at = |a: f64| up(up(up(1.0 + a) * rho) + up(up(log - k_down(a)) / a));
            let few = near(start).map(at).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(few, wide(start, at));
            let start = last(|a| a * a * (rho + ln1p(1.0 / a)) < (1.0 + 2.0 * a) * (log - ln1p(a)));
            let at = |a: f64| -down(down(rho - up(up(log - k_down(a)) / a)).max(0.0) / up(1.0 + a));
            let few = near(start).map(at).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(few, wide(start, at));
        }
    }
}
