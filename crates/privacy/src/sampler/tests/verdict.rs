//! Does a sample come from a law? Checks with thresholds that hold for every sample size, or nearly so.
//!
//! - χ²: Laurent and Massart (2000), P(χ²_d ≥ d + 2√(dx) + 2x) ≤ e⁻ˣ. Cells have at least 1,000 expected draws, for
//!   which the statistic's law is that of χ²_d to well within the factor 10 that x = 16.2 (10⁻⁷) leaves.
//! - Distribution function: Dvoretzky, Kiefer, Wolfowitz and Massart (1990), for any law, finite samples:
//!   P(sup|F_n − F| > ε) ≤ 2exp(−2nε²).
//! - Means: Bernstein's inequality for sub-gamma variables, P(mean − μ > √(2vx/n) + cx/n) ≤ e⁻ˣ, with v the variance
//!   and c = 8 spreads (of the statistic), which is generous.

use super::super::Law;
use std::collections::HashMap;

/// e⁻ˣ = 10⁻⁷ for each of the six checks together with its two sides.
const X: f64 = 16.2;

/// A sample, and the name of the first check that it fails.
pub fn verdict(law: Law, sample: &[i64]) -> Result<(), String> {
    cells(law, sample)?;
    distribution(law, sample)?;
    mean(law, sample)?;
    low_bits(law, sample)?;
    no_holes(law, sample)?;
    neighbours(law, sample)
}

/// P(X ≤ x).
fn cdf(law: Law, x: i64) -> f64 {
    if x >= 0 { 1.0 - law.tail(x as u64) / 2.0 } else { law.tail((-x - 1) as u64) / 2.0 }
}

/// The statistic Σ(observed − expected)²/expected is within its threshold; cells expected to be nearly empty are
/// put together first.
pub fn chi2(name: &str, observed: &[f64], probabilities: &[f64]) -> Result<(), String> {
    let n: f64 = observed.iter().sum();
    let (mut statistic, mut freedom) = (0.0, -1f64);
    let (mut seen, mut expected) = (0.0, 0.0);
    let mut rest = n;
    for (count, probability) in observed.iter().zip(probabilities) {
        seen += count;
        expected += n * probability;
        if expected >= 1000.0 && rest - expected >= 1000.0 {
            statistic += (seen - expected) * (seen - expected) / expected;
            freedom += 1.0;
            rest -= expected;
            (seen, expected) = (0.0, 0.0);
        }
    }
    if expected >= 1.0 {
        statistic += (seen - expected) * (seen - expected) / expected;
        freedom += 1.0;
    } else if seen > 100.0 {
        return Err(format!("{name}: {seen} draws where none is expected"));
    }
    let threshold = freedom + 2.0 * (freedom.max(0.0) * X).sqrt() + 2.0 * X;
    if statistic > threshold {
        return Err(format!("{name}: χ² {statistic:.1} with {freedom} degrees, threshold {threshold:.1}"));
    }
    Ok(())
}

