//! Long computations in steps: written as one function that says how much work it has done, carried out piece by
//! piece by whoever holds it.

use crate::support::awake;
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
    done: AtomicU64,
    until: AtomicU64,
}

impl Pace {
    /// `work` units were done; one is about a nanosecond's work, such as a row visited in one marginal. To be
    /// awaited wherever more than 50 ms might pass otherwise.
    pub async fn did(&self, work: usize) {
        let done = self.0.done.fetch_add(work as u64, Relaxed) + work as u64;
        if done >= self.0.until.load(Relaxed) {
            let mut paused = false;
            poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending })
                .await;
        }
    }
}

/// A computation that is under way, or its result.
pub struct Steps<T> {
    pace: Pace,
    state: State<T>,
}

enum State<T> {
    Running(Pin<Box<dyn Future<Output = T> + Send>>),
    Finished(T),
}

impl<T> Steps<T> {
    /// The computation that `begin` describes, which counts its work by the pace it is given.
    pub fn new<F: Future<Output = T> + Send + 'static>(begin: impl FnOnce(Pace) -> F) -> Self {
        let pace = Pace::default();
        Self { state: State::Running(Box::pin(begin(pace.clone()))), pace }
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: u64) -> bool {
        self.pace.0.until.store(self.done().saturating_add(work.max(1)), Relaxed);
        if let State::Running(computation) = &mut self.state {
            match awake(|| computation.as_mut().poll(&mut Context::from_waker(Waker::noop()))) {
                Poll::Ready(result) => self.state = State::Finished(result),
                Poll::Pending => return false,
            }
        }
        true
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.pace.0.done.load(Relaxed)
    }

    /// The result so far: none before the last step.
    pub fn result(&self) -> Option<&T> {
        match &self.state {
            State::Running(_) => None,
            State::Finished(result) => Some(result),
        }
    }

    /// Does what is left and gives the result.
    pub fn finish(mut self) -> T {
        loop {
            self.step(u64::MAX);
            if let State::Finished(result) = self.state {
                return result;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts to `n`, ten units of work each.
    fn counting(n: u64) -> Steps<u64> {
        Steps::new(move |pace| async move {
            let mut count = 0;
            while count < n {
                count += 1;
                pace.did(10).await;
            }
            count
        })
    }

    #[test]
    fn a_step_ends_when_its_work_is_done() {
        let mut steps = counting(7);
        assert!(!steps.step(25));
        assert_eq!((steps.done(), steps.result()), (30, None));
        assert!(!steps.step(0));
        assert_eq!(steps.done(), 40);
        assert!(steps.step(u64::MAX));
        assert_eq!((steps.done(), steps.result()), (70, Some(&7)));
        assert!(steps.step(1));
        assert_eq!(steps.finish(), 7);
    }

    #[test]
    fn finishing_does_what_is_left() {
        assert_eq!(counting(0).finish(), 0);
        let mut steps = counting(5);
        steps.step(1);
        assert_eq!(steps.finish(), 5);
    }
}
