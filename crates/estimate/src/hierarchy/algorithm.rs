//! Algorithm 2: the estimate of a group is the prior of the groups within it.

use super::path::Path;
use super::{GroupEstimation, Outcome, Prior, Setup, Source, State, invalid};
use crate::estimators::{Certificate, Status};
use crate::job::{Job, Lanes, Pace, Progress, Steps};
use marginalia_tables::Result;
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
    /// How far the estimate may be from the optimum.
    pub certificate: Certificate,
    /// Records, by the answers of each measurement, in cells without a row of the prior.
    pub outside: Vec<f64>,
}

/// What is kept of the groups of a plan.
pub type States = Vec<Option<Arc<State>>>;

/// The estimation of groups, which shows how many are done and gives them while it goes on.
pub struct GroupsJob<T> {
    steps: Steps<T>,
    board: Arc<Board>,
}

impl<T> GroupsJob<T> {
    pub(super) fn new(steps: Steps<T>, board: Arc<Board>) -> Self {
        Self { steps, board }
    }

    /// Keeps the states only of groups that others lie within, so that memory does not grow with the number of groups:
    /// those of the last level are only among what [`Self::take`] gives.
    pub fn streaming(self) -> Self {
        self.board.lock().keep_all = false;
        self
    }

    /// The groups that were finished since this was last asked, in no certain order.
    pub fn take(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.board.lock().finished)
    }

    /// The states that are kept so far: what [`resumed`] goes on from, and all when all is done.
    pub fn states(&self) -> States {
        self.board.lock().states.clone()
    }
}

impl<T> Job for GroupsJob<T> {
    type Output = T;

    /// Does about `work` units in each lane.
    fn step(&mut self, work: u64) -> Progress {
        self.steps.step(work)
    }

    fn finish(self: Box<Self>) -> Result<T> {
        self.steps.complete()
    }
}

/// The estimation of all groups, so many side by side; nothing is estimated yet.
pub fn hierarchy(setup: Arc<Setup>, source: Arc<dyn Source>, lanes: usize) -> Result<GroupsJob<States>> {
    let states = vec![None; setup.plan.groups().len()];
    resumed(setup, source, lanes, states)
}

/// The same where some groups are already done: a state for each of them, nothing for the others.
pub fn resumed(
    setup: Arc<Setup>,
    source: Arc<dyn Source>,
    lanes: usize,
    states: States,
) -> Result<GroupsJob<States>> {
    if states.len() != setup.plan.groups().len() {
        return Err(invalid("there must be a place for the state of each group of the plan"));
    }
    let board = Board::new(states, lanes)?;
    let shared = Arc::clone(&board);
    let steps = Steps::new(move |pace| async move { estimated(setup, source, board, &pace).await });
    Ok(GroupsJob::new(steps, shared))
}

/// The states of all groups, in the lanes of a board. A group begins once the one that it lies within is done. It follows from its
/// prior, its measurements and its seed alone, so that the order in which groups are done does not matter.
///
/// Of every lane there are the weights of one group; with one lane, threads share the rows of a group, with several
/// each thread has a group of its own, never both.
pub(super) async fn estimated(
    setup: Arc<Setup>,
    source: Arc<dyn Source>,
    board: Arc<Board>,
    pace: &Pace,
) -> Result<States> {
    let shown = pace.clone();
    let lane = |_| {
        let (setup, source) = (Arc::clone(&setup), Arc::clone(&source));
        let (board, shown) = (Arc::clone(&board), shown.clone());
        Steps::new(move |pace| async move { algorithm(&setup, source.as_ref(), &board, &pace, &shown).await })
    };
    board.show(pace);
    pace.run(Lanes::new(board.lanes, lane)).await?;
    Ok(board.lock().states.clone())
}

/// Algorithm 2, lines 11–19, as one lane carries it out: the loops over states and over the groups within each are one over the
/// groups of the plan, of any number of levels, and records are made elsewhere (lines 16 and 17).
async fn algorithm(
    setup: &Arc<Setup>,
    source: &dyn Source,
    board: &Board,
    pace: &Pace,
    shown: &Pace,
) -> Result<()> {
    while let Some(group) = board.next(setup, pace).await {
        let p = board.prior(setup, group, pace).await?;
        let updated = prior_update(setup, source, group, p, pace).await?;
        board.put(setup, group, updated)?;
        board.show(shown);
    }
    Ok(())
}

