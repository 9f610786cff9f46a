//! Cells that occur, as sorted lists: for cliques with far more cells than there are rows.

use super::index::{cells, columns};
use super::kernel::{rows_of, zeros};
use super::radix::sorted;
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
        let most = cells_of(attributes, table.domain().sizes()).saturating_sub(1);
        let Some(weights) = table.weights() else {
            let sorted = sorted(numbers, most, |cell| *cell)?;
            return Run::of(sorted.into_iter().map(|cell| (cell, 1.0)), rows);
        };
        let weights = chunks.flat_map(|chunk| weights.chunk(chunk));
        let mut weighted: Vec<(u64, f64)> = Vec::new();
        weighted.try_reserve_exact(rows).map_err(|_| Error::out_of_memory(rows * 16))?;
        weighted.extend(numbers.iter().copied().zip(weights.copied()));
        Run::of(sorted(weighted, most, |(cell, _)| *cell)?.into_iter(), rows)
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
        let most = cells_of(axes, sizes).saturating_sub(1);
        Run::of(sorted(pairs, most, |(cell, _)| *cell)?.into_iter(), self.cells.len())
    }
}

/// The number of cells over some attributes.
fn cells_of(attributes: &[u16], sizes: &[u32]) -> u64 {
    attributes.iter().map(|a| u64::from(sizes[usize::from(*a)])).product()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pairs: &[(u64, f64)]) -> Run {
        Run::of(pairs.iter().copied(), pairs.len()).unwrap()
    }

    #[test]
    fn runs_of_any_lengths_merge_to_one() {
        let mut runs = Runs::default();
        let parts: [&[(u64, f64)]; 6] = [
            &[(1, 1.0), (1, 1.0), (5, 2.0), (6, 1.0), (7, 1.0), (9, 1.0)],
            &[(5, 1.0)],
            &[],
            &[(0, 4.0), (9, 1.0)],
            &[(2, 1.0), (3, 1.0), (4, 1.0)],
            &[(1 << 52, 3.0)],
        ];
        parts.iter().for_each(|part| runs.push(run(part)).unwrap());
        let expected = [
            (0, 4.0),
            (1, 2.0),
            (2, 1.0),
            (3, 1.0),
            (4, 1.0),
            (5, 3.0),
            (6, 1.0),
            (7, 1.0),
            (9, 2.0),
            (1 << 52, 3.0),
        ];
        assert_eq!(runs.into_one().unwrap(), run(&expected));
        assert_eq!(Runs::default().into_one().unwrap(), Run::default());
    }

    #[test]
    fn cells_are_renumbered_in_the_new_order() {
        // Axes of 2, 3 and 5 codes: cell (a, b, c) is 15a + 5b + c, and 6c + 2b + a with the axes reversed.
        let turned = run(&[(0, 1.0), (16, 2.0), (29, 3.0)]).reorder(&[0, 1, 2], &[2, 1, 0], &[2, 3, 5]);
        assert_eq!(turned.unwrap(), run(&[(0, 1.0), (7, 2.0), (29, 3.0)]));
    }
}
