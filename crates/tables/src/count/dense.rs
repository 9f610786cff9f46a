//! Large cliques with a number for each cell. They are counted where their answers stand, which are zero already: a
//! table of its own would have to be cleared before and copied afterwards, each of which takes long.

use super::answers::Answers;
use super::fold::permute;
use super::index::{cells, columns};
use super::kernel::rows_of;
use super::par;
use super::plan::Pass;
use crate::Table;
use std::ops::Range;

/// Cells that one thread turns at a time.
const PIECE: usize = 1 << 15;

/// Counts some chunks into the cells of the first clique of a pass, which has the order of the pass.
pub fn count_into(table: &Table, pass: &Pass, chunks: Range<usize>, counts: &mut [f64]) {
    let mut numbers = [0u64; 1024];
    for chunk in chunks {
        let columns = columns(table, &pass.attributes, chunk);
        let rows = rows_of(table, chunk);
        for start in (0..rows).step_by(numbers.len()) {
            let block = start..rows.min(start + numbers.len());
            let numbers = &mut numbers[..block.len()];
            cells(&columns, block.clone(), numbers);
            match table.weights() {
                None => numbers.iter().for_each(|cell| counts[*cell as usize] += 1.0),
                Some(weights) => {
                    let weights = &weights.chunk(chunk)[block];
                    numbers.iter().zip(weights).for_each(|(cell, weight)| counts[*cell as usize] += weight);
                }
            }
        }
    }
}

/// The other cliques of a pass: the first one with its attributes in another order, turned piece by piece.
#[derive(Default)]
pub struct Turning {
    /// How many cliques are done.
    cliques: usize,
    /// How many rows of the next one are: a row is as long as its last attribute has codes.
    rows: usize,
}

impl Turning {
    /// Turns about so many cells more, and gives how many; none when all are done.
    pub fn step(&mut self, pass: &Pass, answers: &mut Answers, cells: u64) -> u64 {
        let Some(&clique) = pass.cliques.get(self.cliques + 1) else { return 0 };
        let workload = answers.workload().clone();
        let (order, sizes) = (workload.clique(clique), workload.domain().sizes());
        let width = order.last().map_or(1, |a| sizes[usize::from(*a)] as usize);
        let left = pass.cells as usize / width - self.rows;
        let rows = (usize::try_from(cells).unwrap_or(usize::MAX) / width).clamp(1, left);
        let (from, to) = answers.from_and_to(pass.cliques[0], clique);
        let to = &mut to[self.rows * width..][..rows * width];
        let piece = (PIECE / width).max(1);
        let pieces = to.chunks_mut(piece * width).enumerate();
        let pieces = pieces.map(|(i, to)| (self.rows + i * piece, to)).collect();
        par::map(pieces, 1, |(row, to)| permute(from, &pass.attributes, order, sizes, row, to));
        self.rows += rows;
        if rows == left {
            (self.cliques, self.rows) = (self.cliques + 1, 0);
        }
        (rows * width) as u64
    }
}
