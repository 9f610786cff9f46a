//! How much pairs of attributes tell about each other, from their counts. For public tables only: what comes out
//! is not protected by any noise.

use crate::count::{Answers, sorted};
use crate::{Code, Error, Result};
use std::sync::Arc;

/// A pair of attributes, the first below the second, and their mutual information in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The attributes.
    pub attributes: [u16; 2],
    /// Their mutual information.
    pub information: f64,
}

/// What one cell of a pair takes, in units of the work of a count.
const CELL: u64 = 20;

/// Ranks the pairs of a workload that was counted, step by step.
pub struct Ranking {
    answers: Arc<Answers>,
    /// The keys to sort by, the second of which are the attributes, and the information.
    pairs: Vec<(u64, u32, f64)>,
    done: u64,
}

impl Ranking {
    /// A ranking of the cliques of `answers`, all of which must be pairs.
    pub fn new(answers: Arc<Answers>) -> Result<Self> {
        if answers.workload().cliques().any(|clique| clique.len() != 2) {
            let message = "mutual information is of cliques of two attributes";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        Ok(Self { answers, pairs: Vec::new(), done: 0 })
    }

    /// Does about `work` units more; true when all pairs are looked at.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        let pairs = self.answers.workload().len();
        self.pairs.try_reserve(pairs - self.pairs.len()).map_err(|_| Error::out_of_memory(24 * pairs))?;
        while self.pairs.len() < pairs && self.done < until {
            let pair = self.pair(self.pairs.len())?;
            self.pairs.push(pair);
        }
        Ok(self.pairs.len() == pairs)
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// All units.
    pub fn total(&self) -> u64 {
        CELL * (self.answers.workload().total_cells() + self.answers.workload().len() as u64)
    }

    /// The pairs, most informative first; of equals the one with the smaller attributes.
    pub fn finish(mut self) -> Result<Vec<Pair>> {
        while !self.step(u64::MAX)? {}
        // Information is not negative, so that its bits are in its order.
        let by_attributes = sorted(self.pairs, u32::MAX.into(), |(_, attributes, _)| (*attributes).into())?;
        let ranked = sorted(by_attributes, u64::MAX, |(rank, ..)| *rank)?;
        let pair = |(_, attributes, information): &(u64, u32, f64)| Pair {
            attributes: [(attributes >> 16) as u16, *attributes as u16],
            information: *information,
        };
        Ok(ranked.iter().map(pair).collect())
    }

    fn pair(&mut self, i: usize) -> Result<(u64, u32, f64)> {
        let workload = self.answers.workload();
        let (a, b) = (workload.clique(i)[0], workload.clique(i)[1]);
        let size = |a: u16| workload.domain().sizes()[usize::from(a)] as usize;
        let (cells, counts) = self.answers.nonzero(i)?;
        let information = mutual_information(&cells, &counts, size(a), size(b));
        let range = workload.cells(i);
        self.done += CELL * (range.end - range.start + 1);
        let attributes = u32::from(a.min(b)) << 16 | u32::from(a.max(b));
        Ok((!information.to_bits(), attributes, information))
    }
}

/// The pairs that join what is not yet joined, in the order given (Kruskal).
pub fn spanning_tree(ranked: &[Pair], attributes: usize) -> Vec<[u16; 2]> {
    let mut part: Vec<usize> = (0..attributes).collect();
    let mut tree = Vec::new();
    for Pair { attributes: [a, b], .. } in ranked {
        let (from, to) = (part[usize::from(*a)], part[usize::from(*b)]);
        if from != to {
            part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
            tree.push([*a, *b]);
        }
    }
    tree
}

/// Σ n/N · ln(n·N / (n_a·n_b)) over the cells that occur, in their order; `rows` × `columns` cells in all. The
/// logarithm is libm's, so that every platform gives the same bits.
pub fn mutual_information(cells: &[u64], counts: &[f64], rows: usize, columns: usize) -> f64 {
    let (mut of_row, mut of_column) = (vec![0.0; rows], vec![0.0; columns]);
    let place = |cell: u64| ((cell / columns as u64) as usize, (cell % columns as u64) as usize);
    for (cell, count) in cells.iter().zip(counts) {
        let (row, column) = place(*cell);
        of_row[row] += count;
        of_column[column] += count;
    }
    let total: f64 = of_row.iter().sum();
    let mut sum = 0.0;
    for (cell, count) in cells.iter().zip(counts).filter(|(_, count)| **count > 0.0) {
        let (row, column) = place(*cell);
        sum += count * libm::log(count / of_row[row] * (total / of_column[column]));
    }
    if sum > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::count;
    use crate::{Schema, Table, Workload};

    const LIMIT: u64 = 1 << 26;

    /// Five binary attributes; 1 copies 0, 3 copies 0 in three rows of four, 2 is independent, 4 never varies.
    fn table() -> Arc<Table> {
        let binary = |i: usize| format!(r#"{{"name":"a{i}","type":"category","values":["x","y"]}}"#);
        let attributes: Vec<String> = (0..5).map(binary).collect();
        let json = format!(r#"{{"nulls":[],"attributes":[{}]}}"#, attributes.join(","));
        let mut table = Table::new(Arc::new(Schema::from_json(&json).unwrap()), false, &[]);
        let column = |f: fn(u16) -> u16| (0..16).map(f).collect::<Vec<u16>>();
        let columns = [
            column(|row| row % 2),
            column(|row| row % 2),
            column(|row| row / 2 % 2),
            column(|row| if row / 4 == 3 { 1 - row % 2 } else { row % 2 }),
            column(|_| 1),
        ];
        let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
        table.extend(&columns, None, &[]).unwrap();
        Arc::new(table)
    }

    /// All pairs of the table, in steps of so much work.
    fn ranked(work: u64) -> Vec<Pair> {
        let table = table();
        let pairs: Vec<[u16; 2]> = (0..5).flat_map(|a| (a + 1..5).map(move |b| [a, b])).collect();
        let workload = Arc::new(Workload::from_cliques(table.domain(), &pairs).unwrap());
        let mut ranking = Ranking::new(Arc::new(count(&table, &workload, LIMIT).unwrap())).unwrap();
        let mut steps = 1;
        while !ranking.step(work).unwrap() {
            steps += 1;
        }
        assert_eq!((ranking.done(), steps), (ranking.total(), if work == 1 { 10 } else { 1 }));
        ranking.finish().unwrap()
    }

    #[test]
    fn information_is_that_of_the_textbook() {
        let ln2 = std::f64::consts::LN_2;
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} is not {b}");
        close(mutual_information(&[0, 3], &[5.0, 5.0], 2, 2), ln2);
        close(mutual_information(&[0, 1, 2, 3], &[6.0, 3.0, 4.0, 2.0], 2, 2), 0.0);
        // I = ln 2 − H(1/4) for a copy that errs in one row of four.
        let entropy = 0.25 * 4f64.ln() + 0.75 * (4f64 / 3.0).ln();
        close(mutual_information(&[0, 1, 2, 3], &[6.0, 2.0, 2.0, 6.0], 2, 2), ln2 - entropy);
        assert_eq!(mutual_information(&[], &[], 2, 2), 0.0);
    }

    #[test]
    fn pairs_are_ranked_and_ties_go_to_the_smaller_attributes() {
        let ranked = ranked(1);
        let first: Vec<[u16; 2]> = ranked.iter().take(3).map(|pair| pair.attributes).collect();
        assert_eq!(first, [[0, 1], [0, 3], [1, 3]]);
        assert_eq!(ranked, super::tests::ranked(u64::MAX));
    }

    #[test]
    fn the_tree_joins_all_attributes_and_is_the_heaviest_of_all_trees() {
        let ranked = ranked(u64::MAX);
        let tree = spanning_tree(&ranked, 5);
        assert_eq!(tree, [[0, 1], [0, 3], [0, 2], [0, 4]]);
        let weight = |pairs: &[[u16; 2]]| -> f64 {
            ranked.iter().filter(|p| pairs.contains(&p.attributes)).map(|p| p.information).sum()
        };
        for chosen in (0u32..1 << 10).filter(|chosen| chosen.count_ones() == 4) {
            let some: Vec<Pair> = (0..10).filter(|i| chosen >> i & 1 == 1).map(|i| ranked[i]).collect();
            let other = spanning_tree(&some, 5);
            assert!(other.len() < 4 || weight(&other) <= weight(&tree) + 1e-12);
        }
    }

    #[test]
    fn cliques_that_are_no_pairs_are_refused() {
        let table = table();
        let workload = Workload::from_cliques(table.domain(), &[[0u16]]).unwrap();
        let answers = count(&table, &Arc::new(workload), LIMIT).unwrap();
        assert_eq!(Ranking::new(Arc::new(answers)).err().unwrap().code, Code::OptionInvalid);
    }
}
