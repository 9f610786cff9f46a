//! Serves `ts/tables/write.ts`.

use marginalia_binding::error::Result;
use marginalia_binding::options::{delimiter, parse};
use marginalia_binding::table::Table;
use marginalia_tables::schema::Within;
use marginalia_tables::write::{WriteOptions, Writer};
use marginalia_tables::{Code, Error};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    within: String,
    /// A u64 in decimal digits, which a JavaScript number could not hold.
    seed: String,
    delimiter: String,
    decimal_comma: bool,
    derived: bool,
    weight: Option<String>,
}

impl TryFrom<Options> for WriteOptions {
    type Error = Error;

    fn try_from(options: Options) -> std::result::Result<Self, Error> {
        let invalid = |message| Error::new(Code::OptionInvalid, message);
        Ok(Self {
            delimiter: delimiter(&options.delimiter)?,
            decimal_comma: options.decimal_comma,
            within: match options.within.as_str() {
                "uniform" => Within::Uniform,
                "midpoint" => Within::Midpoint,
                _ => return Err(invalid("`within` is neither uniform nor midpoint")),
            },
            seed: options.seed.parse().map_err(|_| invalid("the seed is not a 64-bit number"))?,
            derived: options.derived,
            weight: options.weight,
        })
    }
}

/// Writes a table as CSV.
#[wasm_bindgen]
pub struct TableWriter(Writer);

#[wasm_bindgen]
impl TableWriter {
    /// A writer for a table, and options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(table: &Table, options: &str) -> Result<TableWriter> {
        Ok(Self(Writer::new(table.shared(), WriteOptions::try_from(parse::<Options>(options)?)?)?))
    }

    /// The header line.
    pub fn header(&self) -> Vec<u8> {
        self.0.header()
    }

    /// The next rows; empty at the end.
    pub fn block(&mut self, rows: usize) -> Result<Vec<u8>> {
        Ok(self.0.block(rows)?)
    }

    /// Rows written so far.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }
}
