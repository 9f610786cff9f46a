//! Serves `ts/engine/operations/crossing.ts`: priors come from the other module.

use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::models::support::Base;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PriorBase {
    /// A copy of a prior: its rows with their shares, and the sum of its weights.
    #[wasm_bindgen(js_name = ofShares)]
    pub fn of_shares(table: Table, weight: f64) -> Result<PriorBase> {
        let table = table.shared();
        let schema = Arc::clone(table.schema());
        Ok(Self { base: Arc::new(Base::of_shares(table, weight)?), schema })
    }
}
