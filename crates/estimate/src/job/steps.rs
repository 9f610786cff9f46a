//! A computation that is written as one function, and counts its work.

use super::{Job, Progress};
use crate::par::awake;
use marginalia_tables::Result;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};

/// Counts the work of a computation, and interrupts it where its step ends.
#[derive(Debug, Clone, Default)]
pub struct Pace(Arc<Clock>);

#[derive(Debug, Default)]
struct Clock {
    work: AtomicU64,
    until: AtomicU64,
    /// What is shown in the place of work, where its total is not 0.
    done: AtomicU64,
    total: AtomicU64,
}

impl Pace {
    /// `work` units were done. To be awaited wherever more than 50 ms might pass otherwise.
    pub async fn did(&self, work: usize) {
        let work = self.0.work.fetch_add(work as u64, Relaxed) + work as u64;
        if work >= self.0.until.load(Relaxed) {
            self.rest().await;
        }
    }

    /// Ends the step, for nothing can be done before others have done something.
    pub async fn rest(&self) {
        let mut rested = false;
        poll_fn(|_| if std::mem::replace(&mut rested, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Shows that so much is done of so much, in the place of units of work.
    pub fn show(&self, done: usize, total: usize) {
        self.0.done.store(done as u64, Relaxed);
        self.0.total.store(total as u64, Relaxed);
    }

    /// Carries out a job that is written in another way, at this pace.
    pub async fn run<J: Job>(&self, mut job: J) -> Result<J::Output> {
        let mut before = 0;
        loop {
            let left = self.0.until.load(Relaxed).saturating_sub(self.0.work.load(Relaxed));
            let Progress { work, over, .. } = job.step(left.max(1));
            // What did no work would never end the step.
            self.did(work.saturating_sub(before).max(1) as usize).await;
            before = work;
            if over {
                return Box::new(job).finish();
            }
        }
    }

    fn work(&self) -> u64 {
        self.0.work.load(Relaxed)
    }
}

/// A computation that is under way, or its outcome.
pub struct Steps<T> {
    pace: Pace,
    state: State<T>,
    awake: bool,
}

enum State<T> {
    Running(Pin<Box<dyn Future<Output = Result<T>> + Send>>),
    Finished(Result<T>),
}

impl<T> Steps<T> {
    /// The computation that `begin` describes, which counts its work by the pace it is given.
    pub fn new<F: Future<Output = Result<T>> + Send + 'static>(begin: impl FnOnce(Pace) -> F) -> Self {
        let pace = Pace::default();
        Self { state: State::Running(Box::pin(begin(pace.clone()))), pace, awake: false }
    }

    /// For a computation of short passes over rows, which threads share: keeps them from sleeping between passes.
    pub fn awake(self) -> Self {
        Self { awake: true, ..self }
    }

    /// The outcome, once there is one.
    pub fn outcome(&self) -> Option<&Result<T>> {
        match &self.state {
            State::Running(_) => None,
            State::Finished(outcome) => Some(outcome),
        }
    }
}

impl<T> Job for Steps<T> {
    type Output = T;

    fn step(&mut self, work: u64) -> Progress {
        self.pace.0.until.store(self.pace.work().saturating_add(work.max(1)), Relaxed);
        if let State::Running(computation) = &mut self.state {
            let mut poll = || computation.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(outcome) = if self.awake { awake(&mut poll) } else { poll() } {
                self.state = State::Finished(outcome);
            }
        }
        let (work, over) = (self.pace.work(), matches!(self.state, State::Finished(_)));
        match self.pace.0.total.load(Relaxed) {
            0 => Progress { work, done: work, total: 0, over },
            total => Progress { work, done: self.pace.0.done.load(Relaxed), total, over },
        }
    }

    /// Does what is left.
    fn finish(mut self: Box<Self>) -> Result<T> {
        loop {
            self.step(u64::MAX);
            if let State::Finished(outcome) = self.state {
                return outcome;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use marginalia_tables::{Code, Error};

    /// Counts to `n`, ten units of work each.
    fn counting(n: usize) -> Steps<usize> {
        Steps::new(move |pace| async move {
            for count in 0..n {
                pace.show(count, n);
                pace.did(10).await;
            }
            Ok(n)
        })
    }

    fn progress(work: u64, done: u64, total: u64, over: bool) -> Progress {
        Progress { work, done, total, over }
    }

    #[test]
    fn a_step_ends_when_its_work_is_done() {
        let mut job = counting(7);
        assert_eq!(job.step(25), progress(30, 2, 7, false));
        assert_eq!(job.step(0), progress(40, 3, 7, false));
        assert!(job.outcome().is_none());
        assert_eq!(job.step(u64::MAX), progress(70, 6, 7, true));
        assert_eq!(job.outcome(), Some(&Ok(7)));
        assert!(job.step(1).over);
        assert_eq!(job.complete(), Ok(7));
    }

    #[test]
    fn finishing_does_what_is_left() {
        assert_eq!(counting(0).complete(), Ok(0));
        let mut job = counting(5);
        job.step(1);
        assert_eq!(job.complete(), Ok(5));
    }

    #[test]
    fn a_job_within_another_goes_at_its_pace() {
        let mut outer = Steps::new(|pace| async move {
            let first = pace.run(counting(3)).await?;
            pace.did(5).await;
            Ok(first + pace.run(counting(2)).await?)
        });
        assert_eq!(outer.step(12), progress(20, 20, 0, false));
        assert_eq!(outer.step(12), progress(35, 35, 0, false));
        assert!(outer.step(u64::MAX).over);
        assert_eq!(outer.complete(), Ok(5));
    }

    #[test]
    fn a_failure_ends_it_and_is_told_at_the_end() {
        let failure = || Error::new(Code::OptionInvalid, "no");
        let mut job: Steps<()> = Steps::new(|pace| async move {
            pace.did(3).await;
            Err(failure())
        });
        assert!(!job.step(1).over);
        assert!(job.step(1).over && job.step(1).over);
        assert_eq!(job.complete(), Err(failure()));
    }

    #[test]
    fn a_rest_ends_the_step() {
        let mut job = Steps::new(|pace| async move {
            pace.rest().await;
            Ok(())
        });
        assert!(!job.step(u64::MAX).over);
        assert!(job.step(u64::MAX).over);
    }
}
