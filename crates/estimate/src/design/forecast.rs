//! A forecast of the score of each candidate, and the choice among them.

use super::candidates::Candidate;
use super::simulate::Simulation;
use crate::fit::{Fitting, Solver};
use crate::support::Index;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// What is expected of a candidate, in points of the k-marginal score.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The score of each draw; draws have the same truth for all candidates.
    pub draws: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
}

/// The forecast of all candidates. It reads nothing private, and is rough: it is for choosing, not for promising.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// Each candidate's.
    pub candidates: Vec<Scored>,
    /// The prior as it is, without any measurement.
    pub untouched: Scored,
    /// The candidate with the highest mean.
    pub chosen: usize,
    /// Candidates that are no worse than the chosen one by more than two standard errors of the difference.
    pub close: Vec<usize>,
}

impl Scored {
    fn new(draws: Vec<f64>) -> Self {
        let (mean, standard_error) = moments(&draws);
        Self { draws, mean, standard_error }
    }
}

fn moments(draws: &[f64]) -> (f64, f64) {
    let n = draws.len() as f64;
    let mean = draws.iter().sum::<f64>() / n;
    let squares: f64 = draws.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, if draws.len() > 1 { libm::sqrt(squares / (n * (n - 1.0))) } else { f64::INFINITY })
}

impl Forecast {
    fn new(candidates: Vec<Vec<f64>>, untouched: Vec<f64>) -> Self {
        let candidates: Vec<Scored> = candidates.into_iter().map(Scored::new).collect();
        let mut chosen = 0;
        for (i, candidate) in candidates.iter().enumerate() {
            chosen = if candidate.mean > candidates[chosen].mean { i } else { chosen };
        }
        let best = &candidates[chosen].draws;
        let near = |candidate: &Scored| {
            let differences: Vec<f64> = best.iter().zip(&candidate.draws).map(|(a, b)| a - b).collect();
            let (mean, error) = moments(&differences);
            mean <= 2.0 * error
        };
        let close = (0..candidates.len()).filter(|i| near(&candidates[*i])).collect();
        Self { untouched: Scored::new(untouched), candidates, chosen, close }
    }
}

/// Simulates every candidate in every draw, one estimate after another.
pub struct ForecastJob<S> {
    simulation: Simulation,
    candidates: Vec<Candidate>,
    solver: S,
    /// Indices of the tables that are judged and of the candidate in progress.
    tables: Arc<Index>,
    index: Option<Arc<Index>>,
    truths: Vec<Vec<f64>>,
    fitting: Option<Box<dyn Fitting>>,
    scores: Vec<Vec<f64>>,
    untouched: Vec<f64>,
    draws: usize,
}

impl<S: Solver> ForecastJob<S> {
    /// A forecast of candidates by so many draws.
    pub fn new(simulation: Simulation, candidates: Vec<Candidate>, draws: usize, solver: S) -> Result<Self> {
        simulation.check()?;
        if candidates.is_empty() || draws == 0 || simulation.tables.is_empty() {
            let message = "a forecast needs a candidate, a draw and a table to judge at least";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let simulation = simulation.thinned()?;
        let tables = simulation.index(&simulation.tables)?;
        Ok(Self {
            simulation,
            candidates,
            solver,
            tables,
            index: None,
            truths: Vec::new(),
            fitting: None,
            scores: Vec::new(),
            untouched: Vec::new(),
            draws,
        })
    }

    /// Does about `work` units, each about as long as looking up a row in one table; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if self.truths.len() < self.draws {
            return self.draw().map(|()| false);
        }
        let Some(fitting) = &mut self.fitting else {
            return self.begin();
        };
        if fitting.step(work)?
            && let Some(fitting) = self.fitting.take()
        {
            let weights = fitting.finish()?;
            let place = self.scores.len() - 1;
            let truth = &self.truths[self.scores[place].len()];
            let score = self.simulation.score(&self.tables, &weights, truth);
            self.scores[place].push(score.points());
        }
        Ok(false)
    }

    /// Draws the next truth and judges the prior by it.
    fn draw(&mut self) -> Result<()> {
        let truth = self.simulation.truth(self.truths.len() as u64)?;
        let sum: f64 = self.simulation.prior.iter().sum();
        let prior: Vec<f64> = self.simulation.prior.iter().map(|weight| weight / sum).collect();
        self.untouched.push(self.simulation.score(&self.tables, &prior, &truth).points());
        self.truths.push(truth);
        Ok(())
    }

    /// Begins the next estimate; true when there is none.
    fn begin(&mut self) -> Result<bool> {
        if self.scores.last().is_none_or(|scores| scores.len() == self.draws) {
            if self.scores.len() == self.candidates.len() {
                return Ok(true);
            }
            self.index = Some(self.simulation.index(&self.candidates[self.scores.len()].cliques)?);
            self.scores.push(Vec::new());
        }
        let place = self.scores.len() - 1;
        let draw = self.scores[place].len();
        if let Some(index) = &self.index {
            let path = [place as u64, draw as u64];
            let (candidate, truth) = (&self.candidates[place], &self.truths[draw]);
            let task = self.simulation.measure(candidate, Arc::clone(index), truth, path);
            self.fitting = Some(self.solver.begin(task)?);
        }
        Ok(false)
    }

    /// The candidates.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Estimates done.
    pub fn done(&self) -> usize {
        self.scores.iter().map(Vec::len).sum()
    }

    /// Estimates to do.
    pub fn total(&self) -> usize {
        self.candidates.len() * self.draws
    }

    /// Does what is left and returns the forecast.
    pub fn finish(mut self) -> Result<Forecast> {
        while !self.step(u64::MAX)? {}
        Ok(Forecast::new(self.scores, self.untouched))
    }
}
