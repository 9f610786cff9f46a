//! Which cell of each marginal a row of the support lies in: the only form in which estimators see the support.

use super::base::{Columns, Grid, cells_of_rows};
use super::build::build;
use super::cover::{Cover, Covering};
use super::kernel::{self, BLOCK};
use crate::par;
use marginalia_compute::number::Number;
use marginalia_compute::vector::room;
use marginalia_tables::{Codes, Domain, Result};
use std::ops::Range;

/// Cells of the measured marginals that some row supports, numbered through all marginals; and of each marginal the
/// cell that each row lies in.
#[derive(Debug, Clone)]
pub struct Index {
    pub(super) rows: usize,
    pub(super) grid: Option<Grid>,
    pub(super) marginals: Vec<Marginal>,
    /// Marginals that are passed over together, and those that are not.
    pub(super) covers: Vec<Cover>,
    pub(super) alone: Vec<usize>,
}

/// One marginal of an [`Index`].
#[derive(Debug, Clone)]
pub struct Marginal {
    /// The attributes.
    pub clique: Vec<u16>,
    /// Where its supported cells stand among those of all marginals.
    pub cells: Range<usize>,
    /// The place of each supported cell among all cells of the clique, ascending.
    pub places: Vec<u32>,
    /// The supported cell of each row, counted from the start of this marginal; empty where a limit of memory was
    /// given that does not hold it, and it is worked out block by block.
    pub of_row: Vec<u32>,
    pub(super) lookup: Option<Lookup>,
}

/// How to find the supported cell of a row that is not kept.
#[derive(Debug, Clone)]
pub(super) struct Lookup {
    /// The number of each cell of the clique; empty where it has many more cells than rows, and they are searched.
    pub number: Vec<u32>,
    /// The supported cell of each row in two bytes, where rows are many; empty where it is worked out all the same.
    pub of_row: Vec<u16>,
}

impl Marginal {
    /// Takes the cells of rows that were worked out until now.
    pub(super) fn keep_narrow(&mut self, of_row: Vec<u16>) {
        if let Some(lookup) = &mut self.lookup {
            lookup.of_row = of_row;
        }
    }
}

impl Lookup {
    /// By the numbers of cells.
    pub fn new(number: Vec<u32>) -> Self {
        Self { number, of_row: Vec::new() }
    }
}

impl Index {
    /// The index of cliques over rows given as columns of codes, all of it kept in memory.
    pub fn new(domain: &Domain, columns: &[Codes], cliques: &[&[u16]]) -> Result<Self> {
        let (rows, columns) = (columns.first().map_or(0, Codes::len), Columns::from(columns));
        let mut index = Self::empty(rows, None);
        for clique in cliques {
            index.push(build(domain, columns, clique, rows, index.cells(), true)?);
        }
        if rows >= Covering::LEAST_ROWS {
            let mut covering = Covering::new(rows, u64::MAX, false);
            while covering.step(domain, columns, &mut index)? {}
        }
        Ok(index)
    }

    /// The index of no clique.
    pub(super) fn empty(rows: usize, grid: Option<Grid>) -> Self {
        Self { rows, grid, marginals: Vec::new(), covers: Vec::new(), alone: Vec::new() }
    }

    /// Adds the next marginal, before there are covers.
    pub(super) fn push(&mut self, marginal: Marginal) {
        self.alone.push(self.marginals.len());
        self.marginals.push(marginal);
    }

    /// Keeps the supported cell of each row of a marginal.
    pub(super) fn keep(&mut self, marginal: usize) -> Result<()> {
        let of_row = self.of_rows(&self.marginals[marginal], |cell| cell)?;
        let marginal = &mut self.marginals[marginal];
        (marginal.of_row, marginal.lookup) = (of_row, None);
        Ok(())
    }

    /// The same in two bytes for each row, which its cells must fit.
    pub(super) fn keep_narrow(&mut self, marginal: usize) -> Result<()> {
        let of_row = self.of_rows(&self.marginals[marginal], |cell| cell as u16)?;
        self.marginals[marginal].keep_narrow(of_row);
        Ok(())
    }

