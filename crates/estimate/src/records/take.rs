//! Records as a table.

use crate::deviates::child;
use marginalia_tables::draw::Draws;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// Copies rows of a base to a table of their own, in steps. A record has one of the raw numbers of its row where the
/// base kept some, all attributes from the same one of the rows that it stands for.
#[derive(Debug)]
pub struct TakeJob {
    base: Arc<Table>,
    rows: Vec<u32>,
    taken: Table,
    draws: Draws,
}

impl TakeJob {
    /// The records that are copies of `rows` of a base, in their order.
    pub fn new(base: Arc<Table>, rows: Vec<u32>, seed: u64) -> Result<Self> {
        if rows.iter().any(|row| *row as usize >= base.rows()) {
            return Err(Error::new(Code::OptionInvalid, "a record names a row that the base does not have"));
        }
        let raw: Vec<usize> = base.raw().iter().map(|raw| raw.attribute).collect();
        let taken = Table::new(base.schema().clone(), false, &raw);
        Ok(Self { base, rows, taken, draws: Draws::new(child(seed, &[RAW])) })
    }

    /// Copies at most `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        let start = self.taken.rows();
        let end = self.rows.len().min(start.saturating_add(rows));
        for from in (start..end).step_by(BLOCK) {
            self.copy(from, end.min(from + BLOCK))?;
        }
        Ok(end == self.rows.len())
    }

    fn copy(&mut self, from: usize, until: usize) -> Result<()> {
        let rows = &self.rows[from..until];
        let base = &self.base.columns()[..self.base.schema().base().len()];
        let codes: Vec<Vec<u16>> =
            base.iter().map(|column| rows.iter().map(|row| column.get(*row as usize)).collect()).collect();
        let draw = |record: usize| self.draws.at(0, record as u64);
        let raw: Vec<Vec<f64>> = (self.base.raw().iter())
            .map(|raw| {
                let number = |(record, row): (usize, &u32)| raw.pick(*row as usize, draw(record));
                (from..).zip(rows).map(|pair| number(pair).unwrap_or(f64::NAN)).collect()
            })
            .collect();
        let (codes, raw): (Vec<&[u16]>, Vec<&[f64]>) =
            (codes.iter().map(Vec::as_slice).collect(), raw.iter().map(Vec::as_slice).collect());
        self.taken.extend(&codes, None, &raw)
    }

    /// Records copied.
    pub fn done(&self) -> usize {
        self.taken.rows()
    }

    /// Records to copy.
    pub fn total(&self) -> usize {
        self.rows.len()
    }

    /// Does what is left and returns the table.
    pub fn finish(mut self) -> Result<Table> {
        while !self.step(usize::MAX)? {}
        Ok(self.taken)
    }
}

const BLOCK: usize = 4096;
const RAW: u64 = 0x7261_776e;
