//! Where a text does not fit its schema: for whoever holds the text, and for nobody else.

use super::lines::{BadRows, LineReader, Names, RowSink};
use super::{Encoding, Format};
use crate::{Result, Schema};
use std::sync::Arc;

/// As many rows are named in each place; the others are counted.
const NAMED: usize = 100;

/// Rows, counted from one, without the header and blank lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Vec<u64>,
}

/// Reads a text as private rows are read, line by line, and notes what does not fit.
pub struct Checker {
    reader: LineReader,
    found: Found,
}

struct Found {
    rows: u64,
    bad: Places,
    outside: Vec<Places>,
    absent: Vec<Places>,
    /// For each attribute, the codes that stand for a value outside and for an absent one.
    codes: Vec<[Option<u16>; 2]>,
}

impl Checker {
    /// A checker under a schema that has a code of its own for every value outside, and for absent ones.
    pub fn new(schema: Arc<Schema>, format: Format, encoding: Encoding) -> Result<Self> {
        let codes: Vec<_> = schema.base().iter().map(|a| [a.other_code(), a.null_code()]).collect();
        let none = vec![Places::default(); codes.len()];
        let found = Found { rows: 0, bad: Places::default(), outside: none.clone(), absent: none, codes };
        Ok(Self { reader: LineReader::new(schema, format, None, BadRows::Drop, encoding)?, found })
    }

    /// Reads a piece of the text, cut anywhere.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.reader.push(bytes, &mut self.found)
    }

    /// Reads what is left: the rows, those that are none, and for each attribute those with a value outside and those
    /// without one.
    pub fn finish(mut self) -> Result<(u64, Vec<Places>)> {
        self.reader.finish(&mut self.found)?;
        let Found { rows, bad, outside, absent, .. } = self.found;
        let each = outside.into_iter().zip(absent).flat_map(|(outside, absent)| [outside, absent]);
        Ok((rows, std::iter::once(bad).chain(each).collect()))
    }
}

impl Places {
    fn add(&mut self, row: u64) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(row);
        }
    }
}

impl RowSink for Found {
    fn take(&mut self, codes: &[&[u16]], _: Option<&Names>) -> Result<()> {
        for (i, column) in codes.iter().enumerate() {
            let [outside, absent] = self.codes[i];
            for (row, code) in (self.rows + 1..).zip(*column) {
                if Some(*code) == outside {
                    self.outside[i].add(row);
                } else if Some(*code) == absent {
                    self.absent[i].add(row);
                }
            }
        }
        self.rows += codes.first().map_or(0, |column| column.len()) as u64;
        Ok(())
    }

    fn bad(&mut self) {
        self.rows += 1;
        self.bad.add(self.rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
        {"name":"a","type":"category","values":["x","y"],"other":"?","nullable":true},
        {"name":"b","type":"integer","lows":[0,1,2],"max":9,"other":"10","nullable":true}]}"#;

    fn check(text: &str, piece: usize) -> (u64, Vec<Places>) {
        let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
        let format = Format::Csv { delimiter: b',', decimal_comma: false };
        let mut checker = Checker::new(schema, format, Encoding::Utf8).unwrap();
        text.as_bytes().chunks(piece).for_each(|piece| checker.push(piece).unwrap());
        checker.finish().unwrap()
    }

    fn places(first: &[u64]) -> Places {
        Places { count: first.len() as u64, first: first.to_vec() }
    }

    #[test]
    fn rows_are_named_where_they_stand_and_however_the_text_comes() {
        let text = "a,b\nx,0\nz,12\n\ny\n,\n\"y\n\"x\",9\nq,3\n";
        let expected = [places(&[3, 5]), places(&[2, 7]), places(&[4]), places(&[2]), places(&[4])];
        for piece in [1, 2, 3, 7, 100] {
            assert_eq!(check(text, piece), (7, expected.to_vec()));
        }
    }

    #[test]
    fn many_are_counted_and_the_first_are_named() {
        let (rows, places) = check(&format!("a,b\n{}", "z,1\n".repeat(1000)), 4096);
        assert_eq!((rows, places[1].count, places[1].first.len()), (1000, 1000, NAMED));
        assert_eq!(places[1].first.last(), Some(&100));
    }
}
