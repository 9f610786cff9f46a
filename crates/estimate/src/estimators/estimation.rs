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

    /// The same of one that may ask something outside of this crate.
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
        self.outside.solver.lock().question.take()
    }

    /// What that solver found; nothing where it failed.
    pub fn resume(&mut self, found: Option<Exact>) {
        self.outside.solver.lock().answer = Some(found);
    }

    /// Counts of which the caller's own loss is asked, once; nothing is done until it is told.
    pub fn counts(&mut self) -> Option<Vec<f64>> {
        self.outside.loss.lock().question.take()
    }

    /// That loss, and its gradient.
    pub fn evaluated(&mut self, loss: f64, gradient: Vec<f64>) {
        self.outside.loss.lock().answer = Some(Some((loss, gradient)));
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

/// What an estimation may ask whoever holds it: to solve a problem, or for a loss and its gradient at counts.
#[derive(Debug, Clone, Default)]
pub(super) struct Outside {
    solver: Exchange<Small, Exact>,
    loss: Exchange<Vec<f64>, (f64, Vec<f64>)>,
}

impl Outside {
    /// What a solver finds; nothing where it fails, or all is finished before it answers.
    pub async fn solve(&self, problem: Small, pace: &Pace) -> Result<Option<Exact>> {
        self.solver.ask(problem, pace).await
    }

    /// The loss and its gradient; nothing where all is finished before.
    pub async fn evaluate(&self, counts: Vec<f64>, pace: &Pace) -> Result<Option<(f64, Vec<f64>)>> {
        self.loss.ask(counts, pace).await
    }
}

/// A question to outside of this crate, and its answer.
#[derive(Debug)]
struct Exchange<Q, A>(Arc<Mutex<Turn<Q, A>>>);

#[derive(Debug)]
struct Turn<Q, A> {
    question: Option<Q>,
    answer: Option<Option<A>>,
}

impl<Q, A> Default for Exchange<Q, A> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Turn { question: None, answer: None })))
    }
}

impl<Q, A> Clone for Exchange<Q, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Q, A> Exchange<Q, A> {
    fn lock(&self) -> MutexGuard<'_, Turn<Q, A>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, question: Q, pace: &Pace) -> Result<Option<A>> {
        self.lock().question = Some(question);
        let answer = async {
            loop {
                if let Some(answer) = take(&mut self.lock().answer) {
                    return Ok(answer);
                }
                pace.rest().await;
            }
        };
        Ok(pace.unless_stopped(answer).await?.flatten())
    }
}
