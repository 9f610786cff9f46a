//! Records of weighted rows, from the weights to the table.

use super::{Method, RecordsJob, Rounding, TakeJob, Totals, UnfoldJob, begin};
use crate::job::{Driven, Driver, Job, Pace, Steps};
use crate::models::RecordsRequest;
use crate::models::support::IndexJob;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// Rounds the weights of rows to a number of records, puts these in random order and copies them to a table. Rows with
/// several raw numbers are split first.
pub fn records_of_rows(rows: Arc<Table>, weights: Vec<f64>, request: RecordsRequest) -> Steps<Table> {
    Steps::new(|pace| async move {
        if weights.len() != rows.rows() {
            return Err(Error::new(Code::OptionInvalid, "there must be one weight for each row"));
        }
        let RecordsRequest { records, method, targets, seed } = request;
        let targets = if method == Method::Controlled { targets } else { Vec::new() };
        let stages = Stages { pace: &pace, stage: 0.into() };
        let unfolded = stages.run(UNFOLDING, UnfoldJob::new(rows, weights)).await?;
        let index = stages.run(INDEXING, unfolded.index_once(&targets)?).await?;
        let rounding = begin(method, &unfolded.weights, &Totals::all(records), &index, seed)?;
        let counts = stages.run(ROUNDING, rounding).await?;
        let order = stages.run(ORDERING, RecordsJob::new(counts, seed)?).await?;
        stages.run(TAKING, TakeJob::new(unfolded.rows, order, seed)?).await
    })
}

/// Stages one after another, each a fifth of what is shown.
struct Stages<'a> {
    pace: &'a Pace,
    stage: std::sync::atomic::AtomicUsize,
}

impl Stages<'_> {
    async fn run<J, T>(&self, driver: Driver<J, T>, job: J) -> Result<T> {
        let stage = self.stage.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut job = Driven::new(job, driver);
        loop {
            let now = job.step(SLICE);
            let part = 200 * now.done.min(now.total) / now.total.max(1);
            self.pace.show(200 * stage + part as usize, 1000);
            self.pace.did(SLICE as usize).await;
            if now.over {
                return Box::new(job).finish();
            }
        }
    }
}

/// Units of work at a time.
const SLICE: u64 = 1 << 18;
/// Splitting or copying a row takes so many.
const ROW: u64 = 50;

const UNFOLDING: Driver<UnfoldJob, super::Unfolded> = Driver {
    step: |job, work| job.step((work / ROW) as usize + 1),
    done: |job| (job.done() as u64, job.total() as u64),
    finish: UnfoldJob::finish,
};
const INDEXING: Driver<IndexJob, Arc<crate::models::support::Index>> =
    Driver { step: IndexJob::step, done: |job| (job.done(), job.total()), finish: IndexJob::finish };
const ROUNDING: Driver<Box<dyn Rounding>, Vec<u32>> = Driver {
    step: |job, work| job.step(work),
    done: |job| (job.done(), job.total()),
    finish: |job| job.finish(),
};
const ORDERING: Driver<RecordsJob, Vec<u32>> = Driver {
    step: |job, work| job.step(work / 2),
    done: |job| (job.done(), job.total()),
    finish: RecordsJob::finish,
};
const TAKING: Driver<TakeJob, Table> = Driver {
    step: |job, work| job.step((work / ROW) as usize + 1),
    done: |job| (job.done() as u64, job.total() as u64),
    finish: TakeJob::finish,
};
