//! The mass that pairs of cells share: the sums over rows of which the dense block is made.

use crate::job::Pace;
use crate::models::support::{Index, Marginal};
use std::ops::Range;

/// At most so many cells can be asked for, a power of two.
pub(super) const MOST_CELLS: usize = 1 << 12;
/// Units of work of adding a row to one sum.
const UNITS_OF_SUM: usize = 3;
/// Rows whose cells are held at a time.
const ROWS: usize = 1 << 13;

/// Units of work of all sums if each row lies in so many of the cells: it is added once for each pair of them.
pub(super) fn work(rows: usize, of_row: f64) -> u64 {
    (0.5 * UNITS_OF_SUM as f64 * of_row * of_row * rows as f64) as u64
}

/// For each of `cells`, ascending, the mass that it shares with each one before it: `take` gets the place of the cell
/// among them, and what is to be added for those before. Cells of one marginal share nothing.
///
/// Cell by cell, so that all sums of one stay in the first cache: of every row in it those of its cells that came before.
pub(super) async fn shared_masses(
    index: &Index,
    cells: &[u32],
    q: &[f64],
    pace: &Pace,
    mut take: impl FnMut(usize, &[f64]),
) {
    let runs = runs(index, cells);
    let mut sums = Box::new([0.0; MOST_CELLS]);
    for start in (0..index.rows()).step_by(ROWS) {
        let rows = start..index.rows().min(start + ROWS);
        let q = &q[rows.clone()];
        let mut before = Before::new(rows.len(), runs.len());
        for run in &runs {
            let (order, ends) = run.sorted(rows.clone());
            let (mut first, mut added) = (0, 0);
            for (place, end) in run.places.clone().zip(ends) {
                let rows = &order[first..end as usize];
                for row in rows {
                    let (x, before) = (q[usize::from(*row)], before.of(usize::from(*row)));
                    before.iter().for_each(|cell| sums[usize::from(*cell) % MOST_CELLS] += x);
                    added += before.len();
                }
                take(place, &sums[..place]);
                sums[..run.places.start].fill(0.0);
                rows.iter().for_each(|row| before.push(usize::from(*row), place as u16));
                first = end as usize;
            }
            pace.did(UNITS_OF_SUM * added + rows.len()).await;
        }
    }
}

/// The cells of one marginal that are asked for.
struct Run<'a> {
    /// Their places among all.
    places: Range<usize>,
    /// The place of each cell of the marginal, counted from the first of them; their number for one that is not asked for.
    place: Vec<u16>,
    marginal: &'a Marginal,
}

fn runs<'a>(index: &'a Index, cells: &[u32]) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    let mut first = 0;
    for marginal in index.marginals() {
        let end = cells.partition_point(|cell| (*cell as usize) < marginal.cells.end);
        if end > first {
            let mut place = vec![(end - first) as u16; marginal.cells.len()];
            for (i, cell) in (0..).zip(&cells[first..end]) {
                place[*cell as usize - marginal.cells.start] = i;
            }
            runs.push(Run { places: first..end, place, marginal });
        }
        first = end;
    }
    runs
}

impl Run<'_> {
    /// Rows, counted from the first of `rows`, cell by cell, those in none of its cells last; and where those of each cell
    /// end.
    fn sorted(&self, rows: Range<usize>) -> (Vec<u16>, Vec<u32>) {
        let mut order = vec![0; rows.len()];
        let of_rows = self.marginal.of_row[rows].iter().map(|cell| usize::from(self.place[*cell as usize]));
        let mut ends = vec![0; self.places.len() + 2];
        of_rows.clone().for_each(|place| ends[place + 1] += 1);
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        for (row, place) in (0..).zip(of_rows) {
            order[ends[place] as usize] = row;
            ends[place] += 1;
        }
        ends.truncate(self.places.len());
        (order, ends)
    }
}

/// The cells of each row in the runs so far.
struct Before {
    cells: Vec<u16>,
    count: Vec<u16>,
    /// How many there can be for each.
    room: usize,
}

impl Before {
    fn new(rows: usize, room: usize) -> Self {
        Self { cells: vec![0; rows * room], count: vec![0; rows], room }
    }

    fn of(&self, row: usize) -> &[u16] {
        &self.cells[row * self.room..][..usize::from(self.count[row])]
    }

    fn push(&mut self, row: usize, cell: u16) {
        self.cells[row * self.room + usize::from(self.count[row])] = cell;
        self.count[row] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Steps};
    use marginalia_tables::{Codes, Domain};
    use std::sync::Arc;

    /// Rows in more than one go, and marginals with none, some and all of their cells asked for.
    #[test]
    fn cells_share_the_rows_that_they_have_in_common() {
        let rows = 2 * ROWS + 100;
        let column = |size: usize, step: usize| {
            let mut column = Codes::new(size);
            column.extend(&(0..rows).map(|x| (x * step / 7 % size) as u16).collect::<Vec<_>>()).unwrap();
            column
        };
        let columns = [column(4, 3), column(3, 5), column(5, 11)];
        let cliques: [&[u16]; 4] = [&[0], &[0, 1], &[2], &[1, 2]];
        let index = Arc::new(Index::new(&Domain::new([4, 3, 5]), &columns, &cliques).unwrap());
        let q: Vec<f64> = (0..rows).map(|x| 1.0 / (1.0 + x as f64)).collect();
        let wanted = |cell: &usize| !(4..8).contains(cell) && cell % 3 != 1;
        let cells: Vec<u32> = (0..index.cells()).filter(wanted).map(|cell| cell as u32).collect();
        let (of, mass, wanted) = (index.clone(), q.clone(), cells.clone());
        let found = Steps::new(|pace| async move {
            let mut found = vec![vec![0.0; wanted.len()]; wanted.len()];
            shared_masses(&of, &wanted, &mass, &pace, |i, shared| {
                assert_eq!(shared.len(), i);
                found[i].iter_mut().zip(shared).for_each(|(found, shared)| *found += shared);
            })
            .await;
            Ok(found)
        })
        .complete()
        .unwrap();
        let holds = |cell: u32, x: usize| {
            let cell = cell as usize;
            let marginal = index.marginals().iter().find(|of| of.cells.contains(&cell)).unwrap();
            marginal.of_row[x] as usize == cell - marginal.cells.start
        };
        for (i, a) in cells.iter().enumerate() {
            for (j, b) in cells[..i].iter().enumerate() {
                let both: f64 = (0..rows).filter(|x| holds(*a, *x) && holds(*b, *x)).map(|x| q[x]).sum();
                assert!((found[i][j] - both).abs() < 1e-12, "{a} {b}: {} is not {both}", found[i][j]);
            }
        }
    }
}
