//! Rows apart by their raw numbers: what a row of a base stands for, so that rounding decides about each number.

use super::take::ROW;
use crate::job::Steps;
use crate::models::support::{Grid, Index, room};
use crate::vector::filled;
use marginalia_tables::table::Raw;
use marginalia_tables::{Codes, Domain, Result, Table};
use std::ops::Range;
use std::sync::Arc;

/// Rows of which each has one raw number at most of an attribute.
#[derive(Debug, Clone)]
pub struct Unfolded {
    /// The rows.
    pub rows: Arc<Table>,
    /// The weight of each.
    pub weights: Vec<f64>,
    /// Which row of the base each was, where it was split.
    pub of_row: Vec<u32>,
}

/// Splits weighted rows: one whose records may have one of several raw numbers becomes a row for each of them, with its part of
/// the weight. Raw numbers that are drawn record by record would add the noise of a sample to every table that is finer than
/// the bins.
pub fn unfold(base: Arc<Table>, weights: Vec<f64>) -> Steps<Unfolded> {
    Steps::new(move |pace| async move {
        if base.raw().is_empty() {
            return Unfolded::plain(base, weights);
        }
        let raw: Vec<usize> = base.raw().iter().map(|raw| raw.attribute).collect();
        let rows = Table::new(base.schema().clone(), false, &raw);
        let mut split = Split { base: &base, rows, weights: Vec::new(), of_row: Vec::new() };
        for first in (0..base.rows()).step_by(BLOCK) {
            let end = base.rows().min(first + BLOCK);
            split.add(first..end, &weights)?;
            pace.show(end, base.rows());
            pace.did(ROW * (end - first)).await;
        }
        let Split { rows, mut weights, of_row, .. } = split;
        weights.shrink_to_fit();
        Ok(Unfolded { rows: Arc::new(rows), weights, of_row })
    })
}

/// Rows that are split so far.
struct Split<'a> {
    base: &'a Table,
    rows: Table,
    weights: Vec<f64>,
    of_row: Vec<u32>,
}

impl Split<'_> {
    fn add(&mut self, rows: Range<usize>, weights: &[f64]) -> Result<()> {
        let raw = self.base.raw();
        let mut block: Vec<(usize, Vec<f64>)> = Vec::new();
        for row in rows {
            let first = block.len();
            for (numbers, part) in self.numbers(row) {
                let weight = part * weights[row];
                let same = |other: &(usize, Vec<f64>)| alike(&other.1, &numbers);
                match block[first..].iter().position(same) {
                    Some(known) => {
                        let parts = self.weights.len() - (block.len() - first);
                        self.weights[parts + known] += weight;
                    }
                    None => {
                        block.push((row, numbers));
                        self.weights.push(weight);
                    }
                }
            }
        }
        let base = &self.base.columns()[..self.base.schema().base().len()];
        let codes: Vec<Vec<u16>> =
            base.iter().map(|column| block.iter().map(|(row, _)| column.get(*row)).collect()).collect();
        let numbers: Vec<Vec<f64>> =
            (0..raw.len()).map(|i| block.iter().map(|(_, numbers)| numbers[i]).collect()).collect();
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let numbers: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
        self.rows.extend(&codes, None, &numbers)?;
        self.of_row.extend(block.iter().map(|(row, _)| *row as u32));
        Ok(())
    }

    /// The raw numbers that records of a row may have, one of each attribute, and the share of each choice.
    fn numbers(&self, row: usize) -> Vec<(Vec<f64>, f64)> {
        let raw = self.base.raw();
        let Some(first) = raw.first() else { return vec![(Vec::new(), 1.0)] };
        let places = first.of(row);
        let count = places.len();
        let sums = first.sums.as_ref().map(|sums| &sums[places.clone()]);
        let all = sums.and_then(|sums| sums.last()).copied().filter(|sum| *sum > 0.0);
        let share = |at: usize| match (sums, all) {
            (Some(sums), Some(all)) => (sums[at] - if at == 0 { 0.0 } else { sums[at - 1] }) / all,
            _ => 1.0 / count as f64,
        };
        let number = |raw: &Raw, at: usize| raw.values.get(raw.of(row).start + at);
        (0..count).map(|at| (raw.iter().map(|raw| number(raw, at)).collect(), share(at))).collect()
    }
}

