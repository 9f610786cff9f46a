//! Calibrated fits as what the choice of a strength is made by.

use crate::calibrated::{Calibrated, Options, Problem};
use crate::strength::Solver;
use crate::support::zeros;
use marginalia_tables::Result;
use std::sync::Arc;

/// A choice between strengths needs no closer fit than this, and none that takes longer.
const TOLERANCE: f64 = 1e-3;
const PASSES: u64 = 400;

/// Fits of one prior to whatever answers and at whatever strength.
pub(crate) struct Fits {
    /// At strength 1.
    problem: Problem,
    /// N; infinite for a prior that is no sample.
    public: f64,
    job: Option<Calibrated>,
    strength: f64,
    /// The last fit's strength and potentials.
    last: Option<(f64, Vec<f64>)>,
    marginals: Vec<f64>,
    sampling: Vec<f64>,
}

impl Fits {
    /// Fits of a problem, whose strength must be 1, and whose prior is made of `public` records.
    pub fn new(problem: Problem, public: f64) -> Self {
        let (marginals, sampling) = (Vec::new(), Vec::new());
        Self { problem, public, job: None, strength: 1.0, last: None, marginals, sampling }
    }

    /// A row of the prior stands for N·p public records, and for one at least. So a model's share m of a cell, taken for
    /// the mean of a weighted sample, has the variance Σ s·(1 − m)² over the rows in the cell and Σ s·m² over all
    /// others, where s is q² over the row's records.
    fn sampled(&mut self, weights: &[f64]) -> Result<()> {
        let Problem { base, index, .. } = &self.problem;
        let mut squares = zeros(weights.len())?;
        for (square, (q, p)) in squares.iter_mut().zip(weights.iter().zip(base.prior())) {
            *square = q * q / (self.public * p).max(1.0);
        }
        self.sampling.resize(index.cells(), 0.0);
        index.scatter(&squares, &mut self.sampling);
        for marginal in index.marginals() {
            let sampling = &mut self.sampling[marginal.cells.clone()];
            let all: f64 = sampling.iter().sum();
            for (s, m) in sampling.iter_mut().zip(&self.marginals[marginal.cells.clone()]) {
                // Rounding may lead below zero where a cell holds everything.
                *s = (*s * (1.0 - 2.0 * m) + all * m * m).max(0.0);
            }
        }
        Ok(())
    }

    /// How many answers a fit is of.
    pub fn cells(&self) -> usize {
        self.problem.index.cells()
    }
}

impl Solver for Fits {
    fn begin(&mut self, answers: &[f64], strength: f64) -> Result<()> {
        let lambda = self.problem.lambda.iter().map(|lambda| lambda / strength).collect();
        let problem = Problem { y: answers.to_vec(), lambda, ..self.problem.clone() };
        // Potentials of a weaker prior would lead far astray.
        let start = self.last.take().filter(|(before, _)| *before >= strength).map(|(_, u)| u);
        let options = Options { tolerance: TOLERANCE, passes: PASSES, start, ..Options::default() };
        self.job = Some(Calibrated::new(Arc::new(problem), options)?);
        self.strength = strength;
        Ok(())
    }

    fn step(&mut self, work: u64) -> Result<bool> {
        let Some(job) = &mut self.job else { return Ok(true) };
        if !job.step(work)? {
            return Ok(false);
        }
        if let Some(job) = self.job.take() {
            let model = job.finish()?.model;
            self.marginals.resize(self.problem.index.cells(), 0.0);
            self.problem.index.scatter(model.weights()?, &mut self.marginals);
            self.sampled(model.weights()?)?;
            self.last = model.potentials().map(|(_, u)| (self.strength, u.to_vec()));
        }
        Ok(true)
    }

    fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    fn sampling(&self) -> &[f64] {
        &self.sampling
    }
}
