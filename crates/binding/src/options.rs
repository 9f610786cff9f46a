//! Options cross as JSON with every default filled in by TypeScript; unknown keys are refused here too.

use marginalia_tables::query::{Factor, Matrix, Product, Query};
use marginalia_tables::read::{Dialect, Encoding, Format, Framing, LineEnd};
use marginalia_tables::{Code, Error};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads an options object.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|_| Error::new(Code::OptionInvalid, "an option has the wrong type"))
}

/// The byte between fields.
pub fn delimiter(text: &str) -> Result<u8, Error> {
    match text.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(Error::new(Code::OptionInvalid, "the delimiter must be one ASCII character")),
    }
}

/// How a text is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Separated {
    format: String,
    delimiter: String,
    decimal_comma: bool,
    records: String,
    line_end: String,
    encoding: String,
}

impl Separated {
    /// The options in Rust's terms.
    pub fn read(&self) -> Result<(Format, Encoding), Error> {
        let invalid = |message| Error::new(Code::OptionInvalid, message);
        let format = match self.format.as_str() {
            "csv" => Format::Csv(self.dialect()?),
            "ndjson" => Format::Ndjson,
            "rows" => Format::Rows,
            _ => return Err(invalid("the format is none of csv, ndjson, rows")),
        };
        let encoding = match self.encoding.as_str() {
            "utf-8" => Encoding::Utf8,
            "latin-1" => Encoding::Latin1,
            "utf-16" => Encoding::Utf16,
            "utf-16le" => Encoding::Utf16Le,
            "utf-16be" => Encoding::Utf16Be,
            _ => return Err(invalid("the encoding is none of utf-8, latin-1, utf-16, utf-16le, utf-16be")),
        };
        Ok((format, encoding))
    }

    fn dialect(&self) -> Result<Dialect, Error> {
        let framing = match self.records.as_str() {
            "quoted" => Framing::Quoted,
            "lines" => Framing::Lines,
            _ => return Err(invalid("`records` is neither quoted nor lines")),
        };
        let line_end = match self.line_end.as_str() {
            "lf" => LineEnd::Lf,
            "crlf" => LineEnd::Crlf,
            "any" => LineEnd::Any,
            _ => return Err(invalid("`lineEnd` is none of lf, crlf, any")),
        };
        let (delimiter, decimal_comma) = (delimiter(&self.delimiter)?, self.decimal_comma);
        Ok(Dialect { delimiter, decimal_comma, framing, line_end })
    }
}

/// What is asked of the `cells` of a clique.
pub fn query(value: &Value, cells: usize) -> Result<Query, Error> {
    match value["type"].as_str() {
        Some("identity") => Ok(Query::Identity),
        Some("prefix") => Ok(Query::Linear(Matrix::prefix(cells)?)),
        Some("ranges") => {
            let ends: Vec<usize> = whole(&value["ends"])?;
            let ranges: Vec<_> = ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
            Ok(Query::Linear(Matrix::ranges(cells, &ranges)?))
        }
        Some("matrix") => Ok(Query::Linear(Matrix::new(cells, whole(&value["values"])?)?)),
        Some("product") => {
            let factors = value["factors"].as_array().map_or(&[][..], |factors| factors).iter();
            Ok(Query::Product(Product::new(factors.map(factor).collect::<Result<_, _>>()?)?))
        }
        _ => Err(invalid("`query` is none of identity, prefix, ranges, matrix, product")),
    }
}

/// What is asked of one attribute, beside the number of its codes.
fn factor(value: &Value) -> Result<Factor, Error> {
    let codes = value["cells"].as_u64().ok_or_else(|| invalid("a factor of a product has `cells`"))? as usize;
    match query(value, codes)? {
        Query::Identity => Ok(Factor::Identity(codes)),
        Query::Linear(matrix) => Ok(Factor::Linear(matrix)),
        Query::Product(_) => Err(invalid("a product is of queries that are none")),
    }
}

/// A list of whole numbers.
pub fn whole<T: TryFrom<i64>>(list: &Value) -> Result<Vec<T>, Error> {
    let items = list.as_array().map_or(&[][..], |items| items);
    let number = |item: &Value| item.as_i64().and_then(|number| T::try_from(number).ok());
    items.iter().map(|item| number(item).ok_or_else(|| invalid("a whole number is out of range"))).collect()
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
