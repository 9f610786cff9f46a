//! Iterative estimation from the index to the model.

use super::stage::{Job, Staged};
use super::{Estimate, Judgement, Missing, Status};
use crate::estimators::iterative::{self, Answered, Iterative, Options};
use crate::models::support::Model;
use crate::total::Total;
use marginalia_tables::Result;
use marginalia_tables::query::Query;
use std::sync::Arc;

/// Noisy answers about the cells of a clique.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The attributes.
    pub clique: Vec<u16>,
    /// Queries of which every record is counted by one at most.
    pub query: Query,
    /// Their answers, in records.
    pub answers: Vec<f64>,
}

/// An iterative estimation in the making.
pub struct Iteration {
    staged: Staged<Iterative>,
    /// Until the index is there.
    workloads: Vec<Answered>,
    start: Arc<Model>,
    total: Total,
    options: Options,
}

impl Job for Iterative {
    fn step(&mut self, work: u64) -> Result<bool> {
        Iterative::step(self, work)
    }

    fn done(&self) -> u64 {
        Iterative::done(self)
    }
}

impl Iteration {
    /// An estimation that has done nothing yet, from a model, which may be the prior itself. The cells of rows
    /// are kept in at most `limit` bytes.
    pub fn new(
        start: Arc<Model>,
        asked: &[Asked],
        total: Total,
        options: Options,
        limit: u64,
    ) -> Result<Self> {
        let base = start.base();
        let answered = |asked: &Asked| {
            let cells = base.cells(&asked.clique)? as usize;
            Answered::new(&asked.clique, cells, &asked.query, &asked.answers, total.records())
        };
        let workloads = asked.iter().map(answered).collect::<Result<Vec<_>>>()?;
        let cliques = asked.iter().map(|one| one.clique.clone()).collect();
        let staged = Staged::new(Arc::clone(base), cliques, limit)?;
        Ok(Self { staged, workloads, start, total, options })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let Self { staged, workloads, start, total, options } = self;
        staged.step(work, |index| {
            let (base, workloads) = (Arc::clone(start.base()), std::mem::take(workloads));
            Iterative::from(base, index, workloads, total.records(), options.clone(), start.copied()?)
        })
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.staged.done()
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.staged.job().map_or(0, Iterative::judgements)
    }

    /// The model as it is, once the cells of rows are known.
    pub fn finish(self) -> Result<Estimate> {
        let (job, over) = self.staged.into_job()?;
        let solution = job.finish()?;
        let records = self.total.records();
        let status = match solution.status {
            iterative::Status::Converged => Status::Converged,
            iterative::Status::Limit if over => Status::Limit,
            iterative::Status::Limit => Status::Stopped,
        };
        let missing = |(answers, sum): &(usize, f64)| Missing { answers: *answers, records: sum * records };
        Ok(Estimate {
            model: solution.model,
            status,
            certificate: None,
            trace: solution.trace.iter().map(judgement).collect(),
            total: self.total,
            strength: None,
            consistency: None,
            flatness: None,
            missing: solution.outside.iter().map(missing).collect(),
        })
    }
}

fn judgement(step: &iterative::Step) -> Judgement {
    Judgement { at: step.steps as f64, value: step.loss, gap: f64::NAN, entropy: step.entropy }
}
