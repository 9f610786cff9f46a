//! Serves `ts/mechanisms/records.ts`: records of a model.

use crate::error::Result;
use crate::public::{cliques, seed};
use crate::table::Table;
use marginalia_estimate::records::{Method, RecordsJob as Ordering, Rounding, TakeJob, Totals, begin};
use marginalia_estimate::support::{Base, IndexJob};
use marginalia_tables::{Code, Error};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

enum Stage {
    Index(IndexJob),
    Round(Box<dyn Rounding>),
    Order(Ordering),
    Take(TakeJob),
    Done,
}

/// Rounds the weights of rows to a number of records, puts these in random order and copies them to a table.
#[wasm_bindgen]
pub struct RecordsJob {
    base: Arc<marginalia_tables::Table>,
    weights: Vec<f64>,
    records: u64,
    method: Method,
    seed: u64,
    stage: Stage,
    made: Option<Table>,
}

#[wasm_bindgen]
impl RecordsJob {
    /// A job over the rows of a prior, each of which has a weight. `flat` and `starts` are the tables that controlled
    /// rounding keeps, `digits` the seed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        base: &Table,
        weights: Vec<f64>,
        records: f64,
        method: &str,
        flat: Vec<u16>,
        starts: Vec<u32>,
        digits: &str,
    ) -> Result<RecordsJob> {
        let method = match method {
            "controlled" => Method::Controlled,
            "systematic" => Method::Systematic,
            "iid" => Method::Iid,
            _ => return Err(invalid("`method` is none of controlled, systematic, iid").into()),
        };
        let base = base.shared();
        let cliques = cliques(&base.domain(), &flat, &starts)?;
        let cliques = if method == Method::Controlled { cliques } else { Vec::new() };
        let rows = Base::new(base.domain(), base.columns().to_vec(), None)?;
        if weights.len() != rows.rows() {
            return Err(invalid("there must be one weight for each row").into());
        }
        let stage = Stage::Index(IndexJob::new(Arc::new(rows), cliques, u64::MAX)?);
        let (records, seed) = (records as u64, seed(digits)?);
        Ok(Self { base, weights, records, method, seed, stage, made: None })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        let units = work as u64;
        let ready = match &mut self.stage {
            Stage::Index(job) => job.step(units)?,
            Stage::Round(job) => job.step(units)?,
            Stage::Order(job) => job.step(units / 2)?,
            Stage::Take(job) => job.step((work / 50.0) as usize + 1)?,
            Stage::Done => return Ok(true),
        };
        if ready {
            self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
                Stage::Index(job) => {
                    let totals = Totals::all(self.records);
                    Stage::Round(begin(self.method, &self.weights, &totals, &job.finish()?, self.seed)?)
                }
                Stage::Round(job) => Stage::Order(Ordering::new(job.finish()?, self.seed)?),
                Stage::Order(job) => {
                    Stage::Take(TakeJob::new(Arc::clone(&self.base), job.finish()?, self.seed)?)
                }
                Stage::Take(job) => {
                    self.made = Some(Table::new(job.finish()?));
                    Stage::Done
                }
                Stage::Done => Stage::Done,
            };
        }
        Ok(matches!(self.stage, Stage::Done))
    }

    /// Thousandths done.
    pub fn done(&self) -> f64 {
        let (stage, done, total) = match &self.stage {
            Stage::Index(job) => (0, job.done(), job.total()),
            Stage::Round(job) => (1, job.done(), job.total()),
            Stage::Order(job) => (2, job.done(), job.total()),
            Stage::Take(job) => (3, job.done() as u64, job.total() as u64),
            Stage::Done => (4, 0, 1),
        };
        250.0 * (stage as f64 + done.min(total) as f64 / total.max(1) as f64)
    }

    /// All thousandths.
    pub fn total(&self) -> f64 {
        1000.0
    }

    /// The records.
    pub fn finish(self) -> Result<Table> {
        Ok(self.made.ok_or_else(|| invalid("the job has not ended"))?)
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
