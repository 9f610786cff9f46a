//! Serves `ts/tables/table.ts`.

use crate::error::Result;
use marginalia_tables::{Code, Codes, Error};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A table behind a handle.
#[wasm_bindgen]
pub struct Table(Arc<marginalia_tables::Table>);

impl Table {
    /// Behind a handle.
    pub fn new(table: marginalia_tables::Table) -> Self {
        Self(Arc::new(table))
    }

    /// One that others have too, behind a handle.
    pub fn of(table: Arc<marginalia_tables::Table>) -> Self {
        Self(table)
    }

    /// The table itself.
    pub fn shared(&self) -> Arc<marginalia_tables::Table> {
        self.0.clone()
    }

    fn column(&self, attribute: usize) -> Result<&Codes> {
        let column = self.0.columns().get(attribute);
        Ok(column.ok_or_else(|| Error::new(Code::AttributeUnknown, "the table has no such attribute"))?)
    }
}

#[wasm_bindgen]
impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }

    /// Whether rows have weights.
    pub fn weighted(&self) -> bool {
        self.0.weights().is_some()
    }

    /// A copy of the codes of an attribute, where they are bytes.
    #[wasm_bindgen(js_name = codes8)]
    pub fn codes8(&self, attribute: usize) -> Result<Option<Vec<u8>>> {
        Ok(match self.column(attribute)? {
            Codes::U8(chunks) => Some(chunks.to_vec()?),
            Codes::U16(_) => None,
        })
    }

    /// A copy of the codes of an attribute, where they are wider than bytes.
    #[wasm_bindgen(js_name = codes16)]
    pub fn codes16(&self, attribute: usize) -> Result<Option<Vec<u16>>> {
        Ok(match self.column(attribute)? {
            Codes::U8(_) => None,
            Codes::U16(chunks) => Some(chunks.to_vec()?),
        })
    }

    /// A copy of the weights.
    pub fn weights(&self) -> Result<Option<Vec<f64>>> {
        Ok(self.0.weights().map(|weights| weights.to_vec()).transpose()?)
    }
}
