//! The exact step of one marginal: what the dual is maximised by when only its potentials change.

use crate::math::{ln, log_omega, nearer};
use crate::vector::sum2;

/// Steps of z that are too long for the logarithms of ω to follow.
const FAR: f64 = 1.0;

/// From the masses `m` of the cells, moves `u` to the maximum over this marginal's potentials, and writes by which
/// ratio the rows of each cell are to be scaled. The new masses are μ = ω(s − z)/λ with s = ln(λ m) − u + λ y, z such
/// that they sum to 1, and u = λ(y − μ). Not inlined: within a function that can be left and resumed, numbers are kept in memory.
#[inline(never)]
pub fn step(m: &[f64], y: &[f64], lambda: &[f64], u: &mut [f64], ratios: &mut [f64]) {
    let mut s = Vec::with_capacity(m.len());
    for (i, lambda) in lambda.iter().enumerate() {
        // A mass may underflow; its logarithm must not be infinite.
        s.push(ln(lambda * m[i].max(f64::MIN_POSITIVE)) - u[i] + lambda * y[i]);
    }
    let omega = omegas(&s, lambda);
    for i in 0..m.len() {
        let mu = omega[i] / lambda[i];
        u[i] = lambda[i] * (y[i] - mu);
        ratios[i] = if m[i] > 0.0 { mu / m[i] } else { 1.0 };
    }
}

/// `ω(s − z)` at the z where all ω/λ sum to 1. The sum falls in z and is convex: Newton's method goes to the root from
/// the left, and a bracket guards it. Each ω follows z by steps of its own, which end together with those of z.
fn omegas(s: &[f64], lambda: &[f64]) -> Vec<f64> {
    let mut logs: Vec<f64> = s.iter().map(|s| log_omega(*s)).collect();
    let (mut omegas, mut slopes, mut errors) = (vec![0.0; s.len()], vec![0.0; s.len()], vec![0.0; s.len()]);
    let total = |of_cells: &[f64]| sum2(of_cells, lambda, |of_cell, lambda| of_cell / lambda);
    let (mut z, mut low, mut high) = (0.0, f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..200 {
        let steps = omegas.iter_mut().zip(slopes.iter_mut().zip(&mut errors));
        for ((omega, (slope, error)), (log, s)) in steps.zip(logs.iter_mut().zip(s)) {
            let step = nearer(*log, s - z);
            (*log, *omega, *slope) = (step.log, step.omega, step.slope);
            *error = step.slope * step.residual * step.residual;
        }
        let (excess, slope, error) = (total(&omegas) - 1.0, total(&slopes), total(&errors));
        if excess.abs() + error <= 1e-13 {
            break;
        }
        let known = error <= 0.1 * excess.abs();
        match known {
            true if excess > 0.0 => low = z,
            true => high = z,
            false => {}
        }
        let newton = z + (excess / slope.max(f64::MIN_POSITIVE)).clamp(-50.0, 50.0);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if known && next == z {
            break;
        }
        if (next - z).abs() > FAR {
            logs.iter_mut().zip(s).for_each(|(log, s)| *log = log_omega(s - next));
        }
        z = next;
    }
    omegas
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Afterwards the gradient of the block is the same constant everywhere, which is what the constraint that
        /// weights sum to 1 leaves free, and the scaled masses sum to 1.
        #[test]
        fn the_step_is_exact(
            cells in prop::collection::vec((1e-9..1.0f64, -0.5..1.5f64, -3.0..3.0f64, 0.0..2.0f64), 1..9),
        ) {
            let all: f64 = cells.iter().map(|cell| cell.0).sum();
            let m: Vec<f64> = cells.iter().map(|cell| cell.0 / all).collect();
            let y: Vec<f64> = cells.iter().map(|cell| cell.1).collect();
            let before: Vec<f64> = cells.iter().map(|cell| cell.2).collect();
            let lambda: Vec<f64> = cells.iter().map(|cell| 10f64.powf(cell.3)).collect();
            let (mut u, mut ratios) = (before.clone(), vec![0.0; m.len()]);
            step(&m, &y, &lambda, &mut u, &mut ratios);
            let mu: Vec<f64> = m.iter().zip(&ratios).map(|(m, ratio)| m * ratio).collect();
            prop_assert!((mu.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            // q changes by exp(Δu) up to one constant, as the weights of a potential do.
            let shift = u[0] - before[0] - ratios[0].ln();
            for i in 0..m.len() {
                let off = u[i] - before[i] - ratios[i].ln() - shift;
                prop_assert!(off.abs() < 1e-9 * (1.0 + lambda[i]), "{}", off);
                prop_assert!((u[i] - lambda[i] * (y[i] - mu[i])).abs() < 1e-9 * (1.0 + lambda[i]));
            }
        }
    }

    #[test]
    fn masses_that_vanished_do_no_harm() {
        let (mut u, mut ratios) = ([0.0, 0.0], [0.0; 2]);
        step(&[0.0, 1.0], &[0.9, 0.1], &[10.0, 10.0], &mut u, &mut ratios);
        assert!(u.iter().chain(&ratios).all(|x| x.is_finite()));
        assert!(u[0] > 0.0);
    }
}
