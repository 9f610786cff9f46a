//! Computations side by side.

use super::{Job, Progress, Steps};
#[cfg(feature = "threads")]
use crate::par::alone;
use marginalia_tables::Result;
#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Computations that go on side by side where there are threads, and else in turns. What they do must not depend on how
/// far the others are but by waiting ([`Pace::rest`](super::Pace::rest)) until these have done something. With one lane, threads share
/// the rows of a pass; with several, each thread has a lane of its own, never both.
pub struct Lanes {
    lanes: Vec<Steps<()>>,
}

impl Lanes {
    /// At least one lane, each made by its number.
    pub fn new(count: usize, lane: impl FnMut(usize) -> Steps<()>) -> Self {
        Self { lanes: (0..count.max(1)).map(lane).collect() }
    }
}

impl Job for Lanes {
    type Output = ();

    /// Does about `work` units in each lane. One that fails ends all.
    fn step(&mut self, work: u64) -> Progress {
        let each = |lane: &mut Steps<()>| lane.step(work);
        #[cfg(feature = "threads")]
        let lanes: Vec<Progress> = match self.lanes.len() {
            1 => self.lanes.iter_mut().map(each).collect(),
            _ => self.lanes.par_iter_mut().map(|lane| alone(|| each(lane))).collect(),
        };
        #[cfg(not(feature = "threads"))]
        let lanes: Vec<Progress> = self.lanes.iter_mut().map(each).collect();
        let work = lanes.iter().map(|lane| lane.work).sum();
        let failed = self.lanes.iter().any(|lane| matches!(lane.outcome(), Some(Err(_))));
        Progress { work, done: work, total: 0, over: failed || lanes.iter().all(|lane| lane.over) }
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.lanes.into_iter().filter_map(|lane| lane.outcome().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use marginalia_tables::{Code, Error};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    /// Numbers below `n`, shared among so many lanes; one may fail.
    fn counting(n: usize, count: usize, fails: Option<usize>) -> (Lanes, Arc<AtomicUsize>) {
        let (next, sum) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let all = Arc::clone(&sum);
        let lanes = Lanes::new(count, move |_| {
            let (next, sum) = (Arc::clone(&next), Arc::clone(&all));
            Steps::new(move |pace| async move {
                loop {
                    match next.fetch_add(1, SeqCst) {
                        one if Some(one) == fails => return Err(Error::new(Code::OptionInvalid, "no")),
                        one if one < n => drop(sum.fetch_add(one, SeqCst)),
                        _ => return Ok(()),
                    }
                    pace.did(10).await;
                }
            })
        });
        (lanes, sum)
    }

    #[test]
    fn lanes_share_what_there_is_to_do() {
        for count in [0, 1, 2, 5] {
            let (mut lanes, sum) = counting(100, count, None);
            let first = lanes.step(25);
            assert_eq!((first.work, first.over), (30 * count.max(1) as u64, false));
            assert_eq!(lanes.complete(), Ok(()));
            assert_eq!(sum.load(SeqCst), 99 * 50);
        }
    }

    #[test]
    fn one_that_fails_ends_all() {
        for count in [1, 3] {
            let (mut lanes, _) = counting(1000, count, Some(7));
            while !lanes.step(25).over {}
            assert!(lanes.complete().is_err());
        }
    }
}
