//! What estimations on rows do first: find the cell of every row.

use super::{Estimate, Estimation, Exact, Request, Small, invalid};
use crate::job::{Job, Progress, Steps};
use crate::models::support::Index;
use marginalia_tables::{Error, Result};
use std::sync::Arc;

type Begin = Box<dyn FnOnce(Arc<Index>) -> Result<Box<dyn Estimation>> + Send>;

/// The making of an index, and then an estimation on it.
pub(super) struct Indexed {
    stage: Stage,
    /// Units of the index.
    before: u64,
}

enum Stage {
    Index(Box<Steps<Arc<Index>>>, Begin),
    Estimation(Box<dyn Estimation>),
    Failed(Error),
}

impl Indexed {
    /// Begins with the index of the measured cliques, unless that is shared.
    pub fn begin(
        request: &Request,
        begin: impl FnOnce(Arc<Index>) -> Result<Box<dyn Estimation>> + Send + 'static,
    ) -> Result<Box<dyn Estimation>> {
        if let Some(shared) = &request.shared {
            return begin(Arc::clone(&shared.index));
        }
        let cliques = request.measurements.iter().map(|one| one.clique.clone()).collect();
        let job = Index::over(request.rows()?, cliques, request.limit)?;
        Ok(Box::new(Self { stage: Stage::Index(Box::new(job), Box::new(begin)), before: 0 }))
    }

    fn index(&mut self, work: u64) -> Result<Progress> {
        let Stage::Index(job, _) = &mut self.stage else { return Ok(Progress::default()) };
        let Progress { work: done, over, .. } = job.step(work);
        if over {
            let failed = Stage::Failed(invalid("the estimation failed: there is no model"));
            if let Stage::Index(job, begin) = std::mem::replace(&mut self.stage, failed) {
                self.before = done;
                self.stage = Stage::Estimation(begin(job.complete()?)?);
            }
        }
        Ok(Progress { work: done, done, total: 0, over: false })
    }
}

impl Job for Indexed {
    type Output = Estimate;

    fn step(&mut self, work: u64) -> Progress {
        match &mut self.stage {
            Stage::Index(..) => self.index(work).unwrap_or_else(|error| {
                self.stage = Stage::Failed(error);
                Progress { over: true, ..Progress::default() }
            }),
            Stage::Estimation(job) => {
                let now = job.step(work);
                Progress { work: self.before + now.work, done: self.before + now.done, ..now }
            }
            Stage::Failed(_) => Progress { over: true, ..Progress::default() },
        }
    }

    fn finish(self: Box<Self>) -> Result<Estimate> {
        match self.stage {
            Stage::Index(..) => Err(invalid("the estimation has not begun: there is no model yet")),
            Stage::Estimation(job) => job.finish(),
            Stage::Failed(error) => Err(error),
        }
    }
}

impl Estimation for Indexed {
    fn judgements(&self) -> usize {
        match &self.stage {
            Stage::Estimation(job) => job.judgements(),
            _ => 0,
        }
    }

    fn outside(&mut self) -> Option<Small> {
        match &mut self.stage {
            Stage::Estimation(job) => job.outside(),
            _ => None,
        }
    }

    fn answered(&mut self, found: Option<Exact>) {
        if let Stage::Estimation(job) = &mut self.stage {
            job.answered(found);
        }
    }
}
