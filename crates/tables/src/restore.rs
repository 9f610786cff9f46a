//! Tables from codes that were kept elsewhere, such as the rows of a saved release: nothing about them is trusted.

use crate::table::Raw;
use crate::{Chunks, Code, Error, Result, Schema, Table};
use std::sync::Arc;

/// A table with weights that is put together again, block by block.
#[derive(Debug)]
pub struct Restoring {
    table: Table,
    raw: Vec<Raw>,
}

impl Restoring {
    /// A table without rows.
    pub fn new(schema: Arc<Schema>) -> Self {
        Self { table: Table::new(schema, true, &[]), raw: Vec::new() }
    }

    /// Appends rows: the codes of one base attribute after another, and a weight for each row.
    pub fn push(&mut self, codes: &[u16], weights: &[f64]) -> Result<()> {
        let schema = Arc::clone(self.table.schema());
        let base = schema.base();
        if codes.len() != base.len().saturating_mul(weights.len()) {
            return Err(invalid("there must be a code of each attribute, and a weight, for each row"));
        }
        if weights.is_empty() {
            return Ok(());
        }
        let columns: Vec<&[u16]> = codes.chunks_exact(weights.len()).collect();
        let outside =
            |(column, attribute): (&&[u16], usize)| column.iter().any(|c| usize::from(*c) >= attribute);
        if columns.iter().zip(base.iter().map(|a| a.size())).any(outside) {
            return Err(invalid("a code is none of those of its attribute"));
        }
        if weights.iter().any(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            return Err(invalid("weights must be finite and not negative"));
        }
        self.table.extend(&columns, Some(weights), &[])
    }

    /// Puts raw numbers of an attribute beside the rows: `counts` says how many each row has, one each where it is
    /// empty; `sums` holds for each number the weight of those of its row up to it, and is empty where all weigh the
    /// same. All attributes must have the same `counts`, because a record takes the numbers of one place.
    pub fn number(&mut self, attribute: usize, numbers: &[f64], counts: &[u32], sums: &[f64]) -> Result<()> {
        let fits = attribute < self.table.schema().base().len()
            && self.raw.iter().all(|raw| raw.attribute != attribute)
            && (counts.is_empty() || counts.len() == self.table.rows())
            && (sums.is_empty() || sums.len() == numbers.len());
        if !fits {
            return Err(invalid("the raw numbers of an attribute do not fit its table"));
        }
        let starts = starts_of(counts)?;
        let held = starts.as_ref().map_or(self.table.rows(), |starts| starts[counts.len()]);
        if held != numbers.len() || self.raw.first().is_some_and(|first| first.starts != starts) {
            return Err(invalid("the rows of a table must have as many raw numbers as they say"));
        }
        let mut values = Chunks::default();
        values.extend(numbers)?;
        let sums = (!sums.is_empty()).then(|| crate::room::listed(sums.iter().copied())).transpose()?;
        let raw = Raw { attribute, values, starts, sums };
        if let Some(sums) = &raw.sums {
            let rises = |row: usize| rises(&sums[raw.of(row)]);
            if !(0..self.table.rows()).all(rises) {
                return Err(invalid("sums of weights must be finite, not negative and not fall"));
            }
        }
        self.raw.push(raw);
        Ok(())
    }

    /// The table.
    pub fn finish(self) -> Table {
        self.table.with_raw(self.raw)
    }
}

/// Where the numbers of each row begin; each row must have one at least.
fn starts_of(counts: &[u32]) -> Result<Option<Vec<usize>>> {
    if counts.is_empty() {
        return Ok(None);
    }
    let mut starts = Vec::new();
    let length = counts.len() + 1;
    starts
        .try_reserve_exact(length)
        .map_err(|_| Error::out_of_memory(length.saturating_mul(size_of::<usize>())))?;
    let mut at = 0usize;
    starts.push(at);
    for count in counts {
        at = match at.checked_add(*count as usize) {
            Some(next) if *count > 0 => next,
            _ => return Err(invalid("each row must have a raw number")),
        };
        starts.push(at);
    }
    Ok(Some(starts))
}

