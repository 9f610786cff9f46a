//! Cells that occur, as sorted lists: for cliques with far more cells than there are rows.

use super::index::{cells, columns};
use super::kernel::{rows_of, zeros};
use crate::{Error, Result, Table};
use std::ops::Range;

/// Cells in ascending order, each once, and how often they occur.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// The cells.
    pub cells: Vec<u64>,
    /// Their counts or sums of weights.
    pub counts: Vec<f64>,
}

impl Run {
    /// An empty run with room for so many cells.
    pub fn with_capacity(cells: usize) -> Result<Self> {
        let mut run = Run::default();
        let refused = |_| Error::out_of_memory(cells * (size_of::<u64>() + size_of::<f64>()));
        run.cells.try_reserve_exact(cells).map_err(refused)?;
        run.counts.try_reserve_exact(cells).map_err(refused)?;
        Ok(run)
    }

    /// Adds to the last cell, or appends a larger one.
    pub fn push(&mut self, cell: u64, count: f64) {
        if self.cells.last() == Some(&cell) {
            *self.counts.last_mut().expect("as many counts as cells") += count;
        } else {
            self.cells.push(cell);
            self.counts.push(count);
        }
    }

    /// Counts the cells of a pass over some chunks. Weights of a cell are added in the order of the rows.
    pub fn count(table: &Table, attributes: &[u16], chunks: Range<usize>) -> Result<Run> {
        let rows = chunks.clone().map(|chunk| rows_of(table, chunk)).sum();
        let mut numbers: Vec<u64> = zeros(rows)?;
        let mut rest = &mut numbers[..];
        for chunk in chunks.clone() {
            let (now, later) = rest.split_at_mut(rows_of(table, chunk));
            cells(&columns(table, attributes, chunk), 0..now.len(), now);
            rest = later;
        }
        let Some(weights) = table.weights() else {
            numbers.sort_unstable();
            return Run::of(numbers.into_iter().map(|cell| (cell, 1.0)), rows);
        };
        let weights = chunks.flat_map(|chunk| weights.chunk(chunk));
        let mut weighted: Vec<(u64, u32, f64)> = Vec::new();
        weighted.try_reserve_exact(rows).map_err(|_| Error::out_of_memory(rows * 24))?;
        weighted.extend(numbers.iter().zip(0u32..).zip(weights).map(|((cell, row), w)| (*cell, row, *w)));
        weighted.sort_unstable_by_key(|(cell, row, _)| (*cell, *row));
        Run::of(weighted.into_iter().map(|(cell, _, weight)| (cell, weight)), rows)
    }

    /// A run of at most `most` cells from cells in ascending order.
    fn of(sorted: impl Iterator<Item = (u64, f64)>, most: usize) -> Result<Run> {
        let mut run = Run::with_capacity(most)?;
        sorted.for_each(|(cell, count)| run.push(cell, count));
        run.cells.shrink_to_fit();
        run.counts.shrink_to_fit();
        Ok(run)
    }

    /// Both runs together.
    fn merge(&self, other: &Run) -> Result<Run> {
        let mut run = Run::with_capacity(self.cells.len() + other.cells.len())?;
        let (mut i, mut j) = (0, 0);
        while i < self.cells.len() || j < other.cells.len() {
            let first = other.cells.get(j).is_none_or(|b| self.cells.get(i).is_some_and(|a| a <= b));
            let (from, at) = if first { (self, &mut i) } else { (other, &mut j) };
            run.push(from.cells[*at], from.counts[*at]);
            *at += 1;
        }
        Ok(run)
    }

    /// The same cells numbered in another attribute order.
    pub fn reorder(&self, axes: &[u16], order: &[u16], sizes: &[u32]) -> Result<Run> {
        let stride = |a: &u16| -> u64 {
            let after = order.iter().skip_while(|b| *b != a).skip(1);
            after.map(|b| u64::from(sizes[usize::from(*b)])).product()
        };
        let digits: Vec<(u64, u64)> =
            axes.iter().rev().map(|a| (u64::from(sizes[usize::from(*a)]), stride(a))).collect();
        let renumber = |mut cell: u64| {
            digits.iter().fold(0, |new, (size, stride)| {
                let digit = cell % size;
                cell /= size;
                new + digit * stride
            })
        };
        let mut pairs: Vec<(u64, f64)> = Vec::new();
        let refused = |_| Error::out_of_memory(self.cells.len() * size_of::<(u64, f64)>());
        pairs.try_reserve_exact(self.cells.len()).map_err(refused)?;
        pairs.extend(self.cells.iter().map(|cell| renumber(*cell)).zip(self.counts.iter().copied()));
        pairs.sort_unstable_by_key(|(cell, _)| *cell);
        Run::of(pairs.into_iter(), self.cells.len())
    }
}

/// Runs of segments, merged as they come in so that each cell is touched a logarithmic number of times. The order
/// of additions follows from the runs alone.
#[derive(Debug, Default)]
pub struct Runs(Vec<Run>);

impl Runs {
    /// Adds the run of the next segment.
    pub fn push(&mut self, mut run: Run) -> Result<()> {
        while let Some(last) = self.0.pop_if(|last| last.cells.len() <= 2 * run.cells.len()) {
            run = last.merge(&run)?;
        }
        self.0.push(run);
        Ok(())
    }

    /// All runs as one.
    pub fn into_one(mut self) -> Result<Run> {
        let mut all = self.0.pop().unwrap_or_default();
        while let Some(last) = self.0.pop() {
            all = last.merge(&all)?;
        }
        Ok(all)
    }
}
