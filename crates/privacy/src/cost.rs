//! What a mechanism costs, derived from its scale and its sensitivity; nobody can tell a cost.
//!
//! | mechanism | pure ε | ρ |
//! |---|---|---|
//! | discrete Laplace, P ∝ e^(−\|x\|/b) | Δ₁/b | ε²/2 |
//! | discrete Gaussian, P ∝ e^(−x²/2σ²) | none | Δ₂²/(2σ²) |
//! | exponential mechanism at ε | ε | ε²/8 |
//! | permute-and-flip at ε | ε | ε²/2 |
//!
//! ε²/2 holds of everything that is pure (Bun and Steinke 2016); ε²/8 of the exponential mechanism because its range is
//! bounded (Dong, Durfee and Rogers 2020), which is not known of permute-and-flip. The discrete Gaussian costs what the
//! continuous one does, for integer answers (Canonne, Kamath and Steinke 2020, Theorem 4).

use crate::budget::Currency;
use crate::rational::{self, Ratio};
use crate::sensitivity::Sensitivity;
use marginalia_tables::Result;
use num_bigint::BigInt;
use num_traits::Zero;
use std::ops::AddAssign;

/// What something costs, in each currency that has a price for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    epsilon: Option<Ratio>,
    rho: Ratio,
}

impl Cost {
    /// Nothing: where sums begin.
    pub fn none() -> Self {
        Self { epsilon: Some(Ratio::zero()), rho: Ratio::zero() }
    }

    /// Discrete Laplace noise of scale b on every answer.
    #[inline(never)]
    pub fn laplace(sensitivity: &Sensitivity, scale: &Ratio) -> Result<Self> {
        rational::positive(scale, "the scale")?;
        Ok(Self::of_pure(Ratio::from(sensitivity.l1().clone()) / scale, 2))
    }

    /// Discrete Gaussian noise with parameter σ² on every answer.
    #[inline(never)]
    pub fn gaussian(sensitivity: &Sensitivity, sigma_squared: &Ratio) -> Result<Self> {
        rational::positive(sigma_squared, "σ²")?;
        let rho = Ratio::from(sensitivity.l2_squared().clone()) / (sigma_squared * BigInt::from(2));
        Ok(Self { epsilon: None, rho })
    }

    /// A choice with P ∝ exp(ε·score/2Δ).
    pub fn exponential(epsilon: &Ratio) -> Result<Self> {
        rational::positive(epsilon, "ε")?;
        Ok(Self::of_pure(epsilon.clone(), 8))
    }

    /// A choice by permute-and-flip, candidates accepted with chance exp(−ε·(best − score)/2Δ).
    pub fn permute_and_flip(epsilon: &Ratio) -> Result<Self> {
        rational::positive(epsilon, "ε")?;
        Ok(Self::of_pure(epsilon.clone(), 2))
    }

    /// The price in a currency; none for Gaussian noise in pure ε.
    pub fn price(&self, currency: Currency) -> Option<&Ratio> {
        match currency {
            Currency::Epsilon => self.epsilon.as_ref(),
            Currency::Rho => Some(&self.rho),
        }
    }

    #[inline(never)]
    fn of_pure(epsilon: Ratio, divisor: i32) -> Self {
        let rho = &epsilon * &epsilon / BigInt::from(divisor);
        Self { epsilon: Some(epsilon), rho }
    }
}

/// One after the other, each may depend on what came before: prices add in each currency ([`rational::plus`]).
impl AddAssign<&Cost> for Cost {
    #[inline(never)]
    fn add_assign(&mut self, other: &Cost) {
        self.epsilon =
            self.epsilon.take().zip(other.epsilon.as_ref()).map(|(one, two)| rational::plus(&one, two));
        self.rho = rational::plus(&self.rho, &other.rho);
    }
}
