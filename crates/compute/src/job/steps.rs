//! A computation that is written as one function, and counts its work.

use super::{Job, Progress};
use crate::par::awake;
use marginalia_tables::Result;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};

/// Counts the work of a computation, and interrupts it where its step ends.
#[derive(Debug, Clone, Default)]
pub struct Pace {
    clock: Arc<Clock>,
    shown: Shown,
}

#[derive(Debug, Default)]
struct Clock {
    work: AtomicU64,
    until: AtomicU64,
    /// What is shown in the place of work, where its total is not 0.
    done: AtomicU64,
    total: AtomicU64,
    judgements: AtomicUsize,
    awake: AtomicBool,
    stopped: AtomicBool,
}

/// What becomes of what a part of a computation shows.
#[derive(Debug, Clone, Copy, Default)]
enum Shown {
    #[default]
    All,
    /// It is so many of the thousandths of all, after so many.
    Part(u64, u64),
    Nothing,
}

impl Pace {
    // In one place: every loop would have a copy of it.
    /// `work` units were done. To be awaited wherever more than 50 ms might pass otherwise.
    #[inline(never)]
    pub fn did(&self, work: usize) -> Rest {
        let work = self.clock.work.fetch_add(work as u64, Relaxed) + work as u64;
        Rest(work >= self.clock.until.load(Relaxed))
    }

    /// Ends the step, for nothing can be done before others have done something.
    pub fn rest(&self) -> Rest {
        Rest(true)
    }

    /// Shows that so much is done of so much, in the place of units of work.
    #[inline(never)]
    pub fn show(&self, done: usize, total: usize) {
        let (done, total) = match (self.shown, done as u64, total as u64) {
            (Shown::All, done, total) => (done, total),
            (Shown::Part(from, width), done, total) => {
                (from + width * done.min(total) / total.max(1), THOUSANDTHS)
            }
            (Shown::Nothing, ..) => return,
        };
        self.clock.done.store(done, Relaxed);
        self.clock.total.store(total, Relaxed);
    }

    /// Counts a judgement of what is found so far, in a part that shows what it does.
    pub fn judged(&self) {
        if !matches!(self.shown, Shown::Nothing) {
            self.clock.judgements.fetch_add(1, Relaxed);
        }
    }

    /// For the next of so many stages that take about as long each: what it shows is its part of all.
    pub fn stage(&self, stage: usize, stages: usize) -> Self {
        self.part(stage, stage + 1, stages)
    }

    /// For a part that leads from so much to so much of all: what it shows is that part.
    pub fn part(&self, from: usize, to: usize, all: usize) -> Self {
        let of = |width: u64, part: usize| width * part.min(all) as u64 / all.max(1) as u64;
        let shown = match self.shown {
            Shown::All => Shown::Part(of(THOUSANDTHS, from), of(THOUSANDTHS, to) - of(THOUSANDTHS, from)),
            Shown::Part(start, width) => {
                Shown::Part(start + of(width, from), of(width, to) - of(width, from))
            }
            Shown::Nothing => Shown::Nothing,
        };
        let part = Self { shown, ..self.clone() };
        part.show(0, 1);
        part
    }

    /// For a part that shows nothing.
    pub fn quiet(&self) -> Self {
        Self { shown: Shown::Nothing, ..self.clone() }
    }

    /// What a part of the computation comes to; nothing where all is finished before the end of it, which is then left undone.
    pub async fn unless_stopped<T>(&self, part: impl Future<Output = Result<T>>) -> Result<Option<T>> {
        let mut part = pin!(part);
        let next = poll_fn(|context| match self.stopped() {
            true => Poll::Ready(Ok(None)),
            false => part.as_mut().poll(context).map(|outcome| outcome.map(Some)),
        });
        next.await
    }

    /// Whether all is to be finished before its end.
    pub fn stopped(&self) -> bool {
        self.clock.stopped.load(Relaxed)
    }

    /// Whether steps, from the next one on, keep threads from sleeping between passes over rows.
    pub fn keep_awake(&self, awake: bool) {
        self.clock.awake.store(awake, Relaxed);
    }

    /// The work that is left of this step, at least 1.
    pub fn left(&self) -> u64 {
        self.clock.until.load(Relaxed).saturating_sub(self.work()).max(1)
    }

    /// Carries out another job at this pace, and shows how far it is where it does.
    pub async fn run<J: Job + Send>(&self, mut job: J) -> Result<J::Output> {
        let step = |work| {
            let Progress { work, done, total, over } = job.step(work);
            if total > 0 {
                self.show(done as usize, total as usize);
            }
            Ok((over, work))
        };
        self.drive(step).await?;
        Box::new(job).finish()
    }

