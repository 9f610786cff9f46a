//! A wider base: the rows of a public table, and rows drawn from its network at a small share of the weight.

use super::network::Network;
use crate::deviates::stream;
use crate::priors::deny::{Deny, complete};
use crate::priors::dependencies::{Dependencies, Donors, Rows};
use crate::seed::Seed;
use marginalia_tables::distinct::DistinctJob;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// How a base is widened.
#[derive(Debug, Clone, Copy)]
pub struct WidenOptions {
    /// The share of the weight that drawn rows have.
    pub share: f64,
    /// How many rows are drawn; the same row may be drawn again, or be one of the table's.
    pub rows: usize,
    /// The seed of the draws.
    pub seed: u64,
}

impl WidenOptions {
    /// Twice as many rows as the table is worth, at 5 % of the weight.
    pub fn usual(strength: f64, seed: u64) -> Self {
        Self { share: 0.05, rows: (2.0 * strength) as usize, seed }
    }
}

/// Draws rows, puts them beside those of the table and makes all distinct, in steps. The sum of the weights stays
/// what it is in the table without denied rows. A drawn row has, for each attribute whose raw numbers are kept, one of
/// those that the table has for the same code.
#[derive(Debug)]
pub struct WidenJob {
    table: Arc<Table>,
    network: Network,
    deny: Deny,
    options: WidenOptions,
    random: Seed,
    /// Drawn rows, attribute by attribute, and the draws that were made for them.
    drawn: Vec<Vec<u16>>,
    draws: usize,
    /// Public rows that lend them what follows from something, and which did.
    donors: Option<Donors>,
    lent: Vec<Vec<u32>>,
    lending: Seed,
    /// The rows of the table that are not denied, one for each of its raw numbers, and the next one to copy.
    all: Table,
    row: usize,
    weight: f64,
    /// How many rows of `all` are not drawn.
    own: usize,
    distinct: Option<DistinctJob>,
}

