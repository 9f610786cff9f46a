//! An estimate in the making.

use super::{Estimate, Exact, Small};
use crate::job::{Job, Pace, Progress, Steps};
use marginalia_tables::Result;
use std::future::Future;
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An estimate in the making. Finished early, it gives the best model so far.
pub struct Estimation {
    steps: Steps<Estimate>,
    outside: Outside,
}

impl Estimation {
    /// The estimation that `begin` describes.
    pub fn new<F>(begin: impl FnOnce(Pace) -> F) -> Self
    where
        F: Future<Output = Result<Estimate>> + Send + 'static,
    {
        Self::with_outside(|pace, _| begin(pace))
    }

    /// The same of one that may ask a solver outside of this crate.
    pub(super) fn with_outside<F>(begin: impl FnOnce(Pace, Outside) -> F) -> Self
    where
        F: Future<Output = Result<Estimate>> + Send + 'static,
    {
        let outside = Outside::default();
        Self { steps: Steps::new(|pace| begin(pace, outside.clone())), outside }
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.steps.judgements()
    }

    /// A problem that a solver outside of this crate shall solve, once; nothing is done until it has answered.
    pub fn outside(&mut self) -> Option<Small> {
        self.outside.lock().problem.take()
    }

    /// What that solver found; nothing where it failed.
    pub fn resume(&mut self, found: Option<Exact>) {
        self.outside.lock().found = Some(found);
    }
}

impl Job for Estimation {
    type Output = Estimate;

    fn step(&mut self, work: u64) -> Progress {
        self.steps.step(work)
    }

    fn finish(self: Box<Self>) -> Result<Estimate> {
        Box::new(self.steps).finish()
    }
}

/// A solver outside of this crate.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside(Arc<Mutex<Exchange>>);

#[derive(Debug, Default)]
struct Exchange {
    problem: Option<Small>,
    found: Option<Option<Exact>>,
}

impl Outside {
    fn lock(&self) -> MutexGuard<'_, Exchange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it finds; nothing where it fails, or all is finished before it answers.
    pub async fn solve(&self, problem: Small, pace: &Pace) -> Result<Option<Exact>> {
        self.lock().problem = Some(problem);
        let answer = async {
            loop {
                if let Some(found) = take(&mut self.lock().found) {
                    return Ok(found);
                }
                pace.rest().await;
            }
        };
        Ok(pace.unless_stopped(answer).await?.flatten())
    }
}
