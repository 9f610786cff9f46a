//! The exponential mechanism.

use super::bits::Bits;
use super::noise::Noise;
use super::race::{Race, Rate};
use super::scores::{Scores, rate};
use marginalia_tables::Result;
use num_rational::BigRational;

/// Chooses candidate i with probability exactly P(i) ∝ wᵢ·exp(ε·sᵢ/(2Δ)), where Δ is what the scores declare as
/// their sensitivity (McSherry and Talwar 2007). Its index counts masked candidates as well.
///
/// By Gumbel-max: with Gᵢ independent standard Gumbel, P(i = argmax ln wᵢ + t·sᵢ + Gᵢ) ∝ wᵢ·exp(t·sᵢ).
///
/// It costs ε, or ρ = ε²/8 ([`Cost::exponential`](crate::cost::Cost::exponential)): between neighbours every log-weight
/// moves by at most ε/2 either way and the normaliser is common to all candidates, so ln P(i)/P'(i) has a range of
/// at most ε over i (bounded range: Durfee and Rogers 2019), which is ε²/8-zCDP (Cesar and Rogers 2021).
///
/// Takes O(1) expected time per candidate and 16 random bits for most of them; O(1) memory beyond the blocks. Time
/// and the number of random words depend on the scores.
///
/// # Errors
/// `OPTION_INVALID` when ε is not positive or beyond 1e±40, or when the blocks hold invalid public values;
/// `SELECTION_EMPTY` when no candidate takes part; `ENTROPY_BROKEN` when the bits repeat; those of the scores.
/// None depends on private data.
pub fn exponential(scores: &mut dyn Scores, epsilon: &BigRational, bits: &mut dyn Bits) -> Result<u64> {
    let rate = Rate::new(rate(epsilon, scores.sensitivity())?)?;
    Race::new(Noise::Gumbel, rate).run(scores, bits)
}
