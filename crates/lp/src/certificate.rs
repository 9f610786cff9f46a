//! What is certain about a distribution, computed from it and from dual points alone. The gaps are written as sums of
//! terms that vanish at the optimum, not as differences of values.

use crate::merge::Reduced;

/// How far a distribution `q` can be from the two-stage optimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// Its loss, over the cells that some row of the prior lies in.
    pub loss: f64,
    /// No distribution has a loss below `loss − loss_gap`.
    pub loss_gap: f64,
    /// Its relative entropy to the prior.
    pub kl: f64,
    /// No distribution has a loss of at most `loss` (for the target `lp`: the same answers) and a relative entropy
    /// below `kl − kl_gap`.
    pub kl_gap: f64,
    /// The gap of the loss relative to it; where it is nearly zero, to 1e-3 of the weighted size of the answers.
    pub relative_loss_gap: f64,
    /// The larger of that and the gap of the entropy relative to it, or to 1e-3 where it is less.
    pub relative_gap: f64,
}

/// Below these parts of their natural sizes (the answers, one nat) values count as zero.
const FLOOR: f64 = 1e-3;
/// Powers of two that the price of loss is tried at.
const PRICES: std::ops::Range<i32> = -10..40;

/// The certificate of `q` by duals `u` of the loss (`|u| ≤ c`) and `w` of the entropy. With `w + Λu` for every `Λ`
/// there is a bound on the entropy; the best counts. `fixed`: the answers of `q` are given, not only its loss.
pub fn certify(problem: &Reduced, q: &[f64], u: &[f64], w: &[f64], fixed: bool) -> Certificate {
    let m = problem.scatter(q);
    let r: Vec<f64> = problem.answers.iter().zip(&m).map(|(y, m)| y - m).collect();
    let over_cells = |term: &dyn Fn(usize) -> f64| (0..problem.cells()).map(term).sum::<f64>();
    let distance = over_cells(&|i| problem.weights[i] * r[i].abs());
    let size = over_cells(&|i| problem.weights[i] * problem.answers[i].abs());
    let (of_u, of_w) = (problem.gather(u), problem.gather(w));

    // V − (u·y − max Mᵀu) = Σ (c|r| − u r) + Σ q (max Mᵀu − Mᵀu)
    let most = of_u.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let most = if most.is_finite() { most } else { 0.0 };
    let idle: f64 = q.iter().zip(&of_u).map(|(q, t)| q * (most - t)).sum();
    let loss_gap = over_cells(&|i| problem.weights[i] * r[i].abs() - u[i] * r[i]) + idle.max(0.0);

    let sizes: Vec<f64> = u.iter().map(|u| u.abs()).collect();
    let heaviest = problem.gather(&sizes).into_iter().fold(0.0, f64::max);

    // KL − (v·y − log Σ p exp Mᵀv − P V) = Σ (P c|r| − v r) + KL(q ‖ softmax), v = w + Λu, P = max |v|/c. The price
    // is kept as P − Λ: for large Λ the sums would lose w.
    let priced = |lambda: f64| {
        let above = |i: usize| {
            let c = problem.weights[i];
            ((w[i] + lambda * (u[i] - c)) / c).max((-w[i] - lambda * (u[i] + c)) / c)
        };
        let excess = (0..problem.cells()).map(above).fold(-lambda, f64::max);
        let missed = over_cells(&|i| {
            let distance = problem.weights[i] * r[i].abs();
            lambda * (distance - u[i] * r[i]) + excess * distance - w[i] * r[i]
        });
        // What rounding of Mᵀu can amount to at this price.
        let rounding = 8.0 * f64::EPSILON * lambda * heaviest;
        let t: Vec<f64> = of_w.iter().zip(&of_u).map(|(w, u)| w + lambda * (u - most)).collect();
        (if fixed { 0.0 } else { missed }) + to_tilted(problem, q, &t) + rounding
    };
    let prices = std::iter::once(0.0).chain(PRICES.map(|k| f64::from(k).exp2()));
    let kl_gap = prices.map(priced).fold(f64::INFINITY, f64::min).max(0.0);
    let kl = divergence(q, |x| problem.prior[x].ln());
    let loss = distance + problem.constant;
    let relative_loss_gap = loss_gap / loss.max(FLOOR * size).max(f64::MIN_POSITIVE);
    let relative_gap = relative_loss_gap.max(kl_gap / kl.max(FLOOR));
    Certificate { loss, loss_gap, kl, kl_gap, relative_loss_gap, relative_gap }
}

/// Σ q log(q/s) − q + s, each term of which is not negative, for a distribution `s` given by its logarithm.
fn divergence(q: &[f64], log: impl Fn(usize) -> f64) -> f64 {
    let term = |(x, q): (usize, &f64)| {
        let log = log(x);
        if *q > 0.0 { q * (q.ln() - log) - q + log.exp() } else { log.exp() }
    };
    q.iter().enumerate().map(term).sum()
}

fn to_tilted(problem: &Reduced, q: &[f64], t: &[f64]) -> f64 {
    let exponent: Vec<f64> = t.iter().zip(&problem.prior).map(|(t, p)| t + p.ln()).collect();
    let most = exponent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_sum = most + exponent.iter().map(|e| (e - most).exp()).sum::<f64>().ln();
    divergence(q, |x| exponent[x] - log_sum)
}