    /// The supported cell of each row of a marginal.
    pub(super) fn of_rows<C>(&self, marginal: &Marginal, cell: impl Fn(u32) -> C) -> Result<Vec<C>> {
        let (mut of_row, mut scratch) = (room(self.rows)?, [0; BLOCK]);
        for rows in blocks(0..self.rows) {
            of_row.extend(self.block(marginal, rows, &mut scratch).iter().map(|one| cell(*one)));
        }
        Ok(of_row)
    }

    /// Gives up cells of rows that can be worked out again, and are many.
    pub(super) fn shed(&mut self) {
        let of_covers = self.covers.iter_mut().map(|cover| &mut cover.whole);
        let lookups = self.marginals.iter_mut().chain(of_covers).filter_map(|of| of.lookup.as_mut());
        lookups.for_each(|lookup| lookup.of_row = Vec::new());
    }

    /// Number of rows of the support.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of supported cells of all marginals.
    pub fn cells(&self) -> usize {
        self.marginals.last().map_or(0, |last| last.cells.end)
    }

    /// The marginals, in the order of the cliques.
    pub fn marginals(&self) -> &[Marginal] {
        &self.marginals
    }

    /// How many tables each row is added to, or gathered from, in a pass over all marginals: fewer than there are marginals
    /// where some are passed over together.
    pub fn passes(&self) -> usize {
        self.covers.len() + self.alone.len()
    }

    /// `t = Mᵀ u`: for each row the sum of what its cells hold.
    pub fn gather<T: Number>(&self, u: &[T], t: &mut [T]) {
        let mut v = vec![T::default(); self.covers.last().map_or(0, |last| last.whole.cells.end)];
        for cover in &self.covers {
            cover.gather(&self.marginals, u, &mut v[cover.whole.cells.clone()]);
        }
        let of_covers = self.covers.iter().map(|cover| (&cover.whole, &v[cover.whole.cells.clone()]));
        let of_others = self.alone.iter().map(|i| &self.marginals[*i]);
        let all: Vec<_> = of_covers.chain(of_others.map(|of| (of, &u[of.cells.clone()]))).collect();
        let gather = |chunk: Range<usize>, t: &mut [T]| {
            let mut scratch = [[0; BLOCK]; 4];
            for (rows, t) in blocks(chunk).zip(t.chunks_mut(BLOCK)) {
                t.fill(T::default());
                self.gather_block(&all, rows, &mut scratch, t);
            }
        };
        par::fold_mut(&mut t[..self.rows], gather, |()| {});
    }

    /// `m = M w`: for each cell the sum of what its rows hold.
    pub fn scatter<T: Number>(&self, w: &[T], m: &mut [T]) {
        let passed = || {
            let of_covers = self.covers.iter().map(|cover| &cover.whole);
            of_covers.chain(self.alone.iter().map(|i| &self.marginals[*i]))
        };
        let cells = passed().map(|of| of.places.len()).sum();
        let scatter = |chunk: Range<usize>| {
            let mut part = vec![T::default(); cells];
            let mut rest = &mut part[..];
            for of in passed() {
                let (sums, others) = rest.split_at_mut(of.places.len());
                self.sum_chunk(of, w, chunk.clone(), sums);
                rest = others;
            }
            part
        };
        let mut sums = vec![T::default(); cells];
        par::fold(self.rows, scatter, |part| add(&mut sums, &part));
        let mut rest = &sums[..];
        for cover in &self.covers {
            let (of_cover, others) = rest.split_at(cover.whole.places.len());
            cover.scatter(&self.marginals, of_cover, m);
            rest = others;
        }
        for i in &self.alone {
            let (of_marginal, others) = rest.split_at(self.marginals[*i].places.len());
            m[self.marginals[*i].cells.clone()].copy_from_slice(of_marginal);
            rest = others;
        }
    }

    /// `m = M_c w` for one marginal.
    pub fn sum(&self, marginal: usize, w: &[f64], m: &mut [f64]) {
        let marginal = &self.marginals[marginal];
        m.fill(0.0);
        let sum = |chunk: Range<usize>| {
            let mut part = vec![0.0; marginal.places.len()];
            self.sum_chunk(marginal, w, chunk, &mut part);
            part
        };
        par::fold(self.rows, sum, |part| add(m, &part));
    }

