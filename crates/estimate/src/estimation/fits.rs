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
    job: Option<Calibrated>,
    strength: f64,
    /// The last fit's strength and potentials.
    last: Option<(f64, Vec<f64>)>,
    marginals: Vec<f64>,
    sampling: Vec<f64>,
}

impl Fits {
    /// Fits of a problem, whose strength must be 1.
    pub fn new(problem: Problem) -> Self {
        Self { problem, job: None, strength: 1.0, last: None, marginals: Vec::new(), sampling: Vec::new() }
    }

    /// A row of the prior stands for N·p records, so that a model's share of a cell has the variance of a weighted mean,
    /// Σ (q²/Np)·(1 − m)² over the rows in the cell and Σ (q²/Np)·m² over all others.
    fn sampling(&mut self, weights: &[f64]) -> Result<()> {
        let Problem { base, index, .. } = &self.problem;
        let mut squares = zeros(weights.len())?;
        squares.iter_mut().zip(weights.iter().zip(base.prior())).for_each(|(s, (q, p))| *s = q * (q / p));
        self.sampling.resize(index.cells(), 0.0);
        index.scatter(&squares, &mut self.sampling);
        for marginal in index.marginals() {
            let of_cells = &mut self.sampling[marginal.cells.clone()];
            let all: f64 = of_cells.iter().sum();
            let shares = &self.marginals[marginal.cells.clone()];
            of_cells.iter_mut().zip(shares).for_each(|(s, m)| *s = (*s * (1.0 - 2.0 * m) + all * m * m).max(0.0));
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
            self.sampling(model.weights()?)?;
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
