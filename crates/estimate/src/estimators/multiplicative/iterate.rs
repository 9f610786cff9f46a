//! A_t, and what it says of every cell of a workload that a row lies in: what the next round chooses by.

use super::{Rounds, Rule, Stored};
use crate::estimators::partial::PartialAnswers;
use crate::job::Steps;
use crate::measurement::{Measured, cells_of};
use crate::models::support::{Base, Index, zeros};
use crate::vector::copy;
use marginalia_tables::{Result, Workload};
use std::sync::Arc;

/// Rounds after which answers are worked out from all rows, whatever they move: rounding errors of as many are left.
const FRESH: usize = 50;

/// The weights after the rounds so far, and the answers that they give.
pub struct Iterate {
    base: Arc<Base>,
    index: Arc<Index>,
    rounds: Rounds,
    stored: Vec<Stored>,
    /// Of each supported cell its share, and what the weights were when it was worked out.
    answers: Vec<f64>,
    before: Vec<f64>,
}

impl Iterate {
    /// The prior, before any round, and the cells of its rows in at most `limit` bytes.
    pub fn begin(
        base: Arc<Base>,
        workload: &Workload,
        (rule, projections, seed): (Rule, usize, u64),
        limit: u64,
    ) -> Result<Steps<Self>> {
        let cliques = workload.cliques().map(<[u16]>::to_vec).collect();
        let index = Index::over(Arc::clone(&base), cliques, limit)?;
        Ok(Steps::new(move |pace| async move {
            let index = pace.run(index).await?;
            let rounds = Rounds::new(copy(base.prior())?, rule, projections, seed);
            let (answers, before) = (zeros(index.cells())?, zeros(base.rows())?);
            let mut made = Self { base, index, rounds, stored: Vec::new(), answers, before };
            made.answer_anew();
            Ok(made)
        }))
    }

    /// A round for a measurement of a table of so many records.
    pub fn meet(&mut self, one: &Measured, records: f64) -> Result<()> {
        let cells = cells_of(self.base.domain(), &one.clique)? as usize;
        let answers = PartialAnswers::new(&one.clique, cells, &one.query, &one.answers, records)?;
        self.stored.push(Stored::new(&self.base, answers)?);
        self.rounds.round(&self.stored);
        let (moved, common) = self.rounds.take_moved();
        // All rows are added to cliques that hold several others, those that moved to each.
        let few = moved.len() * self.index.marginals().len() < self.base.rows() * self.index.passes();
        let kept = self.index.marginals().iter().all(|marginal| marginal.of_row.len() == self.base.rows());
        if few && kept && !self.stored.len().is_multiple_of(FRESH) {
            self.answer_moved(&moved, common);
        } else {
            self.answer_anew();
        }
        Ok(())
    }

    /// For each supported cell its place among all cells of the workload, ascending.
    pub fn places(&self, workload: &Workload) -> Vec<u32> {
        let marginals = self.index.marginals().iter().enumerate();
        let of = marginals.flat_map(|(i, marginal)| {
            let first = workload.cells(i).start as u32;
            marginal.places.iter().map(move |place| first + place)
        });
        of.collect()
    }

    /// The share of each.
    pub fn answers(&self) -> &[f64] {
        &self.answers
    }

    fn answer_anew(&mut self) {
        self.index.scatter(self.rounds.weights(), &mut self.answers);
        self.before.copy_from_slice(self.rounds.weights());
    }

    /// All weights have changed by a common factor, and those of some rows by more.
    fn answer_moved(&mut self, moved: &[u32], common: f64) {
        let weights = self.rounds.weights();
        self.answers.iter_mut().for_each(|answer| *answer *= common);
        let rows = moved.iter().map(|row| *row as usize);
        let by: Vec<(usize, f64)> = rows.map(|row| (row, weights[row] - common * self.before[row])).collect();
        for marginal in self.index.marginals() {
            let (answers, of_row) = (&mut self.answers[marginal.cells.clone()], &marginal.of_row);
            by.iter().for_each(|(row, by)| answers[of_row[*row] as usize] += by);
        }
        self.before.copy_from_slice(weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::measurement::Law;
    use crate::seed::Seed;
    use marginalia_tables::query::{Matrix, Query};
    use marginalia_tables::{Codes, Domain};

    #[test]
    fn answers_of_moved_rows_are_those_of_all() {
        let (sizes, rows) = ([3u32, 7, 5, 4], 1500);
        let domain = Domain::new(sizes);
        let mut random = Seed::new(7);
        let columns = sizes.map(|size| {
            let mut column = Codes::new(size as usize);
            let codes: Vec<u16> = (0..rows).map(|_| random.below(u64::from(size)) as u16).collect();
            column.extend(&codes).unwrap();
            column
        });
        let base = Arc::new(Base::new(domain.clone(), columns.to_vec(), None).unwrap());
        let cliques = [vec![0, 1, 2], vec![1, 2, 3], vec![0, 2, 3], vec![0, 1, 3], vec![]];
        let workload = Workload::from_cliques(domain.clone(), &cliques).unwrap();
        for rule in [Rule::Newest, Rule::Recycled, Rule::Projected] {
            let begun = Iterate::begin(Arc::clone(&base), &workload, (rule, 3, 1), u64::MAX).unwrap();
            let mut iterate = begun.complete().unwrap();
            let (mut few, mut drift) = (0, 0.0f64);
            for round in 0..200 {
                let clique = &cliques[round % 4];
                let cells = domain.cells(clique).unwrap() as usize;
                let cell = random.below(cells as u64) as usize;
                let query = Query::Linear(Matrix::ranges(cells, &[(cell, cell)]).unwrap());
                let answers = vec![200.0 * random.uniform()];
                let one =
                    Measured { clique: clique.clone(), query, answers, variance: 1.0, law: Law::Gaussian };
                iterate.meet(&one, 1500.0).unwrap();
                let mut all = vec![0.0; iterate.index.cells()];
                iterate.index.scatter(iterate.rounds.weights(), &mut all);
                few += usize::from(all != iterate.answers);
                drift = all.iter().zip(&iterate.answers).map(|(a, b)| (a - b).abs()).fold(drift, f64::max);
            }
            // Where cells of rows are not kept, all are gone through.
            let begun = Iterate::begin(Arc::clone(&base), &workload, (rule, 3, 1), 10_000).unwrap();
            let mut other = begun.complete().unwrap();
            assert!(other.index.marginals().iter().any(|marginal| marginal.of_row.is_empty()));
            let query = Query::Identity;
            let answers = vec![20.0; 60];
            let one = Measured { clique: vec![0, 2, 3], query, answers, variance: 1.0, law: Law::Gaussian };
            other.meet(&one, 1500.0).unwrap();
            assert!((other.answers()[other.answers().len() - 1] - 1.0).abs() < 1e-12);
            // Most rounds take the short way, and none is off by more than rounding.
            assert!(few > 20 && drift < 1e-13, "{rule:?} {few} {drift}");
            let places = iterate.places(&workload);
            assert!(places.windows(2).all(|two| two[0] < two[1]) && places.len() == iterate.answers().len());
            assert!((iterate.answers()[places.len() - 1] - 1.0).abs() < 1e-12);
        }
    }
}
