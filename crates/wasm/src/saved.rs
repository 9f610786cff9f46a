//! Serves `ts/engine/operations/saved.ts`: tables put together again to the same bits.

use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_tables::Schema;
use marginalia_tables::restore::Restoring;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A table that is put together from codes.
#[wasm_bindgen]
pub struct TableRestorer(Restoring);

#[wasm_bindgen]
impl TableRestorer {
    /// A table with weights and without rows, for the normal form of a schema.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Result<TableRestorer> {
        Ok(Self(Restoring::new(Arc::new(Schema::from_json(schema)?))))
    }

    /// Appends rows: the codes of one attribute after another, and a weight for each row.
    pub fn push(&mut self, codes: &[u16], weights: &[f64]) -> Result<()> {
        Ok(self.0.push(codes, weights)?)
    }

    /// Puts raw numbers beside the rows that are there.
    pub fn number(&mut self, attribute: usize, numbers: &[f64], counts: &[u32], sums: &[f64]) -> Result<()> {
        Ok(self.0.number(attribute, numbers, counts, sums)?)
    }

    /// The table.
    pub fn finish(self) -> Table {
        Table::new(self.0.finish())
    }
}
