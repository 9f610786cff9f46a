//! The counts of all cliques of a workload.

use super::kernel::with_capacity;
use super::sparse::Run;
use crate::{Code, Error, Result, Workload};
use std::ops::Range;
use std::sync::Arc;

/// The counts (or sums of weights) of each cell of each clique: one flat buffer, and for very large cliques the
/// cells that occur.
#[derive(Debug, Clone)]
pub struct Answers {
    workload: Arc<Workload>,
    dense: Vec<f64>,
    /// Where each clique starts in `dense`; a sparse one takes no place.
    starts: Vec<usize>,
    /// The sparse cliques, ascending.
    sparse: Vec<(usize, Run)>,
    limit: u64,
}

impl Answers {
    /// Room for zeros, which [`Answers::grow`] puts there; cliques that are `sparse` have lists. Copies of at most
    /// `limit` bytes are handed out.
    pub(super) fn new(workload: Arc<Workload>, sparse: &[bool], limit: u64) -> Result<Self> {
        let mut starts = with_capacity(workload.len() + 1)?;
        let mut cells = 0;
        for (i, sparse) in sparse.iter().enumerate() {
            starts.push(cells);
            if !sparse {
                let range = workload.cells(i);
                cells += (range.end - range.start) as usize;
            }
        }
        starts.push(cells);
        Ok(Self { workload, dense: with_capacity(cells)?, starts, sparse: Vec::new(), limit })
    }

    /// Answers that were worked out elsewhere: all cells, in the layout of [`Workload::cells`]. Copies of at most
    /// `limit` bytes are handed out.
    pub fn from_cells(workload: Arc<Workload>, cells: Vec<f64>, limit: u64) -> Result<Self> {
        if cells.len() as u64 != workload.total_cells() {
            return Err(Error::new(Code::OptionInvalid, "the cells are not those of the workload"));
        }
        let mut starts = with_capacity(workload.len() + 1)?;
        starts.extend((0..workload.len()).map(|i| workload.cells(i).start as usize));
        starts.push(cells.len());
        Ok(Self { workload, dense: cells, starts, sparse: Vec::new(), limit })
    }

