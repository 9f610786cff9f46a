//! Serves `ts/mechanisms/kit/forecast.ts`: candidates for what to measure, and a forecast of each.

use crate::job::Job;
use crate::reading::seed;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::design::{
    Candidate, DesignOptions, Family, Forecast, Law, Noise, Scored, Simulation, all_tables, designed,
    some_tables,
};
use marginalia_estimate::deviates::stream;
use marginalia_estimate::estimators::calibrated;
use marginalia_tables::{Code, Error};
use serde::Deserialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Enough to rank workloads, and to pool.
pub(crate) fn rough() -> calibrated::Options {
    calibrated::Options { tolerance: 1e-2, passes: 400, ..Default::default() }
}

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
    most_tables: usize,
    most_pairs: usize,
    seed: String,
}

/// Candidates from a public table, simulated on a prior that was made of it, with options as JSON: the chosen candidate, the score
/// of the prior as it is with its standard error, and of each candidate: its family, the size of that, the power of cells, the
/// score, its standard error, the draws, whether it is close to the chosen one, and its cliques, each after its length.
#[wasm_bindgen(js_name = designWorkload, unchecked_return_type = "Job<Float64Array<ArrayBuffer>>")]
pub fn design_workload(table: Table, prior: Table, options: &str) -> Result<Job> {
    let options: Options = parse(options)?;
    let (table, rows) = (table.shared(), prior.shared());
    let simulation = simulation(&rows, &options)?;
    let Options {
        attributes,
        group,
        cliques,
        tops,
        trees,
        exponents,
        cells,
        limit,
        draws,
        most_pairs: most,
        ..
    } = options;
    let (attributes, limit) = (Some(attributes), limit as u64);
    let design = DesignOptions { attributes, group, tops, trees, exponents, cells, most, limit };
    let job = designed(table, design, cliques, simulation, draws, rough())?;
    Ok(Job::new(job, |(candidates, forecast)| Ok(flat(&candidates, &forecast).into())))
}

fn simulation(rows: &Arc<marginalia_tables::Table>, options: &Options) -> Result<Simulation> {
    let Options { attributes, group, cells, strength, expected, drift, noise, .. } = options;
    let prior = match rows.weights() {
        Some(weights) => weights.to_vec()?,
        None => vec![1.0; rows.rows()],
    };
    let mut tables = all_tables(&rows.domain(), attributes, *group, *cells);
    if tables.is_empty() {
        tables = attributes.iter().map(|a| vec![*a]).collect();
    }
    let seed = seed(&options.seed)?;
    if tables.len() > options.most_tables {
        tables = some_tables(tables, options.most_tables, &mut stream(seed, &[TABLES]));
    }
    Ok(Simulation {
        rows: Arc::clone(rows),
        law: prior.clone(),
        prior,
        strength: *strength,
        expected: *expected,
        drift: *drift,
        noise: noise.noise()?,
        tables,
        most_rows: options.most_rows,
        seed,
    })
}

fn flat(candidates: &[Candidate], forecast: &Forecast) -> Vec<f64> {
    let Forecast { candidates: scores, untouched, chosen, close } = forecast;
    let mut flat = vec![*chosen as f64, untouched.mean, untouched.standard_error];
    for (i, (candidate, score)) in candidates.iter().zip(scores).enumerate() {
        let (family, size) = family(candidate.family);
        flat.extend([family, size, candidate.exponent]);
        flat.extend(scored(score, close.contains(&i)));
        flat.push(candidate.cliques.len() as f64);
        for clique in &candidate.cliques {
            flat.push(clique.len() as f64);
            flat.extend(clique.iter().map(|attribute| f64::from(*attribute)));
        }
    }
    flat
}

/// The mean score, its standard error, the draws, and whether it is close to the best.
pub(crate) fn scored(score: &Scored, close: bool) -> [f64; 4] {
    [score.mean, score.standard_error, score.draws.len() as f64, f64::from(u8::from(close))]
}

const TABLES: u64 = 0x6a75_6467;

/// The number that a family goes by, and its size.
fn family(family: Family) -> (f64, f64) {
    match family {
        Family::OneWays => (0.0, 0.0),
        Family::Tree(k) => (1.0, k as f64),
        Family::Top(k) => (2.0, k as f64),
        Family::AllPairs => (3.0, 0.0),
        Family::GroupPairs => (4.0, 0.0),
        Family::Fixed => (5.0, 0.0),
    }
}