impl WidenJob {
    /// A job that has drawn no row yet.
    pub fn new(table: Arc<Table>, network: Network, deny: Deny, options: WidenOptions) -> Result<Self> {
        if !(0.0..1.0).contains(&options.share) {
            let message = "the share of widening must be at least 0 and less than 1";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let raw: Vec<usize> = table.raw().iter().map(|raw| raw.attribute).collect();
        let all = Table::new(table.schema().clone(), true, &raw);
        let drawn = vec![Vec::new(); table.schema().base().len()];
        let random = stream(options.seed, &[WIDEN]);
        let lending = stream(options.seed, &[WIDEN, LEND]);
        Ok(Self {
            table,
            network,
            deny,
            options,
            random,
            drawn,
            draws: 0,
            donors: None,
            lent: Vec::new(),
            lending,
            all,
            row: 0,
            weight: 0.0,
            own: 0,
            distinct: None,
        })
    }

    /// The same, where no drawn row breaks a dependency of the table.
    pub fn keeping(mut self, dependencies: &Dependencies) -> Result<Self> {
        let rows = Rows::new(Arc::clone(&self.table), &|row| !self.deny.denies_row(&self.table, row))?;
        self.donors = Donors::new(rows, dependencies);
        Ok(self)
    }

    /// Does about `work` units, each about as long as copying a row; true at the end.
    pub fn step(&mut self, work: usize) -> Result<bool> {
        if self.distinct.is_none() {
            if self.drawing() {
                return self.draw(work).map(|()| false);
            }
            if self.row < self.table.rows() {
                return self.copy(work).map(|()| false);
            }
            self.append()?;
            let all = Table::new(self.table.schema().clone(), true, &[]);
            self.distinct = Some(DistinctJob::new(Arc::new(std::mem::replace(&mut self.all, all)))?);
        }
        self.distinct.as_mut().map_or(Ok(true), |job| job.step(work))
    }

    /// Whether rows are still to be drawn. Where nearly all are denied, it gives up.
    fn drawing(&self) -> bool {
        let rows = if self.options.share > 0.0 { self.options.rows } else { 0 };
        self.drawn.first().is_some_and(|codes| codes.len() < rows) && self.draws < rows.saturating_mul(TRIES)
    }

    /// The share of drawn rows, which is 0 where there are none.
    fn share(&self) -> f64 {
        if self.drawn.first().is_none_or(Vec::is_empty) { 0.0 } else { self.options.share }
    }

    /// Copies rows of the table with the rest of the weight.
    fn copy(&mut self, work: usize) -> Result<()> {
        let until = self.table.rows().min(self.row.saturating_add(work.max(1)));
        let rest = 1.0 - self.share();
        while self.row < until {
            let mut block = Block::new(&self.table);
            for row in self.row..until.min(self.row + BLOCK) {
                let weight = self.table.weights().map_or(1.0, |weights| weights.get(row));
                if weight > 0.0 && !self.deny.denies_row(&self.table, row) {
                    self.weight += weight;
                    block.push(&self.table, row, weight * rest);
                }
            }
            block.append(&mut self.all)?;
            self.row = until.min(self.row + BLOCK);
        }
        Ok(())
    }

    fn draw(&mut self, work: usize) -> Result<()> {
        let schema = self.table.schema();
        let mut codes = vec![0; schema.attributes().len()];
        for _ in 0..work.max(1) {
            if !self.drawing() {
                break;
            }
            self.draws += 1;
            self.network.draw(&mut self.random, &mut codes);
            let lent = match &self.donors {
                Some(donors) => donors.complete(&mut codes, &mut self.lending),
                None => Some(Vec::new()),
            };
            let Some(lent) = lent else { continue };
            complete(schema, &mut codes);
            if !self.deny.denies(|attribute| codes[attribute]) {
                for (column, code) in self.drawn.iter_mut().zip(&codes) {
                    column
                        .try_reserve(1)
                        .map_err(|_| Error::out_of_memory(column.len() * size_of::<u16>()))?;
                    column.push(*code);
                }
                if self.donors.is_some() {
                    self.lent.push(lent);
                }
            }
        }
        Ok(())
    }

    /// Puts the drawn rows below those of the table.
    fn append(&mut self) -> Result<()> {
        let rows = self.drawn.first().map_or(0, Vec::len);
        if self.all.rows() == 0 {
            let message =
                "every row of the prior is denied or has no weight: mend `deny`, or give another prior";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        self.own = self.all.rows();
        let weights = vec![self.share() * self.weight / rows.max(1) as f64; rows];
        let lent = |attribute| self.donors.as_ref()?.numbers(attribute, &self.lent);
        let mut raw: Vec<Vec<f64>> = Vec::with_capacity(self.all.raw().len());
        for (i, one) in self.all.raw().iter().enumerate() {
            let known = lent(one.attribute);
            raw.push(known.unwrap_or_else(|| numbers(&self.all, i, &self.drawn, &mut self.random)));
        }
        let codes: Vec<&[u16]> = self.drawn.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        self.all.extend(&codes, Some(&weights), &raw)?;
        self.drawn.iter_mut().for_each(|column| *column = Vec::new());
        (self.donors, self.lent) = (None, Vec::new());
        Ok(())
    }

    /// The units done.
    pub fn done(&self) -> usize {
        let drawn = self.draws.min(self.options.rows);
        let done = self.row + drawn + self.distinct.as_ref().map_or(0, DistinctJob::done);
        done.min(self.total())
    }

    /// All units, roughly.
    pub fn total(&self) -> usize {
        let distinct =
            self.distinct.as_ref().map_or(self.table.rows() + self.options.rows, DistinctJob::total);
        self.table.rows() + self.options.rows + distinct
    }

    /// How many distinct rows are the table's own, once all are.
    pub fn own(&self) -> usize {
        self.distinct.as_ref().map_or(0, |job| job.among(self.own))
    }

    /// Does what is left and returns the distinct rows with their weights.
    pub fn finish(mut self) -> Result<Table> {
        while !self.step(usize::MAX)? {}
        self.distinct.map_or_else(|| Ok(self.all), DistinctJob::finish)
    }
}

/// Rows on their way from one table to another.
struct Block {
    codes: Vec<Vec<u16>>,
    weights: Vec<f64>,
    raw: Vec<Vec<f64>>,
}

impl Block {
    fn new(table: &Table) -> Self {
        let base = table.schema().base().len();
        Self { codes: vec![Vec::new(); base], weights: Vec::new(), raw: vec![Vec::new(); table.raw().len()] }
    }

    /// Adds a row, as many times as it has raw numbers.
    fn push(&mut self, table: &Table, row: usize, weight: f64) {
        let times = table.raw().first().map_or(1, |raw| raw.of(row).len().max(1));
        for i in 0..times {
            self.codes
                .iter_mut()
                .zip(table.columns())
                .for_each(|(codes, column)| codes.push(column.get(row)));
            self.weights.push(weight / times as f64);
            for (to, raw) in self.raw.iter_mut().zip(table.raw()) {
                let place = raw.of(row).nth(i);
                to.push(place.map_or(f64::NAN, |place| raw.values.get(place)));
            }
        }
    }

    fn append(&self, table: &mut Table) -> Result<()> {
        let codes: Vec<&[u16]> = self.codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = self.raw.iter().map(Vec::as_slice).collect();
        table.extend(&codes, Some(&self.weights), &raw)
    }
}

/// A raw number for each drawn row, one of those that the table has for the same code of the attribute.
fn numbers(table: &Table, i: usize, drawn: &[Vec<u16>], random: &mut Seed) -> Vec<f64> {
    let raw = &table.raw()[i];
    let column = &table.columns()[raw.attribute];
    let mut of_code = vec![Vec::new(); table.schema().attributes()[raw.attribute].size()];
    for row in 0..table.rows() {
        of_code[usize::from(column.get(row))].push(row as u32);
    }
    let mut number = |code: &u16| match of_code[usize::from(*code)].as_slice() {
        [] => f64::NAN,
        rows => raw.values.get(rows[random.below(rows.len() as u64) as usize] as usize),
    };
    drawn[raw.attribute].iter().map(&mut number).collect()
}

const BLOCK: usize = 4096;
/// The most draws for each row asked for.
const TRIES: usize = 16;
const WIDEN: u64 = 0x7769_6465;
const LEND: u64 = 0x6c65_6e64;
