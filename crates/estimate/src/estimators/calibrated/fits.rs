//! Calibrated fits as what the choice of a strength is made by.

use super::{Calibrated, Options, Problem, Solution};
use crate::estimators::strength::Solver;
use crate::models::support::zeros;
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
    /// n₀ KL(q‖p).
    divergence: f64,
    sampling: Vec<f64>,
}

impl Fits {
    /// Fits of a problem, whose strength must be 1, and whose prior is made of `public` records.
    pub fn new(problem: Problem, public: f64) -> Self {
        let (marginals, sampling) = (Vec::new(), Vec::new());
        Self { problem, public, job: None, strength: 1.0, last: None, marginals, divergence: 0.0, sampling }
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
            let Solution { model, certificate, .. } = job.finish()?;
            self.divergence = self.strength * certificate.entropy;
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

    fn divergence(&self) -> f64 {
        self.divergence
    }

    fn sampling(&self) -> &[f64] {
        &self.sampling
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::Measurement;
    use crate::models::support::{Base, Index};
    use marginalia_tables::{Codes, Domain};

    /// Against the sum over rows, for a prior with rows that stand for several records and for less than one.
    #[test]
    fn the_sampling_variance_is_that_of_a_weighted_mean() {
        let codes = [[0u16, 0, 1, 1, 0, 1], [0, 1, 2, 0, 2, 1]];
        let columns = codes.iter().zip([2, 3]).map(|(codes, size)| {
            let mut column = Codes::new(size);
            column.extend(codes).unwrap();
            column
        });
        let weights = [5.0, 1.0, 3.0, 1.0, 0.2, 0.8];
        let base = Base::new(Domain::new([2, 3]), columns.collect(), Some(&weights)).unwrap();
        let base = Arc::new(base);
        let index = Index::new(base.domain(), base.columns(), &[&[0], &[1]]).unwrap();
        let answers = [vec![4.0, 7.0], vec![3.0, 3.0, 5.0]];
        let measured = |(clique, answers): (u16, &Vec<f64>)| Measurement {
            clique: vec![clique],
            answers: answers.clone(),
            variance: 1.0,
        };
        let measurements: Vec<_> = (0..).zip(&answers).map(measured).collect();
        let problem = Problem::new(Arc::clone(&base), Arc::new(index), &measurements, 11.0, 1.0).unwrap();
        let start = || Calibrated::new(Arc::new(problem.clone()), Options::default()).unwrap();
        let mut job = start();
        while !job.step(u64::MAX).unwrap() {}
        let q = job.finish().unwrap().model.into_weights().unwrap();
        let mut fits = Fits::new(problem.clone(), 11.0);
        fits.begin(&problem.y, 1.0).unwrap();
        while !fits.step(u64::MAX).unwrap() {}
        let cells = (0..2).flat_map(|a| (0..2 + a as u16).map(move |code| (a, code)));
        for (cell, (a, code)) in cells.enumerate() {
            let within = |row: usize| f64::from(u8::from(codes[a][row] == code));
            let m: f64 = (0..6).map(|row| q[row] * within(row)).sum();
            let of = |row: usize| q[row] * q[row] / weights[row].max(1.0) * (within(row) - m).powi(2);
            let wanted: f64 = (0..6).map(of).sum();
            let found = fits.sampling()[cell];
            assert!((found / wanted - 1.0).abs() < 1e-2, "{a} = {code}: {found}, not {wanted}");
        }
        let mut none = Fits::new(problem.clone(), f64::INFINITY);
        none.begin(&problem.y, 1.0).unwrap();
        while !none.step(u64::MAX).unwrap() {}
        assert!(none.sampling().iter().all(|s| *s == 0.0));
    }
}