impl Unfolded {
    /// Rows that need no splitting.
    pub fn plain(rows: Arc<Table>, weights: Vec<f64>) -> Result<Self> {
        let mut of_row = room(rows.rows())?;
        of_row.extend(0..rows.rows() as u32);
        Ok(Self { rows, weights, of_row })
    }

    /// A further column for each attribute with raw numbers, whose codes are so many `PARTS` of a bin with about as much weight
    /// each; the domain with these; and for each attribute the place of its further column.
    pub fn finer(&self) -> Result<(Domain, Vec<Codes>, Vec<Option<u16>>)> {
        let mut sizes = self.rows.domain().sizes().to_vec();
        let mut columns = Vec::new();
        let mut finer = vec![None; sizes.len()];
        for raw in self.rows.raw() {
            let size = PARTS * sizes[raw.attribute];
            if size > MOST_CODES {
                continue;
            }
            let mut column = Codes::new(size as usize);
            column.extend(&self.parts(raw)?)?;
            finer[raw.attribute] = Some(sizes.len() as u16);
            columns.push(column);
            sizes.push(size);
        }
        Ok((Domain::new(sizes), columns, finer))
    }

    /// The index of target tables, and of those that look at parts of bins where there are raw numbers.
    pub fn index(&self, targets: &[Vec<u16>]) -> Result<Steps<Arc<Index>>> {
        let (rows, cliques) = self.tables(targets)?;
        Index::over(rows, cliques, u64::MAX)
    }

    /// The same where rows are rounded once, which takes their cells over: so the index keeps none, and memory is half.
    pub fn index_once(&self, targets: &[Vec<u16>]) -> Result<Steps<Arc<Index>>> {
        let (rows, cliques) = self.tables(targets)?;
        Ok(Index::passing(rows, cliques))
    }

    fn tables(&self, targets: &[Vec<u16>]) -> Result<(Grid, Vec<Vec<u16>>)> {
        let (domain, columns, finer) = self.finer()?;
        let mut cliques = targets.to_vec();
        for clique in targets {
            for (i, fine) in clique.iter().enumerate().filter_map(|(i, a)| Some((i, finer[usize::from(*a)]?)))
            {
                let mut finer = clique.clone();
                finer[i] = fine;
                if domain.cells(&finer).is_some_and(|cells| cells <= MOST_CELLS) {
                    cliques.push(finer);
                }
            }
        }
        Ok((Grid::further(Arc::clone(&self.rows), domain, columns), cliques))
    }

    /// The bin of each row and the part of it: rows with the same number are in the same part.
    fn parts(&self, raw: &Raw) -> Result<Vec<u16>> {
        let column = &self.rows.columns()[raw.attribute];
        let mut order: Vec<u32> = (0..self.rows.rows() as u32).collect();
        let of = |row: u32| (column.get(row as usize), raw.values.get(row as usize));
        order.sort_unstable_by(|a, b| {
            let ((code, number), (other, than)) = (of(*a), of(*b));
            code.cmp(&other).then(number.total_cmp(&than)).then(a.cmp(b))
        });
        let mut codes = filled(0u16, order.len())?;
        for bin in order.chunk_by(|a, b| of(*a).0 == of(*b).0) {
            let all: f64 = bin.iter().map(|row| self.weights[*row as usize]).sum();
            let mut before = 0.0;
            for same in bin.chunk_by(|a, b| of(*a).1.to_bits() == of(*b).1.to_bits()) {
                let part = (f64::from(PARTS) * before / all) as u32;
                let code = u32::from(of(same[0]).0) * PARTS + part.min(PARTS - 1);
                for row in same {
                    codes[*row as usize] = code as u16;
                    before += self.weights[*row as usize];
                }
            }
        }
        Ok(codes)
    }
}

/// Whether two choices of numbers are the same; no number is like no number.
fn alike(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Parts of a bin.
const PARTS: u32 = 4;
const MOST_CODES: u32 = 1 << 16;
/// The most cells of a table that looks at parts of bins.
const MOST_CELLS: u64 = 1 << 20;
/// Rows that are split at once.
const BLOCK: usize = 1024;
