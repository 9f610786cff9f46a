//! Serves `ts/estimate/priors.ts`: priors that are made of other things than the rows of a table.

use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::{Base, FullJob, MixtureJob};
use marginalia_tables::{Schema, distinct::DistinctJob};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PriorBase {
    /// The same weight for each of the rows of a table, which must be distinct.
    #[wasm_bindgen(js_name = uniformOn)]
    pub fn uniform_on(table: Table) -> Result<PriorBase> {
        let table = table.shared();
        let base = Base::new(table.domain(), table.columns().to_vec(), None)?;
        Ok(Self { base: Arc::new(base), schema: Arc::clone(table.schema()) })
    }

    /// Its rows with their shares.
    pub fn table(&self) -> Result<Table> {
        let model = marginalia_estimate::models::support::Distribution::prior(Arc::clone(&self.base), 1.0)?;
        Ok(Table::new(model.table(&self.schema)?))
    }
}

/// The making of all rows that a schema allows, in the order of their codes.
#[wasm_bindgen]
pub struct FullTableJob(FullJob);

#[wasm_bindgen]
impl FullTableJob {
    /// All rows of a schema, in at most `limit` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, limit: f64) -> Result<FullTableJob> {
        Ok(Self(FullJob::new(Arc::new(Schema::from_json(schema)?), limit as u64)?))
    }

    /// Makes about `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        Ok(self.0.step(rows)?)
    }

    /// Rows made.
    pub fn done(&self) -> f64 {
        self.0.done() as f64
    }

    /// All rows.
    pub fn total(&self) -> f64 {
        self.0.total() as f64
    }

    /// The rows.
    pub fn finish(self) -> Result<Table> {
        Ok(Table::new(self.0.finish()?))
    }
}

/// The mixing of priors, and then the merging of rows that several of them have.
#[wasm_bindgen]
pub struct MixingJob {
    mixing: Option<MixtureJob>,
    merging: Option<DistinctJob>,
    rows: usize,
}

#[wasm_bindgen]
impl MixingJob {
    /// Nothing to mix yet, over a schema.
    #[wasm_bindgen(constructor)]
    pub fn new(first: &PriorBase) -> MixingJob {
        Self { mixing: Some(MixtureJob::new(Arc::clone(&first.schema))), merging: None, rows: 0 }
    }

    /// Adds a prior with its share.
    pub fn add(&mut self, prior: &PriorBase, share: f64) -> Result<()> {
        self.rows += prior.base.rows();
        if let Some(mixing) = &mut self.mixing {
            mixing.add(Arc::clone(&prior.base), share)?;
        }
        Ok(())
    }

    /// Copies or merges about `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        if let Some(mixing) = &mut self.mixing {
            let ready = mixing.step(rows)?;
            if let Some(mixing) = self.mixing.take_if(|_| ready) {
                self.merging = Some(DistinctJob::new(Arc::new(mixing.finish()?))?);
            }
            return Ok(false);
        }
        Ok(self.merging.as_mut().map_or(Ok(true), |merging| merging.step(rows))?)
    }

    /// Rows copied, merged and copied again.
    pub fn done(&self) -> usize {
        let merged = self.merging.as_ref().map_or(0, |merging| self.rows + merging.done());
        self.mixing.as_ref().map_or(merged, MixtureJob::done)
    }

    /// At most so many.
    pub fn total(&self) -> usize {
        3 * self.rows
    }

    /// The prior.
    pub fn finish(self) -> Result<Table> {
        let missing =
            || marginalia_tables::Error::new(marginalia_tables::Code::OptionInvalid, "the job has not ended");
        Ok(Table::new(self.merging.ok_or_else(missing)?.finish()?))
    }
}
