//! A forecast of the score of each candidate, and the choice among them.

use super::candidates::{Candidate, DesignOptions, Family, candidates};
use super::simulate::Simulation;
use crate::estimators::calibrated::Options;
use crate::job::Steps;
use marginalia_tables::{Code, Error, Result, Table};
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

/// Simulates candidates draw by draw, so many, and estimates each. One that trails the best by more than noise makes likely takes no part in the
/// draws that follow.
pub fn forecast(
    simulation: Simulation,
    candidates: Vec<Candidate>,
    draws: usize,
    estimation: Options,
) -> Result<Steps<Forecast>> {
    simulation.check()?;
    if candidates.is_empty() || draws == 0 || simulation.tables.is_empty() {
        let message = "a forecast needs a candidate, a draw and a table to judge at least";
        return Err(Error::new(Code::OptionInvalid, message));
    }
    Ok(Steps::new(move |pace| async move {
        let cost = |at: usize| candidates[at].cliques.len();
        let all = simulation.tables.len() + draws * (0..candidates.len()).map(cost).sum::<usize>();
        let mut done = 0;
        pace.show(0, all);
        let simulation = simulation.thinned(&pace.quiet()).await?;
        let tables = simulation.index(&simulation.tables)?;
        pace.did(MAKING * tables.rows() * tables.marginals().len()).await;
        let sum: f64 = simulation.prior.iter().sum();
        let prior: Vec<f64> = simulation.prior.iter().map(|weight| weight / sum).collect();
        done += simulation.tables.len();
        pace.show(done, all);
        let (mut scores, mut untouched) = (vec![Vec::new(); candidates.len()], Vec::new());
        for draw in 0..draws {
            let open = likely(&scores, draw, BEHIND);
            done += (0..candidates.len()).filter(|at| !open.contains(at)).map(cost).sum::<usize>();
            let truth = simulation.truth(draw as u64, &pace.quiet()).await?;
            untouched.push(simulation.score(&tables, &prior, &truth).points());
            for at in open.into_iter().rev() {
                let index = simulation.index(&candidates[at].cliques)?;
                pace.did(MAKING * index.rows() * index.marginals().len()).await;
                let task = simulation.measure(&candidates[at], index, &truth, draw as u64 + 1);
                let weights = pace.run(task.weights(estimation.clone())).await?;
                scores[at].push(simulation.score(&tables, &weights, &truth).points());
                done += cost(at);
                pace.show(done, all);
            }
        }
        Ok(Forecast::new(scores, untouched))
    }))
}

/// Candidates by a public table, or what somebody wants to measure with each exponent, and the forecast of each.
pub fn designed(
    table: Arc<Table>,
    options: DesignOptions,
    fixed: Option<Vec<Vec<u16>>>,
    simulation: Simulation,
    draws: usize,
    estimation: Options,
) -> Result<Steps<(Vec<Candidate>, Forecast)>> {
    let domain = table.domain();
    let of = |cliques: &Vec<Vec<u16>>| {
        let of = |power: &f64| Candidate::new(&domain, Family::Fixed, *power, cliques.clone());
        options.exponents.iter().map(of).collect::<Vec<Candidate>>()
    };
    let fixed = fixed.as_ref().map(of);
    let counting = if fixed.is_none() { Some(candidates(table, options)?) } else { None };
    Ok(Steps::new(move |pace| async move {
        pace.show(0, 1);
        let mut candidates = fixed.unwrap_or_default();
        if let Some(counting) = counting {
            candidates = without_singles(pace.quiet().run(counting).await?);
        }
        let forecast = pace.run(forecast(simulation, candidates.clone(), draws, estimation)?).await?;
        Ok((candidates, forecast))
    }))
}

/// Without single attributes, where there are pairs.
fn without_singles(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let single = |candidate: &Candidate| candidate.family == Family::OneWays;
    if !candidates.iter().all(single) {
        candidates.retain(|candidate| !single(candidate));
    }
    candidates
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

/// How much longer a row of a clique takes while an index is made than to look it up.
const MAKING: usize = 8;
