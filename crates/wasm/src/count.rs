//! Serves the counting of `ts/tables/table.ts`.

use marginalia_binding::answers::Answers;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_tables::Workload;
use marginalia_tables::count::{CountSource, Counting};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A count in the making.
#[wasm_bindgen]
pub struct CountJob(Box<dyn Counting>);

#[wasm_bindgen]
impl CountJob {
    /// Plans the count of a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(table: &Table, flat: Vec<u16>, starts: Vec<u32>, limit: f64) -> Result<CountJob> {
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let table = table.shared();
        let workload = Workload::new(table.domain(), flat, starts)?;
        Ok(Self(table.begin(Arc::new(workload), limit as u64)?))
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.0.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.0.done() as f64
    }

    /// All units.
    pub fn total(&self) -> f64 {
        self.0.total() as f64
    }

    /// The answers.
    pub fn finish(self) -> Result<Answers> {
        Ok(Answers::new(self.0.finish()?))
    }
}
