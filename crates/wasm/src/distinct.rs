//! Serves `distinct` of `ts/tables/table.ts`.

use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_tables::distinct::DistinctJob as Distinct;
use wasm_bindgen::prelude::wasm_bindgen;

/// Finds the distinct rows of a table.
#[wasm_bindgen]
pub struct DistinctJob(Distinct);

#[wasm_bindgen]
impl DistinctJob {
    /// A job that has read no row yet.
    #[wasm_bindgen(constructor)]
    pub fn new(table: &Table) -> Result<DistinctJob> {
        Ok(Self(Distinct::new(table.shared())?))
    }

    /// Reads or copies about `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        Ok(self.0.step(rows)?)
    }

    /// Rows read, and distinct rows copied so far.
    pub fn done(&self) -> usize {
        self.0.done()
    }

    /// Rows to read and to copy, as far as they are known.
    pub fn total(&self) -> usize {
        self.0.total()
    }

    /// The distinct rows.
    pub fn finish(self) -> Result<Table> {
        Ok(Table::new(self.0.finish()?))
    }
}
