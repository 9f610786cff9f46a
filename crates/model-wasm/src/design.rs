//! Serves `ts/mechanisms/kit/forecast.ts`: candidates for what to measure, and a forecast of each.

use crate::public::seed;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::design::{
    Candidate, CandidatesJob, DesignOptions, Family, Forecast, ForecastJob, Law, Noise, Scored, Simulation,
    all_tables,
};
use marginalia_estimate::estimators::calibrated::Gap;
use marginalia_tables::{Code, Error};
use serde::Deserialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Enough to rank workloads, and to pool.
pub(crate) const SOLVER: Gap = Gap { tolerance: 1e-2, passes: 400 };

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Noisy {
    law: String,
    budget: f64,
    sensitivity: f64,
}

impl Noisy {
    pub(crate) fn noise(&self) -> std::result::Result<Noise, Error> {
        let law = match self.law.as_str() {
            "laplace" => Law::Laplace,
            "gaussian" => Law::Gaussian,
            _ => return Err(Error::new(Code::OptionInvalid, "`law` is neither laplace nor gaussian")),
        };
        Ok(Noise { law, budget: self.budget, sensitivity: self.sensitivity })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    attributes: Vec<u16>,
    group: Option<u16>,
    /// What to measure, where somebody said so.
    cliques: Option<Vec<Vec<u16>>>,
    tops: Vec<usize>,
    trees: Vec<f64>,
    exponents: Vec<f64>,
    cells: u64,
    limit: f64,
    strength: f64,
    expected: u64,
    drift: f64,
    noise: Noisy,
    draws: usize,
    most_rows: usize,
    seed: String,
}

/// Makes candidates from a public table, and simulates each on a prior.
#[wasm_bindgen]
pub struct DesignJob {
    rows: Arc<marginalia_tables::Table>,
    options: Options,
    counting: Option<CandidatesJob>,
    forecast: Option<ForecastJob<Gap>>,
    candidates: Vec<Candidate>,
}

#[wasm_bindgen]
impl DesignJob {
    /// A job over a public table and a prior that was made of it, with options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(table: Table, prior: Table, options: &str) -> Result<DesignJob> {
        let options: Options = parse(options)?;
        let (table, rows) = (table.shared(), prior.shared());
        let mut job = Self { rows, options, counting: None, forecast: None, candidates: Vec::new() };
        if let Some(cliques) = &job.options.cliques {
            let domain = table.domain();
            let of = |power: &f64| Candidate::new(&domain, Family::Given, *power, cliques.clone());
            let candidates = job.options.exponents.iter().map(of).collect();
            job.simulate(candidates)?;
        } else {
            let Options { attributes, group, tops, trees, exponents, cells, limit, .. } = &job.options;
            let design = DesignOptions {
                attributes: Some(attributes.clone()),
                group: *group,
                tops: tops.clone(),
                trees: trees.clone(),
                exponents: exponents.clone(),
                cells: *cells,
                limit: *limit as u64,
            };
            job.counting = Some(CandidatesJob::new(table, design)?);
        }
        Ok(job)
    }

    fn simulate(&mut self, candidates: Vec<Candidate>) -> Result<()> {
        let Options { attributes, group, cells, strength, expected, drift, noise, .. } = &self.options;
        let prior = match self.rows.weights() {
            Some(weights) => weights.to_vec()?,
            None => vec![1.0; self.rows.rows()],
        };
        let mut tables = all_tables(&self.rows.domain(), attributes, *group, *cells);
        if tables.is_empty() {
            tables = attributes.iter().map(|a| vec![*a]).collect();
        }
        let simulation = Simulation {
            rows: Arc::clone(&self.rows),
            law: prior.clone(),
            prior,
            strength: *strength,
            expected: *expected,
            drift: *drift,
            noise: noise.noise()?,
            tables,
            most_rows: self.options.most_rows,
            seed: seed(&self.options.seed)?,
        };
        self.candidates = candidates.clone();
        self.forecast = Some(ForecastJob::new(simulation, candidates, self.options.draws, SOLVER)?);
        Ok(())
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        if let Some(counting) = &mut self.counting {
            let ready = counting.step(work as u64)?;
            if let Some(counting) = self.counting.take_if(|_| ready) {
                self.simulate(of_pairs(counting.finish()?))?;
            }
            return Ok(false);
        }
        Ok(self.forecast.as_mut().map_or(Ok(true), |job| job.step(work as u64))?)
    }

    /// Estimates done.
    pub fn done(&self) -> f64 {
        self.forecast.as_ref().map_or(0.0, |job| job.done() as f64)
    }

    /// Estimates in all.
    pub fn total(&self) -> f64 {
        self.forecast.as_ref().map_or(1.0, |job| job.total() as f64)
    }

    /// The chosen candidate, the score of the prior as it is with its standard error, and of each candidate: its
    /// family, the size of that, the power of cells, the score, its standard error, the draws, whether it is close to
    /// the chosen one, and its cliques, each after its length.
    pub fn finish(self) -> Result<Vec<f64>> {
        let job = self.forecast.ok_or_else(|| Error::new(Code::OptionInvalid, "the job has not ended"))?;
        let Forecast { candidates: scores, untouched, chosen, close } = job.finish()?;
        let mut flat = vec![chosen as f64, untouched.mean, untouched.standard_error];
        for (i, (candidate, score)) in self.candidates.iter().zip(&scores).enumerate() {
            let (family, size) = family(candidate.family);
            flat.extend([family, size, candidate.exponent]);
            flat.extend(scored(score, close.contains(&i)));
            flat.push(candidate.cliques.len() as f64);
            for clique in &candidate.cliques {
                flat.push(clique.len() as f64);
                flat.extend(clique.iter().map(|attribute| f64::from(*attribute)));
            }
        }
        Ok(flat)
    }
}

/// The mean score, its standard error, the draws, and whether it is close to the best.
pub(crate) fn scored(score: &Scored, close: bool) -> [f64; 4] {
    [score.mean, score.standard_error, score.draws.len() as f64, f64::from(u8::from(close))]
}

/// Without single attributes, where there are pairs.
fn of_pairs(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let single = |candidate: &Candidate| candidate.family == Family::OneWays;
    if !candidates.iter().all(single) {
        candidates.retain(|candidate| !single(candidate));
    }
    candidates
}

/// The number that a family goes by, and its size.
fn family(family: Family) -> (f64, f64) {
    match family {
        Family::OneWays => (0.0, 0.0),
        Family::Tree(k) => (1.0, k as f64),
        Family::Top(k) => (2.0, k as f64),
        Family::AllPairs => (3.0, 0.0),
        Family::GroupPairs => (4.0, 0.0),
        Family::Given => (5.0, 0.0),
    }
}
