//! A table: a schema, a column of codes for each attribute, and what public tables may carry beside them.

mod copy;

pub use copy::TableCopy;

use crate::{Chunks, Code, Codes, Domain, Error, Kind, Result, Schema};
use std::ops::Range;
use std::sync::Arc;

/// Rows as columns of codes.
#[derive(Debug, Clone)]
pub struct Table {
    schema: Arc<Schema>,
    rows: usize,
    columns: Vec<Codes>,
    weights: Option<Chunks<f64>>,
    /// The sum of the weights.
    weight: f64,
    raw: Vec<Raw>,
}

/// The most that weights may add up to, 2¹⁰⁰⁰: in whatever order they are added, no sum is infinite.
const MOST_WEIGHT: f64 = f64::from_bits((1000 + 1023) << 52);

/// The raw numbers of one attribute, kept beside its codes.
#[derive(Debug, Clone)]
pub struct Raw {
    /// The attribute.
    pub attribute: usize,
    /// The numbers, row after row; NaN where the text was no number.
    pub values: Chunks<f64>,
    /// Where the numbers of row `i` stand (`starts[i]..starts[i + 1]`); one each when there is no list.
    pub starts: Option<Vec<usize>>,
    /// For each number, the weight of those of its row up to it; all weigh the same when there is no list.
    pub sums: Option<Vec<f64>>,
}

impl Raw {
    /// Where the numbers of a row stand among the values.
    pub fn of(&self, row: usize) -> Range<usize> {
        match &self.starts {
            Some(starts) => starts[row]..starts[row + 1],
            None => row..row + 1,
        }
    }

    /// One of the numbers of a row, by their weights and a draw that is uniform on all of `u64`; none where that is
    /// no number.
    pub fn pick(&self, row: usize, draw: u64) -> Option<f64> {
        let places = self.of(row);
        let sums = self.sums.as_ref().map(|sums| &sums[places.clone()]);
        let place = match sums.and_then(|sums| Some((sums, *sums.last().filter(|sum| **sum > 0.0)?))) {
            Some((sums, sum)) => {
                // 53 bits: the product stays below the sum.
                let share = (draw >> 11) as f64 / (1u64 << 53) as f64 * sum;
                sums.partition_point(|up_to| *up_to <= share)
            }
            None => ((u128::from(draw) * places.len() as u128) >> 64) as usize,
        };
        Some(self.values.get(places.start + place)).filter(|number| number.is_finite())
    }

    /// The numbers of those rows that are kept, in their order.
    pub fn restricted(&self, kept: impl Fn(usize) -> bool, rows: usize) -> Result<Self> {
        let (mut values, mut starts, mut sums) = (Chunks::default(), vec![0], Vec::new());
        for row in (0..rows).filter(|row| kept(*row)) {
            for place in self.of(row) {
                values.push(self.values.get(place))?;
                sums.extend(self.sums.as_ref().map(|sums| sums[place]));
            }
            starts.push(values.len());
        }
        let starts = self.starts.is_some().then_some(starts);
        Ok(Self { attribute: self.attribute, values, starts, sums: self.sums.as_ref().map(|_| sums) })
    }

    /// Whether the numbers of rows with these weights differ in weight.
    pub(crate) fn weighted(&self, weights: Option<&Chunks<f64>>) -> bool {
        self.sums.is_some() || self.starts.is_none() && weights.is_some()
    }

    /// The weight of a number of a row.
    pub(crate) fn weight(&self, row: usize, place: usize, weights: Option<&Chunks<f64>>) -> f64 {
        match (&self.sums, weights) {
            (Some(sums), _) if place == self.of(row).start => sums[place],
            (Some(sums), _) => sums[place] - sums[place - 1],
            (None, Some(weights)) if self.starts.is_none() => weights.get(row),
            (None, _) => 1.0,
        }
    }
}

impl Table {
    /// A table without rows. It keeps the raw numbers of the attributes in `keep_raw`.
    pub fn new(schema: Arc<Schema>, weighted: bool, keep_raw: &[usize]) -> Self {
        let columns = schema.attributes().iter().map(|a| Codes::new(a.size())).collect();
        let raw = |&attribute: &usize| Raw { attribute, values: Chunks::default(), starts: None, sums: None };
        let raw = keep_raw.iter().map(raw).collect();
        Self { schema, rows: 0, columns, weights: weighted.then(Chunks::default), weight: 0.0, raw }
    }

