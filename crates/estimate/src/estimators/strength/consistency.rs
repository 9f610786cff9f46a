//! Whether a prior and the answers can be of one population.

use marginalia_tables::{Code, Error, Result};

/// Var(r²)/σ⁴ of Gaussian noise r.
pub const GAUSSIAN: f64 = 2.0;
/// Var(r²)/σ⁴ of Laplace noise r.
pub const LAPLACE: f64 = 5.0;

/// The noise of the answers, cell by cell.
#[derive(Debug, Clone)]
pub struct Noise {
    pub(super) variance: Vec<f64>,
    pub(super) spread: Vec<f64>,
}

impl Noise {
    /// Noise of such variances, as fractions of the total squared, and of such spreads of its square:
    /// Var(r²)/σ⁴, which is [`GAUSSIAN`] or [`LAPLACE`] or what a discrete law has exactly.
    pub fn new(variance: Vec<f64>, spread: Vec<f64>) -> Result<Self> {
        let sound = |values: &[f64]| values.iter().all(|value| *value > 0.0 && value.is_finite());
        if variance.len() != spread.len() || !sound(&variance) || !sound(&spread) {
            return Err(Error::new(
                Code::OptionInvalid,
                "the noise needs a variance and a spread above 0 for each supported cell",
            ));
        }
        Ok(Self { variance, spread })
    }
}

/// z: by how many standard errors Σ r²/σ² + 2n₀ KL exceeds the number of answers, for residuals r = y − m and the divergence n₀ KL
/// from the prior. Where prior and answers are samples of one population, the two are together (y − p)ᵀ(C + Σ)⁻¹(y − p), with C
/// the covariance of the marginals of a prior worth n₀ and Σ that of the noise: its mean is the number of answers, however
/// closely they are met. The residuals alone shrink with precise answers, whatever the prior.
pub fn consistency(answers: &[f64], marginals: &[f64], divergence: f64, noise: &Noise) -> f64 {
    let residuals = answers.iter().zip(marginals).map(|(y, m)| y - m);
    let excess: f64 = residuals.zip(&noise.variance).map(|(r, variance)| r * r / variance - 1.0).sum();
    let spread: f64 = noise.spread.iter().sum();
    if spread > 0.0 { (excess + 2.0 * divergence) / libm::sqrt(spread) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_formula_for_one_kind_of_noise() {
        let (answers, marginals) = ([0.5, 0.1, 0.4, 0.2], [0.3, 0.2, 0.4, 0.3]);
        for spread in [GAUSSIAN, LAPLACE] {
            let noise = Noise::new(vec![0.01; 4], vec![spread; 4]).unwrap();
            let mean = (4.0 + 1.0 + 0.0 + 1.0) / 4.0;
            let z = (mean - 1.0) / (spread / 4.0_f64).sqrt();
            assert!((consistency(&answers, &marginals, 0.0, &noise) - z).abs() < 1e-12);
        }
        assert_eq!(consistency(&[], &[], 0.0, &Noise::new(vec![], vec![]).unwrap()), 0.0);
    }

    #[test]
    fn noise_without_variance_is_refused() {
        for (variance, spread) in [(vec![0.0], vec![2.0]), (vec![1.0], vec![f64::NAN]), (vec![1.0], vec![])] {
            assert_eq!(Noise::new(variance, spread).unwrap_err().code, Code::OptionInvalid);
        }
    }
}
