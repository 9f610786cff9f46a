//! The laws of the noise: what is drawn, its probabilities, its exact variance, its tails.
//!
//! Nothing here takes part in drawing: these are the figures that measurements, plans and estimators quote, in
//! floating point, each with a relative error below 10⁻⁹ (in practice a few units of the last place).

use super::scale::Scale;
use marginalia_tables::error::{Code, Error, Result};
use num_bigint::BigUint;
use std::f64::consts::{PI, SQRT_2};

/// Noise beyond ±2⁵³ is set to ±2⁵³, by definition of the laws: every value is exact as a JavaScript number.
pub const LIMIT: i64 = 1 << 53;

/// A law of integer noise, symmetric about 0 and clamped to ±[`LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// P(x) ∝ exp(−|x|/b).
    Laplace(Scale),
    /// P(x) ∝ exp(−x²/2σ²), by σ².
    Gaussian(Scale),
}

/// The logarithm of the largest b or σ: at 2⁴⁸ less than 10⁻¹³ of the law is beyond the limit, so that clamping
/// shows neither in the variance nor in a test.
const SPREAD_BITS: u64 = 48;

impl Law {
    /// The discrete Laplace law of scale `b`; refused beyond 2⁴⁸.
    pub fn laplace(b: Scale) -> Result<Self> {
        within(b, SPREAD_BITS, Self::Laplace(b))
    }

    /// The discrete Gaussian law of parameter `σ²` (its variance, except where σ is tiny); refused beyond 2⁹⁶.
    pub fn gaussian(sigma_squared: Scale) -> Result<Self> {
        within(sigma_squared, 2 * SPREAD_BITS, Self::Gaussian(sigma_squared))
    }

    /// The parameter: b or σ².
    pub fn scale(&self) -> Scale {
        match self {
            Self::Laplace(scale) | Self::Gaussian(scale) => *scale,
        }
    }

    /// ⌊b⌋ or ⌊σ⌋.
    pub(super) fn spread(&self) -> BigUint {
        let whole = self.scale().numerator() / self.scale().denominator();
        match self {
            Self::Laplace(_) => whole,
            Self::Gaussian(_) => whole.sqrt(),
        }
    }

    /// The law with b or σ halved, for tests that must find out.
    #[cfg(feature = "test-noise")]
    pub fn halved(&self) -> Result<Self> {
        let part = |by: i32| Scale::at_least(&(self.scale().to_ratio() / num_bigint::BigInt::from(by)));
        match self {
            Self::Laplace(_) => Self::laplace(part(2)?),
            Self::Gaussian(_) => Self::gaussian(part(4)?),
        }
    }

    /// P(X = x).
    pub fn pmf(&self, x: i64) -> f64 {
        match x.abs() {
            beyond if beyond > LIMIT => 0.0,
            LIMIT => self.tail(LIMIT as u64 - 1) / 2.0,
            _ => self.density(x as f64) / self.normaliser(),
        }
    }

    /// The variance of the discrete law, which is not that of the continuous one: for Laplace and b = 1/2 it is
    /// .3621, not .5.
    pub fn variance(&self) -> f64 {
        let scale = self.scale().to_f64();
        match self {
            // 2e^(1/b)/(e^(1/b) − 1)², without cancellation for large b.
            Self::Laplace(_) => 0.5 / libm::pow(libm::sinh(0.5 / scale), 2.0),
            Self::Gaussian(_) => gaussian_variance(scale),
        }
    }

    /// P(|X| > k).
    pub fn tail(&self, k: u64) -> f64 {
        if k >= LIMIT as u64 {
            return 0.0;
        }
        let scale = self.scale().to_f64();
        match self {
            Self::Laplace(_) => 2.0 * libm::exp(-(k as f64 + 1.0) / scale) / (1.0 + libm::exp(-1.0 / scale)),
            Self::Gaussian(_) => 2.0 * gaussian_sum_above(scale, k as f64) / gaussian_normaliser(scale),
        }
    }