/// The estimate of a group, and the prior that it was made from.
struct Updated {
    prior: Arc<Prior>,
    outcome: Outcome,
}

/// PRIOR_UPDATE of Algorithm 2: the estimate p′ of a group and its number of records ñ (lines 2–5 are what was released of it)
/// from what it lies within, which is moved to public counts of the group first, where there are such.
async fn prior_update(
    setup: &Setup,
    source: &dyn Source,
    group: usize,
    p: Arc<Prior>,
    pace: &Pace,
) -> Result<Updated> {
    let seed = setup.seed(group);
    let (prior, tilt) = match setup.local(group) {
        Some(local) => {
            let (prior, v) = local.prior(&p, group, seed, pace).await?;
            (Arc::new(prior), Some(v))
        }
        None => (p, None),
    };
    let level = &setup.levels[setup.plan.groups()[group].level];
    let task = Arc::new(source.task(group)?);
    let mut outcome = GroupEstimation::new(level, Arc::clone(&prior), task, seed)?.estimate(pace).await?;
    outcome.state = outcome.state.with_tilt(tilt);
    Ok(Updated { prior, outcome })
}

/// What lanes have in common.
pub(super) struct Board {
    pub(super) lanes: usize,
    notes: Mutex<Notes>,
}

struct Notes {
    states: States,
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

impl Board {
    pub(super) fn new(states: States, lanes: usize) -> Result<Arc<Self>> {
        if lanes == 0 {
            return Err(invalid("a hierarchy is estimated in at least one lane"));
        }
        let taken: Vec<bool> = states.iter().map(Option::is_some).collect();
        let left = taken.iter().filter(|taken| !**taken).count();
        let (priors, finished, most_priors) = (Vec::new(), Vec::new(), lanes + 1);
        let notes = Notes { states, taken, first: 0, priors, most_priors, finished, left, keep_all: true };
        Ok(Arc::new(Self { lanes, notes: Mutex::new(notes) }))
    }

    /// A lane that failed stops all; what is on the board stays sound.
    fn lock(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows how many groups are done.
    fn show(&self, pace: &Pace) {
        let notes = self.lock();
        pace.show(notes.states.len() - notes.left, notes.states.len());
    }

    /// Takes the first group that may begin, once there is one; none where all are taken.
    async fn next(&self, setup: &Setup, pace: &Pace) -> Option<usize> {
        loop {
            let next = self.lock().next(setup);
            if next.is_some() || self.lock().first == setup.plan.groups().len() {
                return next;
            }
            pace.rest().await;
        }
    }

    /// What a group lies within, as its prior.
    async fn prior(&self, setup: &Arc<Setup>, group: usize, pace: &Pace) -> Result<Arc<Prior>> {
        let Some(parent) = setup.plan.groups()[group].parent else { return Ok(Arc::clone(&setup.prior)) };
        let known =
            self.lock().priors.iter().find(|(of, _)| *of == parent).map(|(_, prior)| Arc::clone(prior));
        if let Some(prior) = known {
            return Ok(prior);
        }
        let path = Path::new(Arc::clone(setup), &self.lock().states, parent)?;
        let prior = Arc::new(path.below(pace).await?);
        self.lock().remember(parent, Arc::clone(&prior));
        Ok(prior)
    }

    fn put(&self, setup: &Setup, group: usize, Updated { prior, outcome }: Updated) -> Result<()> {
        let Outcome { state, model, status, certificate, outside } = outcome;
        // Children follow their parent in the plan.
        let has_children = setup.plan.groups().get(group + 1).is_some_and(|next| next.parent == Some(group));
        let below = match has_children {
            true => Some(Arc::new(prior.below(model.weights()?, &state)?)),
            false => None,
        };
        let state = Arc::new(state);
        let mut notes = self.lock();
        if let Some(below) = below {
            notes.remember(group, below);
        }
        if notes.keep_all || has_children {
            notes.states[group] = Some(Arc::clone(&state));
        }
        notes.left -= 1;
        notes.finished.push(Finished { group, state, status, certificate, outside });
        Ok(())
    }
}

impl Notes {
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

    fn remember(&mut self, group: usize, prior: Arc<Prior>) {
        self.priors.retain(|(of, _)| *of != group);
        if self.priors.len() == self.most_priors {
            self.priors.remove(0);
        }
        self.priors.push((group, prior));
    }
}
