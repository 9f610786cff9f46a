//! The noise that a plan would add, simulated: on public tables, so floating point does no harm.

use crate::deviates::{laplace, normal, open};
use crate::seed::Seed;

/// The law of the noise of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Discrete Laplace, paid for in ε.
    Laplace,
    /// Discrete Gaussian, paid for in ρ.
    Gaussian,
}

/// A budget for a workload, and what one record may change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The law.
    pub law: Law,
    /// ε or ρ of all measurements together.
    pub budget: f64,
    /// By how much one neighbour changes the counts of one marginal, as the law measures it (L1 or L2).
    pub sensitivity: f64,
}

impl Noise {
    /// The scale `b = Δ/(ε s)` or the variance parameter `σ² = Δ²/(2 ρ s)` of a marginal with a share of the budget.
    pub fn parameter(&self, share: f64) -> f64 {
        match self.law {
            Law::Laplace => self.sensitivity / (self.budget * share),
            Law::Gaussian => self.sensitivity * self.sensitivity / (2.0 * self.budget * share),
        }
    }

    /// The variance of a count: exact for the discrete Laplace law, and for the discrete Gaussian law to 2e-7 where
    /// σ ≥ 1 (and never more than σ²).
    pub fn variance(&self, share: f64) -> f64 {
        let parameter = self.parameter(share);
        match self.law {
            Law::Gaussian => parameter,
            Law::Laplace => {
                // 2 e^{-1/b} / (1 − e^{-1/b})² = ½ / sinh²(1/2b), and 2b² where that loses all digits.
                let sinh = libm::sinh(0.5 / parameter);
                if sinh > 0.0 { 0.5 / (sinh * sinh) } else { 2.0 * parameter * parameter }
            }
        }
    }

    /// The noise of one count.
    pub fn draw(&self, share: f64, seed: &mut Seed) -> f64 {
        let parameter = self.parameter(share);
        match self.law {
            Law::Gaussian => libm::sqrt(parameter) * normal(seed),
            Law::Laplace if parameter > 1e9 => parameter * laplace(seed),
            Law::Laplace => {
                // A geometric number is the whole part of an exponential one, and their difference is Laplace's.
                let mut geometric = || libm::floor(-parameter * libm::log(open(seed)));
                geometric() - geometric()
            }
        }
    }

    /// The same budget for another table: noise that is as large beside `to` records as this is beside `from`.
    pub fn scaled(&self, from: f64, to: f64) -> Self {
        Self { sensitivity: self.sensitivity * to / from, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_variance_of_its_law() {
        let laplace = Noise { law: Law::Laplace, budget: 2.0, sensitivity: 1.0 };
        assert!((laplace.variance(1.0) - 0.362_03).abs() < 1e-5);
        assert!((laplace.variance(1e-6) / 5e11 - 1.0).abs() < 1e-6);
        let gaussian = Noise { law: Law::Gaussian, budget: 0.5, sensitivity: 2.0 };
        assert_eq!((gaussian.variance(1.0), gaussian.variance(0.25)), (4.0, 16.0));
        assert_eq!(gaussian.scaled(100.0, 50.0).variance(1.0), 1.0);
        let mut seed = Seed::new(1);
        for (noise, share) in [(laplace, 1.0), (laplace, 0.05), (gaussian, 0.3)] {
            const DRAWS: usize = 100_000;
            let draws: Vec<f64> = (0..DRAWS).map(|_| noise.draw(share, &mut seed)).collect();
            let mean = draws.iter().sum::<f64>() / DRAWS as f64;
            let square = draws.iter().map(|x| x * x).sum::<f64>() / DRAWS as f64;
            let variance = noise.variance(share);
            // Means and squares have deviations √(v/n) and at most √(8 v²/n) (kurtosis 9): 5.5 of each, 4e-8.
            assert!(mean.abs() < 5.5 * (variance / DRAWS as f64).sqrt(), "{mean}");
            assert!(
                (square / variance - 1.0).abs() < 5.5 * (8.0 / DRAWS as f64).sqrt(),
                "{square} {variance}"
            );
        }
    }
}