    /// The declared schema.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of codes of each attribute.
    pub fn domain(&self) -> Domain {
        Domain::new(self.schema.sizes())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The codes of each attribute, derived ones included.
    pub fn columns(&self) -> &[Codes] {
        &self.columns
    }

    /// The weight of each row, where rows have one.
    pub fn weights(&self) -> Option<&Chunks<f64>> {
        self.weights.as_ref()
    }

    /// The raw numbers that were kept.
    pub fn raw(&self) -> &[Raw] {
        &self.raw
    }

    /// Rows without weights from the codes of all attributes and the raw numbers that tables of the schema had.
    pub fn from_parts(schema: Arc<Schema>, columns: Vec<Codes>, raw: Vec<Raw>) -> Result<Self> {
        let rows = columns.first().map_or(0, Codes::len);
        if columns.len() != schema.attributes().len() || columns.iter().any(|column| column.len() != rows) {
            return Err(Error::new(
                Code::OptionInvalid,
                "the columns are not those of a table of the schema",
            ));
        }
        Ok(Self { schema, rows, columns, weights: None, weight: 0.0, raw })
    }

    /// The same table with other raw numbers, whose lists must cover its rows.
    pub(crate) fn with_raw(self, raw: Vec<Raw>) -> Self {
        Self { raw, ..self }
    }

    /// Appends rows given as one slice of codes per base attribute, with weights and raw numbers where the
    /// table has them; derived columns follow by themselves. Every code must be below its attribute's size.
    pub fn extend(&mut self, base: &[&[u16]], weights: Option<&[f64]>, raw: &[&[f64]]) -> Result<()> {
        let rows = base.first().map_or(0, |column| column.len());
        let lengths =
            base.iter().map(|c| c.len()).chain(weights.map(<[f64]>::len)).chain(raw.iter().map(|r| r.len()));
        let fits = base.len() == self.schema.base().len()
            && weights.is_some() == self.weights.is_some()
            && raw.len() == self.raw.len();
        if !fits || lengths.into_iter().any(|length| length != rows) {
            return Err(Error::new(
                Code::OptionInvalid,
                "the columns do not fit the table or differ in length",
            ));
        }
        let weight = weights.iter().copied().flatten().fold(self.weight, |sum, weight| sum + weight);
        if weight > MOST_WEIGHT {
            let what =
                "the weights add up to more than a number can hold: divide all of them by the same number";
            return Err(Error::new(Code::ValueOutside, what));
        }
        self.weight = weight;
        for (column, codes) in self.columns.iter_mut().zip(base) {
            column.extend(codes)?;
        }
        self.derive(rows)?;
        if let (Some(all), Some(weights)) = (&mut self.weights, weights) {
            all.extend(weights)?;
        }
        for (all, raw) in self.raw.iter_mut().zip(raw) {
            all.values.extend(raw)?;
        }
        self.rows += rows;
        Ok(())
    }

    /// Puts other codes, one for each base attribute, in the place of a row's; derived columns follow by themselves.
    pub fn replace(&mut self, row: usize, base: &[u16]) {
        let schema = self.schema.clone();
        for (column, attribute) in schema.attributes().iter().enumerate() {
            let code = match &attribute.kind {
                Kind::Derived { from, codes, .. } => codes[usize::from(self.columns[*from].get(row))],
                _ => base[column],
            };
            self.columns[column].set(row, code);
        }
    }

    /// Fills the last `rows` rows of the derived columns.
    fn derive(&mut self, rows: usize) -> Result<()> {
        let mut block = Vec::new();
        for i in self.schema.base().len()..self.columns.len() {
            let Kind::Derived { from, codes, .. } = &self.schema.attributes()[i].kind else { continue };
            let (before, rest) = self.columns.split_at_mut(i);
            let source = &before[*from];
            block.clear();
            block.extend((source.len() - rows..source.len()).map(|row| codes[usize::from(source.get(row))]));
            rest[0].extend(&block)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_columns_follow_their_source() {
        let json = r#"{"nulls":[],"attributes":[
            {"name":"puma","type":"category","values":["a1","a2","b1"]},
            {"name":"state","type":"derived","from":"puma","values":["a","b"],"codes":[0,0,1]}]}"#;
        let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), true, &[]);
        table.extend(&[&[2, 0]], Some(&[1.0, 2.0]), &[]).unwrap();
        table.extend(&[&[1]], Some(&[3.0]), &[]).unwrap();
        let state: Vec<u16> = (0..3).map(|row| table.columns()[1].get(row)).collect();
        assert_eq!(state, [1, 0, 0]);
        assert_eq!(table.extend(&[&[1]], None, &[]).unwrap_err().code, Code::OptionInvalid);
        assert_eq!(table.rows(), 3);
        table.replace(1, &[2]);
        assert_eq!((table.columns()[0].get(1), table.columns()[1].get(1)), (2, 1));
    }
}
