//! Serves `ts/estimate/support.ts`: what only models on the rows of a prior have.

use crate::model::Model;
use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::{Distribution, SupportModel};
use marginalia_estimate::models::{Model as _, narrowed};
use marginalia_tables::Schema;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

impl Model {
    /// The same where it is on rows.
    pub(crate) fn on_rows(&self) -> Result<Arc<SupportModel>> {
        Ok(narrowed(&self.shared())?)
    }

    /// A distribution on rows, as a model of their schema.
    pub(crate) fn of_rows(distribution: Distribution, schema: Arc<Schema>) -> Result<Model> {
        Ok(Self::new(Arc::new(SupportModel::new(schema, distribution)?)))
    }
}

#[wasm_bindgen]
impl Model {
    /// The prior itself, standing for `total` records.
    #[wasm_bindgen(js_name = ofPrior)]
    pub fn of_prior(prior: &PriorBase, total: f64) -> Result<Model> {
        Self::of_rows(Distribution::prior(Arc::clone(&prior.base), total)?, Arc::clone(&prior.schema))
    }

    /// The prior that it is on.
    pub fn prior(&self) -> Result<PriorBase> {
        let model = self.on_rows()?;
        let (base, schema) = (Arc::clone(model.distribution().base()), Arc::clone(model.schema()));
        Ok(PriorBase { base, schema })
    }

    /// What each row gets; the sum is 1.
    pub fn weights(&self) -> Result<Vec<f64>> {
        Ok(self.on_rows()?.distribution().copied()?)
    }

    /// Relative entropy to the prior, in nats.
    #[wasm_bindgen(js_name = relativeEntropy)]
    pub fn relative_entropy(&self) -> Result<f64> {
        Ok(self.on_rows()?.distribution().relative_entropy()?)
    }

    /// How many of the prior's `records` the model effectively rests on.
    #[wasm_bindgen(js_name = effectiveSize)]
    pub fn effective_size(&self, records: f64) -> Result<f64> {
        Ok(self.on_rows()?.distribution().effective_size(records)?)
    }

    /// The rows as a table, weighted by the records that the model gives to each.
    pub fn table(&self) -> Result<Table> {
        Ok(Table::new(self.on_rows()?.table()?))
    }
}
