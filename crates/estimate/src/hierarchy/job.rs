//! All groups, in order, some of them side by side.

use super::local::LocalJob;
use super::{GroupJob, PathJob, Prior, Setup, Source, State, Status, invalid};
use crate::estimators::calibrated::Gaps;
#[cfg(feature = "threads")]
use crate::par::alone;
use marginalia_tables::{Error, Result};
#[cfg(feature = "threads")]
use rayon::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A group that was estimated.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Its place in the plan.
    pub group: usize,
    /// What is kept of it.
    pub state: Arc<State>,
    /// How it ended.
    pub status: Status,
    /// How far a calibrated estimate may be from the optimum.
    pub certificate: Option<Gaps>,
    /// Records, by the answers of each measurement, in cells without a row of the prior.
    pub outside: Vec<f64>,
}

/// The estimation of all groups. A group begins once the one that it lies within is done. It follows from its prior,
/// its measurements and its seed alone, so that the order in which groups are done does not matter.
///
/// Of every lane there are the weights of one group; with one lane, threads share the rows of a group, with several
/// each thread has a group of its own, never both.
pub struct HierarchyJob {
    setup: Arc<Setup>,
    source: Arc<dyn Source>,
    lanes: Vec<Lane>,
    board: Mutex<Board>,
    done: u64,
}

/// What lanes have in common.
struct Board {
    states: Vec<Option<Arc<State>>>,
    taken: Vec<bool>,
    /// All groups before this one are taken.
    first: usize,
    /// The priors that the latest groups are to those within them.
    priors: Vec<(usize, Arc<Prior>)>,
    most_priors: usize,
    finished: Vec<Finished>,
    left: usize,
    keep_all: bool,
}

/// One group at a time.
#[derive(Default)]
struct Lane {
    phase: Option<(usize, Phase)>,
    done: u64,
    failed: Option<Error>,
}

enum Phase {
    /// What the group lies within is made.
    Prior(Box<PathJob>),
    /// The prior of the group is made of it, by public counts.
    Local(Box<LocalJob>),
    /// The estimate is made; with the potentials of its prior, where it has its own.
    Group(Box<GroupJob>, Option<Vec<f64>>),
}

impl HierarchyJob {
    /// Nothing is estimated yet.
    pub fn new(setup: Arc<Setup>, source: Arc<dyn Source>, lanes: usize) -> Result<Self> {
        let states = vec![None; setup.plan.groups().len()];
        Self::resume(setup, source, lanes, states)
    }

    /// Goes on where some groups are already done: a state for each of them, nothing for the others.
    pub fn resume(
        setup: Arc<Setup>,
        source: Arc<dyn Source>,
        lanes: usize,
        states: Vec<Option<Arc<State>>>,
    ) -> Result<Self> {
        if states.len() != setup.plan.groups().len() {
            return Err(invalid("there must be a place for the state of each group of the plan"));
        }
        if lanes == 0 {
            return Err(invalid("a hierarchy is estimated in at least one lane"));
        }
        let taken: Vec<bool> = states.iter().map(Option::is_some).collect();
        let left = taken.iter().filter(|taken| !**taken).count();
        let (priors, finished, most_priors) = (Vec::new(), Vec::new(), lanes + 1);
        let board = Board { states, taken, first: 0, priors, most_priors, finished, left, keep_all: true };
        let lanes = (0..lanes).map(|_| Lane::default()).collect();
        Ok(Self { setup, source, lanes, board: Mutex::new(board), done: 0 })
    }

    /// Keeps the states only of groups that others lie within, so that memory does not grow with the number of groups:
    /// those of the last level are only among what [`Self::take`] gives.
    pub fn streaming(self) -> Self {
        lock(&self.board).keep_all = false;
        self
    }

    /// Does about `work` units in each lane, one of which takes as long as a row in a pass over one marginal; true at
    /// the end. After an error it only repeats it: resume from the states.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let (setup, source, board) = (&self.setup, self.source.as_ref(), &self.board);
        #[cfg(feature = "threads")]
        if self.lanes.len() > 1 {
            self.lanes.par_iter_mut().for_each(|lane| alone(|| lane.step(setup, source, board, work)));
        } else {
            self.lanes.iter_mut().for_each(|lane| lane.step(setup, source, board, work));
        }
        #[cfg(not(feature = "threads"))]
        self.lanes.iter_mut().for_each(|lane| lane.step(setup, source, board, work));
        self.done = self.lanes.iter().map(|lane| lane.done).sum();
        match self.lanes.iter().find_map(|lane| lane.failed.clone()) {
            Some(error) => Err(error),
            None => Ok(lock(&self.board).left == 0),
        }
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Groups that are done, of those of the plan.
    pub fn groups_done(&self) -> usize {
        self.setup.plan.groups().len() - lock(&self.board).left
    }

    /// The groups that were finished since this was last asked, in no certain order.
    pub fn take(&mut self) -> Vec<Finished> {
        std::mem::take(&mut lock(&self.board).finished)
    }

    /// The states that are kept so far: what [`Self::resume`] goes on from, and all when all is done.
    pub fn states(&self) -> Vec<Option<Arc<State>>> {
        lock(&self.board).states.clone()
    }

    /// Does what is left and returns the states of all groups.
    pub fn finish(mut self) -> Result<Vec<Option<Arc<State>>>> {
        while !self.step(u64::MAX)? {
            self.take();
        }
        Ok(self.states())
    }
}