/// 64 stretches of about equal probability: single integers where the law is narrow.
fn edges(law: Law) -> Vec<i64> {
    let half = |i: u32| law.quantile(f64::from(i) / 32.0) as i64;
    let mut edges: Vec<i64> = (1..32).flat_map(|i| [half(i), -half(i) - 1]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn cells(law: Law, sample: &[i64]) -> Result<(), String> {
    let edges = edges(law);
    let mut observed = vec![0.0; edges.len() + 1];
    for x in sample {
        observed[edges.partition_point(|edge| edge < x)] += 1.0;
    }
    let mut below = 0.0;
    let mut probabilities = Vec::new();
    for edge in &edges {
        let up_to = cdf(law, *edge);
        probabilities.push(up_to - below);
        below = up_to;
    }
    probabilities.push(1.0 - below);
    chi2("cells", &observed, &probabilities)
}

fn distribution(law: Law, sample: &[i64]) -> Result<(), String> {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable();
    let n = sample.len() as f64;
    let allowed = ((X + 2f64.ln()) / (2.0 * n)).sqrt();
    let mut below = 0;
    for run in sorted.chunk_by(|a, b| a == b) {
        let x = run[0];
        // The two functions differ most just before a value that occurs, or at it.
        let before = (below as f64 / n - cdf(law, x - 1)).abs();
        below += run.len();
        let at = (below as f64 / n - cdf(law, x)).abs();
        if before.max(at) > allowed {
            return Err(format!("distribution: {:.6} off, {allowed:.6} allowed", before.max(at)));
        }
    }
    Ok(())
}

/// The mean of x and of the statistic that tells the scale: |x| for Laplace, x² for Gauss.
fn mean(law: Law, sample: &[i64]) -> Result<(), String> {
    let n = sample.len() as f64;
    let variance = law.variance();
    let average = |f: &dyn Fn(f64) -> f64| sample.iter().map(|x| f(*x as f64)).sum::<f64>() / n;
    let allowed = |v: f64, c: f64| (2.0 * v * X / n).sqrt() + c * X / n;
    let spread = variance.sqrt().max(1.0);
    let checks = match law {
        Law::Laplace(b) => {
            let first = 1.0 / (1.0 / b.to_f64()).sinh();
            ("|x|", (average(&f64::abs) - first).abs(), allowed(variance - first * first, 8.0 * spread))
        }
        Law::Gaussian(_) => {
            let v = fourth_moment(law) - variance * variance;
            ("x²", (average(&|x| x * x) - variance).abs(), allowed(v, 8.0 * spread * spread))
        }
    };
    for (name, off, allowed) in [("x", average(&|x| x).abs(), allowed(variance, 8.0 * spread)), checks] {
        if off > allowed {
            return Err(format!("mean of {name}: {off:e} off, {allowed:e} allowed"));
        }
    }
    Ok(())
}

fn fourth_moment(law: Law) -> f64 {
    let variance = law.variance();
    if variance > 1e4 {
        return 3.0 * variance * variance;
    }
    (1..2000i64).map(|x| 2.0 * (x as f64).powi(4) * law.pmf(x)).sum()
}

/// x mod 8, where rounding errors of floating-point noise show (Mironov 2012).
fn low_bits(law: Law, sample: &[i64]) -> Result<(), String> {
    let mut observed = [0.0; 8];
    sample.iter().for_each(|x| observed[x.rem_euclid(8) as usize] += 1.0);
    let mut probabilities = [0.125; 8];
    // Beyond, the residues are uniform to well within 10⁻⁷.
    if law.variance() < 1e6 {
        probabilities = [0.0; 8];
        (-40_000..=40_000i64).for_each(|x| probabilities[x.rem_euclid(8) as usize] += law.pmf(x));
    }
    chi2("low bits", &observed, &probabilities)
}

/// Every integer that is expected 40 times or more occurs: one is missing with probability at most e⁻⁴⁰ each.
fn no_holes(law: Law, sample: &[i64]) -> Result<(), String> {
    let n = sample.len() as f64;
    let mut counts: HashMap<i64, u32> = HashMap::new();
    if law.variance() < 1e6 {
        sample.iter().for_each(|x| *counts.entry(*x).or_default() += 1);
    }
    for magnitude in (0..).take_while(|x| n * law.pmf(*x) >= 40.0 && law.variance() < 1e6) {
        if !counts.contains_key(&magnitude) || !counts.contains_key(&-magnitude) {
            return Err(format!("a hole at ±{magnitude}"));
        }
    }
    Ok(())
}

/// Consecutive draws are independent: a table of 8 × 8 stretches of about equal probability.
fn neighbours(law: Law, sample: &[i64]) -> Result<(), String> {
    let all = edges(law);
    let edges: Vec<i64> = all.iter().step_by(all.len().div_ceil(7).max(1)).copied().collect();
    let class = |x: i64| edges.partition_point(|edge| *edge < x);
    let bounds: Vec<f64> = edges.iter().map(|edge| cdf(law, *edge)).collect();
    let probability =
        |i: usize| bounds.get(i).copied().unwrap_or(1.0) - if i == 0 { 0.0 } else { bounds[i - 1] };
    let width = edges.len() + 1;
    let mut observed = vec![0.0; width * width];
    for pair in sample.chunks_exact(2) {
        observed[class(pair[0]) * width + class(pair[1])] += 1.0;
    }
    let joint: Vec<f64> =
        (0..width * width).map(|i| probability(i / width) * probability(i % width)).collect();
    chi2("neighbours", &observed, &joint)
}