    /// The cells that are held densely.
    pub(super) fn cells(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Adds at most so many cells, all zero, and returns how many; nothing is set or added to before all are there.
    pub(super) fn grow(&mut self, cells: usize) -> usize {
        let (before, after) = (self.dense.len(), self.cells().min(self.dense.len().saturating_add(cells)));
        self.dense.resize(after, 0.0);
        after - before
    }

    /// Whether all cells are there.
    pub(super) fn grown(&self) -> bool {
        self.dense.len() == self.cells()
    }

    /// Sets the cells of dense cliques, given one after another.
    pub(super) fn set(&mut self, cliques: &[usize], cells: &[f64]) {
        let mut rest = cells;
        for &i in cliques {
            let (now, later) = rest.split_at(self.starts[i + 1] - self.starts[i]);
            self.dense[self.starts[i]..self.starts[i + 1]].copy_from_slice(now);
            rest = later;
        }
    }

    /// The cells of some dense cliques to add to, with the places that the cliques have in the list.
    pub(super) fn parts(&mut self, cliques: &[usize]) -> Vec<(usize, &mut [f64])> {
        let mut parts: Vec<(usize, &mut [f64])> = Vec::with_capacity(cliques.len());
        let (mut rest, mut at) = (&mut self.dense[..], 0);
        let mut next = (0..cliques.len()).min_by_key(|place| cliques[*place]);
        while let Some(place) = next {
            let i = cliques[place];
            let (_, from_here) = rest.split_at_mut(self.starts[i] - at);
            let (cells, later) = from_here.split_at_mut(self.starts[i + 1] - self.starts[i]);
            parts.push((place, cells));
            (rest, at) = (later, self.starts[i + 1]);
            next = (0..cliques.len()).filter(|place| cliques[*place] > i).min_by_key(|place| cliques[*place]);
        }
        parts
    }

    /// The cells of a dense clique to read, and those of a later one to set.
    pub(super) fn from_and_to(&mut self, from: usize, to: usize) -> (&[f64], &mut [f64]) {
        let (before, after) = self.dense.split_at_mut(self.starts[to]);
        (
            &before[self.starts[from]..self.starts[from + 1]],
            &mut after[..self.starts[to + 1] - self.starts[to]],
        )
    }

    /// Sets the cells of a sparse clique.
    pub(super) fn set_sparse(&mut self, i: usize, run: Run) {
        let at = self.sparse.partition_point(|(clique, _)| *clique < i);
        self.sparse.insert(at, (i, run));
    }

    /// What was asked for.
    pub fn workload(&self) -> &Arc<Workload> {
        &self.workload
    }

    /// All cells of all cliques, in the layout of [`Workload::cells`]; `None` when a clique is held sparse.
    pub fn flat(&self) -> Option<&[f64]> {
        (self.dense.len() as u64 == self.workload.total_cells()).then_some(&self.dense[..])
    }

    /// Whether clique `i` is held as a list of the cells that occur.
    pub fn is_sparse(&self, i: usize) -> bool {
        self.run(i).is_some()
    }

    fn run(&self, i: usize) -> Option<&Run> {
        let at = self.sparse.partition_point(|(clique, _)| *clique < i);
        self.sparse.get(at).filter(|(clique, _)| *clique == i).map(|(_, run)| run)
    }

    /// Where the cells of clique `i` stand among all; an error where they are too many to be handed out.
    pub fn place(&self, i: usize) -> Result<Range<u64>> {
        let range = self.workload.cells(i);
        let cells = range.end - range.start;
        let bytes = cells.saturating_mul(size_of::<f64>() as u64);
        if bytes > self.limit || usize::try_from(bytes).is_err() {
            let message = format!(
                "the clique has {cells} cells, which need {bytes} bytes, and the limit is {} bytes: read the \
                 cells that are not zero, or raise `memoryLimit`",
                self.limit
            );
            return Err(Error::new(Code::ModelTooLarge, message));
        }
        Ok(range)
    }

    /// The cells of clique `i`, zeros included, row-major in the attribute order asked for.
    pub fn clique(&self, i: usize) -> Result<Vec<f64>> {
        let range = self.place(i)?;
        let Some(run) = self.run(i) else {
            let cells = &self.dense[self.starts[i]..self.starts[i + 1]];
            let mut copy = with_capacity(cells.len())?;
            copy.extend_from_slice(cells);
            return Ok(copy);
        };
        let mut copy = super::kernel::zeros((range.end - range.start) as usize)?;
        for (cell, count) in run.cells.iter().zip(&run.counts) {
            copy[*cell as usize] = *count;
        }
        Ok(copy)
    }

    /// The cells of clique `i` that are not zero, ascending, and their counts.
    pub fn nonzero(&self, i: usize) -> Result<(Vec<u64>, Vec<f64>)> {
        self.nonzero_of(i, 0..self.held(i))
    }

    /// How many numbers are held for clique `i`: of all its cells, or of those that occur.
    pub fn held(&self, i: usize) -> usize {
        self.run(i).map_or(self.starts[i + 1] - self.starts[i], |run| run.cells.len())
    }

    /// Of some of the numbers that are held for clique `i`, those that are not zero, with their cells.
    pub fn nonzero_of(&self, i: usize, held: Range<usize>) -> Result<(Vec<u64>, Vec<f64>)> {
        let all = &self.dense[self.starts[i]..self.starts[i + 1]];
        let (cells, counts) = self.run(i).map_or((None, all), |run| (Some(&run.cells), &run.counts));
        let part = &counts[held.clone()];
        let mut run = Run::with_capacity(part.iter().filter(|count| **count != 0.0).count())?;
        for (at, count) in held.zip(part).filter(|(_, count)| **count != 0.0) {
            run.push(cells.map_or(at as u64, |cells| cells[at]), *count);
        }
        Ok((run.cells, run.counts))
    }

    /// Consecutive cells, counted over all cliques as in [`Workload::cells`], zeros included; cut at the last cell.
    pub fn block(&self, range: Range<u64>) -> Result<Vec<f64>> {
        let to = range.end.min(self.workload.total_cells());
        let mut block = with_capacity(to.saturating_sub(range.start) as usize)?;
        let mut at = range.start;
        // The clique that the first cell is in: those before end at or before it.
        let mut i = partition(self.workload.len(), |i| self.workload.cells(i).end <= at);
        while at < to {
            let cells = self.workload.cells(i);
            let end = cells.end.min(to);
            self.extend(&mut block, i, at - cells.start..end - cells.start);
            (at, i) = (end, i + 1);
        }
        Ok(block)
    }

    /// Appends cells of clique `i` to a block that has room for them.
    fn extend(&self, block: &mut Vec<f64>, i: usize, cells: Range<u64>) {
        let Some(run) = self.run(i) else {
            let all = &self.dense[self.starts[i]..self.starts[i + 1]];
            return block.extend_from_slice(&all[cells.start as usize..cells.end as usize]);
        };
        let first = block.len();
        block.resize(first + (cells.end - cells.start) as usize, 0.0);
        let at = |cell: u64| run.cells.partition_point(|other| *other < cell);
        for j in at(cells.start)..at(cells.end) {
            block[first + (run.cells[j] - cells.start) as usize] = run.counts[j];
        }
    }
}

/// The first number below `n` for which something ceases to hold.
fn partition(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