    /// Scales every row by the ratio of its cell of one marginal.
    pub fn scale(&self, marginal: usize, ratios: &[f64], w: &mut [f64]) {
        let marginal = &self.marginals[marginal];
        let scale = |chunk: Range<usize>, w: &mut [f64]| {
            let mut scratch = [0; BLOCK];
            for (rows, w) in blocks(chunk).zip(w.chunks_mut(BLOCK)) {
                kernel::scale(self.block(marginal, rows, &mut scratch), ratios, w);
            }
        };
        par::fold_mut(&mut w[..self.rows], scale, |()| {});
    }

    /// Scales every row by the ratio of its cell of the marginal `from`, and sums it into its cell of the marginal
    /// `to`: one pass for a step of any estimator that goes from marginal to marginal.
    pub fn scale_and_sum(&self, from: usize, ratios: &[f64], to: usize, w: &mut [f64], m: &mut [f64]) {
        let (from, to) = (&self.marginals[from], &self.marginals[to]);
        let step = |chunk: Range<usize>, w: &mut [f64]| {
            let (mut of_from, mut of_to) = ([0; BLOCK], [0; BLOCK]);
            let mut part = vec![0.0; to.places.len()];
            kernel::sums(&mut part, chunk.len(), |sums| {
                for (rows, w) in blocks(chunk).zip(w.chunks_mut(BLOCK)) {
                    let cells = self.block(from, rows.clone(), &mut of_from);
                    sums.scale_and_add(cells, ratios, self.block(to, rows, &mut of_to), w);
                }
            });
            part
        };
        m.fill(0.0);
        par::fold_mut(&mut w[..self.rows], step, |part| add(m, &part));
    }

    /// The sums of a chunk of rows to the cells of a marginal.
    fn sum_chunk<T: Number>(&self, marginal: &Marginal, w: &[T], chunk: Range<usize>, table: &mut [T]) {
        let mut scratch = [0; BLOCK];
        kernel::sums(table, chunk.len(), |sums| {
            for rows in blocks(chunk) {
                sums.add(self.block(marginal, rows.clone(), &mut scratch), &w[rows]);
            }
        });
    }

    fn gather_block<T: Number>(
        &self,
        all: &[(&Marginal, &[T])],
        rows: Range<usize>,
        scratch: &mut [[u32; BLOCK]; 4],
        t: &mut [T],
    ) {
        let (fours, rest) = all.as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = scratch;
            let cells = [
                self.block(four[0].0, rows.clone(), a),
                self.block(four[1].0, rows.clone(), b),
                self.block(four[2].0, rows.clone(), c),
                self.block(four[3].0, rows.clone(), d),
            ];
            kernel::gather_four(cells, [0, 1, 2, 3].map(|i: usize| four[i].1), t);
        }
        let (pairs, rest) = rest.as_chunks::<2>();
        for pair in pairs {
            let [a, b, ..] = scratch;
            let cells = [self.block(pair[0].0, rows.clone(), a), self.block(pair[1].0, rows.clone(), b)];
            kernel::gather_two(cells, pair.map(|(_, u)| u), t);
        }
        for (marginal, u) in rest {
            kernel::gather(self.block(marginal, rows.clone(), &mut scratch[0]), u, t);
        }
    }

    /// Calls a function with the supported cells of rows of a marginal, counted from its first, block by block, each with
    /// the number of rows before it.
    pub fn each_block(&self, marginal: usize, rows: Range<usize>, mut then: impl FnMut(usize, &[u32])) {
        let (marginal, start) = (&self.marginals[marginal], rows.start);
        let mut scratch = [0; BLOCK];
        for rows in blocks(rows) {
            then(rows.start - start, self.block(marginal, rows, &mut scratch));
        }
    }

    /// The supported cells that a block of rows lies in.
    fn block<'a>(
        &self,
        marginal: &'a Marginal,
        rows: Range<usize>,
        scratch: &'a mut [u32; BLOCK],
    ) -> &'a [u32] {
        let (Some(lookup), Some(grid)) = (&marginal.lookup, &self.grid) else {
            return &marginal.of_row[rows];
        };
        let scratch = &mut scratch[..rows.len()];
        if let Some(of_row) = lookup.of_row.get(rows.clone()) {
            scratch.iter_mut().zip(of_row).for_each(|(cell, of_row)| *cell = u32::from(*of_row));
            return scratch;
        }
        cells_of_rows(grid.domain(), grid.columns(), &marginal.clique, rows, scratch);
        lookup.translate(&marginal.places, scratch);
        scratch
    }
}

