//! How far the tables of an estimate are from the truth's.

use super::candidates::pairs;
use crate::deviates::below;
use crate::models::support::Index;
use crate::seed::Seed;
use marginalia_tables::Domain;

/// The mean over tables of the L1 distance of fractions, and on the scale of the k-marginal score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// From 0 to 2.
    pub distance: f64,
}

impl Score {
    /// The score of fractions `q` of supported cells against those of the truth, some of which lie in cells without
    /// support.
    pub fn of(index: &Index, q: &[f64], truth: &[f64], outside: f64) -> Self {
        let distance: f64 = q.iter().zip(truth).map(|(q, t)| (q - t).abs()).sum();
        Self { distance: (distance + outside) / index.marginals().len().max(1) as f64 }
    }

    /// `(2 − distance)·500`: 1000 where all tables agree.
    pub fn points(&self) -> f64 {
        (2.0 - self.distance) * 500.0
    }
}

/// The tables that the contest's score looks at: all pairs, each with the group attribute where there is one.
pub fn all_tables(domain: &Domain, attributes: &[u16], group: Option<u16>, cells: u64) -> Vec<Vec<u16>> {
    let others: Vec<u16> = attributes.iter().copied().filter(|a| Some(*a) != group).collect();
    let table = |pair: [u16; 2]| group.into_iter().chain(pair).collect::<Vec<u16>>();
    let small = |clique: &Vec<u16>| domain.cells(clique).is_some_and(|size| size <= cells);
    pairs(&others).map(table).filter(small).collect()
}

/// At most so many of them, and one at least, drawn at random.
pub fn some_tables(mut tables: Vec<Vec<u16>>, most: usize, random: &mut Seed) -> Vec<Vec<u16>> {
    for i in 0..tables.len().min(most) {
        let other = i + below(random, (tables.len() - i) as u32) as usize;
        tables.swap(i, other);
    }
    tables.truncate(most.max(1));
    tables
}
