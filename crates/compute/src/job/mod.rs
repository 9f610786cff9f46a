//! Long computations, carried out piece by piece by whoever holds them, who can show how far they are, stop them and
//! have several side by side. Most are written as one `async` function that says how much work it has done ([`Steps`]).

mod lanes;
mod steps;

pub use lanes::Lanes;
pub use steps::{Pace, Rest, Steps};

pub use crate::par::threads;
use marginalia_tables::Result;

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Units of work so far; one is about a nanosecond's work, such as a row visited in one marginal.
    pub work: u64,
    /// What is done, of `total`: units of work, or whatever tells people more, such as groups.
    pub done: u64,
    /// What there is to do; 0 where nobody knows.
    pub total: u64,
    /// Whether nothing is left to do; the job may have failed.
    pub over: bool,
}

/// A computation in the making.
pub trait Job {
    /// What comes of it.
    type Output;

    /// Does about `work` units.
    fn step(&mut self, work: u64) -> Progress;

    /// The outcome. A job that was stopped before its end gives the best that it has so far, or does what is left where
    /// half of it is no use.
    fn finish(self: Box<Self>) -> Result<Self::Output>;

    /// Does all that is left.
    fn complete(mut self) -> Result<Self::Output>
    where
        Self: Sized,
    {
        while !self.step(u64::MAX).over {}
        Box::new(self).finish()
    }
}

/// A job of which only the outcome is of interest.
pub type Boxed<T> = Box<dyn Job<Output = T> + Send>;

impl<J: Job + ?Sized> Job for Box<J> {
    type Output = J::Output;

    fn step(&mut self, work: u64) -> Progress {
        (**self).step(work)
    }

    fn finish(self: Box<Self>) -> Result<J::Output> {
        (*self).finish()
    }
}
