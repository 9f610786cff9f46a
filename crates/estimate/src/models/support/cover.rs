//! Marginals that are passed over together.
//!
//! Instead of adding a row to its cell of each marginal, it is added to its cell of a clique that holds several of them,
//! and cells of that clique, which are far fewer than rows, are added to theirs; the other way round rows gather from one
//! table instead of several. All pairs of 13 attributes take .4 times as long over 4,734 rows, all pairs of 19 a quarter
//! over 6,687.

use super::base::Columns;
use super::build::{FEW_CELLS, build};
use super::index::{Index, Marginal};
use super::kernel;
use super::planner::{Planner, Proposal, most, neighbours};
use marginalia_compute::number::Number;
use marginalia_tables::{Domain, Result};

/// A clique that holds several marginals.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    /// The clique, whose cells are numbered through all covers.
    pub whole: Marginal,
    pub parts: Vec<Part>,
}

/// A marginal that a cover holds.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Which one.
    pub marginal: usize,
    /// Its supported cell that each cell of the cover lies in.
    of_cell: Vec<u32>,
}

impl Cover {
    /// The cover of marginals by a clique that holds them all; its cells are numbered from `start`.
    fn new(
        index: &Index,
        domain: &Domain,
        columns: Columns<'_>,
        proposal: &Proposal,
        kept: bool,
    ) -> Result<Self> {
        let start = index.covers.last().map_or(0, |last| last.whole.cells.end);
        let whole = build(domain, columns, &proposal.clique, index.rows, start, kept)?;
        let part = |marginal: usize| {
            let of = &index.marginals[marginal];
            let cells =
                || whole.places.iter().map(|place| cell_within(domain, *place, &whole.clique, &of.clique));
            let of_cell =
                cells().map(|cell| of.places.partition_point(|place| *place < cell) as u32).collect();
            Part { marginal, of_cell }
        };
        let parts = proposal.parts.iter().copied().map(part).collect();
        Ok(Self { whole, parts })
    }

    /// For each cell the sum of what its cells of the parts hold.
    pub fn gather<T: Number>(&self, marginals: &[Marginal], u: &[T], v: &mut [T]) {
        v.fill(T::default());
        let of = |part: &Part| &u[marginals[part.marginal].cells.clone()];
        let (fours, rest) = self.parts.as_chunks::<4>();
        for parts in fours {
            kernel::gather_four(parts.each_ref().map(|part| &part.of_cell[..]), parts.each_ref().map(of), v);
        }
        let (pairs, rest) = rest.as_chunks::<2>();
        for parts in pairs {
            kernel::gather_two(parts.each_ref().map(|part| &part.of_cell[..]), parts.each_ref().map(of), v);
        }
        for part in rest {
            kernel::gather(&part.of_cell, of(part), v);
        }
    }

    /// Sums what cells hold to the cells of the parts.
    pub fn scatter<T: Number>(&self, marginals: &[Marginal], sums: &[T], m: &mut [T]) {
        for part in &self.parts {
            let cells = marginals[part.marginal].cells.clone();
            kernel::sums(&mut m[cells], sums.len(), |all| all.add(&part.of_cell, sums));
        }
    }
}

/// The cell of a clique that holds a cell of another one with all its attributes, and more.
fn cell_within(domain: &Domain, place: u32, of: &[u16], clique: &[u16]) -> u32 {
    let size = |attribute: u16| domain.sizes()[usize::from(attribute)];
    let code = |attribute: &u16| {
        let after = of.iter().rev().take_while(|other| *other != attribute);
        place / after.map(|other| size(*other)).product::<u32>() % size(*attribute)
    };
    clique.iter().fold(0, |cell, attribute| cell * size(*attribute) + code(attribute))
}

/// The making of covers, one at a time.
#[derive(Debug)]
pub(super) struct Covering {
    rows: usize,
    /// Bytes, beyond the reserve, for the cells of rows, and whether these take two each instead of four.
    spare: u64,
    narrow: bool,
    /// The marginals that are planned together, and after them those of the next time.
    planner: Option<Planner>,
    waiting: Option<Vec<Vec<usize>>>,
}

impl Covering {
    /// Rows below which passes are short and planning is not.
    pub const LEAST_ROWS: usize = 1 << 10;

    /// Bytes in which all covers of so many marginals can be made, whatever they are.
    pub fn reserve(rows: usize, marginals: usize) -> u64 {
        let covers = marginals / 2;
        4 * (most(rows) * (covers + marginals) + FEW_CELLS * covers) as u64
    }

