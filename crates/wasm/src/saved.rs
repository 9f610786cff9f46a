//! Serves `ts/engine/operations/saved.ts`: tables taken apart, and put together again to the same bits.

use crate::error::Result;
use crate::table::Table;
use marginalia_tables::Schema;
use marginalia_tables::restore::Restoring;
use marginalia_tables::room::listed;
use marginalia_tables::table::Raw;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A copy of the raw numbers that a table keeps of one attribute.
#[wasm_bindgen]
pub struct RawNumbers {
    table: Arc<marginalia_tables::Table>,
    place: usize,
}

impl RawNumbers {
    fn raw(&self) -> &Raw {
        &self.table.raw()[self.place]
    }
}

#[wasm_bindgen]
impl RawNumbers {
    /// Those of the attribute that is number `place` of those with some; nothing where there are no more.
    pub fn of(table: &Table, place: usize) -> Option<RawNumbers> {
        let table = table.shared();
        (place < table.raw().len()).then_some(Self { table, place })
    }

    /// The attribute.
    pub fn attribute(&self) -> usize {
        self.raw().attribute
    }

    /// All numbers, row after row.
    pub fn values(&self) -> Result<Vec<f64>> {
        Ok(self.raw().values.to_vec()?)
    }

    /// How many each row has; nothing where each has one.
    pub fn counts(&self) -> Result<Option<Vec<u32>>> {
        let counts = |starts: &Vec<usize>| listed(starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32));
        Ok(self.raw().starts.as_ref().map(counts).transpose()?)
    }

    /// For each number the weight of those of its row up to it; nothing where all weigh the same.
    pub fn sums(&self) -> Result<Option<Vec<f64>>> {
        Ok(self.raw().sums.as_ref().map(|sums| listed(sums.iter().copied())).transpose()?)
    }
}

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