    /// The same by a function that does so much work and returns whether that is all, and all that is done.
    pub async fn drive(&self, mut step: impl FnMut(u64) -> Result<(bool, u64)> + Send) -> Result<()> {
        self.driven(&mut step).await
    }

    async fn driven(&self, step: &mut (dyn FnMut(u64) -> Result<(bool, u64)> + Send)) -> Result<()> {
        let mut before = 0;
        loop {
            let (over, done) = step(self.left())?;
            // What did no work would never end the step.
            self.did(done.saturating_sub(before).max(1) as usize).await;
            before = done;
            if over {
                return Ok(());
            }
        }
    }

    fn work(&self) -> u64 {
        self.clock.work.load(Relaxed)
    }
}

/// The end of a step, where one is due.
#[derive(Debug)]
pub struct Rest(bool);

impl Future for Rest {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::take(&mut self.0) { Poll::Pending } else { Poll::Ready(()) }
    }
}

const THOUSANDTHS: u64 = 1000;

/// A computation that is under way, or its outcome.
pub struct Steps<T> {
    pace: Pace,
    state: State<T>,
}

enum State<T> {
    Running(Pin<Box<dyn Future<Output = Result<T>> + Send>>),
    Finished(Result<T>),
}

impl<T> Steps<T> {
    /// The computation that `begin` describes, which counts its work by the pace it is given.
    pub fn new<F: Future<Output = Result<T>> + Send + 'static>(begin: impl FnOnce(Pace) -> F) -> Self {
        let pace = Pace::default();
        Self { state: State::Running(Box::pin(begin(pace.clone()))), pace }
    }

    /// For a computation of short passes over rows, which threads share: keeps them from sleeping between passes.
    pub fn awake(self) -> Self {
        self.pace.keep_awake(true);
        self
    }

    /// Judgements so far.
    pub fn judgements(&self) -> usize {
        self.pace.clock.judgements.load(Relaxed)
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
        let clock = Arc::clone(&self.pace.clock);
        clock.until.store(self.pace.work().saturating_add(work.max(1)), Relaxed);
        if let State::Running(computation) = &mut self.state {
            let mut poll = || computation.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(outcome) = if clock.awake.load(Relaxed) { awake(&mut poll) } else { poll() } {
                self.state = State::Finished(outcome);
            }
        }
        let (work, over) = (self.pace.work(), matches!(self.state, State::Finished(_)));
        match clock.total.load(Relaxed) {
            0 => Progress { work, done: work, total: 0, over },
            total if over => Progress { work, done: total, total, over },
            total => Progress { work, done: clock.done.load(Relaxed), total, over },
        }
    }

    /// Does what is left, but for the parts that end where they are stopped ([`Pace::unless_stopped`]).
    fn finish(mut self: Box<Self>) -> Result<T> {
        self.pace.clock.stopped.store(true, Relaxed);
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
        assert_eq!(job.step(u64::MAX), progress(70, 7, 7, true));
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
    fn a_part_that_is_stopped_is_left_undone() {
        let begun = || {
            Steps::new(|pace| async move {
                let mut done = 0;
                let part = async {
                    while done < 9 {
                        done += 1;
                        pace.judged();
                        pace.quiet().judged();
                        pace.did(10).await;
                    }
                    Ok("whole")
                };
                let found = pace.unless_stopped(part).await?;
                pace.did(10).await;
                Ok((found, done))
            })
        };
        let mut job = begun();
        job.step(25);
        assert_eq!((job.judgements(), Box::new(job).finish()), (3, Ok((None, 3))));
        assert_eq!(Box::new(begun()).finish(), Ok((None, 0)));
        assert_eq!(begun().complete(), Ok((Some("whole"), 9)));
    }

    #[test]
    fn a_job_within_another_goes_at_its_pace() {
        let mut outer = Steps::new(|pace| async move {
            let first = pace.quiet().run(counting(3)).await?;
            pace.did(5).await;
            Ok(first + pace.quiet().run(counting(2)).await?)
        });
        assert_eq!(outer.step(12), progress(20, 20, 0, false));
        assert_eq!(outer.step(12), progress(35, 35, 0, false));
        assert!(outer.step(u64::MAX).over);
        assert_eq!(outer.complete(), Ok(5));
    }

    #[test]
    fn a_stage_shows_its_part_of_all() {
        let mut job = Steps::new(|pace| async move {
            let second = pace.stage(1, 2);
            second.did(1).await;
            let of_second = second.stage(3, 4);
            of_second.show(1, 2);
            pace.quiet().show(7, 7);
            of_second.did(1).await;
            Ok(())
        });
        assert_eq!(job.step(1), progress(1, 500, 1000, false));
        assert_eq!(job.step(1), progress(2, 937, 1000, false));
        assert_eq!(job.step(1), progress(2, 1000, 1000, true));
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
