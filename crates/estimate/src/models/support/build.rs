//! Making an index: which cells of a clique occur, their numbers, and the number of each row.

use super::base::{Columns, Grid, cells_of_rows};
use super::cover::Covering;
use super::index::{Index, Lookup, Marginal};
use super::kernel::BLOCK;
use crate::job::{Pace, Steps};
use crate::measurement::cells_of;
use marginalia_compute::vector::room;
use marginalia_tables::{Code, Domain, Error, Result};
use std::sync::Arc;

/// A clique gets a table of all its cells when there are at most so many for each row, or few at all.
const CELLS_PER_ROW: usize = 4;
pub(super) const FEW_CELLS: usize = 1 << 16;
/// Where the cells of rows would take more bytes in all marginals, those that are covered keep none, and others and covers two
/// bytes for each row.
const MANY_BYTES: u64 = 1 << 28;

/// Making a clique takes so many times as long as making a cover for each attribute, about.
const CLIQUES_OF_COVERS: usize = 4;

impl Index {
    /// The index of cliques over the rows of a prior, in at most `limit` bytes.
    pub fn over(rows: impl Into<Grid>, cliques: Vec<Vec<u16>>, limit: u64) -> Result<Steps<Arc<Self>>> {
        let rows = rows.into();
        let (kept, covering) = fitting(&rows, &cliques, limit)?;
        Ok(Steps::new(move |pace| async move { built(rows, &cliques, kept, covering, &pace).await }))
    }

    /// The same without the cells of any row: for cliques whose cells are asked for once.
    pub fn passing(rows: Grid, cliques: Vec<Vec<u16>>) -> Steps<Arc<Self>> {
        Steps::new(move |pace| async move { built(rows, &cliques, 0, None, &pace).await })
    }
}

/// What is kept in at most `limit` bytes: the cells of rows of as many of the first cliques as fit; those of the others are
/// worked out whenever they are needed, which takes about three times as long. Before that there is room for covers, since
/// sums are rounded otherwise without them: only next to no memory changes any bits. Where all would take much, covers come first, then
/// marginals without one.
fn fitting(grid: &Grid, cliques: &[Vec<u16>], limit: u64) -> Result<(usize, Option<Covering>)> {
    let rows = grid.rows();
    let mut needed = 0;
    let mut of_keeping = Vec::with_capacity(cliques.len());
    for clique in cliques {
        let cells = cells_of(grid.domain(), clique)? as usize;
        let number = if has_table(cells, rows) { 4 * cells as u64 } else { 0 };
        needed += 4 * cells.min(rows) as u64 + number;
        of_keeping.push((4 * rows as u64, number));
    }
    if needed > limit {
        return Err(too_large(needed, limit));
    }
    let reserve = Covering::reserve(rows, cliques.len());
    let covers = rows >= Covering::LEAST_ROWS && needed + reserve <= limit;
    let of_rows = if covers { limit - reserve } else { limit };
    let many = covers && 4 * rows as u64 * cliques.len() as u64 > MANY_BYTES;
    let mut kept = 0;
    for (more, number) in of_keeping.into_iter().take(if many { 0 } else { cliques.len() }) {
        // While a clique is made it has both; afterwards one of them.
        if needed + more > of_rows {
            break;
        }
        needed = needed + more - number;
        kept += 1;
    }
    let spare = (of_rows - needed).min(if many { MANY_BYTES / 2 } else { u64::MAX });
    Ok((kept, covers.then(|| Covering::new(rows, spare, many))))
}

/// An index that keeps the cells of rows of the first cliques, clique by clique and then cover by cover.
async fn built(
    grid: Grid,
    cliques: &[Vec<u16>],
    kept: usize,
    mut covering: Option<Covering>,
    pace: &Pace,
) -> Result<Arc<Index>> {
    let (rows, domain, columns) = (grid.rows(), grid.domain(), grid.columns());
    let mut index = Index::empty(rows, Some(grid.clone()));
    let of_cliques: usize = cliques.iter().map(|clique| clique.len() + 3).sum();
    let all = of_cliques + covering.as_ref().map_or(0, |_| of_cliques / CLIQUES_OF_COVERS + 1);
    let mut done = 0;
    for (at, clique) in cliques.iter().enumerate() {
        index.push(build(domain, columns, clique, rows, index.cells(), at < kept)?);
        done += clique.len() + 3;
        pace.show(done, all);
        pace.did(rows * (clique.len() + 3)).await;
    }
    while let Some(covering) = &mut covering
        && (covering.step(domain, columns, &mut index)? || covering.keep(&mut index)?)
    {
        done = all.min(done + CLIQUES_OF_COVERS);
        pace.show(done, all);
        pace.did(rows * CLIQUES_OF_COVERS).await;
    }
    Ok(Arc::new(index))
}

fn too_large(needed: u64, limit: u64) -> Error {
    let message = format!(
        "the cells of the measured cliques need {needed} bytes, the limit is {limit}: \
         raise `memoryLimit`, or measure fewer or smaller cliques"
    );
    Error::new(Code::ModelTooLarge, message)
}

fn has_table(cells: usize, rows: usize) -> bool {
    cells <= FEW_CELLS.max(CELLS_PER_ROW * rows)
}

/// The marginal of a clique, whose first supported cell is number `start`; with the cell of each row where `kept`.
pub(super) fn build(
    domain: &Domain,
    columns: Columns<'_>,
    clique: &[u16],
    rows: usize,
    start: usize,
    kept: bool,
) -> Result<Marginal> {
    let cells = domain.cells(clique).and_then(|cells| u32::try_from(cells).ok());
    let too_many =
        || Error::new(Code::ModelTooLarge, "a clique has 2^32 cells or more: use fewer attributes");
    let cells = cells.ok_or_else(too_many)? as usize;
    let mut of_row = room(if kept { rows } else { 0 })?;
    let mut each_block = |then: &mut dyn FnMut(&[u32])| {
        let mut block = [0; BLOCK];
        for first in (0..rows).step_by(BLOCK) {
            let block = &mut block[..BLOCK.min(rows - first)];
            cells_of_rows(domain, columns, clique, first..first + block.len(), block);
            then(block);
            if kept {
                of_row.extend_from_slice(block);
            }
        }
    };
    let (places, number) = if has_table(cells, rows) {
        let mut seen = room(cells)?;
        seen.resize(cells, u32::MAX);
        each_block(&mut |block| block.iter().for_each(|cell| seen[*cell as usize] = 0));
        number(seen)?
    } else {
        let mut occurring = room(rows)?;
        each_block(&mut |block| occurring.extend_from_slice(block));
        occurring.sort_unstable();
        occurring.dedup();
        occurring.shrink_to_fit();
        (occurring, Vec::new())
    };
    let lookup = Lookup::new(number);
    lookup.translate(&places, &mut of_row);
    let cells = start..start + places.len();
    Ok(Marginal { clique: clique.to_vec(), cells, places, of_row, lookup: (!kept).then_some(lookup) })
}

/// The cells that were seen, and their numbers in the place of the zeros.
fn number(mut seen: Vec<u32>) -> Result<(Vec<u32>, Vec<u32>)> {
    let mut places = room(seen.iter().filter(|mark| **mark == 0).count())?;
    for (place, mark) in (0..).zip(&mut seen) {
        if *mark == 0 {
            *mark = places.len() as u32;
            places.push(place);
        }
    }
    Ok((places, seen))
}
