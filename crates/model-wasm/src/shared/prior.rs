//! Serves `ts/estimate/prior.ts`.

use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::Base;
use marginalia_tables::Schema;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A prior behind a handle: its rows, and what it gives to each.
#[wasm_bindgen]
pub struct PriorBase {
    pub(crate) base: Arc<Base>,
    pub(crate) schema: Arc<Schema>,
}

#[wasm_bindgen]
impl PriorBase {
    /// The rows of a table, best its distinct ones, with their weights.
    #[wasm_bindgen(constructor)]
    pub fn new(table: Table) -> Result<PriorBase> {
        let table = table.shared();
        let schema = Arc::clone(table.schema());
        Ok(Self { base: Arc::new(Base::from_table(table)?), schema })
    }

    /// The number of rows of positive weight.
    pub fn rows(&self) -> usize {
        self.base.rows()
    }

    /// The sum of their weights.
    pub fn weight(&self) -> f64 {
        self.base.weight()
    }
}