    /// Covers in the reserve; those whose rows fit into `spare` bytes beyond it keep the cells of these.
    pub fn new(rows: usize, spare: u64, narrow: bool) -> Self {
        Self { rows, spare, narrow, planner: None, waiting: None }
    }

    /// Bytes for the cells of the rows of a marginal.
    fn of_rows(&self) -> u64 {
        if self.narrow { 2 * self.rows as u64 } else { 4 * self.rows as u64 }
    }

    /// Makes the next cover of an index whose marginals are all there; false when there is none.
    pub fn step(&mut self, domain: &Domain, columns: Columns<'_>, index: &mut Index) -> Result<bool> {
        let of_rows = self.of_rows();
        let Some(proposal) = self.proposal(domain, &index.marginals) else { return Ok(false) };
        let kept = of_rows <= self.spare;
        let mut cover = Cover::new(index, domain, columns, &proposal, kept && !self.narrow)?;
        let cells = cover.whole.places.len();
        if self.planner.as_mut().is_some_and(|planner| planner.accept(&proposal, cells)) {
            self.spare -= if kept { of_rows } else { 0 };
            if kept && self.narrow {
                let of_row = index.of_rows(&cover.whole, |cell| cell as u16)?;
                cover.whole.keep_narrow(of_row);
            }
            index.alone.retain(|marginal| !proposal.parts.contains(marginal));
            index.covers.push(cover);
        }
        Ok(true)
    }

    /// The next cover of the marginals that are planned together, or of the next such.
    fn proposal(&mut self, domain: &Domain, marginals: &[Marginal]) -> Option<Proposal> {
        loop {
            if let Some(proposal) = self.planner.as_mut().and_then(Planner::next) {
                return Some(proposal);
            }
            let which = self.waiting.get_or_insert_with(|| neighbours(marginals)).pop()?;
            self.planner = Some(Planner::new(domain, marginals, which, self.rows));
        }
    }

    /// Keeps the cells of rows of the next marginal without a cover, as long as they fit; false when there is none.
    pub fn keep(&mut self, index: &mut Index) -> Result<bool> {
        let of_rows = self.of_rows();
        let open = |of: &Marginal| of.lookup.as_ref().is_some_and(|lookup| lookup.of_row.is_empty());
        let fits = |of: &Marginal| !self.narrow || of.places.len() <= 1 << 16;
        let mut alone = index.alone.iter().copied();
        let next = alone.find(|i| open(&index.marginals[*i]) && fits(&index.marginals[*i]));
        let Some(next) = next.filter(|_| of_rows <= self.spare) else { return Ok(false) };
        self.spare -= of_rows;
        if self.narrow { index.keep_narrow(next) } else { index.keep(next) }.map(|()| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use marginalia_tables::Codes;

    /// 9,045 marginals of 135 attributes, more than are planned together and more attributes than a set of bits has: nearly all
    /// of them find a cover, each one only, and sums of whole numbers are those of single marginals.
    #[test]
    fn covers_of_very_many_marginals() {
        let (rows, attributes) = (1200, 135u16);
        let column = |a: u16| {
            let mut column = Codes::new(3);
            let code = |row: u32| (row.wrapping_mul(2 * u32::from(a) + 3) >> (a % 7)) as u16 % 3;
            column.extend(&(0..rows).map(code).collect::<Vec<_>>()).unwrap();
            column
        };
        let columns: Vec<Codes> = (0..attributes).map(column).collect();
        let pairs: Vec<[u16; 2]> =
            (0..attributes).flat_map(|a| (a + 1..attributes).map(move |b| [a, b])).collect();
        let cliques: Vec<&[u16]> = pairs.iter().map(|pair| &pair[..]).collect();
        let index = Index::new(&Domain::new(vec![3; 135]), &columns, &cliques).unwrap();
        let mut found: Vec<usize> =
            index.covers.iter().flat_map(|cover| &cover.parts).map(|part| part.marginal).collect();
        assert!(found.len() > 8500 && index.covers.len() < 2500, "{} {}", found.len(), index.covers.len());
        found.extend(&index.alone);
        found.sort_unstable();
        assert!(found.into_iter().eq(0..pairs.len()));
        let weights: Vec<f64> = (0..rows).map(|row| f64::from(row % 10)).collect();
        let mut sums = vec![0.0; index.cells()];
        index.scatter(&weights, &mut sums);
        for marginal in index.marginals() {
            let mut own = vec![0.0; marginal.places.len()];
            marginal.of_row.iter().zip(&weights).for_each(|(cell, weight)| own[*cell as usize] += weight);
            assert_eq!(sums[marginal.cells.clone()], own);
        }
    }
}
