//! The rows that all groups share.

use super::{HierarchyPlan, invalid};
use crate::job::Steps;
use crate::models::support::{Base, rows::sum};
use crate::records::ROW;
use marginalia_tables::draw::Draws;
use marginalia_tables::table::Raw;
use marginalia_tables::{Codes, Domain, Error, Result, Table};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// The distinct rows of a public table without its group attributes, each with the weight of all rows that it stands
/// for, so that a group which the public table does not know has a prior all the same.
pub fn without(plan: &HierarchyPlan, columns: &[Codes], weights: Option<&[f64]>) -> Result<Base> {
    let rows = columns.first().map_or(0, Codes::len);
    let fits = columns.len() == plan.domain().sizes().len() && columns.iter().all(|one| one.len() == rows);
    if !fits || weights.is_some_and(|weights| weights.len() != rows) || u32::try_from(rows).is_err() {
        return Err(invalid(
            "the columns and weights of the public table do not fit the schema or each other",
        ));
    }
    let rest: Vec<&Codes> = plan.rest().iter().map(|a| &columns[usize::from(*a)]).collect();
    let mut order = Vec::new();
    order.try_reserve_exact(rows).map_err(|_| Error::out_of_memory(4 * rows))?;
    order.extend(0..rows as u32);
    let compare = |a: &u32, b: &u32| {
        let unequal = |column: &&Codes| column.get(*a as usize).cmp(&column.get(*b as usize));
        rest.iter().map(unequal).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    // Of equal rows the first comes first, so that sums of weights have one order.
    order.sort_unstable_by(|a, b| compare(a, b).then(a.cmp(b)));
    let runs: Vec<&[u32]> = order.chunk_by(|a, b| compare(a, b).is_eq()).collect();
    let sizes: Vec<u32> = plan.rest().iter().map(|a| plan.domain().sizes()[usize::from(*a)]).collect();
    let mut distinct = Vec::with_capacity(rest.len());
    for (column, size) in rest.iter().zip(&sizes) {
        let mut of_runs = Codes::new(*size as usize);
        let mut block = Vec::new();
        for runs in runs.chunks(4096) {
            block.clear();
            block.extend(runs.iter().map(|run| column.get(run[0] as usize)));
            of_runs.extend(&block)?;
        }
        distinct.push(of_runs);
    }
    let weight = |row: u32| weights.map_or(1.0, |weights| weights[row as usize]);
    let weights: Vec<f64> = runs.iter().map(|run| sum(run.len(), |i| weight(run[i]))).collect();
    Base::new(Domain::new(sizes), distinct, Some(&weights))
}

/// Rows that all groups share: as a table of the whole schema in which group attributes have their first code, and as
/// a base without them.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The rows, with their weights and the raw numbers that the public table kept.
    pub rows: Arc<Table>,
    /// The same rows, in the same order, without their group attributes.
    pub base: Arc<Base>,
}

impl Shared {
    /// The shared rows of a table that [`blanked`] made, best its distinct ones.
    pub fn new(plan: &HierarchyPlan, rows: Arc<Table>) -> Result<Self> {
        let column = |a: &u16| rows.columns().get(usize::from(*a)).cloned();
        let columns: Option<Vec<Codes>> = plan.rest().iter().map(column).collect();
        let columns =
            columns.ok_or_else(|| invalid("the shared rows are of another schema than the plan"))?;
        let sizes: Vec<u32> = plan.rest().iter().map(|a| plan.domain().sizes()[usize::from(*a)]).collect();
        let weights = rows.weights().map(|weights| weights.to_vec()).transpose()?;
        let base = Base::new(Domain::new(sizes), columns, weights.as_deref())?;
        if base.dropped() > 0 {
            return Err(invalid("shared rows have positive weights"));
        }
        Ok(Self { rows, base: Arc::new(base) })
    }
}

/// The rows of a public table, or a sample of about `most` where they are more, with the first code in the place of every group
/// attribute.
pub fn blanked(plan: &HierarchyPlan, table: Arc<Table>, most: usize, seed: u64) -> Result<Steps<Table>> {
    let attributes = table.schema().base().len();
    if table.columns().len() != plan.domain().sizes().len() || most == 0 {
        return Err(invalid("the public table is under another schema than the plan"));
    }
    let blank = (0..attributes as u16).map(|a| !plan.rest().contains(&a)).collect();
    let raw: Vec<usize> = table.raw().iter().map(|raw| raw.attribute).collect();
    let numberless = raw.iter().map(|attribute| plan.has_numbers(*attribute as u16)).collect();
    let draws = Draws::new(crate::deviates::child(seed, &[BLANK]));
    Ok(Steps::new(move |pace| async move {
        let all = sum(table.rows(), |row| weight(&table, row));
        let every = if table.rows() > most { all / most as f64 } else { 0.0 };
        let mut copied = Table::new(Arc::clone(table.schema()), true, &raw);
        // Half a step, so that neither the first nor the last rows are favoured.
        let mut blanking = Blanking { table: &table, blank, numberless, every, sum: every / 2.0, draws };
        for first in (0..table.rows()).step_by(BLOCK) {
            let end = table.rows().min(first + BLOCK);
            blanking.copy(first..end, &mut copied)?;
            pace.show(end, table.rows());
            pace.did(ROW * (end - first)).await;
        }
        Ok(copied)
    }))
}

fn weight(table: &Table, row: usize) -> f64 {
    table.weights().map_or(1.0, |weights| weights.get(row))
}

struct Blanking<'a> {
    table: &'a Table,
    blank: Vec<bool>,
    /// Which raw columns are those of groups.
    numberless: Vec<bool>,
    /// A row is taken where the sum of weights passes a whole multiple of this; all are where it is 0.
    every: f64,
    sum: f64,
    /// Raw numbers of taken rows are drawn from it.
    draws: Draws,
}

impl Blanking<'_> {
    fn copy(&mut self, of: Range<usize>, to: &mut Table) -> Result<()> {
        let (mut rows, mut weights) = (Vec::new(), Vec::new());
        for row in of {
            let weight = self.share(weight(self.table, row));
            if weight > 0.0 {
                rows.push(row);
                weights.push(weight);
            }
        }
        let columns = self.table.columns().iter().zip(&self.blank);
        let codes = columns.map(|(column, blank)| match blank {
            true => vec![0; rows.len()],
            false => rows.iter().map(|row| column.get(*row)).collect(),
        });
        let codes: Vec<Vec<u16>> = codes.collect();
        let number =
            |raw: &Raw, row: &usize| raw.pick(*row, self.draws.at(0, *row as u64)).unwrap_or(f64::NAN);
        let numbers = |(raw, none): (&Raw, &bool)| match none {
            true => vec![f64::NAN; rows.len()],
            false => rows.iter().map(|row| number(raw, row)).collect(),
        };
        let raw: Vec<Vec<f64>> = self.table.raw().iter().zip(&self.numberless).map(numbers).collect();
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        to.extend(&codes, Some(&weights), &raw)
    }

    /// The weight of a row in the sample: its own where it is no sample.
    fn share(&mut self, weight: f64) -> f64 {
        if self.every == 0.0 || weight.is_nan() || weight <= 0.0 {
            return weight.max(0.0);
        }
        let before = libm::floor(self.sum / self.every);
        self.sum += weight;
        self.every * (libm::floor(self.sum / self.every) - before)
    }
}

/// Rows that are copied at once.
const BLOCK: usize = 4096;
const BLANK: u64 = 0x626c_616e;
