//! Serves `ts/evaluate/check.ts`. What it tells is not private.

use marginalia_binding::error::Result;
use marginalia_binding::options::{Separated, parse};
use marginalia_tables::Schema;
use marginalia_tables::read::Checker;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Looks for rows that do not fit a schema.
#[wasm_bindgen]
pub struct CheckReader(Checker);

#[wasm_bindgen]
impl CheckReader {
    /// A reader for the normal form of a schema, and options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, options: &str) -> Result<CheckReader> {
        let (format, encoding) = parse::<Separated>(options)?.read()?;
        Ok(Self(Checker::new(Arc::new(Schema::from_json(schema)?), format, encoding)?))
    }

    /// Reads a piece of the text.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.0.push(bytes)?)
    }

    /// The number of records, and of those that hold line ends; then for each place how many records are wrong there, how many
    /// are named, and those: records that are no rows, by reason, and for each attribute values outside and absent ones.
    pub fn finish(self) -> Result<Vec<f64>> {
        let found = self.0.finish()?;
        let mut flat = vec![found.records as f64, found.broken as f64];
        for place in found.bad.iter().chain(found.attributes.iter().flatten()) {
            flat.extend([place.count as f64, place.first.len() as f64]);
            flat.extend(place.first.iter().map(|row| *row as f64));
        }
        Ok(flat)
    }
}
