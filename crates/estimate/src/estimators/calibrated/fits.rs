//! Calibrated fits as what the choice of a strength is made by.

use super::newton::{Options, Solution, solve};
use super::problem::Problem;
use crate::estimators::strength::Fitted;
use crate::job::Steps;
use crate::models::support::zeros;
use marginalia_tables::Result;

/// A choice between strengths needs no closer fit than this, and none that takes longer.
const TOLERANCE: f64 = 1e-3;
const PASSES: u64 = 400;

/// Fits of one prior to whatever answers and at whatever strength.
pub(crate) struct Fits {
    /// At strength 1.
    problem: Problem,
    /// N; infinite for a prior that is no sample.
    public: f64,
}

impl Fits {
    /// Fits of a problem, whose strength must be 1, and whose prior is made of `public` records.
    pub fn new(problem: Problem, public: f64) -> Self {
        Self { problem, public }
    }

    /// How many answers a fit is of.
    pub fn cells(&self) -> usize {
        self.problem.index.cells()
    }

    /// The fit to answers at a strength, from these potentials, if any.
    pub fn fit(&self, answers: &[f64], strength: f64, start: Option<Vec<f64>>) -> Steps<Fitted> {
        let lambda = self.problem.lambda.iter().map(|lambda| lambda / strength).collect();
        let problem = Problem { y: answers.to_vec(), lambda, ..self.problem.clone() };
        let options = Options { tolerance: TOLERANCE, passes: PASSES, start, ..Options::default() };
        let public = self.public;
        Steps::new(move |pace| async move {
            let Solution { model, certificate, .. } = solve(&problem, &options, &pace).await?;
            let mut marginals = zeros(problem.index.cells())?;
            problem.index.scatter(model.weights()?, &mut marginals);
            let sampling = sampling(&problem, public, model.weights()?, &marginals)?;
            let potentials = model.potentials().map(|(_, u)| u.to_vec());
            Ok(Fitted { marginals, divergence: strength * certificate.entropy, sampling, potentials })
        })
    }
}

/// A row of the prior stands for N·p public records, and for one at least. So a model's share m of a cell, taken for
/// the mean of a weighted sample, has the variance Σ s·(1 − m)² over the rows in the cell and Σ s·m² over all
/// others, where s is q² over the row's records.
fn sampling(problem: &Problem, public: f64, weights: &[f64], marginals: &[f64]) -> Result<Vec<f64>> {
    let Problem { base, index, .. } = problem;
    let mut squares = zeros(weights.len())?;
    for (square, (q, p)) in squares.iter_mut().zip(weights.iter().zip(base.prior())) {
        *square = q * q / (public * p).max(1.0);
    }
    let mut all_sampling = zeros(index.cells())?;
    index.scatter(&squares, &mut all_sampling);
    for marginal in index.marginals() {
        let sampling = &mut all_sampling[marginal.cells.clone()];
        let all: f64 = sampling.iter().sum();
        for (s, m) in sampling.iter_mut().zip(&marginals[marginal.cells.clone()]) {
            // Rounding may lead below zero where a cell holds everything.
            *s = (*s * (1.0 - 2.0 * m) + all * m * m).max(0.0);
        }
    }
    Ok(all_sampling)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::calibrated::calibrated;
    use crate::job::Job;
    use crate::measurement::Measurement;
    use crate::models::support::{Base, Index};
    use marginalia_tables::{Codes, Domain};
    use std::sync::Arc;

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
        let fitted = calibrated(problem.clone(), Options::default()).complete().unwrap();
        let q = fitted.model.into_weights().unwrap();
        let sampling = |public: f64| {
            Fits::new(problem.clone(), public).fit(&problem.y, 1.0, None).complete().unwrap().sampling
        };
        let sampled = sampling(11.0);
        let cells = (0..2).flat_map(|a| (0..2 + a as u16).map(move |code| (a, code)));
        for (cell, (a, code)) in cells.enumerate() {
            let within = |row: usize| f64::from(u8::from(codes[a][row] == code));
            let m: f64 = (0..6).map(|row| q[row] * within(row)).sum();
            let of = |row: usize| q[row] * q[row] / weights[row].max(1.0) * (within(row) - m).powi(2);
            let wanted: f64 = (0..6).map(of).sum();
            let found = sampled[cell];
            assert!((found / wanted - 1.0).abs() < 1e-2, "{a} = {code}: {found}, not {wanted}");
        }
        assert!(sampling(f64::INFINITY).iter().all(|s| *s == 0.0));
    }
}
