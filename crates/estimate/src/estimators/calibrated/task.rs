//! Calibrated estimation in the form that designing a workload and pooling a prior ask for.

use super::newton::{Options, solve};
use super::problem::Problem;
use crate::job::Steps;
use crate::models::support::{Base, Index};
use crate::vector::filled;
use marginalia_tables::{Error, Result, Table};
use std::sync::Arc;

/// Noisy answers on the supported cells of an index, and a prior to move towards them.
#[derive(Debug, Clone)]
pub struct Task {
    /// The rows.
    pub rows: Arc<Table>,
    /// The weight of each row before, not negative; their sum does not matter, and a row of weight 0 keeps it.
    pub prior: Vec<f64>,
    /// The answered cliques over these rows, and their supported cells.
    pub index: Arc<Index>,
    /// The answer of each supported cell, in records.
    pub answers: Vec<f64>,
    /// The variance of each answer, in records².
    pub variances: Vec<f64>,
    /// The number of records.
    pub total: f64,
    /// How many records the prior is worth.
    pub strength: f64,
}

impl Task {
    /// The weights of the rows that this leads to, with sum 1.
    pub fn weights(self, options: Options) -> Steps<Vec<f64>> {
        Steps::new(|pace| async move {
            let (problem, prior) = self.problem()?;
            let kept = solve(&problem, &options, &pace).await?.model.into_weights()?;
            let mut weights = filled(0.0, prior.len())?;
            let positive = prior.iter().zip(&mut weights).filter(|(prior, _)| **prior > 0.0);
            positive.zip(kept).for_each(|((_, weight), kept)| *weight = kept);
            Ok(weights)
        })
    }

    /// The problem on the rows that the prior gives weight to, and the prior.
    fn problem(self) -> Result<(Problem, Vec<f64>)> {
        let Self { rows, prior, index, answers, variances, total, strength } = self;
        let base = Arc::new(Base::new(rows.domain(), rows.columns().to_vec(), Some(&prior))?);
        let (index, cells) = if base.dropped() == 0 {
            let all = (0..index.cells()).collect();
            (index, all)
        } else {
            supported(&base, &index)?
        };
        let y = cells.iter().map(|cell| answers[*cell] / total).collect();
        let lambda = cells.iter().map(|cell| total * total / (variances[*cell] * strength)).collect();
        Ok((Problem { base, index, y, lambda, outside: Vec::new(), total }, prior))
    }
}

/// The index over the rows that the prior gives weight to, and which of the cells of the index over all rows each of
/// its cells is.
fn supported(base: &Base, all: &Index) -> Result<(Arc<Index>, Vec<usize>)> {
    let cliques: Vec<&[u16]> = all.marginals().iter().map(|marginal| marginal.clique.as_slice()).collect();
    let index = Index::new(base.domain(), base.columns(), &cliques)?;
    let mut cells = Vec::new();
    cells.try_reserve_exact(index.cells()).map_err(|_| Error::out_of_memory(8 * index.cells()))?;
    for (kept, marginal) in index.marginals().iter().zip(all.marginals()) {
        let mut at = 0;
        for place in &kept.places {
            at += marginal.places[at..].partition_point(|other| other < place);
            cells.push(marginal.cells.start + at);
        }
    }
    Ok((Arc::new(index), cells))
}
