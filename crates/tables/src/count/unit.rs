//! What one thread does at a time: count a pass over a segment, add that to the table of the pass, fold the table.
//! Large cliques that are dense have no such table, see `dense`.

use super::fold::fold;
use super::kernel::{self, Scratch};
use super::plan::{Form, Pass};
use super::sparse::{Run, Runs};
use crate::{Result, Table, Workload};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The table of a pass in the making.
pub enum Cells {
    /// A number a cell; none before the first segment.
    All(Vec<f64>),
    /// The cells that occur.
    Occurring(Runs),
}

/// What a unit yields.
pub enum Partial {
    /// A number a cell.
    Block(Vec<f64>),
    /// The cells that occur.
    Run(Run),
}

/// The cells of all cliques of a pass.
pub enum Folded {
    /// One after another.
    All(Vec<f64>),
    /// Those that occur, clique by clique.
    Occurring(Vec<Run>),
}

/// Counters that threads take and give back.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Scratch>>);

impl Pool {
    fn with<R>(&self, weighted: bool, f: impl FnOnce(&mut Scratch) -> R) -> Result<R> {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = free.map_or_else(|| Scratch::new(weighted), Ok)?;
        let result = f(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        Ok(result)
    }
}

impl Cells {
    /// The table of a pass before the first segment.
    pub fn none(pass: &Pass) -> Self {
        match pass.form {
            Form::Sparse => Cells::Occurring(Runs::default()),
            Form::Block | Form::Dense => Cells::All(Vec::new()),
        }
    }

    /// Adds what the next segment yielded.
    pub fn add(self, partial: Partial) -> Result<Self> {
        match (self, partial) {
            (Cells::Occurring(mut runs), Partial::Run(run)) => {
                runs.push(run)?;
                Ok(Cells::Occurring(runs))
            }
            (Cells::All(all), Partial::Block(part)) if all.is_empty() => Ok(Cells::All(part)),
            (Cells::All(mut all), Partial::Block(part)) => {
                all.iter_mut().zip(&part).for_each(|(sum, count)| *sum += count);
                Ok(Cells::All(all))
            }
            _ => unreachable!("a pass yields parts of one form"),
        }
    }

    /// Sums the table of a pass down to its cliques.
    pub fn fold(self, pass: &Pass, workload: &Workload) -> Result<Folded> {
        let sizes = workload.domain().sizes();
        let targets: Vec<&[u16]> = pass.cliques.iter().map(|i| workload.clique(*i)).collect();
        match self {
            Cells::All(all) if targets[..] == [&pass.attributes[..]] => Ok(Folded::All(all)),
            Cells::All(all) => fold(&all, &pass.attributes, sizes, &targets).map(Folded::All),
            Cells::Occurring(runs) => {
                let run = runs.into_one()?;
                if targets[..] == [&pass.attributes[..]] {
                    return Ok(Folded::Occurring(vec![run]));
                }
                let runs = targets
                    .iter()
                    .map(|order| run.reorder(0..run.cells.len(), &pass.attributes, order, sizes));
                runs.collect::<Result<_>>().map(Folded::Occurring)
            }
        }
    }
}

/// Counts a pass over some chunks.
pub fn count(table: &Table, pass: &Pass, chunks: Range<usize>, pool: &Pool) -> Result<Partial> {
    match pass.form {
        Form::Dense => unreachable!("large cliques are counted where their answers stand"),
        Form::Sparse => Run::count(table, &pass.attributes, chunks).map(Partial::Run),
        Form::Block => {
            let cells = pass.cells as usize;
            pool.with(table.weights().is_some(), |scratch| {
                kernel::count(table, &pass.attributes, cells, chunks, scratch)
            })?
            .map(Partial::Block)
        }
    }
}
