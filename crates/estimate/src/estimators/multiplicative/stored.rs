//! Answers with the rows that they count.

use crate::estimators::Missing;
use crate::estimators::partial::{NONE, PartialAnswers};
use crate::models::support::{BLOCK, Base, cells_of_rows};
use crate::vector::room;
use marginalia_tables::Result;

/// Disjoint queries, their noisy answers, and the rows that any of them counts.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The answers as fractions, from 0 to 1.
    answers: Vec<f64>,
    /// Whether a row is counted by each.
    met: Vec<bool>,
    /// Rows and the query that counts each.
    rows: Vec<(u32, u32)>,
}

impl Stored {
    /// The rows of a base that queries count.
    pub fn new(base: &Base, PartialAnswers { partial, answers }: PartialAnswers) -> Result<Self> {
        let (mut scratch, mut rows, mut met) = ([0; BLOCK], room(0)?, vec![false; answers.len()]);
        for first in (0..base.rows()).step_by(BLOCK) {
            let block = first..base.rows().min(first + BLOCK);
            let cells = &mut scratch[..block.len()];
            cells_of_rows(base.domain(), base.columns().into(), partial.clique(), block.clone(), cells);
            for (row, query) in block.zip(partial.of_cells(cells)) {
                if query != NONE {
                    rows.push((row as u32, query));
                    met[query as usize] = true;
                }
            }
        }
        let answers = answers.into_iter().map(|answer| answer.clamp(0.0, 1.0)).collect();
        Ok(Self { answers, met, rows })
    }

    /// What the answers say, from 0 to 1.
    pub fn answers(&self) -> &[f64] {
        &self.answers
    }

    /// The rows that are counted.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = u32> {
        self.rows.iter().map(|(row, _)| *row)
    }

    /// How many these are.
    pub fn counted(&self) -> usize {
        self.rows.len()
    }

    /// By query the sum of what its rows hold.
    pub fn sums(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.answers.len()];
        self.rows.iter().for_each(|(row, query)| sums[*query as usize] += weights[*row as usize]);
        sums
    }

    /// Multiplies rows by the factor of their query, and returns by how much their sum has grown.
    pub fn scale(&self, factors: &[f64], weights: &mut [f64]) -> f64 {
        let mut grown = 0.0;
        for (row, query) in &self.rows {
            let weight = &mut weights[*row as usize];
            let scaled = *weight * factors[*query as usize];
            grown += scaled - *weight;
            *weight = scaled;
        }
        grown
    }

    /// What the answers say of cells without a row, of so many records.
    pub fn missing(&self, records: f64) -> Missing {
        let none = || self.answers.iter().zip(&self.met).filter(|(_, met)| !**met).map(|(answer, _)| answer);
        Missing { answers: none().count(), records: records * none().sum::<f64>() }
    }

    /// By how much the answers are farther from such sums, at most; answers that no row can meet do not count.
    pub fn error(&self, sums: &[f64]) -> f64 {
        let of = self.answers.iter().zip(sums).zip(&self.met).filter(|(_, met)| **met);
        of.map(|((answer, sum), _)| (answer - sum).abs()).fold(0.0, f64::max)
    }
}
