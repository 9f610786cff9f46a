//! Serves `ts/mechanisms/kit/prior.ts`: priors that are made from public tables alone.

use crate::dependencies::kept;
use crate::design::{Noisy, SOLVER};
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::design::{Candidate, Family};
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::dependencies::Dependencies;
use marginalia_estimate::priors::pool::{AlphaJob, AlphaOptions, PoolJob, PoolOptions, Pooled, group_pairs};
use marginalia_estimate::priors::widen::{LearnJob, LearnOptions, WidenJob, WidenOptions};
use marginalia_tables::{Code, Domain, Error};
use serde::Deserialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A u64 in decimal digits, which a JavaScript number could not hold.
pub(crate) fn seed(digits: &str) -> std::result::Result<u64, Error> {
    digits.parse().map_err(|_| Error::new(Code::OptionInvalid, "the seed is not a 64-bit number"))
}

type Rules = Vec<Vec<(u16, Vec<u16>)>>;

/// The share of progress of a stage of several, in thousandths of all.
fn part(stage: u64, stages: u64, done: u64, total: u64) -> f64 {
    (1000 * stage + 1000 * done.min(total) / total.max(1)) as f64 / stages as f64
}

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

/// Makes the rows of a public table distinct, without those that are denied, and draws more from its network.
#[wasm_bindgen]
pub struct PriorJob {
    table: Arc<marginalia_tables::Table>,
    learning: Option<LearnJob>,
    widening: Option<WidenJob>,
    deny: Deny,
    dependencies: Dependencies,
    options: WidenOptions,
}

#[wasm_bindgen]
impl PriorJob {
    /// A job over a public table, with options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(table: Table, options: &str) -> Result<PriorJob> {
        let Widening { share, rows, strength, deny, dependencies, limit, seed: digits } = parse(options)?;
        let dependencies = kept(&dependencies);
        let table = table.shared();
        let deny = Deny::new(&table.domain(), &deny)?;
        let options = WidenOptions { share, rows, seed: seed(&digits)? };
        let usual = LearnOptions::default();
        // Where nothing is drawn, a network without edges will do.
        let candidates = if share > 0.0 { usual.candidates } else { 0 };
        let (strength, limit) = (Some(strength), limit as u64);
        let learn = LearnOptions { strength, limit, candidates, dependencies: dependencies.clone(), ..usual };
        let learning = Some(LearnJob::new(Arc::clone(&table), learn)?);
        Ok(Self { table, learning, widening: None, deny, dependencies, options })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        if let Some(learning) = &mut self.learning {
            let ready = learning.step(work as u64)?;
            if let Some(learning) = self.learning.take_if(|_| ready) {
                let (table, deny) = (Arc::clone(&self.table), self.deny.clone());
                let job = WidenJob::new(table, learning.finish()?, deny, self.options)?;
                self.widening = Some(job.keeping(&self.dependencies)?);
            }
            return Ok(false);
        }
        // Drawing or copying a row takes some ten times as long as counting it.
        let rows = (work / 10.0) as usize;
        Ok(self.widening.as_mut().map_or(Ok(true), |job| job.step(rows))?)
    }

    /// Thousandths done.
    pub fn done(&self) -> f64 {
        match (&self.learning, &self.widening) {
            (Some(job), _) => part(0, 2, job.done(), job.total()),
            (None, Some(job)) => part(1, 2, job.done() as u64, job.total() as u64),
            (None, None) => self.total(),
        }
    }

    /// All thousandths.
    pub fn total(&self) -> f64 {
        1000.0
    }

    /// How many of the distinct rows are the table's own, at the end.
    pub fn own(&self) -> usize {
        self.widening.as_ref().map_or(0, WidenJob::own)
    }

    /// Distinct rows with their weights.
    pub fn finish(self) -> Result<Table> {
        let job = self.widening.ok_or_else(|| Error::new(Code::OptionInvalid, "the job has not ended"))?;
        Ok(Table::new(job.finish()?))
    }
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

/// Pools a public table over a group attribute.
#[wasm_bindgen]
pub struct PoolingJob {
    finding: Option<AlphaJob<marginalia_estimate::estimators::calibrated::Gap>>,
    pooling: Option<PoolJob<marginalia_estimate::estimators::calibrated::Gap>>,
    pooled: Option<Pooled>,
    alpha: f64,
    strength: f64,
}

#[wasm_bindgen]
impl PoolingJob {
    /// A job over a public table, with options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(table: Table, options: &str) -> Result<PoolingJob> {
        let given: Pooling = parse(options)?;
        let table = table.shared();
        let domain = table.domain();
        let size = domain.sizes().get(usize::from(given.group)).copied().unwrap_or(0);
        let (strength, cells) = (given.strength, given.cells);
        let pool = PoolOptions {
            group: given.group,
            groups: (0..size as u16).collect(),
            strength,
            independence: strength,
            cells,
            most_rows: given.most_rows,
            deny: Deny::new(&domain, &given.deny)?,
            dependencies: kept(&given.dependencies),
            seed: seed(&given.seed)?,
        };
        let finding = match given.alpha {
            Some(_) => None,
            None => {
                let plan = Candidate::new(
                    &domain,
                    Family::GroupPairs,
                    given.exponent,
                    group_pairs(&table, given.group, cells),
                );
                let (alphas, expected, noise) = (given.alphas, given.expected, given.noise.noise()?);
                let (tables, seed) = (TABLES, pool.seed);
                let options =
                    AlphaOptions { pool: pool.clone(), alphas, plan, noise, expected, tables, seed };
                Some(AlphaJob::new(&table, options, SOLVER)?)
            }
        };
        let pooling = Some(PoolJob::new(table, pool, SOLVER)?);
        Ok(Self { finding, pooling, pooled: None, alpha: given.alpha.unwrap_or(0.0), strength })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        let work = work as u64;
        if let Some(finding) = &mut self.finding {
            let ready = finding.step(work)?;
            if let Some(finding) = self.finding.take_if(|_| ready) {
                self.alpha = finding.finish()?.alpha;
            }
        } else if let Some(pooling) = &mut self.pooling {
            let ready = pooling.step(work)?;
            if let Some(pooling) = self.pooling.take_if(|_| ready) {
                self.pooled = Some(pooling.finish()?);
            }
        }
        Ok(self.pooled.is_some())
    }

    /// Estimates done.
    pub fn done(&self) -> f64 {
        self.finding.as_ref().map_or(0.0, |job| job.done() as f64)
    }

    /// Estimates in all.
    pub fn total(&self) -> f64 {
        self.finding.as_ref().map_or(1.0, |job| job.total() as f64 + 1.0)
    }

    /// The share of the pooled weights.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Rows in all groups with their weights.
    pub fn finish(self) -> Result<Table> {
        let pooled = self.pooled.ok_or_else(|| Error::new(Code::OptionInvalid, "the job has not ended"))?;
        Ok(Table::new(pooled.table(self.alpha, self.strength)?))
    }
}

/// The tables that validation judges by.
const TABLES: usize = 40;

/// The cliques of a flat list.
pub(crate) fn cliques(domain: &Domain, flat: &[u16], starts: &[u32]) -> Result<Vec<Vec<u16>>> {
    let starts = starts.iter().map(|start| *start as usize).collect();
    let workload = marginalia_tables::Workload::new(domain.clone(), flat.to_vec(), starts)?;
    Ok(workload.cliques().map(<[u16]>::to_vec).collect())
}
