//! Permute-and-flip.

use super::Cost;
use super::bits::Bits;
use super::noise::Noise;
use super::race::{Race, Rate};
use super::scores::{Block, Scores, rate};
use marginalia_tables::{Code, Error, Result};
use num_rational::BigRational;

/// Chooses by the exact law of permute-and-flip (McKenna and Sheldon 2020): candidates come in uniformly random
/// order, and the first is taken that a coin with P = exp(ε·(sᵢ − s*)/(2Δ)) accepts, s* being the largest score.
/// Never worse in expectation than [`exponential`](super::exponential()) at the same ε. Masks are allowed; weights
/// are not, since they have no meaning in a uniformly random order.
///
/// By exponential noise: with Eᵢ independent standard exponential, argmax t·sᵢ + Eᵢ has this law (Ding, Kifer and
/// others 2021; a proof of three lines is in the decision record).
///
/// Cost in time, bits and memory, and errors, as for the exponential mechanism; also `OPTION_INVALID` for weights.
pub fn permute_and_flip(scores: &mut dyn Scores, epsilon: &BigRational, bits: &mut dyn Bits) -> Result<u64> {
    let rate = Rate::new(rate(epsilon, scores.sensitivity())?)?;
    Race::new(Noise::Exponential, rate).run(&mut Unweighted(scores), bits)
}

/// ε, or ρ = ε²/2, which every ε-DP mechanism satisfies (Bun and Steinke 2016, Proposition 1.4): permute-and-flip
/// has no bounded range below 2ε.
pub fn permute_and_flip_cost(epsilon: &BigRational) -> Cost {
    let rho = epsilon * epsilon / BigRational::from_integer(2.into());
    Cost { epsilon: epsilon.clone(), rho }
}

/// Refuses weights.
struct Unweighted<'a>(&'a mut dyn Scores);

impl Scores for Unweighted<'_> {
    fn sensitivity(&self) -> u64 {
        self.0.sensitivity()
    }

    fn next(&mut self) -> Result<Option<Block<'_>>> {
        let block = self.0.next()?;
        if block.is_some_and(|block| block.weights.is_some()) {
            let message = "permute-and-flip takes no weights: use the exponential mechanism, or a mask";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        Ok(block)
    }
}