fn rises(sums: &[f64]) -> bool {
    let mut before = 0.0;
    sums.iter().all(|sum| {
        let fine = sum.is_finite() && *sum >= before;
        before = *sum;
        fine
    })
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn schema() -> Arc<Schema> {
        let json = r#"{"nulls":[],"attributes":[
            {"name":"a","type":"category","values":["x","y","z"]},
            {"name":"b","type":"category","values":["0","1"]},
            {"name":"c","type":"derived","from":"a","values":["p","q"],"codes":[0,1,1]}]}"#;
        Arc::new(Schema::from_json(json).unwrap())
    }

    fn rows() -> Restoring {
        let mut restoring = Restoring::new(schema());
        restoring.push(&[2, 0, 1, 1], &[1.0, 0.5]).unwrap();
        restoring.push(&[1, 0], &[2.0]).unwrap();
        restoring
    }

    #[test]
    fn rows_come_back_with_what_follows_from_them() {
        let mut restoring = rows();
        restoring.number(1, &[4.0, 5.0, f64::NAN, 7.0], &[1, 2, 1], &[1.0, 0.25, 0.5, 2.0]).unwrap();
        let table = restoring.finish();
        let codes = |column: usize| (0..3).map(|row| table.columns()[column].get(row)).collect::<Vec<_>>();
        assert_eq!((codes(0), codes(1), codes(2)), (vec![2, 0, 1], vec![1, 1, 0], vec![1, 0, 1]));
        assert_eq!(table.weights().unwrap().to_vec().unwrap(), [1.0, 0.5, 2.0]);
        let raw = &table.raw()[0];
        assert_eq!((raw.of(1), raw.pick(0, 0), raw.pick(1, u64::MAX)), (1..3, Some(4.0), None));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |done: Result<()>| assert_eq!(done.unwrap_err().code, Code::OptionInvalid);
        for (codes, weights) in [
            (&[3, 0][..], &[1.0][..]),
            (&[0, 2], &[1.0]),
            (&[0, 0, 0], &[1.0]),
            (&[0, 0], &[-1.0]),
            (&[0, 0], &[f64::INFINITY]),
        ] {
            refused(rows().push(codes, weights));
        }
        for (attribute, numbers, counts, sums) in [
            (2, &[1.0; 3][..], &[][..], &[][..]),
            (0, &[1.0; 2], &[], &[]),
            (0, &[1.0; 4], &[1, 1, 1], &[]),
            (0, &[1.0; 3], &[3, 0, 0], &[]),
            (0, &[1.0; 3], &[1, 1], &[]),
            (0, &[1.0; 3], &[u32::MAX, u32::MAX, u32::MAX], &[]),
            (0, &[1.0; 3], &[], &[1.0, 2.0]),
            (0, &[1.0; 4], &[2, 1, 1], &[2.0, 1.0, 1.0, 1.0]),
            (0, &[1.0; 3], &[], &[1.0, f64::NAN, 1.0]),
        ] {
            refused(rows().number(attribute, numbers, counts, sums));
        }
        let mut two = rows();
        two.number(0, &[1.0; 4], &[2, 1, 1], &[]).unwrap();
        refused(two.number(0, &[1.0; 4], &[2, 1, 1], &[]));
        refused(two.number(1, &[1.0; 4], &[1, 2, 1], &[]));
        refused(two.number(1, &[1.0; 3], &[], &[]));
    }

    proptest! {
        /// Whatever comes, there is a table that can be drawn from, or an error.
        #[test]
        fn nothing_breaks(
            codes in prop::collection::vec(0u16..4, 0..12),
            weights in prop::collection::vec(-1.0..3.0f64, 0..6),
            numbers in prop::collection::vec(-2.0..2.0f64, 0..8),
            counts in prop::collection::vec(0u32..4, 0..6),
            sums in prop::collection::vec(-0.5..3.0f64, 0..8),
        ) {
            let mut restoring = Restoring::new(schema());
            let pushed = restoring.push(&codes, &weights).is_ok();
            let rows = if pushed { weights.len() } else { 0 };
            let numbered = restoring.number(0, &numbers, &counts, &sums).is_ok();
            let table = restoring.finish();
            prop_assert_eq!(table.rows(), rows);
            if numbered {
                for row in 0..rows {
                    for draw in [0, 1 << 40, u64::MAX] {
                        table.raw()[0].pick(row, draw);
                    }
                }
            }
        }
    }
}
