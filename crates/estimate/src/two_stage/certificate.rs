//! What is certain about a distribution, computed from it and from dual points alone: the same as that of `crates/lp`.

use crate::support::Index;
use crate::support::rows::relative_entropy;
use marginalia_tables::{Error, Result};

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

/// The certificate of `q ∝ p exp(Mᵀu)` with marginals `m`, by a dual point `v` of the loss, `|v| ≤ 1`.
pub fn certify(
    index: &Index,
    prior: &[f64],
    answers: &[f64],
    (q, m): (&[f64], &[f64]),
    u: &[f64],
    v: &[f64],
) -> Result<Certificate> {
    let mut t = Vec::new();
    t.try_reserve_exact(q.len()).map_err(|_| Error::out_of_memory(8 * q.len()))?;
    t.resize(q.len(), 0.0);
    index.gather(v, &mut t);
    let most = t.iter().fold(f64::NEG_INFINITY, |most: f64, t| most.max(*t));
    // loss − (v·y − max Mᵀv) = Σ (|r| − v r) + Σ q (max Mᵀv − Mᵀv); and no loss is below zero.
    let idle: f64 = q.iter().zip(&t).map(|(q, t)| q * (most - t)).sum();
    let price = u.iter().fold(0.0, |price: f64, u| price.max(u.abs()));
    let (mut loss, mut size, mut of_loss, mut of_entropy) = (0.0, 0.0, idle.max(0.0), 0.0);
    for ((y, m), (u, v)) in answers.iter().zip(m).zip(u.iter().zip(v)) {
        let r = y - m;
        loss += r.abs();
        size += y.abs();
        of_loss += r.abs() - v * r;
        // entropy − (u·y − ln Σ p exp Mᵀu − price·loss), because q belongs to u.
        of_entropy += price * r.abs() - u * r;
    }
    let loss_gap = of_loss.clamp(0.0, loss);
    // What rounding of Mᵀu amounts to.
    let rounding = 8.0 * f64::EPSILON * price * index.marginals().len() as f64;
    let entropy_gap = of_entropy.max(0.0) + rounding;
    let entropy = relative_entropy(q, prior).max(0.0);
    let of_loss = loss_gap / loss.max(FLOOR * size).max(f64::MIN_POSITIVE);
    let relative = of_loss.max(entropy_gap / entropy.max(FLOOR));
    Ok(Certificate { loss, loss_gap, entropy, entropy_gap, relative })
}
