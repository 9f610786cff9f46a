//! Stage two: the least relative entropy to the prior on a face, by its dual: max `w·y − log Σ pₓ exp (Mᵀw)ₓ` over
//! the rows of the face, where `w` is free on cells that are met, at most zero on those that stay under their answer
//! and at least zero on those over it. The logarithm of a sum is one exponential cone for each row.

use crate::conic::{Answer, Constraints, Watch, minimise};
use crate::face::{Face, Side};
use crate::merge::Reduced;
use clarabel::solver::ExponentialConeT;

/// The optimum of the dual.
#[derive(Debug, Clone)]
pub struct Tilt {
    /// The dual on all reduced cells, of the right sign exactly.
    pub w: Vec<f64>,
    pub iterations: u32,
}

/// Nothing when the watch ended it.
pub fn least_divergence(problem: &Reduced, face: &Face, iterations: u32, watch: Watch) -> Option<Tilt> {
    let mut touched = vec![false; problem.cells()];
    face.rows.iter().for_each(|x| problem.cells_of(*x).iter().for_each(|c| touched[*c as usize] = true));
    let cells: Vec<usize> = (0..problem.cells()).filter(|c| touched[*c]).collect();
    let mut column = vec![0; problem.cells()];
    (0..).zip(&cells).for_each(|(i, c)| column[*c] = i);
    let (kappa, first) = (cells.len(), cells.len() + 1);

    // Σ e ≤ 1 with e ≥ p exp(Mᵀw − κ): κ is at least the logarithm.
    let mut constraints = Constraints::default();
    let row = constraints.row(1.0);
    (0..face.rows.len()).for_each(|i| constraints.entry(row, first + i, 1.0));
    for c in &cells {
        let sign = match face.sides[*c] {
            Side::Met => continue,
            Side::Under => 1.0,
            Side::Over => -1.0,
        };
        let row = constraints.row(0.0);
        constraints.entry(row, column[*c], sign);
    }
    let mut cones = vec![constraints.nonnegative()];
    for (i, x) in face.rows.iter().enumerate() {
        let exponent = constraints.row(problem.prior[*x].ln());
        problem.cells_of(*x).iter().for_each(|c| constraints.entry(exponent, column[*c as usize], -1.0));
        constraints.entry(exponent, kappa, 1.0);
        constraints.row(1.0);
        let value = constraints.row(0.0);
        constraints.entry(value, first + i, -1.0);
        cones.push(ExponentialConeT());
    }
    let mut objective: Vec<f64> = cells.iter().map(|c| -face.answers[*c]).collect();
    objective.push(1.0);
    objective.resize(first + face.rows.len(), 0.0);
    let Answer { x, iterations, stopped, .. } = minimise(&objective, constraints, &cones, iterations, watch);
    let mut w = vec![0.0; problem.cells()];
    for (value, c) in x.iter().zip(&cells) {
        w[*c] = if value.is_finite() { face.sides[*c].sign(*value) } else { 0.0 };
    }
    (!stopped).then_some(Tilt { w, iterations })
}

/// `q ∝ p exp(Mᵀw)` on the rows of the face, zero elsewhere.
pub fn tilted(problem: &Reduced, rows: &[usize], w: &[f64]) -> Vec<f64> {
    let t = problem.gather(w);
    let exponent = |x: &usize| t[*x] + problem.prior[*x].ln();
    let most = rows.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
    let mut q = vec![0.0; problem.rows()];
    rows.iter().for_each(|x| q[*x] = (exponent(x) - most).exp());
    let sum: f64 = q.iter().sum();
    q.iter_mut().for_each(|q| *q /= sum);
    q
}
