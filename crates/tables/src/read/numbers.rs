//! Reads columns of numbers into codes, by the rules of [`Encoder::number`].

use super::header::Layout;
use super::report;
use super::{Encoder, ReadOptions};
use crate::room::reserve;
use crate::{Code, Error, Result, Schema, Table};
use std::sync::Arc;

/// Reads a table that comes as columns of numbers, block by block.
#[derive(Debug)]
pub struct NumberReader {
    schema: Arc<Schema>,
    encoders: Vec<Encoder>,
    layout: Layout,
    columns: usize,
    weight: Option<String>,
    keep_raw: Vec<usize>,
    table: Table,
}

impl NumberReader {
    /// A reader for columns of these names.
    pub fn new(schema: Arc<Schema>, options: &ReadOptions, names: &[String]) -> Result<Self> {
        options.check(&schema)?;
        let layout = Layout::of(names, &schema, options)?;
        let encoders = schema.base().iter().map(|a| Encoder::new(&schema, a, b'.')).collect();
        let table = Table::new(schema.clone(), options.weight.is_some(), &options.keep_raw);
        let (weight, keep_raw) = (options.weight.clone(), options.keep_raw.clone());
        Ok(Self { schema, encoders, layout, columns: names.len(), weight, keep_raw, table })
    }

    /// Reads the next rows: `rows` numbers of the first column, then of the second, and so on. NaN means null.
    pub fn push(&mut self, numbers: &[f64], rows: usize) -> Result<()> {
        if numbers.len() != rows * self.columns {
            return Err(Error::new(Code::RowRagged, "the columns differ in length"));
        }
        let column = |place: usize| &numbers[place * rows..(place + 1) * rows];
        let mut codes = Vec::with_capacity(self.encoders.len());
        for (i, place) in self.layout.attributes.iter().enumerate() {
            codes.push(self.encode(i, column(*place))?);
        }
        let weights = self.layout.weight.map(column);
        if let Some(row) = weights.and_then(|w| w.iter().position(|w| !w.is_finite() || *w < 0.0)) {
            return Err(report::weight(&self.place(row), self.weight.as_deref().unwrap_or_default()));
        }
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = self.keep_raw.iter().map(|i| column(self.layout.attributes[*i])).collect();
        self.table.extend(&codes, weights, &raw)
    }

    /// The table, when all rows were read.
    pub fn finish(self) -> Table {
        self.table
    }

    fn encode(&self, attribute: usize, numbers: &[f64]) -> Result<Vec<u16>> {
        let mut codes = Vec::new();
        reserve(&mut codes, numbers.len())?;
        for (row, x) in numbers.iter().enumerate() {
            let outside = || report::outside(&self.place(row), &self.schema.base()[attribute]);
            codes.push(self.encoders[attribute].number(*x).ok_or_else(outside)?);
        }
        Ok(codes)
    }

    fn place(&self, row: usize) -> String {
        format!("row {}", self.table.rows() + row + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(names: &[&str]) -> Result<NumberReader> {
        let json = r#"{"nulls":[""],"attributes":[
            {"name":"a","type":"integer","lows":[0,5],"max":9,"nullable":true},
            {"name":"b","type":"category","values":["1","2.5"]}]}"#;
        let schema = Arc::new(Schema::from_json(json).unwrap());
        let options = ReadOptions { weight: Some("w".into()), keep_raw: vec![0], ..ReadOptions::default() };
        NumberReader::new(schema, &options, &names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn columns_stand_in_any_order_and_rows_come_in_blocks() {
        let mut reader = reader(&["w", "b", "a"]).unwrap();
        reader.push(&[1.0, 0.5, 1.0, 2.5, 7.0, f64::NAN], 2).unwrap();
        reader.push(&[2.0, 1.0, 0.0], 1).unwrap();
        let table = reader.finish();
        let column = |i: usize| (0..3).map(|row| table.columns()[i].get(row)).collect::<Vec<u16>>();
        assert_eq!((column(0), column(1)), (vec![1, 2, 0], vec![0, 1, 0]));
        assert_eq!(table.weights().unwrap().get(1), 0.5);
        assert_eq!(table.raw()[0].pick(0, 0), Some(7.0));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name_and_row() {
        assert_eq!(reader(&["w", "b"]).unwrap_err().code, Code::ColumnMissing);
        assert_eq!(reader(&["w", "b", "a", "z"]).unwrap_err().code, Code::ColumnUndeclared);
        let push = |numbers: &[f64], rows| {
            let mut reader = reader(&["w", "b", "a"]).unwrap();
            reader.push(&[1.0, 1.0, 1.0], 1).unwrap();
            reader.push(numbers, rows).unwrap_err()
        };
        assert_eq!(push(&[1.0], 1).code, Code::RowRagged);
        for (numbers, column) in
            [([1.0, 3.0, 1.0], "\"b\""), ([1.0, 1.0, 10.0], "\"a\""), ([-1.0, 1.0, 1.0], "\"w\"")]
        {
            let error = push(&numbers, 1);
            assert_eq!(error.code, Code::ValueOutside);
            assert!(error.message.starts_with("row 2") && error.message.contains(column), "{error}");
        }
    }
}
