//! A table column by column, as it leaves one instance of WebAssembly and comes to another.

use super::{Raw, Table};
use crate::{Chunks, Code, Codes, Error, Result, Schema};
use std::sync::Arc;

/// A copy of a table in the making. Nothing is taken on trust: what does not fit the schema is refused.
#[derive(Debug)]
pub struct TableCopy {
    rows: usize,
    table: Table,
}

impl TableCopy {
    /// Nothing yet of a table of so many rows.
    pub fn new(schema: Arc<Schema>, rows: usize) -> Self {
        let mut table = Table::new(schema, false, &[]);
        table.columns.clear();
        Self { rows, table }
    }

    /// The codes of the next attribute, derived ones included, where they are bytes.
    pub fn codes8(&mut self, codes: &[u8]) -> Result<()> {
        self.column(codes, |column| match column {
            Codes::U8(chunks) => Some(chunks),
            Codes::U16(_) => None,
        })
    }

    /// The codes of the next attribute, where they are wider than bytes.
    pub fn codes16(&mut self, codes: &[u16]) -> Result<()> {
        self.column(codes, |column| match column {
            Codes::U8(_) => None,
            Codes::U16(chunks) => Some(chunks),
        })
    }

    fn column<T: Copy + Into<usize>>(
        &mut self,
        codes: &[T],
        chunks: fn(&mut Codes) -> Option<&mut Chunks<T>>,
    ) -> Result<()> {
        let attribute = self.table.schema.attributes().get(self.table.columns.len());
        let size = attribute.ok_or_else(misfit)?.size();
        // The largest code tells; looking for the first that is too large would stop vector code.
        let largest = codes.iter().fold(0, |most: usize, code| most.max((*code).into()));
        let mut column = Codes::new(size);
        let chunks = chunks(&mut column).filter(|_| codes.len() == self.rows && largest < size);
        chunks.ok_or_else(misfit)?.extend(codes)?;
        self.table.columns.push(column);
        Ok(())
    }

    /// The weights of the rows.
    pub fn weights(&mut self, weights: &[f64]) -> Result<()> {
        if weights.len() != self.rows {
            return Err(misfit());
        }
        let mut chunks = Chunks::default();
        chunks.extend(weights)?;
        self.table.weight = weights.iter().sum();
        self.table.weights = Some(chunks);
        Ok(())
    }

    /// The raw numbers of one more attribute.
    pub fn raw(&mut self, raw: Raw) -> Result<()> {
        let numbers = raw.values.len();
        let listed = match &raw.starts {
            Some(starts) => {
                let ends = starts.first() == Some(&0) && starts.last() == Some(&numbers);
                ends && starts.len() == self.rows + 1 && starts.is_sorted()
            }
            None => numbers == self.rows,
        };
        let weighed = raw.sums.as_ref().is_none_or(|sums| sums.len() == numbers);
        if !listed || !weighed || raw.attribute >= self.table.schema.base().len() {
            return Err(misfit());
        }
        self.table.raw.push(raw);
        Ok(())
    }

    /// The table, when everything is there.
    pub fn finish(self) -> Result<Table> {
        if self.table.columns.len() != self.table.schema.attributes().len() {
            return Err(misfit());
        }
        Ok(Table { rows: self.rows, ..self.table })
    }
}

