//! What all estimations do first: find the cell of every row.

use crate::models::support::{Base, Index, IndexJob};
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// A job that goes on in steps.
pub(super) trait Job {
    /// Does about `work` units; true at the end.
    fn step(&mut self, work: u64) -> Result<bool>;

    /// The units done.
    fn done(&self) -> u64;
}

/// The making of an index, and then a job on it.
pub(super) struct Staged<J> {
    stage: Stage<J>,
    /// Units of the index.
    before: u64,
    over: bool,
}

enum Stage<J> {
    Index(Box<IndexJob>),
    Job(J),
    Failed,
}

impl<J: Job> Staged<J> {
    /// Begins with the index of cliques, which keeps cells of rows in at most `limit` bytes.
    pub fn new(base: Arc<Base>, cliques: Vec<Vec<u16>>, limit: u64) -> Result<Self> {
        let stage = Stage::Index(Box::new(IndexJob::new(base, cliques, limit)?));
        Ok(Self { stage, before: 0, over: false })
    }

    /// Does about `work` units, and begins the job when the index is there; true at the end.
    pub fn step(&mut self, work: u64, begin: impl FnOnce(Arc<Index>) -> Result<J>) -> Result<bool> {
        match &mut self.stage {
            Stage::Index(job) => {
                if job.step(work)? {
                    self.before = job.done();
                    if let Stage::Index(job) = std::mem::replace(&mut self.stage, Stage::Failed) {
                        self.stage = Stage::Job(begin(job.finish()?)?);
                    }
                }
            }
            Stage::Job(job) => self.over = job.step(work)?,
            Stage::Failed => return Err(failed()),
        }
        Ok(self.over)
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        match &self.stage {
            Stage::Index(job) => job.done(),
            Stage::Job(job) => self.before + job.done(),
            Stage::Failed => self.before,
        }
    }

    /// The job, once there is one.
    pub fn job(&self) -> Option<&J> {
        match &self.stage {
            Stage::Job(job) => Some(job),
            _ => None,
        }
    }

    /// The job as it is, and whether it came to its end.
    pub fn into_job(self) -> Result<(J, bool)> {
        match self.stage {
            Stage::Job(job) => Ok((job, self.over)),
            _ => Err(failed()),
        }
    }
}

fn failed() -> Error {
    Error::new(Code::OptionInvalid, "the estimation has not begun, or it failed: there is no model yet")
}
