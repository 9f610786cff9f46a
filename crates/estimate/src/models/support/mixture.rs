//! Tables that priors are made of: all rows of a domain, and the rows of several priors.

use super::base::{Base, invalid};
use crate::job::Steps;
use marginalia_tables::{Code, Error, Result, Schema, Table};
use std::ops::Range;
use std::sync::Arc;

/// Rows that go into a table at once.
const BLOCK: usize = 4096;
/// How much longer a row takes than looking one up.
const ROW: usize = 10;
/// Bytes of a row beside its codes, with room for columns that grow.
const ROW_BYTES: u64 = 32;

/// All rows that a schema allows, in the order of their codes, the last attribute fastest. Refused where they do not fit in
/// `limit` bytes.
pub fn full(schema: Arc<Schema>, limit: u64) -> Result<Steps<Table>> {
    let sizes: Vec<u64> = schema.base().iter().map(|attribute| attribute.size() as u64).collect();
    let rows = sizes.iter().try_fold(1u64, |rows, size| rows.checked_mul(*size));
    let bytes = ROW_BYTES + 2 * schema.attributes().len() as u64;
    let rows = rows.filter(|rows| rows.checked_mul(bytes).is_some_and(|bytes| bytes <= limit));
    let rows = rows.ok_or_else(|| {
        let message = "the full domain does not fit the memory limit: start from the rows of a table";
        Error::new(Code::ModelTooLarge, message)
    })? as usize;
    Ok(Steps::new(move |pace| async move {
        let mut table = Table::new(schema, false, &[]);
        for first in (0..rows).step_by(BLOCK) {
            let block = first..rows.min(first + BLOCK);
            let columns = columns(&sizes, block.clone());
            let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
            table.extend(&columns, None, &[])?;
            pace.show(table.rows(), rows);
            pace.did(ROW * block.len()).await;
        }
        Ok(table)
    }))
}

/// The codes of some of all combinations, attribute by attribute.
fn columns(sizes: &[u64], rows: Range<usize>) -> Vec<Vec<u16>> {
    let of = |attribute: usize| {
        let stride: u64 = sizes[attribute + 1..].iter().product();
        rows.clone().map(|row| (row as u64 / stride % sizes[attribute]) as u16).collect()
    };
    (0..sizes.len()).map(of).collect()
}

/// The rows of several priors over one schema, each weighted by its prior's share times what the prior gives to it.
/// A row that several priors have stands there as often.
pub fn mixture(schema: Arc<Schema>, parts: Vec<(Arc<Base>, f64)>) -> Result<Steps<Table>> {
    if !parts.iter().all(|(_, share)| *share > 0.0 && share.is_finite()) {
        return Err(invalid("the share of a prior in a mixture is a number above zero"));
    }
    let mut table = Table::new(schema, true, &[]);
    if !parts.iter().all(|(base, _)| base.domain() == &table.domain()) {
        return Err(invalid("priors that are mixed have one schema"));
    }
    Ok(Steps::new(move |pace| async move {
        let all: usize = parts.iter().map(|(base, _)| base.rows()).sum();
        for (base, share) in &parts {
            for first in (0..base.rows()).step_by(BLOCK) {
                let block = first..base.rows().min(first + BLOCK);
                append(&mut table, base, *share, block.clone())?;
                pace.show(table.rows(), all);
                pace.did(ROW * block.len()).await;
            }
        }
        Ok(table)
    }))
}

fn append(table: &mut Table, base: &Base, share: f64, rows: Range<usize>) -> Result<()> {
    let columns: Vec<Vec<u16>> = base.columns()[..table.schema().base().len()]
        .iter()
        .map(|column| rows.clone().map(|row| column.get(row)).collect())
        .collect();
    let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
    let weights: Vec<f64> = base.prior()[rows].iter().map(|p| share * p).collect();
    table.extend(&columns, Some(&weights), &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;

    fn schema() -> Arc<Schema> {
        let json = r#"{"nulls":[],"attributes":[
            {"name":"a","type":"category","values":["x","y","z"]},
            {"name":"b","type":"category","values":["0","1"]},
            {"name":"c","type":"derived","from":"a","values":["u","v"],"codes":[0,1,1]}]}"#;
        Arc::new(Schema::from_json(json).unwrap())
    }

    #[test]
    fn all_rows_of_a_schema_follow_its_derivations() {
        let mut job = full(schema(), 1 << 20).unwrap();
        let first = job.step(4);
        assert_eq!((first.done, first.total, first.over), (6, 6, false));
        let table = job.complete().unwrap();
        let rows: Vec<[u16; 3]> =
            (0..6).map(|row| [0, 1, 2].map(|a: usize| table.columns()[a].get(row))).collect();
        assert_eq!(rows, [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [2, 0, 1], [2, 1, 1]]);
        assert_eq!(full(schema(), 100).err().unwrap().code, Code::ModelTooLarge);
    }

    #[test]
    fn a_mixture_has_the_rows_of_all_its_parts() {
        let all = Arc::new(Base::from_table(full(schema(), 1 << 20).unwrap().complete().unwrap()).unwrap());
        let mut one = Table::new(schema(), true, &[]);
        one.extend(&[&[2], &[1]], Some(&[7.0]), &[]).unwrap();
        let one = Arc::new(Base::from_table(one).unwrap());
        let mut job = mixture(schema(), vec![(one, 0.4), (all, 0.6)]).unwrap();
        let first = job.step(3);
        assert_eq!((first.done, first.total, first.over), (1, 7, false));
        let table = job.complete().unwrap();
        let weights = table.weights().unwrap().to_vec().unwrap();
        assert_eq!(table.rows(), 7);
        assert!((weights[0] - 0.4).abs() < 1e-15 && weights[1..].iter().all(|w| (w - 0.1).abs() < 1e-15));
        let columns: Vec<u16> = table.columns().iter().map(|column| column.get(0)).collect();
        assert_eq!(columns, [2, 1, 1]);
        let base = Base::from_table(table).unwrap();
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = mixture(schema(), vec![(Arc::new(base.clone()), wrong)]);
            assert_eq!(refused.err().unwrap().code, Code::OptionInvalid);
        }
    }
}
