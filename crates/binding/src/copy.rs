//! Serves `ts/engine/operations/crossing.ts`: tables leave one module and come to the other as copies of their columns.

use crate::error::Result;
use crate::table::Table;
use marginalia_tables::room::listed;
use marginalia_tables::table::{Raw, TableCopy as Copy};
use marginalia_tables::{Chunks, Code, Error, Schema};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Table {
    /// The normal form of the schema.
    pub fn schema(&self) -> String {
        self.shared().schema().json().to_owned()
    }

    /// The same table behind another handle, for a call that takes it over.
    pub fn share(&self) -> Table {
        Table::of(self.shared())
    }

    /// How many attributes there are, derived ones included.
    pub fn attributes(&self) -> usize {
        self.shared().columns().len()
    }

    /// The attributes whose raw numbers are kept.
    pub fn raw(&self) -> Vec<u32> {
        self.shared().raw().iter().map(|raw| raw.attribute as u32).collect()
    }

    /// A copy of the raw numbers of the attribute at that place of [`Table::raw`].
    #[wasm_bindgen(js_name = rawValues)]
    pub fn raw_values(&self, place: usize) -> Result<Vec<f64>> {
        Ok(raw(&self.shared(), place)?.values.to_vec()?)
    }

    /// Where those of each row stand, unless every row has one.
    #[wasm_bindgen(js_name = rawStarts)]
    pub fn raw_starts(&self, place: usize) -> Result<Option<Vec<u32>>> {
        let table = self.shared();
        let starts = raw(&table, place)?.starts.as_ref();
        Ok(starts.map(|starts| listed(starts.iter().map(|start| *start as u32))).transpose()?)
    }

    /// The weights of those of a row up to each, unless all weigh the same.
    #[wasm_bindgen(js_name = rawSums)]
    pub fn raw_sums(&self, place: usize) -> Result<Option<Vec<f64>>> {
        let table = self.shared();
        let sums = raw(&table, place)?.sums.as_ref();
        Ok(sums.map(|sums| listed(sums.iter().copied())).transpose()?)
    }
}

fn raw(table: &marginalia_tables::Table, place: usize) -> Result<&Raw> {
    let missing = || Error::new(Code::OptionInvalid, "the table keeps no such raw numbers");
    Ok(table.raw().get(place).ok_or_else(missing)?)
}

/// A copy of a table in the making.
#[wasm_bindgen]
pub struct TableCopy(Copy);

#[wasm_bindgen]
impl TableCopy {
    /// Nothing yet of a table of so many rows.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, rows: usize) -> Result<TableCopy> {
        Ok(Self(Copy::new(Arc::new(Schema::from_json(schema)?), rows)))
    }

    /// The codes of the next attribute, where they are bytes.
    pub fn codes8(&mut self, codes: &[u8]) -> Result<()> {
        Ok(self.0.codes8(codes)?)
    }

    /// The codes of the next attribute, where they are wider than bytes.
    pub fn codes16(&mut self, codes: &[u16]) -> Result<()> {
        Ok(self.0.codes16(codes)?)
    }

    /// The weights of the rows.
    pub fn weights(&mut self, weights: &[f64]) -> Result<()> {
        Ok(self.0.weights(weights)?)
    }

    /// The raw numbers of one more attribute, as they come out of a table.
    pub fn raw(
        &mut self,
        attribute: usize,
        values: &[f64],
        starts: Option<Vec<u32>>,
        sums: Option<Vec<f64>>,
    ) -> Result<()> {
        let starts = starts.map(|starts| listed(starts.iter().map(|start| *start as usize))).transpose()?;
        let mut chunks = Chunks::default();
        chunks.extend(values)?;
        Ok(self.0.raw(Raw { attribute, values: chunks, starts, sums })?)
    }

    /// The table.
    pub fn finish(self) -> Result<Table> {
        Ok(Table::new(self.0.finish()?))
    }
}
