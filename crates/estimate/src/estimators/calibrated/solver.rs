//! Calibrated estimation in the form that designing a workload and pooling a prior ask for.

use super::{Calibrated, Options, Problem};
use crate::fit::{Fitting, Solver, Task, filled};
use crate::models::support::{Base, Index};
use marginalia_tables::{Error, Result};
use std::sync::Arc;

/// Calibrated estimation to a relative gap, in at most so many passes. What it has by then is the estimate, because
/// nobody releases it.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// The relative gap.
    pub tolerance: f64,
    /// The most passes over all rows and marginals.
    pub passes: u64,
}

impl Solver for Gap {
    fn begin(&self, task: Task) -> Result<Box<dyn Fitting>> {
        let Task { rows, prior, index, answers, variances, total, strength } = task;
        let base = Arc::new(Base::new(rows.domain(), rows.columns().to_vec(), Some(&prior))?);
        let (index, cells) = if base.dropped() == 0 {
            let all = (0..index.cells()).collect();
            (index, all)
        } else {
            supported(&base, &index)?
        };
        let y = cells.iter().map(|cell| answers[*cell] / total).collect();
        let lambda = cells.iter().map(|cell| total * total / (variances[*cell] * strength)).collect();
        let problem = Problem { base, index, y, lambda, outside: Vec::new(), total };
        let options = Options { tolerance: self.tolerance, passes: self.passes, ..Options::default() };
        Ok(Box::new(Fit { job: Calibrated::new(Arc::new(problem), options)?, prior }))
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

#[derive(Debug)]
struct Fit {
    job: Calibrated,
    prior: Vec<f64>,
}

impl Fitting for Fit {
    fn step(&mut self, work: u64) -> Result<bool> {
        self.job.step(work)
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<f64>> {
        while !self.job.step(u64::MAX)? {}
        let kept = self.job.finish()?.model.into_weights()?;
        let mut weights = filled(0.0, self.prior.len())?;
        let positive = self.prior.iter().zip(&mut weights).filter(|(prior, _)| **prior > 0.0);
        positive.zip(kept).for_each(|((_, weight), kept)| *weight = kept);
        Ok(weights)
    }
}
