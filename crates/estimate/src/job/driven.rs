//! A job that is written step by step, as one of this crate's.

use super::{Job, Progress};
use marginalia_tables::{Error, Result};

/// How a job is driven: one step, what is done of what, and its outcome.
pub(crate) struct Driver<J, T> {
    /// Does about so many units; true at the end.
    pub step: fn(&mut J, u64) -> Result<bool>,
    /// What is done, of the total.
    pub done: fn(&J) -> (u64, u64),
    /// Does what is left.
    pub finish: fn(J) -> Result<T>,
}

/// A job and its driver.
pub(crate) struct Driven<J, T> {
    job: J,
    driver: Driver<J, T>,
    failed: Option<Error>,
    work: u64,
}

impl<J, T> Driven<J, T> {
    /// A job that has done nothing yet.
    pub fn new(job: J, driver: Driver<J, T>) -> Self {
        Self { job, driver, failed: None, work: 0 }
    }
}

impl<J, T> Job for Driven<J, T> {
    type Output = T;

    fn step(&mut self, work: u64) -> Progress {
        let over = self.failed.is_some()
            || match (self.driver.step)(&mut self.job, work) {
                Ok(over) => over,
                Err(error) => {
                    self.failed = Some(error);
                    true
                }
            };
        self.work = self.work.saturating_add(work);
        let (done, total) = (self.driver.done)(&self.job);
        Progress { work: self.work, done, total, over }
    }

    fn finish(self: Box<Self>) -> Result<T> {
        match self.failed {
            Some(error) => Err(error),
            None => (self.driver.finish)(self.job),
        }
    }
}
