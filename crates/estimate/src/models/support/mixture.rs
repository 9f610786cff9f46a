//! Tables that priors are made of: all rows of a domain, and the rows of several priors.

use super::base::{Base, invalid};
use marginalia_tables::{Code, Error, Result, Schema, Table};
use std::sync::Arc;

/// Rows that go into a table at once.
const BLOCK: usize = 4096;
/// Bytes of a row beside its codes, with room for columns that grow.
const ROW_BYTES: u64 = 32;

/// The making of all rows that a schema allows, in the order of their codes, the last attribute fastest.
#[derive(Debug)]
pub struct FullJob {
    table: Table,
    /// The product of the numbers of codes after each attribute.
    strides: Vec<u64>,
    rows: u64,
}

impl FullJob {
    /// Refuses a schema with more rows than fit in `limit` bytes.
    pub fn new(schema: Arc<Schema>, limit: u64) -> Result<Self> {
        let sizes: Vec<u64> = schema.base().iter().map(|attribute| attribute.size() as u64).collect();
        let rows = sizes.iter().try_fold(1u64, |rows, size| rows.checked_mul(*size));
        let bytes = ROW_BYTES + 2 * schema.attributes().len() as u64;
        let rows = rows.filter(|rows| rows.checked_mul(bytes).is_some_and(|bytes| bytes <= limit));
        let rows = rows.ok_or_else(|| {
            let message = "the full domain does not fit the memory limit: start from the rows of a table";
            Error::new(Code::ModelTooLarge, message)
        })?;
        let mut strides = vec![1; sizes.len()];
        for attribute in (1..sizes.len()).rev() {
            strides[attribute - 1] = strides[attribute] * sizes[attribute];
        }
        Ok(Self { table: Table::new(schema, false, &[]), strides, rows })
    }

    /// Makes about `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        let until = (self.done() + rows.max(1) as u64).min(self.rows);
        let schema = Arc::clone(self.table.schema());
        while self.done() < until {
            let block = self.done()..until.min(self.done() + BLOCK as u64);
            let code = |attribute: usize, row: u64| {
                (row / self.strides[attribute] % schema.base()[attribute].size() as u64) as u16
            };
            let columns: Vec<Vec<u16>> = (0..self.strides.len())
                .map(|attribute| block.clone().map(|row| code(attribute, row)).collect())
                .collect();
            let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
            self.table.extend(&columns, None, &[])?;
        }
        Ok(self.done() == self.rows)
    }

    /// Rows made.
    pub fn done(&self) -> u64 {
        self.table.rows() as u64
    }

    /// All rows.
    pub fn total(&self) -> u64 {
        self.rows
    }

    /// The table, doing what is left.
    pub fn finish(mut self) -> Result<Table> {
        while !self.step(1 << 20)? {}
        Ok(self.table)
    }
}

/// The rows of several priors over one schema, each weighted by its prior's share times what the prior gives to it.
/// A row that several priors have stands there as often.
#[derive(Debug)]
pub struct MixtureJob {
    table: Table,
    parts: Vec<(Arc<Base>, f64)>,
    part: usize,
    row: usize,
}

impl MixtureJob {
    /// Without priors yet.
    pub fn new(schema: Arc<Schema>) -> Self {
        Self { table: Table::new(schema, true, &[]), parts: Vec::new(), part: 0, row: 0 }
    }

    /// Adds a prior with its share, above zero.
    pub fn add(&mut self, base: Arc<Base>, share: f64) -> Result<()> {
        if !(share > 0.0 && share.is_finite()) {
            return Err(invalid("the share of a prior in a mixture is a number above zero"));
        }
        if base.domain() != &self.table.domain() {
            return Err(invalid("priors that are mixed have one schema"));
        }
        self.parts.push((base, share));
        Ok(())
    }

    /// Copies about `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        let mut left = rows.max(1);
        let attributes = self.table.schema().base().len();
        while let Some((base, share)) = self.parts.get(self.part)
            && left > 0
        {
            let block = self.row..base.rows().min(self.row + left.min(BLOCK));
            let columns: Vec<Vec<u16>> = base.columns()[..attributes]
                .iter()
                .map(|column| block.clone().map(|row| column.get(row)).collect())
                .collect();
            let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
            let weights: Vec<f64> = base.prior()[block.clone()].iter().map(|p| share * p).collect();
            self.table.extend(&columns, Some(&weights), &[])?;
            left -= block.len().min(left);
            self.row = block.end;
            if self.row == base.rows() {
                self.part += 1;
                self.row = 0;
            }
        }
        Ok(self.part == self.parts.len())
    }

    /// Rows copied.
    pub fn done(&self) -> usize {
        self.table.rows()
    }

    /// The table, doing what is left.
    pub fn finish(mut self) -> Result<Table> {
        while !self.step(1 << 20)? {}
        Ok(self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Arc<Schema> {
        let json = r#"{"nulls":[],"attributes":[
            {"name":"a","type":"category","values":["x","y","z"]},
            {"name":"b","type":"category","values":["0","1"]},
            {"name":"c","type":"derived","from":"a","values":["u","v"],"codes":[0,1,1]}]}"#;
        Arc::new(Schema::from_json(json).unwrap())
    }

    #[test]
    fn all_rows_of_a_schema_follow_its_derivations() {
        let mut job = FullJob::new(schema(), 1 << 20).unwrap();
        assert!(!job.step(4).unwrap());
        assert_eq!((job.done(), job.total()), (4, 6));
        let table = job.finish().unwrap();
        let rows: Vec<[u16; 3]> =
            (0..6).map(|row| [0, 1, 2].map(|a: usize| table.columns()[a].get(row))).collect();
        assert_eq!(rows, [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [2, 0, 1], [2, 1, 1]]);
        assert_eq!(FullJob::new(schema(), 100).unwrap_err().code, Code::ModelTooLarge);
    }

    #[test]
    fn a_mixture_has_the_rows_of_all_its_parts() {
        let full =
            Arc::new(Base::from_table(FullJob::new(schema(), 1 << 20).unwrap().finish().unwrap()).unwrap());
        let mut one = Table::new(schema(), true, &[]);
        one.extend(&[&[2], &[1]], Some(&[7.0]), &[]).unwrap();
        let one = Arc::new(Base::from_table(one).unwrap());
        let mut job = MixtureJob::new(schema());
        job.add(one, 0.4).unwrap();
        job.add(full, 0.6).unwrap();
        assert!(!job.step(3).unwrap());
        assert_eq!(job.done(), 3);
        let table = job.finish().unwrap();
        let weights = table.weights().unwrap().to_vec().unwrap();
        assert_eq!(table.rows(), 7);
        assert!((weights[0] - 0.4).abs() < 1e-15 && weights[1..].iter().all(|w| (w - 0.1).abs() < 1e-15));
        let columns: Vec<u16> = table.columns().iter().map(|column| column.get(0)).collect();
        assert_eq!(columns, [2, 1, 1]);
        let base = Base::from_table(table).unwrap();
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = MixtureJob::new(schema()).add(Arc::new(base.clone()), wrong);
            assert_eq!(refused.unwrap_err().code, Code::OptionInvalid);
        }
    }
}
