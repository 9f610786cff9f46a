//! Where a text does not fit its schema: for whoever holds the text, and for nobody else.

use super::lenient::{BadRows, Batch, Flaw, LenientOptions, LenientReader, RowSink};
use super::{Encoding, Format};
use crate::{Result, Schema};
use std::sync::Arc;

/// As many rows are named in each place; the others are counted.
const NAMED: usize = 100;

/// Records of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: Vec<u64>,
}

/// What was found in a text. Records are counted from one, without the header and blank lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many records there are.
    pub records: u64,
    /// How many of those that are rows hold a line end.
    pub broken: u64,
    /// Records that are no rows, by reason, in the order of [`Flaw::ALL`].
    pub bad: [Places; Flaw::ALL.len()],
    /// For each attribute, the rows with a value outside, and those without one.
    pub attributes: Vec<[Places; 2]>,
}

/// Reads a text as private rows are read, and notes what does not fit.
pub struct Checker {
    reader: LenientReader,
    found: Found,
}

struct Found {
    findings: Findings,
    /// For each attribute, the codes that stand for a value outside and for an absent one.
    codes: Vec<[Option<u16>; 2]>,
}

impl Checker {
    /// A checker under a schema that has a code of its own for every value outside, and for absent ones.
    pub fn new(schema: Arc<Schema>, format: Format, encoding: Encoding) -> Result<Self> {
        let codes: Vec<_> = schema.base().iter().map(|a| [a.other_code(), a.null_code()]).collect();
        let findings = Findings { attributes: vec![Default::default(); codes.len()], ..Findings::default() };
        let options = LenientOptions { format, encoding, bad_rows: BadRows::Drop, name: None };
        let reader = LenientReader::new(schema, options)?.counting_broken();
        Ok(Self { reader, found: Found { findings, codes } })
    }

    /// Reads a piece of the text, cut anywhere.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.reader.push(bytes, &mut self.found)
    }

    /// Reads what is left.
    pub fn finish(mut self) -> Result<Findings> {
        self.reader.finish(&mut self.found)?;
        Ok(self.found.findings)
    }
}

impl Places {
    fn add(&mut self, record: u64) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(record);
        }
    }
}

impl RowSink for Found {
    fn take(&mut self, batch: Batch<'_>) -> Result<()> {
        let Findings { records, broken, bad, attributes } = &mut self.findings;
        for (i, record) in batch.bad.iter().enumerate() {
            bad[record.flaw as usize].add(*records + (record.before + i) as u64 + 1);
        }
        for ((column, codes), places) in batch.codes.iter().zip(&self.codes).zip(attributes) {
            let mut others = batch.bad.iter().peekable();
            let mut record = *records;
            for (row, code) in column.iter().enumerate() {
                while others.next_if(|other| other.before <= row).is_some() {
                    record += 1;
                }
                record += 1;
                if let Some(kind) = codes.iter().position(|of| *of == Some(*code)) {
                    places[kind].add(record);
                }
            }
        }
        *records += (batch.codes.first().map_or(0, |column| column.len()) + batch.bad.len()) as u64;
        *broken += batch.broken as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
        {"name":"a","type":"category","values":["x","y"],"other":"?","nullable":true},
        {"name":"b","type":"integer","lows":[0,1,2],"max":9,"other":"10","nullable":true}]}"#;

    fn check(text: &[u8], piece: usize) -> Findings {
        let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
        let mut checker = Checker::new(schema, Format::default(), Encoding::Utf8).unwrap();
        text.chunks(piece).for_each(|piece| checker.push(piece).unwrap());
        checker.finish().unwrap()
    }

    fn places(first: &[u64]) -> Places {
        Places { count: first.len() as u64, first: first.to_vec() }
    }

    #[test]
    fn records_are_named_where_they_stand_and_however_the_text_comes() {
        let text = b"a,b\nx,0\nz,12\n\ny\n,\n\"y\"\"\nz\",2\n\"x\",9\n\"x\"y,3\nq,3\n\xff,1\n\"x,1\ny,2\n";
        let bad = [places(&[3]), places(&[7]), places(&[10]), places(&[]), places(&[9]), places(&[])];
        let attributes = vec![[places(&[2, 5, 8]), places(&[4])], [places(&[2]), places(&[4])]];
        let expected = Findings { records: 10, broken: 1, bad, attributes };
        for piece in [1, 2, 3, 7, 100] {
            assert_eq!(check(text, piece), expected);
        }
    }

    #[test]
    fn many_are_counted_and_the_first_are_named() {
        let found = check(format!("a,b\n{}", "z,1\n".repeat(1000)).as_bytes(), 4096);
        let outside = &found.attributes[0][0];
        assert_eq!((found.records, outside.count, outside.first.len()), (1000, 1000, NAMED));
        assert_eq!(outside.first.last(), Some(&100));
    }
}
