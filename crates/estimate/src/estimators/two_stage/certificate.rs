//! What is certain about a distribution, computed from it and from dual points alone: the same as that of `crates/lp`.

use crate::estimators::linear::Norm;
use crate::models::support::rows::relative_entropy;
use crate::models::support::{Index, zeros};
use marginalia_tables::Result;

/// Below these parts of their natural sizes (the answers, one nat) values count as zero.
const FLOOR: f64 = 1e-3;

/// How far a distribution `q` can be from the two-stage optimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// ‖Mq − y‖₁ over supported cells.
    pub loss: f64,
    /// No distribution on the support has a loss below `loss − loss_gap`.
    pub loss_gap: f64,
    /// KL(q‖p).
    pub entropy: f64,
    /// No distribution with at most this loss has an entropy below `entropy − entropy_gap`.
    pub entropy_gap: f64,
    /// The larger of both gaps, each relative to its value.
    pub relative: f64,
}

/// The certificate of `q` with marginals `m` where only its loss is asked for, by a dual point `v` of it, `|v| ≤ 1`: nothing is
/// known of the entropy.
pub fn certify_loss(
    index: &Index,
    prior: &[f64],
    answers: &[f64],
    (q, m): (&[f64], &[f64]),
    v: &[f64],
) -> Result<Certificate> {
    let mut t = zeros(q.len())?;
    index.gather(v, &mut t);
    let most = t.iter().fold(f64::NEG_INFINITY, |most: f64, t| most.max(*t));
    // loss − (v·y − max Mᵀv) = Σ (|r| − v r) + Σ q (max Mᵀv − Mᵀv); and no loss is below zero.
    let idle: f64 = q.iter().zip(&t).map(|(q, t)| q * (most - t)).sum();
    let (mut loss, mut gap) = (0.0, idle.max(0.0));
    for ((y, m), v) in answers.iter().zip(m).zip(v) {
        let r = y - m;
        loss += r.abs();
        gap += r.abs() - v * r;
    }
    let loss_gap = gap.clamp(0.0, loss);
    let entropy = relative_entropy(q, prior).max(0.0);
    let relative = loss_gap / Norm::Sum.natural(loss, answers);
    Ok(Certificate { loss, loss_gap, entropy, entropy_gap: entropy, relative })
}

/// The certificate of `q ∝ p exp(Mᵀu)` with marginals `m`, by a dual point `v` of the loss, `|v| ≤ 1`.
pub fn certify(
    index: &Index,
    prior: &[f64],
    answers: &[f64],
    (q, m): (&[f64], &[f64]),
    u: &[f64],
    v: &[f64],
) -> Result<Certificate> {
    let found = certify_loss(index, prior, answers, (q, m), v)?;
    let price = u.iter().fold(0.0, |price: f64, u| price.max(u.abs()));
    let mut gap = 0.0;
    for ((y, m), u) in answers.iter().zip(m).zip(u) {
        // entropy − (u·y − ln Σ p exp Mᵀu − price·loss), because q belongs to u.
        gap += price * (y - m).abs() - u * (y - m);
    }
    // What rounding of Mᵀu amounts to.
    let rounding = 8.0 * f64::EPSILON * price * index.marginals().len() as f64;
    let entropy_gap = gap.max(0.0) + rounding;
    let relative = found.relative.max(entropy_gap / found.entropy.max(FLOOR));
    Ok(Certificate { entropy_gap, relative, ..found })
}
