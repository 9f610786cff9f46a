//! From states back to weights: through the groups that a group lies within, each the prior of the next.

use super::state::Kept;
use super::{GroupJob, Prior, Setup, State, invalid};
use crate::models::support::Distribution;
use marginalia_tables::Result;
use std::sync::Arc;

/// The making of a group's weights, in steps.
#[derive(Debug)]
pub struct PathJob {
    setup: Arc<Setup>,
    /// The groups from the coarsest to the one that is asked for, and their states.
    path: Vec<(usize, Arc<State>)>,
    next: usize,
    prior: Arc<Prior>,
    again: Option<GroupJob>,
    model: Option<Distribution>,
    done: u64,
}

impl PathJob {
    /// A group, from the states of the plan's groups; all on its path must be there.
    pub fn new(setup: Arc<Setup>, states: &[Option<Arc<State>>], group: usize) -> Result<Self> {
        let path = if group < setup.plan.groups().len() { setup.plan.path(group) } else { Vec::new() };
        let state = |at: &usize| states.get(*at).cloned().flatten().map(|state| (*at, state));
        let path: Option<Vec<_>> = path.iter().map(state).collect();
        let path = path.filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| {
            invalid("the group is not estimated yet, or one that it lies within: run the hierarchy first")
        })?;
        let prior = Arc::clone(&setup.prior);
        Ok(Self { setup, path, next: 0, prior, again: None, model: None, done: 0 })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.next < self.path.len() && self.done < until {
            self.advance(until - self.done)?;
        }
        Ok(self.next == self.path.len())
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Does what is left and returns the group's distribution.
    pub fn finish(mut self) -> Result<Distribution> {
        while !self.step(u64::MAX)? {}
        self.model.ok_or_else(|| invalid("a path has at least one group"))
    }

    /// The same as the prior of the groups within.
    pub fn finish_prior(mut self) -> Result<Prior> {
        while !self.step(u64::MAX)? {}
        self.below()
    }

    fn below(&mut self) -> Result<Prior> {
        let model = self.model.take().ok_or_else(|| invalid("a path has at least one group"))?;
        self.prior.below(model.weights()?, &self.path[self.next - 1].1)
    }

    fn advance(&mut self, work: u64) -> Result<()> {
        if self.model.is_some() {
            self.prior = Arc::new(self.below()?);
        }
        let (group, state) = &self.path[self.next];
        // Once, not again for each step of what is made again.
        if let (Some(local), Some(v), None) = (&self.setup.local, &state.tilt, &self.again) {
            self.done += (local.index().rows() * (local.index().marginals().len() + 8)) as u64;
            self.prior = Arc::new(self.prior.tilted(local.index(), v, self.prior.strength)?);
        }
        let level = &self.setup.levels[self.setup.plan.groups()[*group].level];
        let model = match (&state.kept, self.again.take()) {
            (Kept::Potentials(u), _) => {
                let (base, index) = (Arc::clone(&self.prior.base), Arc::clone(&level.index));
                self.done += (index.rows() * (index.marginals().len() + 8)) as u64;
                let model =
                    Distribution::from_potentials(base, index, u.clone(), state.total.value.max(0.0))?;
                model.weights()?;
                model
            }
            (Kept::Task(task, steps), again) => {
                let mut job = match again {
                    Some(job) => job,
                    None => {
                        let (prior, task) = (Arc::clone(&self.prior), Arc::clone(task));
                        GroupJob::of_steps(level, prior, task, self.setup.seed(*group), *steps)?
                    }
                };
                let before = job.done();
                let over = job.step(work)?;
                self.done += (job.done() - before).max(1);
                if !over {
                    self.again = Some(job);
                    return Ok(());
                }
                job.finish()?.model
            }
        };
        self.model = Some(model);
        self.next += 1;
        Ok(())
    }
}
