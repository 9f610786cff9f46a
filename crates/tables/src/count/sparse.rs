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

    /// The same cells, or those at some places of the run, numbered in another attribute order.
    pub fn reorder(&self, at: Range<usize>, axes: &[u16], order: &[u16], sizes: &[u32]) -> Result<Run> {
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
        pairs.try_reserve_exact(at.len()).map_err(|_| Error::out_of_memory(16 * at.len()))?;
        let counts = self.counts[at.clone()].iter().copied();
        pairs.extend(self.cells[at].iter().map(|cell| renumber(*cell)).zip(counts));
        let (cells, most) = (pairs.len(), cells_of(axes, sizes).saturating_sub(1));
        Run::of(sorted(pairs, most, |(cell, _)| *cell)?.into_iter(), cells)
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

/// Cells that are renumbered at once.
const PIECE: usize = 1 << 16;

/// One run numbered anew for each of several attribute orders, piece by piece.
pub struct Renumbering {
    run: Run,
    /// Pieces renumbered, of all that the orders need, and those of the order in progress.
    done: usize,
    runs: Runs,
    finished: Vec<Run>,
}

impl Renumbering {
    /// Nothing is renumbered yet.
    pub fn new(run: Run) -> Self {
        Self { run, done: 0, runs: Runs::default(), finished: Vec::new() }
    }

    /// The pieces done, and those that so many orders need.
    pub fn pieces(&self, orders: usize) -> (usize, usize) {
        (self.done, self.each() * orders)
    }

    /// Renumbers the next piece.
    pub fn step(&mut self, axes: &[u16], orders: &[&[u16]], sizes: &[u32]) -> Result<()> {
        let each = self.each();
        let (start, cells) = (self.done % each * PIECE, self.run.cells.len());
        let piece = start..cells.min(start + PIECE);
        self.runs.push(self.run.reorder(piece, axes, orders[self.done / each], sizes)?)?;
        self.done += 1;
        if self.done.is_multiple_of(each) {
            self.finished.push(std::mem::take(&mut self.runs).into_one()?);
        }
        Ok(())
    }

    /// The runs of the orders that are finished.
    pub fn finish(self) -> Vec<Run> {
        self.finished
    }

    fn each(&self) -> usize {
        self.run.cells.len().div_ceil(PIECE).max(1)
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
        let turned = run(&[(0, 1.0), (16, 2.0), (29, 3.0)]).reorder(0..3, &[0, 1, 2], &[2, 1, 0], &[2, 3, 5]);
        assert_eq!(turned.unwrap(), run(&[(0, 1.0), (7, 2.0), (29, 3.0)]));
    }

    #[test]
    fn a_run_of_several_pieces_is_renumbered_for_each_order() {
        let cells: Vec<(u64, f64)> = (0..2 * PIECE as u64 + 3).map(|i| (3 * i % 400_000, 1.0)).collect();
        let mut sorted = cells;
        sorted.sort_by_key(|(cell, _)| *cell);
        let run = Run::of(sorted.into_iter(), 3 * PIECE).unwrap();
        let (axes, sizes): ([u16; 2], _) = ([0, 1], [400, 1000]);
        let orders: [&[u16]; 3] = [&[1, 0], &[0, 1], &[1, 0]];
        let mut renumbering = Renumbering::new(run.clone());
        assert_eq!(renumbering.pieces(3), (0, 9));
        for _ in 0..9 {
            renumbering.step(&axes, &orders, &sizes).unwrap();
        }
        let turned = run.reorder(0..run.cells.len(), &axes, &[1, 0], &sizes).unwrap();
        assert_eq!(renumbering.finish(), [turned.clone(), run, turned]);
    }
}