impl Lane {
    fn step(&mut self, setup: &Arc<Setup>, source: &dyn Source, board: &Mutex<Board>, work: u64) {
        let until = self.done.saturating_add(work.max(1));
        while self.done < until && self.failed.is_none() {
            match self.advance(setup, source, board, until - self.done) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Goes on with the group, or with the next; false where none is ready.
    fn advance(
        &mut self,
        setup: &Arc<Setup>,
        source: &dyn Source,
        board: &Mutex<Board>,
        work: u64,
    ) -> Result<bool> {
        let Some((group, phase)) = self.phase.take() else {
            let Some(group) = lock(board).next(setup) else { return Ok(false) };
            let prior = lock(board).prior(setup, group)?;
            let phase = match prior {
                Ok(prior) => begin(setup, source, group, prior)?,
                Err(path) => Phase::Prior(Box::new(path)),
            };
            self.done += 1;
            self.phase = Some((group, phase));
            return Ok(true);
        };
        match phase {
            Phase::Prior(mut path) => {
                let before = path.done();
                let over = path.step(work)?;
                self.done += (path.done() - before).max(1);
                let phase = if over {
                    let prior = Arc::new(path.finish_prior()?);
                    if let Some(parent) = setup.plan.groups()[group].parent {
                        lock(board).remember(parent, Arc::clone(&prior));
                    }
                    begin(setup, source, group, prior)?
                } else {
                    Phase::Prior(path)
                };
                self.phase = Some((group, phase));
            }
            Phase::Local(mut job) => {
                let before = job.done();
                let over = job.step(work)?;
                self.done += (job.done() - before).max(1);
                let phase = if over {
                    let (prior, v) = job.finish()?;
                    estimating(setup, source, group, Arc::new(prior), Some(v))?
                } else {
                    Phase::Local(job)
                };
                self.phase = Some((group, phase));
            }
            Phase::Group(mut job, tilt) => {
                let before = job.done();
                let over = job.step(work)?;
                self.done += (job.done() - before).max(1);
                if over {
                    finish(setup, board, group, *job, tilt)?;
                } else {
                    self.phase = Some((group, Phase::Group(job, tilt)));
                }
            }
        }
        Ok(true)
    }
}

/// With what a group lies within as its prior, or as what its prior is made of.
fn begin(setup: &Arc<Setup>, source: &dyn Source, group: usize, prior: Arc<Prior>) -> Result<Phase> {
    match setup.local(group) {
        Some(local) => Ok(Phase::Local(Box::new(LocalJob::new(local, prior, group, setup.seed(group))?))),
        None => estimating(setup, source, group, prior, None),
    }
}

fn estimating(
    setup: &Arc<Setup>,
    source: &dyn Source,
    group: usize,
    prior: Arc<Prior>,
    tilt: Option<Vec<f64>>,
) -> Result<Phase> {
    let level = &setup.levels[setup.plan.groups()[group].level];
    let task = Arc::new(source.task(group)?);
    Ok(Phase::Group(Box::new(GroupJob::new(level, prior, task, setup.seed(group))?), tilt))
}

fn finish(
    setup: &Arc<Setup>,
    board: &Mutex<Board>,
    group: usize,
    job: GroupJob,
    tilt: Option<Vec<f64>>,
) -> Result<()> {
    let prior = Arc::clone(job.prior());
    let outcome = job.finish()?;
    let groups = setup.plan.groups();
    // Children follow their parent in the plan.
    let has_children = groups.get(group + 1).is_some_and(|next| next.parent == Some(group));
    let below = match has_children {
        true => Some(Arc::new(prior.below(outcome.model.weights()?, &outcome.state)?)),
        false => None,
    };
    let state = Arc::new(outcome.state.with_tilt(tilt));
    let (status, certificate, outside) = (outcome.status, outcome.certificate, outcome.outside);
    let mut board = lock(board);
    if let Some(below) = below {
        board.remember(group, below);
    }
    if board.keep_all || has_children {
        board.states[group] = Some(Arc::clone(&state));
    }
    board.left -= 1;
    board.finished.push(Finished { group, state, status, certificate, outside });
    Ok(())
}

impl Board {
    /// Takes the first group that may begin.
    fn next(&mut self, setup: &Setup) -> Option<usize> {
        while self.taken.get(self.first) == Some(&true) {
            self.first += 1;
        }
        let groups = setup.plan.groups();
        let ready = |at: &usize| {
            !self.taken[*at] && groups[*at].parent.is_none_or(|parent| self.states[parent].is_some())
        };
        let next = (self.first..groups.len()).find(ready)?;
        self.taken[next] = true;
        Some(next)
    }

    /// The prior of a group, or how it is to be made.
    fn prior(
        &mut self,
        setup: &Arc<Setup>,
        group: usize,
    ) -> Result<std::result::Result<Arc<Prior>, PathJob>> {
        let Some(parent) = setup.plan.groups()[group].parent else { return Ok(Ok(Arc::clone(&setup.prior))) };
        match self.priors.iter().find(|(of, _)| *of == parent) {
            Some((_, prior)) => Ok(Ok(Arc::clone(prior))),
            None => PathJob::new(Arc::clone(setup), &self.states, parent).map(Err),
        }
    }

    fn remember(&mut self, group: usize, prior: Arc<Prior>) {
        self.priors.retain(|(of, _)| *of != group);
        if self.priors.len() == self.most_priors {
            self.priors.remove(0);
        }
        self.priors.push((group, prior));
    }
}

/// A lane that failed stops all; what is on the board stays sound.
fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}
