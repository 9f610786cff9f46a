//! A lower bound of ε from how often an event happens with either of two neighbouring tables.
//!
//! (ε, δ) means p ≤ e^ε·q + δ for every event, in both directions, and for its complement. With p at least p⁻ and q
//! at most q⁺, ε ≥ ln((p⁻ − δ)/q⁺). The bounds are those of Clopper and Pearson (1934), which hold for every sample
//! size; each of the eight that are taken fails with probability at most 10⁻⁶/8, all together with 10⁻⁶.

const ALPHA: f64 = 1e-6 / 8.0;

/// How often something is tried: 50,000 times, and ten times as often where `MARGINALIA_FULL` is set.
pub fn tries() -> u64 {
    if std::env::var_os("MARGINALIA_FULL").is_some() { 500_000 } else { 50_000 }
}

/// A lower bound of ε at this δ, from how often an event happened in `n` tries with one table and with the other.
pub fn epsilon(one: u64, other: u64, n: u64, delta: f64) -> f64 {
    let pairs = [(one, other), (other, one), (n - one, n - other), (n - other, n - one)];
    let bound = |(often, seldom)| ((least(often, n) - delta).max(0.0) / most(seldom, n)).ln();
    pairs.into_iter().map(bound).fold(0.0, f64::max)
}

/// The largest p for which k or more of n have a probability of at most α.
fn least(k: u64, n: u64) -> f64 {
    let (mut low, mut high) = (0.0, k as f64 / n as f64);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if tail(k, n, middle) <= ALPHA {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn most(k: u64, n: u64) -> f64 {
    1.0 - least(n - k, n)
}

/// P(Binomial(n, p) ≥ k) for p ≤ k/n, where the terms fall.
fn tail(k: u64, n: u64, p: f64) -> f64 {
    if k == 0 {
        return 1.0;
    }
    if p == 0.0 {
        return 0.0;
    }
    let (x, m) = (k as f64, n as f64);
    let choose = libm::lgamma(m + 1.0) - libm::lgamma(x + 1.0) - libm::lgamma(m - x + 1.0);
    let mut term = (choose + x * p.ln() + (m - x) * (-p).ln_1p()).exp();
    let (mut sum, mut i) = (0.0, x);
    while term > sum * 1e-15 {
        sum += term;
        term *= (m - i) / (i + 1.0) * p / (1.0 - p);
        i += 1.0;
    }
    sum
}

#[test]
fn bounds_are_those_of_tables() {
    let near = |x: f64, expected: f64| assert!((x / expected - 1.0).abs() < 1e-9, "{x} for {expected}");
    // None of n: (1 − p)ⁿ = α. All of n: pⁿ = α. One of n: 1 − (1 − p)ⁿ = α.
    near(most(0, 1000), 1.0 - ALPHA.powf(1e-3));
    near(least(1000, 1000), ALPHA.powf(1e-3));
    near(least(1, 1000), -(1e-3 * (-ALPHA).ln_1p()).exp_m1());
    // P(Binomial(5, 1/2) ≥ 3) = 1/2, P(Binomial(4, 1/4) ≥ 2) = 67/256.
    near(tail(3, 5, 0.5), 0.5);
    near(tail(2, 4, 0.25), 67.0 / 256.0);
    assert_eq!(epsilon(500, 500, 1000, 0.0), 0.0);
}
