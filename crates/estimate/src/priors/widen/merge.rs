//! A wider base: the rows of a public table, and rows drawn from its network at a small share of the weight.

use super::learn::{LearnOptions, Learnt, learn};
use super::network::Network;
use crate::deviates::stream;
use crate::job::{Pace, Steps};
use crate::priors::deny::{Deny, complete};
use crate::priors::dependencies::{Dependencies, Donors, Rows};
use crate::priors::distinct_among;
use crate::seed::Seed;
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

/// A table that was widened.
#[derive(Debug)]
pub struct Wide {
    /// Distinct rows with their weights.
    pub table: Table,
    /// How many of them are the public table's own.
    pub own: usize,
}

/// Draws rows, puts them beside those of the table and makes all distinct. The sum of the weights stays what it is in the table
/// without denied rows. A drawn row has, for each attribute whose raw numbers are kept, one of those that the table has for the
/// same code, and breaks no dependency of the table.
pub fn widen(
    table: Arc<Table>,
    network: Network,
    deny: Deny,
    dependencies: &Dependencies,
    options: WidenOptions,
) -> Result<Steps<Wide>> {
    if !(0.0..1.0).contains(&options.share) {
        let message = "the share of widening must be at least 0 and less than 1";
        return Err(Error::new(Code::OptionInvalid, message));
    }
    let donors = match dependencies.is_empty() {
        true => None,
        false => {
            let rows = Rows::new(Arc::clone(&table), &|row| !deny.denies_row(&table, row))?;
            Donors::new(rows, dependencies)
        }
    };
    Ok(Steps::new(move |pace| async move {
        let (all, drawn) = (table.rows(), if options.share > 0.0 { options.rows } else { 0 });
        // Rows are drawn, copied and made distinct.
        let part = |from, to| pace.part(from, to, 2 * (all + drawn));
        let mut draw = Draw::new(&table, &network, &deny, donors, options.seed);
        draw.rows(drawn, &part(0, drawn)).await?;
        let share = if draw.count() == 0 { 0.0 } else { options.share };
        let (mut wide, weight) = kept(&table, &deny, 1.0 - share, &part(drawn, drawn + all)).await?;
        if wide.rows() == 0 {
            let message =
                "every row of the prior is denied or has no weight: mend `deny`, or give another prior";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let kept = wide.rows();
        draw.append(&mut wide, share * weight)?;
        let (table, own) =
            distinct_among(Arc::new(wide), kept, &part(drawn + all, 2 * (all + drawn))).await?;
        Ok(Wide { table, own })
    }))
}

/// The rows of a table that are not denied, one for each of its raw numbers, with a share of their weight; and that weight in all.
async fn kept(table: &Table, deny: &Deny, share: f64, pace: &Pace) -> Result<(Table, f64)> {
    let raw: Vec<usize> = table.raw().iter().map(|raw| raw.attribute).collect();
    let (mut all, mut sum) = (Table::new(table.schema().clone(), true, &raw), 0.0);
    for first in (0..table.rows()).step_by(BLOCK) {
        let end = table.rows().min(first + BLOCK);
        let mut block = Block::new(table);
        for row in first..end {
            let weight = table.weights().map_or(1.0, |weights| weights.get(row));
            if weight > 0.0 && !deny.denies_row(table, row) {
                sum += weight;
                block.push(table, row, weight * share);
            }
        }
        block.append(&mut all)?;
        pace.show(end, table.rows());
        pace.did(ROW * (end - first)).await;
    }
    Ok((all, sum))
}

/// Rows that are drawn, attribute by attribute.
struct Draw<'a> {
    table: &'a Table,
    network: &'a Network,
    deny: &'a Deny,
    random: Seed,
    columns: Vec<Vec<u16>>,
    /// Public rows that lend them what follows from something, and which did.
    donors: Option<Donors>,
    lent: Vec<Vec<u32>>,
    lending: Seed,
}

impl<'a> Draw<'a> {
    fn new(
        table: &'a Table,
        network: &'a Network,
        deny: &'a Deny,
        donors: Option<Donors>,
        seed: u64,
    ) -> Self {
        let columns = vec![Vec::new(); table.schema().base().len()];
        let (random, lending) = (stream(seed, &[WIDEN]), stream(seed, &[WIDEN, LEND]));
        Self { table, network, deny, random, columns, donors, lent: Vec::new(), lending }
    }

    fn count(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Draws so many rows. Where nearly all are denied, it gives up.
    async fn rows(&mut self, rows: usize, pace: &Pace) -> Result<()> {
        let mut draws = 0;
        while !self.columns.is_empty() && self.count() < rows && draws < rows.saturating_mul(TRIES) {
            self.row()?;
            draws += 1;
            pace.show(draws, rows);
            pace.did(ROW * self.columns.len()).await;
        }
        Ok(())
    }

    /// Draws a row, and keeps it where it may be.
    fn row(&mut self) -> Result<()> {
        let schema = self.table.schema();
        let mut codes = vec![0; schema.attributes().len()];
        self.network.draw(&mut self.random, &mut codes);
        let lent = match &self.donors {
            Some(donors) => donors.complete(&mut codes, &mut self.lending),
            None => Some(Vec::new()),
        };
        let Some(lent) = lent else { return Ok(()) };
        complete(schema, &mut codes);
        if self.deny.denies(|attribute| codes[attribute]) {
            return Ok(());
        }
        for (column, code) in self.columns.iter_mut().zip(&codes) {
            column.try_reserve(1).map_err(|_| Error::out_of_memory(column.len() * size_of::<u16>()))?;
            column.push(*code);
        }
        if self.donors.is_some() {
            self.lent.push(lent);
        }
        Ok(())
    }

    /// Puts the rows below those of a table, with so much weight in all.
    fn append(mut self, to: &mut Table, weight: f64) -> Result<()> {
        let weights = vec![weight / self.count().max(1) as f64; self.count()];
        let lent = |attribute| self.donors.as_ref()?.numbers(attribute, &self.lent);
        let mut raw: Vec<Vec<f64>> = Vec::with_capacity(to.raw().len());
        for (i, one) in to.raw().iter().enumerate() {
            let known = lent(one.attribute);
            raw.push(known.unwrap_or_else(|| numbers(to, i, &self.columns, &mut self.random)));
        }
        let codes: Vec<&[u16]> = self.columns.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        to.extend(&codes, Some(&weights), &raw)
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

/// The distinct rows of a public table that are not denied, and rows drawn from a network that is learnt from it.
pub fn widened(
    table: Arc<Table>,
    learning: LearnOptions,
    deny: Deny,
    options: WidenOptions,
) -> Result<Steps<Wide>> {
    let dependencies = learning.dependencies.clone();
    // Where nothing is drawn, a network without edges will do.
    let candidates = if options.share > 0.0 { learning.candidates } else { 0 };
    let learning = learn(Arc::clone(&table), LearnOptions { candidates, ..learning })?;
    Ok(Steps::new(move |pace| async move {
        let Learnt { network, .. } = pace.stage(0, 2).run(learning).await?;
        pace.stage(1, 2).run(widen(table, network, deny, &dependencies, options)?).await
    }))
}

/// Rows that are copied at once, and how much longer one takes to copy or draw than to look up.
const BLOCK: usize = 4096;
const ROW: usize = 10;
/// The most draws for each row asked for.
const TRIES: usize = 16;
const WIDEN: u64 = 0x7769_6465;
const LEND: u64 = 0x6c65_6e64;
