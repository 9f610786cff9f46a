//! Serves `ts/mechanisms/kit/records.ts`: records of a model.

use crate::public::{cliques, seed};
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::IndexJob;
use marginalia_estimate::records::{
    Method, RecordsJob as Ordering, Rounding, TakeJob, Totals, UnfoldJob, Unfolded, begin,
};
use marginalia_tables::{Code, Error};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

enum Stage {
    Unfold(UnfoldJob),
    Index(IndexJob),
    Round(Box<dyn Rounding>),
    Order(Ordering),
    Take(TakeJob),
    Done,
}

/// Rounds the weights of rows to a number of records, puts these in random order and copies them to a table.
#[wasm_bindgen]
pub struct RecordsJob {
    unfolded: Option<Unfolded>,
    targets: Vec<Vec<u16>>,
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
        base: Table,
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
        let targets = cliques(&base.domain(), &flat, &starts)?;
        let targets = if method == Method::Controlled { targets } else { Vec::new() };
        if weights.len() != base.rows() {
            return Err(invalid("there must be one weight for each row").into());
        }
        let stage = Stage::Unfold(UnfoldJob::new(base, weights));
        let (records, seed) = (records as u64, seed(digits)?);
        Ok(Self { unfolded: None, targets, records, method, seed, stage, made: None })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        let units = work as u64;
        let ready = match &mut self.stage {
            Stage::Unfold(job) => job.step((work / 50.0) as usize + 1)?,
            Stage::Index(job) => job.step(units)?,
            Stage::Round(job) => job.step(units)?,
            Stage::Order(job) => job.step(units / 2)?,
            Stage::Take(job) => job.step((work / 50.0) as usize + 1)?,
            Stage::Done => return Ok(true),
        };
        if ready {
            let stage = std::mem::replace(&mut self.stage, Stage::Done);
            self.stage = self.next(stage)?;
        }
        Ok(matches!(self.stage, Stage::Done))
    }

    fn next(&mut self, stage: Stage) -> Result<Stage> {
        let over = || Error::new(Code::OptionInvalid, "the job has ended");
        let unfolded = self.unfolded.as_ref().ok_or_else(over);
        Ok(match stage {
            Stage::Unfold(job) => {
                let unfolded = job.finish()?;
                let index = unfolded.index_once(&self.targets)?;
                self.unfolded = Some(unfolded);
                Stage::Index(index)
            }
            Stage::Index(job) => {
                let (totals, targets) = (Totals::all(self.records), job.finish()?);
                Stage::Round(begin(self.method, &unfolded?.weights, &totals, &targets, self.seed)?)
            }
            Stage::Round(job) => Stage::Order(Ordering::new(job.finish()?, self.seed)?),
            Stage::Order(job) => {
                Stage::Take(TakeJob::new(Arc::clone(&unfolded?.rows), job.finish()?, self.seed)?)
            }
            Stage::Take(job) => {
                self.made = Some(Table::new(job.finish()?));
                Stage::Done
            }
            Stage::Done => Stage::Done,
        })
    }

    /// Thousandths done.
    pub fn done(&self) -> f64 {
        let (stage, done, total) = match &self.stage {
            Stage::Unfold(job) => (0, job.done() as u64, job.total() as u64),
            Stage::Index(job) => (1, job.done(), job.total()),
            Stage::Round(job) => (2, job.done(), job.total()),
            Stage::Order(job) => (3, job.done(), job.total()),
            Stage::Take(job) => (4, job.done() as u64, job.total() as u64),
            Stage::Done => (5, 0, 1),
        };
        200.0 * (stage as f64 + done.min(total) as f64 / total.max(1) as f64)
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
