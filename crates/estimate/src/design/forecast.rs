//! A forecast of the score of each candidate, and the choice among them.

use super::candidates::Candidate;
use super::simulate::Simulation;
use crate::fit::{Fitting, Solver};
use crate::models::support::Index;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// What is expected of a candidate, in points of the k-marginal score.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The score of each draw that it took part in; a draw has the same truth for all candidates.
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
    /// The candidate with the highest mean of those that took part in all draws.
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
    pub(crate) fn new(candidates: Vec<Vec<f64>>, untouched: Vec<f64>) -> Self {
        let candidates: Vec<Scored> = candidates.into_iter().map(Scored::new).collect();
        let draws = untouched.len();
        let (mut chosen, mut highest) = (0, f64::NEG_INFINITY);
        for (i, candidate) in candidates.iter().enumerate().filter(|(_, one)| one.draws.len() == draws) {
            if candidate.mean > highest {
                (chosen, highest) = (i, candidate.mean);
            }
        }
        let best = &candidates[chosen].draws;
        let near = |candidate: &Scored| {
            let differences: Vec<f64> = best.iter().zip(&candidate.draws).map(|(a, b)| a - b).collect();
            let (mean, error) = moments(&differences);
            candidate.draws.len() == draws && mean <= 2.0 * error
        };
        let close = (0..candidates.len()).filter(|i| near(&candidates[*i])).collect();
        Self { untouched: Scored::new(untouched), candidates, chosen, close }
    }
}

/// Simulates candidates draw by draw. One that trails the best by more than noise makes likely takes no part in the
/// draws that follow.
pub struct ForecastJob<S> {
    simulation: Simulation,
    candidates: Vec<Candidate>,
    solver: S,
    /// The index of the tables that are judged.
    tables: Arc<Index>,
    /// The truth of the draw in progress, and the candidates still to be tried on it.
    truth: Vec<f64>,
    open: Vec<usize>,
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
        let scores = vec![Vec::new(); candidates.len()];
        let (truth, open, fitting, untouched) = (Vec::new(), Vec::new(), None, Vec::new());
        Ok(Self { simulation, candidates, solver, tables, truth, open, fitting, scores, untouched, draws })
    }

    /// Does about `work` units, each about as long as looking up a row in one table; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if let Some(fitting) = &mut self.fitting {
            if fitting.step(work)?
                && let (Some(fitting), Some(candidate)) = (self.fitting.take(), self.open.pop())
            {
                let score = self.simulation.score(&self.tables, &fitting.finish()?, &self.truth);
                self.scores[candidate].push(score.points());
            }
        } else if let Some(candidate) = self.open.last() {
            let draw = self.untouched.len() as u64;
            let candidate = &self.candidates[*candidate];
            let index = self.simulation.index(&candidate.cliques)?;
            let task = self.simulation.measure(candidate, index, &self.truth, draw);
            self.fitting = Some(self.solver.begin(task)?);
        } else if self.untouched.len() < self.draws {
            self.open = likely(&self.scores, self.untouched.len(), BEHIND);
            self.draw()?;
        } else {
            return Ok(true);
        }
        Ok(false)
    }

    /// Draws the next truth and judges the prior by it.
    fn draw(&mut self) -> Result<()> {
        let truth = self.simulation.truth(self.untouched.len() as u64)?;
        let sum: f64 = self.simulation.prior.iter().sum();
        let prior: Vec<f64> = self.simulation.prior.iter().map(|weight| weight / sum).collect();
        self.untouched.push(self.simulation.score(&self.tables, &prior, &truth).points());
        self.truth = truth;
        Ok(())
    }

    /// The candidates.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Estimates done.
    pub fn done(&self) -> usize {
        let done: usize = self.scores.iter().map(Vec::len).sum();
        if self.untouched.len() == self.draws && self.open.is_empty() { self.total() } else { done }
    }

    /// Estimates that it may come to.
    pub fn total(&self) -> usize {
        self.candidates.len() * self.draws
    }

    /// Does what is left and returns the forecast.
    pub fn finish(mut self) -> Result<Forecast> {
        while !self.step(u64::MAX)? {}
        Ok(Forecast::new(self.scores, self.untouched))
    }
}

/// Candidates that do not trail the best by more than so many points over the root of the draws, the first one last.
pub(crate) fn likely(scores: &[Vec<f64>], made: usize, behind: f64) -> Vec<usize> {
    let mean = |scores: &Vec<f64>| scores.iter().sum::<f64>() / made as f64;
    let in_all = |scores: &&Vec<f64>| scores.len() == made;
    let best = scores.iter().filter(in_all).map(mean).fold(f64::NEG_INFINITY, f64::max);
    let margin = behind / libm::sqrt(made as f64);
    let near = |scores: &Vec<f64>| made == 0 || scores.len() == made && mean(scores) >= best - margin;
    (0..scores.len()).rev().filter(|i| near(&scores[*i])).collect()
}

/// How many points a candidate may trail the best after one draw; after k draws it is this over √k. Scores of one draw differ
/// by about one point for equally good candidates.
const BEHIND: f64 = 4.0;
