//! Records as a table.

use crate::deviates::child;
use crate::job::Steps;
use marginalia_tables::draw::Draws;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// Copies of `rows` of a base, in their order, as a table of their own. A record has one of the raw numbers of its row where
/// the base kept some, all attributes from the same one of the rows that it stands for.
pub fn take(base: Arc<Table>, rows: Vec<u32>, seed: u64) -> Steps<Table> {
    Steps::new(move |pace| async move {
        if rows.iter().any(|row| *row as usize >= base.rows()) {
            return Err(Error::new(Code::OptionInvalid, "a record names a row that the base does not have"));
        }
        let raw: Vec<usize> = base.raw().iter().map(|raw| raw.attribute).collect();
        let mut taken = Table::new(base.schema().clone(), false, &raw);
        let draws = Draws::new(child(seed, &[RAW]));
        for block in rows.chunks(BLOCK) {
            copy(&base, block, &draws, &mut taken)?;
            pace.show(taken.rows(), rows.len());
            pace.did(ROW * block.len()).await;
        }
        Ok(taken)
    })
}

fn copy(base: &Table, rows: &[u32], draws: &Draws, to: &mut Table) -> Result<()> {
    let columns = &base.columns()[..base.schema().base().len()];
    let codes: Vec<Vec<u16>> =
        columns.iter().map(|column| rows.iter().map(|row| column.get(*row as usize)).collect()).collect();
    let draw = |record: usize| draws.at(0, record as u64);
    let first = to.rows();
    let raw: Vec<Vec<f64>> = (base.raw().iter())
        .map(|raw| {
            let number = |(record, row): (usize, &u32)| raw.pick(*row as usize, draw(record));
            (first..).zip(rows).map(|pair| number(pair).unwrap_or(f64::NAN)).collect()
        })
        .collect();
    let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
    let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
    to.extend(&codes, None, &raw)
}

/// Rows that are copied at once, and how much longer that takes than looking one up.
const BLOCK: usize = 4096;
pub(crate) const ROW: usize = 50;
const RAW: u64 = 0x7261_776e;