    /// The least k with P(|X| ≤ k) ≥ `level`, as half the width of an interval of that confidence; the limit for
    /// `level` 1.
    pub fn quantile(&self, level: f64) -> u64 {
        let (mut low, mut high) = (0u64, LIMIT as u64);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.tail(middle) <= 1.0 - level {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// exp(−|x|/b) or exp(−x²/2σ²).
    fn density(&self, x: f64) -> f64 {
        let scale = self.scale().to_f64();
        match self {
            Self::Laplace(_) => libm::exp(-x.abs() / scale),
            Self::Gaussian(_) => gaussian_density(scale, x),
        }
    }

    /// The sum of `density` over all integers.
    fn normaliser(&self) -> f64 {
        let scale = self.scale().to_f64();
        match self {
            Self::Laplace(_) => 1.0 / libm::tanh(0.5 / scale),
            Self::Gaussian(_) => gaussian_normaliser(scale),
        }
    }
}

fn within(scale: Scale, bits: u64, law: Law) -> Result<Law> {
    if scale.numerator() > scale.denominator() << bits {
        let message = "noise of this scale would leave nothing of any count: b and σ may be at most 2^48";
        return Err(Error::new(Code::OptionInvalid, message));
    }
    Ok(law)
}

fn gaussian_density(variance: f64, x: f64) -> f64 {
    libm::exp(-x * x / (2.0 * variance))
}

/// Below this σ² the sum over integers converges fast, above it the sum over frequencies (Poisson's formula).
const POISSON_FROM: f64 = 0.5;

/// Σ exp(−x²/2σ²) over all integers: directly, or as σ√2π·Σ exp(−2π²σ²k²). Six terms leave less than 10⁻¹⁵.
fn gaussian_normaliser(variance: f64) -> f64 {
    if variance < POISSON_FROM {
        return 1.0 + 2.0 * (1..=6).map(|x| gaussian_density(variance, f64::from(x))).sum::<f64>();
    }
    libm::sqrt(2.0 * PI * variance) * frequencies(variance, |_| 1.0)
}

/// Σ w(k)·exp(−2π²σ²k²) over all integers k.
fn frequencies(variance: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let term = |k: f64| weight(k) * libm::exp(-2.0 * PI * PI * variance * k * k);
    weight(0.0) + 2.0 * (1..=6).map(|k| term(f64::from(k))).sum::<f64>()
}

/// Σ x² exp(−x²/2σ²)/Σ exp(−x²/2σ²): minus the derivative of the normaliser's logarithm by 1/2σ², in the form
/// whose terms do not cancel.
fn gaussian_variance(variance: f64) -> f64 {
    if variance < POISSON_FROM {
        let second = |x: i32| f64::from(x * x) * gaussian_density(variance, f64::from(x));
        return 2.0 * (1..=6).map(second).sum::<f64>() / gaussian_normaliser(variance);
    }
    let ripple = frequencies(variance, |k| k * k) / frequencies(variance, |_| 1.0);
    variance - 4.0 * PI * PI * variance * variance * ripple
}

/// Σ exp(−x²/2σ²) over x > k. Term by term for σ < 64; else the integral from k + ½ with two corrections of Euler
/// and Maclaurin's midpoint rule, whose remainder is below (k/σ)⁵/σ⁶ of the sum.
fn gaussian_sum_above(variance: f64, k: f64) -> f64 {
    let sigma = libm::sqrt(variance);
    if sigma < 64.0 {
        let terms = (1..=(40.0 * sigma) as u32 + 40).rev();
        return terms.map(|i| gaussian_density(variance, k + f64::from(i))).sum();
    }
    let start = k + 0.5;
    let (z, density) = (start / sigma, gaussian_density(variance, start));
    let integral = sigma * libm::sqrt(PI / 2.0) * libm::erfc(z / SQRT_2);
    let first = -z / sigma * density;
    let third = (3.0 * z - z * z * z) / (variance * sigma) * density;
    integral + first / 24.0 - 7.0 / 5760.0 * third
}
