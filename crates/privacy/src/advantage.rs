//! What a promise means for one unit: how much better than a coin anybody can tell whether it is in the data.
//!
//! An attacker sees everything released, knows all other rows, and is asked about one unit that is in the data with
//! probability one half. With p and q the chances that he says "in" when it is and when it is not, he is right with
//! probability (1 + p − q)/2; the *advantage* is t = p − q. For a randomised guess, too, p and q are the image of
//! the release under a fixed kernel, so divergences between them are at most those of the release.
//!
//! - **Pure ε.** p ≤ e^ε·q and 1 − q ≤ e^ε(1 − p) give t ≤ tanh(ε/2), that is ln((1 + t)/(1 − t)) ≤ ε.
//! - **ρ-zCDP.** Rényi divergences of order α are at most αρ in both directions; α → 1 gives kl(p‖q) ≤ ρ and
//!   kl(q‖p) ≤ ρ. kl is jointly convex, and kl(1 − q‖1 − p) is kl of the mirrored pair, at most ρ too: the midpoint
//!   of (p, q) and (1 − q, 1 − p), which is ((1 + t)/2, (1 − t)/2), has the same t and kl ≤ ρ. Its kl is
//!   t·ln((1 + t)/(1 − t)). So t·ln((1 + t)/(1 − t)) ≤ ρ.
//!
//! Both are attained, by randomised response (at ε it is zCDP with exactly ρ = ε·tanh(ε/2)), so no curve δ(ε) that
//! follows from ρ alone can give less. A budget (ε, δ) is spent in ρ, which is what holds of it.

use crate::convert::amount;
use crate::directed::{SLACK, down, ln1p};
use crate::rational::Ratio;
use marginalia_tables::Result;

/// The advantage is told in steps of 2⁻³⁰, rounded up.
const STEPS: i64 = 1 << 30;

/// A bound of the advantage under pure ε.
pub fn pure(epsilon: &Ratio) -> Result<f64> {
    let epsilon = amount(epsilon, true, "ε")?;
    Ok(least(|_, log| log >= epsilon))
}

/// A bound of the advantage under ρ-zCDP.
pub fn zcdp(rho: &Ratio) -> Result<f64> {
    let rho = amount(rho, true, "ρ")?;
    Ok(least(|t, log| down(t * log) >= rho))
}

/// The least t of the grid of which `enough` holds, given t and ln((1 + t)/(1 − t)) rounded down.
fn least(enough: impl Fn(f64, f64) -> bool) -> f64 {
    let (mut low, mut high) = (0, STEPS);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let t = middle as f64 / STEPS as f64;
        if enough(t, ln1p(2.0 * t / (1.0 - t)) * (1.0 - SLACK)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high as f64 / STEPS as f64
}
