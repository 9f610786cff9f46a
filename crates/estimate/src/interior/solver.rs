//! The interior point as what the choice of a strength fits with.

use super::Options;
use super::certificate::Fit;
use super::job::InteriorJob;
use super::problem::Problem;
use crate::strength::Solver;
use crate::support::Index;
use marginalia_tables::Result;
use std::sync::Arc;

/// Fits of one prior under Laplace noise, to whatever answers and at whatever strength.
pub struct InteriorSolver {
    index: Arc<Index>,
    prior: Vec<f64>,
    weights: Vec<f64>,
    options: Options,
    job: Option<InteriorJob>,
    fit: Option<Fit>,
}

impl InteriorSolver {
    /// Fits of a prior with `prior` on the rows of `index`; `weights` are n/b for each supported cell, which is
    /// Λ·n₀.
    pub fn new(index: Arc<Index>, prior: Vec<f64>, weights: Vec<f64>, options: Options) -> Self {
        Self { index, prior, weights, options, job: None, fit: None }
    }

    /// The last fit.
    pub fn fit(&self) -> Option<&Fit> {
        self.fit.as_ref()
    }
}

impl Solver for InteriorSolver {
    fn begin(&mut self, answers: &[f64], strength: f64) -> Result<()> {
        let bounds = self.weights.iter().map(|weight| weight / strength).collect();
        let problem = Problem::new(self.index.clone(), &self.prior, answers.to_vec(), bounds)?;
        self.job = Some(InteriorJob::new(problem, self.options));
        self.fit = None;
        Ok(())
    }

    fn step(&mut self, work: u64) -> Result<bool> {
        let Some(job) = &mut self.job else { return Ok(true) };
        if !job.step(work)? {
            return Ok(false);
        }
        self.fit = self.job.take().map(InteriorJob::finish).transpose()?;
        Ok(true)
    }

    fn marginals(&self) -> &[f64] {
        self.fit.as_ref().map_or(&[], |fit| &fit.marginals)
    }
}
