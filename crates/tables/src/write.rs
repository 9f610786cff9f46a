//! Tables as CSV text, block by block.

use crate::draw::Draws;
use crate::room::{listed, reserve};
use crate::schema::{Decoder, Within};
use crate::{Attribute, Code, Error, Result, Schema, Table};
use std::io::Write;
use std::sync::Arc;

/// How a table is written.
#[derive(Debug, Clone)]
pub struct WriteOptions {
    /// The byte between fields.
    pub delimiter: u8,
    /// Whether the decimal point of numbers is a comma.
    pub decimal_comma: bool,
    /// Where in a bin a value lies.
    pub within: Within,
    /// The seed of the draws within bins.
    pub seed: u64,
    /// Whether derived attributes are written as columns too.
    pub derived: bool,
    /// The header of a column with the weights; none is written without one.
    pub weight: Option<String>,
}

/// Writes a table in blocks of rows.
#[derive(Debug)]
pub struct Writer {
    table: Arc<Table>,
    options: WriteOptions,
    columns: Vec<Column>,
    /// The most bytes that a row can take.
    longest: usize,
    draws: Draws,
    row: usize,
}

/// The most bytes of a number in full: 324 places after the point, and 17 digits.
const NUMBER: usize = 350;
/// The most bytes of a value that is drawn: digits, signs, and what tells it from null.
const DRAWN: usize = 64;

#[derive(Debug)]
struct Column {
    attribute: usize,
    decoder: Decoder,
    /// The quoted text of every code that is always written alike.
    fixed: Vec<Option<Vec<u8>>>,
    /// Which of the table's raw columns to take values from.
    raw: Option<usize>,
}

impl Writer {
    /// A writer that has written nothing yet, not even the header.
    pub fn new(table: Arc<Table>, options: WriteOptions) -> Result<Self> {
        let invalid = |why| Err(Error::new(Code::OptionInvalid, why));
        if matches!(options.delimiter, b'"' | b'\n' | b'\r' | b'.' | b'-' | b'0'..=b'9' | 128..) {
            return invalid(
                "the delimiter must be one ASCII character that no number or quote is written with",
            );
        }
        if options.decimal_comma && options.delimiter == b',' {
            return invalid("a decimal comma needs another delimiter: give `delimiter: \";\"`");
        }
        if options.weight.is_some() && table.weights().is_none() {
            return invalid("the table has no weights to write");
        }
        let schema = table.schema().clone();
        let attributes = if options.derived { schema.attributes() } else { schema.base() };
        let point = if options.decimal_comma { b',' } else { b'.' };
        let column = |(attribute, declared): (usize, &Attribute)| -> Result<Column> {
            let decoder = Decoder::new(&schema, declared, point)?;
            let text = |code| decoder.fixed(code as u16).map(|text| quote(text, options.delimiter));
            let fixed = listed((0..declared.size()).map(text))?;
            let raw = table.raw().iter().position(|raw| raw.attribute == attribute);
            Ok(Column { attribute, decoder, fixed, raw })
        };
        let columns = attributes.iter().enumerate().map(column).collect::<Result<Vec<Column>>>()?;
        let longest = columns.iter().map(|column| column.longest(&schema)).sum::<usize>() + NUMBER + 4;
        let draws = Draws::new(options.seed);
        Ok(Self { table, options, columns, longest, draws, row: 0 })
    }

    /// Rows written so far.
    pub fn rows(&self) -> usize {
        self.row
    }

    /// The header line.
    pub fn header(&self) -> Vec<u8> {
        let schema = self.table.schema();
        let names = self.columns.iter().map(|c| schema.attributes()[c.attribute].name.as_str());
        let names = names.chain(self.options.weight.as_deref());
        let fields: Vec<Vec<u8>> = names.map(|name| quote(name, self.options.delimiter)).collect();
        let mut line = fields.join(&self.options.delimiter);
        line.push(b'\n');
        line
    }

    /// The next at most `rows` rows; empty at the end. Nothing is written where the memory is refused.
    pub fn block(&mut self, rows: usize) -> Result<Vec<u8>> {
        let end = self.table.rows().min(self.row.saturating_add(rows));
        let mut out = Vec::new();
        for row in self.row..end {
            reserve(&mut out, self.longest)?;
            let start = out.len();
            for i in 0..self.columns.len() {
                if i > 0 {
                    out.push(self.options.delimiter);
                }
                self.value(i, row, &mut out);
            }
            if self.options.weight.is_some() {
                let weight = self.table.weights().map_or(1.0, |weights| weights.get(row));
                out.push(self.options.delimiter);
                let number = out.len();
                write!(out, "{weight}").expect("a vector takes every byte");
                if self.options.decimal_comma
                    && let Some(point) = out[number..].iter_mut().find(|byte| **byte == b'.')
                {
                    *point = b',';
                }
            }
            if out.len() == start {
                out.extend_from_slice(b"\"\""); // A lone empty field; a blank line would be no row at all.
            }
            out.push(b'\n');
        }
        self.row = end;
        Ok(out)
    }

    fn value(&self, i: usize, row: usize, out: &mut Vec<u8>) {
        let column = &self.columns[i];
        let code = self.table.columns()[column.attribute].get(row);
        if let Some(text) = &column.fixed[usize::from(code)] {
            return out.extend_from_slice(text);
        }
        let draw = match self.options.within {
            Within::Uniform => self.draws.at(column.attribute as u64, row as u64),
            Within::Midpoint => u64::MAX / 2,
        };
        let raw = column.raw.and_then(|raw| self.table.raw()[raw].pick(row, draw));
        match raw.filter(|number| column.decoder.holds(code, *number)) {
            Some(number) => column.decoder.write_number(code, number, out),
            None => column.decoder.write(code, self.options.within, draw, out),
        }
    }
}

