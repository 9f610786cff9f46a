//! Serves `ts/estimate/model.ts`.

use crate::prior::PriorBase;
use marginalia_binding::answers::Answers;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::MarginalsJob;
use marginalia_tables::{Schema, Workload};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A distribution on the rows of a prior, behind a handle.
#[wasm_bindgen]
pub struct Model {
    model: Arc<marginalia_estimate::models::support::Model>,
    pub(crate) schema: Arc<Schema>,
}

impl Model {
    pub(crate) fn new(model: marginalia_estimate::models::support::Model, schema: Arc<Schema>) -> Self {
        Self { model: Arc::new(model), schema }
    }

    pub(crate) fn shared(&self) -> Arc<marginalia_estimate::models::support::Model> {
        self.model.clone()
    }
}

#[wasm_bindgen]
impl Model {
    /// The prior itself, standing for `total` records.
    #[wasm_bindgen(js_name = ofPrior)]
    pub fn of_prior(prior: &PriorBase, total: f64) -> Result<Model> {
        let model = marginalia_estimate::models::support::Model::prior(prior.base.clone(), total)?;
        Ok(Self::new(model, prior.schema.clone()))
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.model.base().rows()
    }

    /// What each row gets; the sum is 1.
    pub fn weights(&self) -> Result<Vec<f64>> {
        Ok(self.model.copied()?)
    }

    /// Relative entropy to the prior, in nats.
    #[wasm_bindgen(js_name = relativeEntropy)]
    pub fn relative_entropy(&self) -> Result<f64> {
        Ok(self.model.relative_entropy()?)
    }

    /// How many of the prior's `records` the model effectively rests on.
    #[wasm_bindgen(js_name = effectiveSize)]
    pub fn effective_size(&self, records: f64) -> Result<f64> {
        Ok(self.model.effective_size(records)?)
    }

    /// The rows as a table, weighted by the records that the model gives to each.
    pub fn table(&self) -> Result<Table> {
        Ok(Table::new(self.model.table(&self.schema)?))
    }
}

/// The answering of a workload.
#[wasm_bindgen]
pub struct AnswerJob {
    job: MarginalsJob,
    workload: Arc<Workload>,
    limit: u64,
}

#[wasm_bindgen]
impl AnswerJob {
    /// Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &Model, flat: Vec<u16>, starts: Vec<u32>, limit: f64) -> Result<AnswerJob> {
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let domain = model.model.base().domain().clone();
        let (workload, limit) = (Arc::new(Workload::new(domain, flat, starts)?), limit as u64);
        Ok(Self { job: MarginalsJob::new(model.shared(), workload.clone(), limit)?, workload, limit })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.job.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.job.done() as f64
    }

    /// All units.
    pub fn total(&self) -> f64 {
        self.job.total() as f64
    }

    /// The answers.
    pub fn finish(self) -> Result<Answers> {
        let cells = self.job.finish()?;
        Ok(Answers::new(marginalia_tables::count::Answers::from_cells(self.workload, cells, self.limit)?))
    }
}
