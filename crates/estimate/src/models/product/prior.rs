//! A product as a prior: all rows that its schema allows, which must be few.

use super::ProductModel;
use crate::job::{Boxed, Steps};
use crate::models::Model;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// Rows that go into a table at once.
const BLOCK: u64 = 4096;
/// Bytes of a row beside its codes, with room for columns that grow.
const ROW_BYTES: u64 = 48;

/// All rows of positive share, each weighted by the records that it stands for.
pub fn rows(model: Arc<ProductModel>, limit: u64) -> Result<Boxed<Table>> {
    let possible = |shares: &Vec<f64>| shares.iter().filter(|share| **share > 0.0).count() as u64;
    let rows = model.shares().iter().try_fold(1u64, |rows, shares| rows.checked_mul(possible(shares)));
    let bytes = ROW_BYTES + 2 * model.schema().attributes().len() as u64;
    let fits = |rows: &u64| rows.checked_mul(bytes).is_some_and(|bytes| bytes <= limit);
    let rows = rows.filter(fits).ok_or_else(|| {
        let message = "all rows that a product allows do not fit the memory limit: make the prior of a table, or of a model on rows";
        Error::new(Code::ModelTooLarge, message)
    })?;
    Ok(Box::new(Steps::new(move |pace| async move {
        let mut table = Table::new(Arc::clone(model.schema()), true, &[]);
        let codes: Vec<Vec<u16>> = model.shares().iter().map(|shares| positive(shares)).collect();
        for first in (0..rows).step_by(BLOCK as usize) {
            let block = first..rows.min(first + BLOCK);
            let mut stride = rows;
            let mut columns = Vec::with_capacity(codes.len());
            let mut weights = vec![model.total(); (block.end - block.start) as usize];
            for (codes, shares) in codes.iter().zip(model.shares()) {
                stride /= codes.len() as u64;
                let column: Vec<u16> =
                    block.clone().map(|row| codes[(row / stride % codes.len() as u64) as usize]).collect();
                weights
                    .iter_mut()
                    .zip(&column)
                    .for_each(|(weight, code)| *weight *= shares[usize::from(*code)]);
                columns.push(column);
            }
            let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
            table.extend(&columns, Some(&weights), &[])?;
            pace.did(10 * weights.len()).await;
        }
        Ok(table)
    })))
}

/// The codes of positive share.
fn positive(shares: &[f64]) -> Vec<u16> {
    (0..).zip(shares).filter(|(_, share)| **share > 0.0).map(|(code, _)| code).collect()
}
