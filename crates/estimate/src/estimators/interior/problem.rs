//! What is to be solved: a prior, answers, and how much each of them counts.

use crate::models::support::Index;
use crate::models::support::zeros;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// Below this a primal value is as good as zero, and gaps are measured against it.
const NO_LOSS: f64 = 1e-9;
/// Below these parts of their natural sizes, one nat and the answers, entropy and loss are as good as zero.
const NO_SHARE: f64 = 1e-3;
/// Answers are trusted alike where they count less than this share of what the most trusted one counts.
const LEAST_SHARE: f64 = 1e-30;

/// What a gap is measured against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Yardstick {
    /// The value of what is minimised.
    Value,
    /// The entropy or the loss, whichever is less: at a large Λ the loss would hide what is not known of the entropy.
    /// With the least loss that counts.
    Parts(f64),
}

impl Yardstick {
    pub fn scale(self, primal: f64, divergence: f64) -> f64 {
        match self {
            Self::Value => primal.max(NO_LOSS),
            Self::Parts(least) => (primal - divergence).max(least).min(divergence.max(NO_SHARE)),
        }
    }
}

/// min Σ Λ_i |(Mq)_i − y_i| + KL(q‖p) over the distributions q on the rows of the support.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) index: Arc<Index>,
    /// ln p of each row.
    pub(super) log_prior: Vec<f64>,
    pub(super) answers: Vec<f64>,
    /// Λ of each cell.
    pub(super) bounds: Vec<f64>,
    pub(super) yardstick: Yardstick,
}

impl Problem {
    /// The problem of a prior with `prior` on the rows of `index` (all positive, of any sum), of `answers` as
    /// fractions of the total for each supported cell, and of `bounds` Λ = n/(b·n₀) for each of them, where b is the
    /// scale of its Laplace noise in records and n₀ the strength of the prior.
    pub fn new(index: Arc<Index>, prior: &[f64], answers: Vec<f64>, bounds: Vec<f64>) -> Result<Self> {
        let refuse = |message: &str| Err(Error::new(Code::OptionInvalid, message));
        if index.rows() == 0 {
            return refuse("a prior without rows supports nothing: give at least one row");
        }
        if index.marginals().iter().any(|marginal| marginal.of_row.len() != index.rows()) {
            let message = "this estimator keeps the cells of all rows in memory: raise `memoryLimit`";
            return Err(Error::new(Code::ModelTooLarge, message));
        }
        if prior.len() != index.rows() {
            return refuse("the prior needs one weight for each row of the support");
        }
        if answers.len() != index.cells() || bounds.len() != index.cells() {
            return refuse("answers and their bounds are needed for each supported cell");
        }
        let total: f64 = prior.iter().sum();
        if !(prior.iter().all(|weight| *weight > 0.0) && total.is_finite()) {
            return refuse("weights of the prior are positive and finite: leave out rows without weight");
        }
        if !answers.iter().all(|answer| answer.is_finite()) {
            return refuse("an answer is not a number");
        }
        if !bounds.iter().all(|bound| *bound >= 0.0 && bound.is_finite()) {
            return refuse("bounds are finite and not negative: noise needs a scale above 0");
        }
        let log_total = libm::log(total);
        let mut log_prior = zeros(prior.len())?;
        log_prior.iter_mut().zip(prior).for_each(|(log, weight)| *log = libm::log(*weight) - log_total);
        let largest = bounds.iter().fold(0.0, |largest: f64, bound| largest.max(*bound));
        let bounds = bounds.into_iter().map(|bound| bound.max(LEAST_SHARE * largest)).collect();
        Ok(Self { index, log_prior, answers, bounds, yardstick: Yardstick::Value })
    }

    /// The same problem, whose gaps are measured against entropy and loss alone instead of their sum.
    pub fn by_parts(mut self) -> Self {
        let size: f64 = self.bounds.iter().zip(&self.answers).map(|(bound, y)| bound * y.abs()).sum();
        let least = self.bounds.iter().fold(0.0, |least: f64, bound| least.max(*bound));
        self.yardstick = Yardstick::Parts(NO_SHARE * size.max(least));
        self
    }

    /// The same problem, in which every answer counts so many times as much.
    pub(super) fn scaled(&self, by: f64) -> Self {
        let bounds = self.bounds.iter().map(|bound| by * bound).collect();
        Self { bounds, ..self.clone() }
    }

    /// Units of work of one pass over all rows and marginals.
    pub(super) fn pass_work(&self) -> usize {
        self.index.rows() * (self.index.marginals().len() + 1)
    }
}