impl Column {
    /// The most bytes that a value takes, with the delimiter before it.
    fn longest(&self, schema: &Schema) -> usize {
        let nulls = schema.nulls_of(&schema.attributes()[self.attribute]).map(str::len).max().unwrap_or(0);
        let fixed = self.fixed.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let drawn = if self.raw.is_some() { NUMBER } else { DRAWN } + nulls;
        1 + if self.fixed.contains(&None) { fixed.max(drawn) } else { fixed }
    }
}

/// A field, in quotes where it must be.
fn quote(text: &str, delimiter: u8) -> Vec<u8> {
    let plain = !text.bytes().any(|b| b == delimiter || matches!(b, b'"' | b'\n' | b'\r'));
    if plain { text.into() } else { format!("\"{}\"", text.replace('"', "\"\"")).into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: WriteOptions = WriteOptions {
        delimiter: b',',
        decimal_comma: false,
        within: Within::Midpoint,
        seed: 0,
        derived: false,
        weight: None,
    };

    fn table() -> Arc<Table> {
        let json = r#"{"nulls":["NA"],"attributes":[
            {"name":"a,b","type":"category","values":["x","y\"z","u\nv"],"nullable":true},
            {"name":"n","type":"number","cuts":[0,10,20],"decimals":1},
            {"name":"d","type":"derived","from":"a,b","values":["s"],"codes":[0,0,0,0]}]}"#;
        let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), true, &[1]);
        table
            .extend(
                &[&[0, 1, 2, 3], &[0, 1, 0, 1]],
                Some(&[1.0, 2.5, 3.0, 4.0]),
                &[&[f64::NAN, 12.25, 3.0, f64::NAN]],
            )
            .unwrap();
        Arc::new(table)
    }

    fn write(table: &Arc<Table>, options: WriteOptions, block: usize) -> String {
        let mut writer = Writer::new(table.clone(), options).unwrap();
        let mut out = writer.header();
        while writer.rows() < table.rows() {
            out.extend(writer.block(block).unwrap());
        }
        assert!(writer.block(block).unwrap().is_empty());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(write(&table(), PLAIN, 9), "\"a,b\",n\nx,5.0\n\"y\"\"z\",12.25\n\"u\nv\",3\nNA,15.0\n");
    }

    #[test]
    fn options_choose_delimiter_comma_weights_and_derived_columns() {
        let options = WriteOptions {
            delimiter: b';',
            decimal_comma: true,
            derived: true,
            weight: Some("w".into()),
            ..PLAIN
        };
        let text = write(&table(), options, 9);
        assert_eq!(text, "a,b;n;d;w\nx;5,0;s;1\n\"y\"\"z\";12,25;s;2,5\n\"u\nv\";3;s;3\nNA;15,0;s;4\n");
    }

    #[test]
    fn blocks_do_not_change_the_text() {
        let options = WriteOptions { within: Within::Uniform, seed: 5, ..PLAIN };
        assert_eq!(write(&table(), options.clone(), 1), write(&table(), options, 4));
    }

    #[test]
    fn a_lone_empty_field_is_a_row() {
        let json =
            r#"{"nulls":[""],"attributes":[{"name":"a","type":"category","values":["x"],"nullable":true}]}"#;
        let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), false, &[]);
        table.extend(&[&[1, 0]], None, &[]).unwrap();
        assert_eq!(write(&Arc::new(table), PLAIN, 9), "a\n\"\"\nx\n");
    }

    #[test]
    fn null_is_written_as_a_text_that_means_null() {
        let json = r#"{"nulls":["","NA"],"attributes":[
            {"name":"a","type":"category","values":["","x"],"nullable":true},
            {"name":"b","type":"category","values":["x"],"other":"","nullable":true},
            {"name":"c","type":"category","values":["NA"],"nullable":true}]}"#;
        let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), false, &[]);
        table.extend(&[&[0, 2], &[1, 2], &[0, 1]], None, &[]).unwrap();
        assert_eq!(write(&Arc::new(table), PLAIN, 9), "a,b,c\n,,NA\nNA,NA,\n");
    }

    #[test]
    fn the_middle_of_a_bin_without_a_multiple_has_the_decimal_comma_too() {
        let json = r#"{"nulls":["1.5"],"attributes":[
            {"name":"n","type":"number","cuts":[0.25,0.5,5],"decimals":0,"nullable":true}]}"#;
        let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), false, &[]);
        table.extend(&[&[0, 2]], None, &[]).unwrap();
        let options = WriteOptions { delimiter: b';', decimal_comma: true, ..PLAIN };
        assert_eq!(write(&Arc::new(table), options, 9), "n\n0,375\n1.5\n");
    }

    #[test]
    fn impossible_options_are_refused() {
        for options in [
            WriteOptions { delimiter: b'"', ..PLAIN },
            WriteOptions { decimal_comma: true, ..PLAIN },
            WriteOptions { delimiter: b'5', ..PLAIN },
        ] {
            assert_eq!(Writer::new(table(), options).unwrap_err().code, Code::OptionInvalid);
        }
    }
}
