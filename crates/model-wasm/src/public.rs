//! Serves `ts/mechanisms/kit/prior.ts`: priors that are made from public tables alone.

use crate::dependencies::kept;
use crate::design::{Noisy, rough};
use crate::job::Job;
use crate::reading::seed;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::design::{Candidate, Family};
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::pool::{Alpha, AlphaOptions, PoolOptions, PooledTable, group_pairs, pooled};
use marginalia_estimate::priors::widen::{LearnOptions, Wide, WidenOptions, widened};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

type Rules = Vec<Vec<(u16, Vec<u16>)>>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Widening {
    share: f64,
    rows: usize,
    strength: f64,
    deny: Rules,
    #[serde(default)]
    dependencies: Vec<u16>,
    limit: f64,
    seed: String,
}

/// A table that was widened.
#[wasm_bindgen]
pub struct WideRows(Wide);

#[wasm_bindgen]
impl WideRows {
    /// How many of the distinct rows are the public table's own.
    pub fn own(&self) -> usize {
        self.0.own
    }

    /// Distinct rows with their weights.
    pub fn table(self) -> Table {
        Table::new(self.0.table)
    }
}

/// The distinct rows of a public table with their weights, without those that are denied, and rows drawn from its network; with
/// options as JSON.
#[wasm_bindgen(js_name = publicPrior, unchecked_return_type = "Job<WideRows>")]
pub fn public_prior(table: Table, options: &str) -> Result<Job> {
    let Widening { share, rows, strength, deny, dependencies, limit, seed: digits } = parse(options)?;
    let (table, dependencies) = (table.shared(), kept(&dependencies));
    let deny = Deny::new(&table.domain(), &deny)?;
    let options = WidenOptions { share, rows, seed: seed(&digits)? };
    let (strength, limit) = (Some(strength), limit as u64);
    let learning = LearnOptions { strength, limit, dependencies, ..LearnOptions::default() };
    Ok(Job::new(widened(table, learning, deny, options)?, |wide| Ok(WideRows(wide).into())))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Pooling {
    group: u16,
    strength: f64,
    /// The share of the pooled weights; found by validation where there is none.
    alpha: Option<f64>,
    alphas: Vec<f64>,
    exponent: f64,
    cells: u64,
    most_rows: usize,
    noise: Noisy,
    expected: f64,
    deny: Rules,
    #[serde(default)]
    dependencies: Vec<u16>,
    seed: String,
}

/// A table that was pooled.
#[wasm_bindgen]
pub struct PooledRows(PooledTable);

#[wasm_bindgen]
impl PooledRows {
    /// The share of the pooled weights.
    pub fn alpha(&self) -> f64 {
        self.0.alpha
    }

    /// Rows in all groups with their weights.
    pub fn table(self) -> Table {
        Table::new(self.0.table)
    }
}

/// A public table, pooled over a group attribute; with options as JSON.
#[wasm_bindgen(js_name = poolRows, unchecked_return_type = "Job<PooledRows>")]
pub fn pool_rows(table: Table, options: &str) -> Result<Job> {
    let options: Pooling = parse(options)?;
    let table = table.shared();
    let domain = table.domain();
    let size = domain.sizes().get(usize::from(options.group)).copied().unwrap_or(0);
    let (group, strength, cells) = (options.group, options.strength, options.cells);
    let pool = PoolOptions {
        group,
        groups: (0..size as u16).collect(),
        strength,
        independence: strength,
        cells,
        most_rows: options.most_rows,
        deny: Deny::new(&domain, &options.deny)?,
        dependencies: kept(&options.dependencies),
        estimation: rough(),
        seed: seed(&options.seed)?,
    };
    let alpha = match options.alpha {
        Some(alpha) => Alpha::Fixed(alpha),
        None => {
            let cliques = group_pairs(&table, group, cells);
            let plan = Candidate::new(&domain, Family::GroupPairs, options.exponent, cliques);
            let (alphas, expected, noise) = (options.alphas, options.expected, options.noise.noise()?);
            let (tables, seed, pool) = (TABLES, pool.seed, pool.clone());
            Alpha::Best(Box::new(AlphaOptions { pool, alphas, plan, noise, expected, tables, seed }))
        }
    };
    let job = pooled(table, pool, alpha)?;
    Ok(Job::new(job, |pooled| Ok(PooledRows(pooled).into())))
}

/// The tables that validation judges by.
const TABLES: usize = 40;
