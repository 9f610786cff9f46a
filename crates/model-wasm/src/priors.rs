//! Serves `ts/estimate/priors.ts`: priors that are made of other things than the rows of a table.

use crate::job::Job;
use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::{Base, full};
use marginalia_estimate::priors::mixed;
use marginalia_tables::Schema;
use marginalia_tables::room::listed;
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

    /// Its rows, whatever weights their table has.
    pub fn bare(&self) -> Result<Table> {
        Ok(Table::of(self.base.table(&self.schema)?))
    }

    /// What it gives to each.
    pub fn shares(&self) -> Result<Vec<f64>> {
        Ok(listed(self.base.prior().iter().copied())?)
    }

    /// Its rows with their shares, weighed again.
    pub fn table(&self) -> Result<Table> {
        let model = marginalia_estimate::models::support::Distribution::prior(Arc::clone(&self.base), 1.0)?;
        Ok(Table::new(model.table(&self.schema)?))
    }
}

/// All rows that a schema allows, in the order of their codes, in at most `limit` bytes.
#[wasm_bindgen(js_name = fullTable, unchecked_return_type = "Job<Table>")]
pub fn full_table(schema: &str, limit: f64) -> Result<Job> {
    let job = full(Arc::new(Schema::from_json(schema)?), limit as u64)?;
    Ok(Job::new(job, |table| Ok(Table::new(table).into())))
}

/// Priors that are to be mixed.
#[wasm_bindgen]
pub struct Mixing {
    schema: Arc<Schema>,
    parts: Vec<(Arc<Base>, f64)>,
}

#[wasm_bindgen]
impl Mixing {
    /// Nothing to mix yet, over the schema of a prior.
    #[wasm_bindgen(constructor)]
    pub fn new(first: &PriorBase) -> Mixing {
        Self { schema: Arc::clone(&first.schema), parts: Vec::new() }
    }

    /// Adds a prior with its share.
    pub fn add(&mut self, prior: &PriorBase, share: f64) {
        self.parts.push((Arc::clone(&prior.base), share));
    }

    /// Their distinct rows.
    #[wasm_bindgen(unchecked_return_type = "Job<Table>")]
    pub fn mixed(self) -> Result<Job> {
        Ok(Job::new(mixed(self.schema, self.parts)?, |table| Ok(Table::new(table).into())))
    }
}
