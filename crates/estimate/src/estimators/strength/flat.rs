//! Whether the weights of a prior's rows are worth anything, as far as the noisy answers tell.
//!
//! No strength makes up for weights that are wrong altogether: less of them leaves less of the rows' structure too. So
//! before a strength is chosen, the answers are asked where between the prior p and equal weights of its rows they lie
//! best: at (1 − α)p + α·uniform, by least squares. This is one number from all answers together, so that it is certain
//! at an ε where the consistency of single cells says nothing yet.
//!
//! Precise answers make any such number certain, also where the prior is wrong in another way and equal weights happen
//! to lie a little nearer. Then they would only cost what the weights know of the marginals that were not measured. So
//! they must explain what is wrong: at least half of what the answers are farther from the prior than by their noise.

use super::consistency::Noise;
use crate::models::support::{Index, zeros};
use marginalia_tables::Result;

/// Below this share equal weights were no better, whatever the answers said of them.
const LEAST: f64 = 0.5;
/// Standard errors that the share must be above zero: with two, chance flattened a good prior at ε = .1 now and then.
const CERTAIN: f64 = 4.0;
/// The part of the excess misfit that equal weights must explain.
const EXPLAINED: f64 = 0.5;
/// Standard errors of the excess misfit that are allowed for, so that noise does not keep a bad prior.
const CHANCE: f64 = 2.0;

/// The share α of equal weights that the answers ask for, at most 1; 0 where they do not clearly ask for much, or where
/// that would not explain what is wrong with the prior. All are fractions of the total.
pub fn flatness(index: &Index, prior: &[f64], answers: &[f64], noise: &Noise) -> Result<f64> {
    let (mut of_prior, mut of_equal) = (zeros(index.cells())?, zeros(index.cells())?);
    index.scatter(prior, &mut of_prior);
    let mut equal = zeros(prior.len())?;
    equal.fill(1.0 / prior.len() as f64);
    index.scatter(&equal, &mut of_equal);
    let (mut pull, mut size, mut misfit) = (0.0, 0.0, 0.0);
    for ((y, variance), (p, equal)) in answers.iter().zip(&noise.variance).zip(of_prior.iter().zip(&of_equal))
    {
        pull += (equal - p) * (y - p) / variance;
        size += (equal - p) * (equal - p) / variance;
        misfit += (y - p) * (y - p) / variance;
    }
    let share = pull / size;
    // The variance of the share is 1/size; where both are the same, there is no share.
    let clear = share > LEAST && share * libm::sqrt(size) > CERTAIN;
    if !clear {
        return Ok(0.0);
    }
    let share = share.min(1.0);
    let explained = share * (2.0 * pull - share * size);
    let chance = CHANCE * libm::sqrt(noise.spread.iter().sum());
    let excess = misfit - answers.len() as f64;
    Ok(if explained >= EXPLAINED * (excess - chance) { share } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::strength::GAUSSIAN;
    use marginalia_tables::{Codes, Domain};

    fn noise(lambda: f64) -> Noise {
        Noise::new(vec![1.0 / lambda; 3], vec![GAUSSIAN; 3]).unwrap()
    }

    fn index() -> Index {
        let mut column = Codes::new(3);
        column.extend(&[0, 1, 2]).unwrap();
        Index::new(&Domain::new([3]), &[column], &[&[0]]).unwrap()
    }

    #[test]
    fn the_share_is_that_of_least_squares() {
        let prior = [0.7, 0.2, 0.1];
        let at = |share: f64| prior.map(|p| (1.0 - share) * p + share / 3.0);
        let of = |answers: &[f64], lambda: f64| flatness(&index(), &prior, answers, &noise(lambda)).unwrap();
        assert!((of(&at(0.8), 1e4) - 0.8).abs() < 1e-12);
        assert_eq!(of(&at(1.3), 1e4), 1.0);
        // Little of it, none, the wrong way, and what noise alone might say.
        for (share, lambda) in [(0.4, 1e4), (0.0, 1e4), (-1.0, 1e4), (1.0, 10.0)] {
            assert_eq!(of(&at(share), lambda), 0.0);
        }
        // Whatever lies across that direction says nothing.
        let [a, b, c] = at(0.8);
        let across = [a + 0.04, b + 0.11, c];
        assert!((of(&across, 1e4) - 0.8).abs() < 1e-12, "{}", of(&across, 1e4));
    }

    /// The share of least squares is 1, but most of what the answers say lies across that direction.
    #[test]
    fn a_prior_that_is_wrong_in_another_way_keeps_its_weights() {
        let prior = [0.7, 0.2, 0.1];
        let toward = |across: f64| [1.0 / 3.0 + across * 4.0, 1.0 / 3.0 + across * 11.0, 1.0 / 3.0];
        let of =
            |across: f64, lambda: f64| flatness(&index(), &prior, &toward(across), &noise(lambda)).unwrap();
        // Equal weights explain .21 of Σ(y − p)² and what lies across as much again.
        let as_much = f64::sqrt((0.3667_f64.powi(2) + 0.1333_f64.powi(2) + 0.2333_f64.powi(2)) / 137.0);
        assert!(of(0.9 * as_much, 1e6) > 0.999);
        assert_eq!(of(1.1 * as_much, 1e6), 0.0);
        // By so few answers nobody knows what is left unexplained.
        assert!(of(1.1 * as_much, 100.0) > 0.999);
    }

    #[test]
    fn equal_weights_stay_as_they_are() {
        let prior = [1.0 / 3.0; 3];
        assert_eq!(flatness(&index(), &prior, &[0.9, 0.05, 0.05], &noise(1e9)).unwrap(), 0.0);
    }
}
