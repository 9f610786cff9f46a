//! Permute-and-flip.

use super::bits::Bits;
use super::noise::Noise;
use super::race::{Race, Rate};
use super::scores::{Scores, rate};
use marginalia_tables::Result;
use num_rational::BigRational;

/// Chooses by the exact law of permute-and-flip (McKenna and Sheldon 2020): candidates come in uniformly random
/// order, and the first is taken that a coin with P = exp(ε·(sᵢ − s*)/(2Δ)) accepts, s* being the largest score.
/// Never worse in expectation than [`exponential`](super::exponential()) at the same ε. Masks are allowed; weights
/// are not, since they have no meaning in a uniformly random order.
///
/// By exponential noise: with Eᵢ independent standard exponential, argmax t·sᵢ + Eᵢ has this law (Ding, Kifer and
/// others 2021; a proof of three lines is in the decision record).
///
/// It costs ε, or ρ = ε²/2, which every ε-DP mechanism satisfies (Bun and Steinke 2016, Proposition 1.4):
/// permute-and-flip has no bounded range below 2ε ([`Cost::permute_and_flip`](crate::cost::Cost::permute_and_flip)).
///
/// Cost in time, bits and memory, and errors, as for the exponential mechanism; also `OPTION_INVALID` for weights.
pub fn permute_and_flip(scores: &mut dyn Scores, epsilon: &BigRational, bits: &mut dyn Bits) -> Result<u64> {
    let rate = Rate::new(rate(epsilon, scores.sensitivity())?)?;
    Race::new(Noise::Exponential, rate).run(scores, bits)
}
