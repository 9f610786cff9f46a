//! Random halves of a public table.

use crate::counts::weights;
use crate::deviates::stream;
use marginalia_tables::{Result, Table};
use std::sync::Arc;

/// Two tables, each record of the public table in one of them by the toss of a coin. A weight is so many records; what
/// is left of it beyond whole ones goes together.
pub(super) fn halves(table: &Table, seed: u64) -> Result<[Arc<Table>; 2]> {
    let mut random = stream(seed, &[HALVES]);
    let mut parts = [(); 2].map(|()| (Vec::new(), Vec::new()));
    for (row, weight) in weights(table)?.iter().enumerate() {
        let mut own = [0.0; 2];
        let mut left = *weight;
        // Weights far above one record are scaled survey weights; their rows need no splitting record by record.
        let unit = (weight / 64.0).max(1.0);
        while left > 0.0 {
            own[(random.next_u64() >> 63) as usize] += left.min(unit);
            left -= unit;
        }
        for ((rows, weights), own) in parts.iter_mut().zip(own).filter(|(_, own)| *own > 0.0) {
            rows.push(row);
            weights.push(own);
        }
    }
    let [a, b] = parts.map(|(rows, weights)| select(table, &rows, &weights));
    Ok([Arc::new(a?), Arc::new(b?)])
}

fn select(table: &Table, rows: &[usize], weights: &[f64]) -> Result<Table> {
    let mut half = Table::new(table.schema().clone(), true, &[]);
    for (rows, weights) in rows.chunks(BLOCK).zip(weights.chunks(BLOCK)) {
        let codes: Vec<Vec<u16>> = (table.columns()[..table.schema().base().len()].iter())
            .map(|column| rows.iter().map(|row| column.get(*row)).collect())
            .collect();
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        half.extend(&codes, Some(weights), &[])?;
    }
    Ok(half)
}

const BLOCK: usize = 4096;
const HALVES: u64 = 0x6861_6c76;
