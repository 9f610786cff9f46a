//! Serves `ts/engine/operations/hierarchy.ts` too: forecasts of how a budget is best divided among levels.

use crate::design::{Noisy, scored};
use crate::hierarchy::{SharedRows, measurements, rule, strength};
use crate::job::Job;
use crate::reading::seed;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::hierarchy::{Simulated, Spent, split};
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    splits: Vec<Vec<Spending>>,
    tables: Vec<Vec<u16>>,
    noise: Noisy,
    expected: f64,
    strength: f64,
    levels: Vec<LevelOptions>,
    totals: String,
    known: bool,
    drift: f64,
    common: f64,
    draws: usize,
    most_rows: usize,
    most_groups: usize,
    seed: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Spending {
    count: f64,
    cliques: Vec<Vec<u16>>,
    budgets: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LevelOptions {
    /// The cliques of public counts.
    public: Vec<Value>,
    fixed: Option<f64>,
    between: f64,
}

/// Simulates ways to divide a budget on a public table, for the groups of shared rows that were made of it; with options as JSON,
/// and the public counts of all levels one after another: the place of the best, the score of public tables as they are with its
/// standard error, and of each way its score, the standard error, the truths that it was tried on, and whether it is close to the
/// best.
#[wasm_bindgen(js_name = splitBudget, unchecked_return_type = "Job<Float64Array<ArrayBuffer>>")]
pub fn split_budget(shared: &SharedRows, table: Table, options: &str, values: &[f64]) -> Result<Job> {
    let options: Options = parse(options)?;
    let (rule, agree) = rule(&options.totals)?;
    let (mut counts, mut strengths, mut between) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = values;
    for level in &options.levels {
        counts.push(measurements(&shared.plan, &level.public, &mut rest)?);
        strengths.push(strength(level.fixed, !level.public.is_empty(), level.between));
        between.push(level.between);
    }
    let spent = |one: Spending| Spent { count: one.count, cliques: one.cliques, budgets: one.budgets };
    let way = |levels: Vec<Spending>| levels.into_iter().map(spent).collect();
    let simulated = Simulated {
        splits: options.splits.into_iter().map(way).collect(),
        tables: options.tables,
        noise: options.noise.noise()?,
        expected: options.expected,
        strength: options.strength,
        strengths,
        counts,
        between,
        rule,
        agree,
        known: options.known,
        drift: options.drift,
        common: options.common,
        draws: options.draws,
        most_rows: options.most_rows,
        most_groups: options.most_groups,
        seed: seed(&options.seed)?,
    };
    let job = split(shared.plan.clone(), table.shared(), simulated)?;
    Ok(Job::new(job, |forecast| {
        let mut flat =
            vec![forecast.chosen as f64, forecast.untouched.mean, forecast.untouched.standard_error];
        for (i, score) in forecast.candidates.iter().enumerate() {
            flat.extend(scored(score, forecast.close.contains(&i)));
        }
        Ok(flat.into())
    }))
}