impl Lookup {
    /// From cells of the clique to supported cells; each must be one.
    pub fn translate(&self, places: &[u32], cells: &mut [u32]) {
        if self.number.is_empty() {
            cells.iter_mut().for_each(|cell| *cell = places.partition_point(|place| place < cell) as u32);
        } else {
            cells.iter_mut().for_each(|cell| *cell = self.number[*cell as usize]);
        }
    }
}

/// The blocks of a chunk of rows.
fn blocks(chunk: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = chunk.end;
    chunk.step_by(BLOCK).map(move |first| first..end.min(first + BLOCK))
}

fn add<T: Number>(all: &mut [T], part: &[T]) {
    all.iter_mut().zip(part).for_each(|(all, part)| *all += *part);
}

#[cfg(test)]
mod tests {
    use super::super::Base;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn gathers_and_scatters_over_supported_cells() {
        let column = |codes: &[u16]| {
            let mut column = Codes::new(3);
            column.extend(codes).unwrap();
            column
        };
        let columns = [column(&[0, 2, 2]), column(&[1, 0, 1])];
        let index = Index::new(&Domain::new([3, 2]), &columns, &[&[0], &[1, 0]]).unwrap();
        assert_eq!(index.marginals()[0].places, [0, 2]);
        assert_eq!(index.marginals()[1].places, [2, 3, 5]);
        let mut t = [0.0; 3];
        index.gather(&[1.0, 2.0, 10.0, 20.0, 30.0], &mut t);
        assert_eq!(t, [21.0, 12.0, 32.0]);
        let mut m = [0.0; 5];
        index.scatter(&[0.5, 0.25, 0.125], &mut m);
        assert_eq!(m, [0.5, 0.375, 0.25, 0.5, 0.125]);
    }

    #[test]
    fn two_bytes_for_each_row_say_what_four_do() {
        let rows = 5000;
        let column = |size: usize, step: usize| {
            let mut column = Codes::new(size);
            column.extend(&(0..rows).map(|row| (row * step % size) as u16).collect::<Vec<_>>()).unwrap();
            column
        };
        let domain = Domain::new([3, 40, 7, 5]);
        let columns = vec![column(3, 1), column(40, 7), column(7, 3), column(5, 11)];
        let cliques: [&[u16]; 4] = [&[0, 2], &[1], &[2, 3], &[0, 3]];
        let whole = Index::new(&domain, &columns, &cliques).unwrap();
        let base = Arc::new(Base::new(domain.clone(), columns.clone(), None).unwrap());
        let mut narrow = Index::empty(rows, Some(base.into()));
        for clique in cliques {
            narrow.push(build(&domain, columns[..].into(), clique, rows, narrow.cells(), false).unwrap());
        }
        let mut covering = Covering::new(rows, 4 * rows as u64, true);
        while covering.step(&domain, columns[..].into(), &mut narrow).unwrap()
            || covering.keep(&mut narrow).unwrap()
        {}
        assert!(!narrow.covers.is_empty() && narrow.covers.len() == whole.covers.len());
        let kept = |index: &Index| {
            let all = index.marginals.iter().chain(index.covers.iter().map(|cover| &cover.whole));
            all.filter(|of| of.lookup.as_ref().is_some_and(|lookup| !lookup.of_row.is_empty())).count()
        };
        assert_eq!(kept(&narrow), 2);
        let u: Vec<f64> = (0..whole.cells()).map(|cell| (cell as f64).sin()).collect();
        let gathered = |index: &Index| {
            let mut t = vec![0.0; rows];
            index.gather(&u, &mut t);
            t
        };
        assert_eq!(gathered(&narrow), gathered(&whole));
        narrow.shed();
        assert_eq!((kept(&narrow), gathered(&narrow)), (0, gathered(&whole)));
    }
}