fn misfit() -> Error {
    Error::new(Code::OptionInvalid, "a column of the copy does not fit the schema or the number of rows")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distinct::DistinctJob;

    fn schema() -> Arc<Schema> {
        let values: Vec<String> = (0..300).map(|i| format!("\"v{i}\"")).collect();
        let json = format!(
            r#"{{"nulls":[],"attributes":[{{"name":"a","type":"integer","lows":[0,5],"max":9}},
               {{"name":"b","type":"category","values":[{}]}},
               {{"name":"c","type":"derived","from":"a","values":["x","y"],"codes":[1,0]}}]}}"#,
            values.join(",")
        );
        Arc::new(Schema::from_json(&json).unwrap())
    }

    /// Distinct rows, so that raw numbers are in lists with weights, longer than a chunk.
    fn table() -> Table {
        let mut table = Table::new(schema(), true, &[0]);
        for first in (0..140_000u32).step_by(1000) {
            let rows: Vec<u32> = (first..first + 1000).collect();
            let a: Vec<u16> = rows.iter().map(|row| (row / 3 % 2) as u16).collect();
            let b: Vec<u16> = rows.iter().map(|row| (row / 7 % 300) as u16).collect();
            let numbers: Vec<f64> = rows.iter().map(|row| f64::from(row % 10) + 0.5).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(1 + row % 4)).collect();
            table.extend(&[&a, &b], Some(&weights), &[&numbers]).unwrap();
        }
        table
    }

    fn copied(table: &Table) -> Result<Table> {
        let json = table.schema().json();
        let mut copy = TableCopy::new(Arc::new(Schema::from_json(json)?), table.rows());
        for column in table.columns() {
            match column {
                Codes::U8(chunks) => copy.codes8(&chunks.to_vec()?)?,
                Codes::U16(chunks) => copy.codes16(&chunks.to_vec()?)?,
            }
        }
        if let Some(weights) = table.weights() {
            copy.weights(&weights.to_vec()?)?;
        }
        for raw in table.raw() {
            copy.raw(raw.clone())?;
        }
        copy.finish()
    }

    #[test]
    fn a_copy_is_the_same_to_the_last_number() {
        let plain = table();
        let distinct = DistinctJob::new(Arc::new(plain.clone())).unwrap().finish().unwrap();
        assert!(distinct.raw()[0].sums.is_some() && distinct.raw()[0].starts.is_some());
        for table in [plain, distinct] {
            let copy = copied(&table).unwrap();
            assert_eq!(copy.schema(), table.schema());
            assert_eq!(format!("{copy:?}"), format!("{table:?}"));
            assert_eq!(copy.weight.to_bits(), table.weight.to_bits());
        }
    }

    #[test]
    fn an_empty_table_can_be_copied_too() {
        let copy = copied(&Table::new(schema(), false, &[])).unwrap();
        assert_eq!((copy.rows(), copy.columns().len()), (0, 3));
        assert!(copy.weights().is_none());
        assert!(copy.raw().is_empty());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let empty = || TableCopy::new(schema(), 2);
        let refused = |result: Result<()>| assert_eq!(result.unwrap_err().code, Code::OptionInvalid);
        refused(empty().codes8(&[0]));
        refused(empty().codes8(&[0, 2]));
        refused(empty().codes16(&[0, 1]));
        refused(empty().weights(&[1.0]));
        let mut full = empty();
        full.codes8(&[0, 1]).unwrap();
        refused(full.codes8(&[0, 1]));
        refused(full.codes16(&[0, 300]));
        full.codes16(&[0, 299]).unwrap();
        full.codes8(&[1, 0]).unwrap();
        refused(full.codes8(&[1, 0]));
        assert_eq!(empty().finish().unwrap_err().code, Code::OptionInvalid);

        let numbers = |numbers: &[f64]| {
            let mut values = Chunks::default();
            values.extend(numbers).unwrap();
            values
        };
        let raw = |attribute, values, starts: Option<&[usize]>, sums: Option<&[f64]>| Raw {
            attribute,
            values: numbers(values),
            starts: starts.map(<[usize]>::to_vec),
            sums: sums.map(<[f64]>::to_vec),
        };
        for wrong in [
            raw(2, &[1.0, 2.0], None, None),
            raw(0, &[1.0], None, None),
            raw(0, &[1.0; 3], Some(&[0, 3]), None),
            raw(0, &[1.0; 3], Some(&[1, 1, 3]), None),
            raw(0, &[1.0; 3], Some(&[0, 4, 3]), None),
            raw(0, &[1.0; 3], Some(&[0, 1, 2]), None),
            raw(0, &[1.0, 2.0], None, Some(&[1.0])),
        ] {
            refused(full.raw(wrong));
        }
        full.raw(raw(0, &[1.0; 3], Some(&[0, 0, 3]), Some(&[1.0, 2.0, 3.0]))).unwrap();
        assert_eq!(full.finish().unwrap().rows(), 2);
    }
}
