//! Serves `ts/tables/read.ts`.

use marginalia_binding::error::Result;
use marginalia_binding::options::{Separated, parse};
use marginalia_binding::table::Table;
use marginalia_tables::read::{Ignore, NumberReader, ReadOptions, Reader};
use marginalia_tables::{Error, Schema};
use serde::Deserialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    #[serde(flatten)]
    text: Separated,
    weight: Option<String>,
    keep_raw: Vec<usize>,
    ignore: Ignored,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Ignored {
    Columns(Vec<String>),
    All(bool),
}

impl TryFrom<Options> for ReadOptions {
    type Error = Error;

    fn try_from(options: Options) -> std::result::Result<Self, Error> {
        let (format, encoding) = options.text.read()?;
        let ignore = match options.ignore {
            Ignored::Columns(names) => Ignore::Columns(names),
            Ignored::All(true) => Ignore::All,
            Ignored::All(false) => Ignore::default(),
        };
        Ok(Self { format, encoding, weight: options.weight, keep_raw: options.keep_raw, ignore })
    }
}

/// Reads text into codes.
#[wasm_bindgen]
pub struct TableReader(Reader);

#[wasm_bindgen]
impl TableReader {
    /// A reader for the normal form of a schema, and options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, options: &str) -> Result<TableReader> {
        let options = ReadOptions::try_from(parse::<Options>(options)?)?;
        Ok(Self(Reader::new(Arc::new(Schema::from_json(schema)?), options)?))
    }

    /// Reads a piece of the text.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.0.push(bytes)?)
    }

    /// The table, when all of the text was pushed.
    pub fn finish(self) -> Result<Table> {
        Ok(Table::new(self.0.finish()?))
    }
}

/// Reads columns of numbers into codes.
#[wasm_bindgen]
pub struct ColumnReader(NumberReader);

#[wasm_bindgen]
impl ColumnReader {
    /// A reader for the normal form of a schema, options as JSON, and columns of these names.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, options: &str, names: Vec<String>) -> Result<ColumnReader> {
        let options = ReadOptions::try_from(parse::<Options>(options)?)?;
        Ok(Self(NumberReader::new(Arc::new(Schema::from_json(schema)?), &options, &names)?))
    }

    /// Reads the next rows: `rows` numbers of the first column, then of the second, and so on.
    pub fn push(&mut self, numbers: &[f64], rows: usize) -> Result<()> {
        Ok(self.0.push(numbers, rows)?)
    }

    /// The table.
    pub fn finish(self) -> Table {
        Table::new(self.0.finish())
    }
}
