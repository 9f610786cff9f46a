//! Passes over rows without cells: sums, and weights from exponents.

use crate::math::{exp, ln};
use crate::par;
use std::ops::Range;

/// The sum of `f` over rows, in an order that depends on their number alone.
pub fn sum(rows: usize, f: impl Fn(usize) -> f64 + Sync + Send) -> f64 {
    let mut sum = 0.0;
    par::fold(rows, |chunk| sum_chunk(chunk, &f), |part| sum += part);
    sum
}

/// Four sums side by side: none waits for another, and SIMD takes two at a time.
fn sum_chunk(chunk: Range<usize>, f: &impl Fn(usize) -> f64) -> f64 {
    let mut sums = [0.0; 4];
    let mut row = chunk.start;
    while row + 4 <= chunk.end {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += f(row + lane);
        }
        row += 4;
    }
    (row..chunk.end).for_each(|row| sums[0] += f(row));
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// `q ∝ p exp(t)` with sum 1, and `ln Σ p exp(t)`.
pub fn tilt(p: &[f64], t: &[f64], q: &mut [f64]) -> f64 {
    tilt_by(p, |row| t[row], q)
}

/// `q ∝ p exp(t + s dt)` with sum 1, and `ln Σ p exp(t + s dt)`.
pub fn tilt_along(p: &[f64], t: &[f64], s: f64, dt: &[f64], q: &mut [f64]) -> f64 {
    tilt_by(p, |row| t[row] + s * dt[row], q)
}

fn tilt_by(p: &[f64], t: impl Fn(usize) -> f64 + Sync + Send, q: &mut [f64]) -> f64 {
    let mut most = f64::NEG_INFINITY;
    let larger = |most, t| if t > most { t } else { most };
    par::fold(
        q.len(),
        |chunk| chunk.map(&t).fold(f64::NEG_INFINITY, larger),
        |part| most = larger(most, part),
    );
    let weigh = |chunk: Range<usize>, q: &mut [f64]| {
        q.iter_mut().zip(chunk).for_each(|(q, row)| *q = p[row] * exp(t(row) - most));
        sum_chunk(0..q.len(), &|row| q[row])
    };
    let mut total = 0.0;
    par::fold_mut(q, weigh, |part| total += part);
    let scale = 1.0 / total;
    par::fold_mut(q, |_, q| q.iter_mut().for_each(|q| *q *= scale), |()| {});
    most + ln(total)
}

/// Relative entropy `Σ q ln(q/p)`; `p` must be positive.
pub fn relative_entropy(q: &[f64], p: &[f64]) -> f64 {
    sum(q.len(), |row| if q[row] > 0.0 { q[row] * ln(q[row] / p[row]) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_over_many_orders_of_magnitude_sum_to_one() {
        let p = [1e-12, 0.5, 0.5 - 1e-12];
        let mut q = [0.0; 3];
        let log = tilt(&p, &[40.0, 1.0, -800.0], &mut q);
        let expected = (1e-12 * 40f64.exp() + 0.5 * 1f64.exp()).ln();
        assert!((log - expected).abs() < 1e-14, "{log}");
        assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let mut half = [0.0; 3];
        let log = tilt_along(&p, &[20.0, 0.0, 0.0], -0.5, &[-40.0, -2.0, 1600.0], &mut half);
        assert!((log - expected).abs() < 1e-14 && half == q);
    }

    #[test]
    fn sums_cross_chunks() {
        let rows = par::CHUNK * 2 + 7;
        assert_eq!(sum(rows, |row| row as f64), (rows * (rows - 1) / 2) as f64);
        assert_eq!(sum(0, |_| 1.0), 0.0);
        assert_eq!(relative_entropy(&[1.0, 0.0], &[0.5, 0.5]), 2f64.ln());
    }
}
