//! From states back to weights: through the groups that a group lies within, each the prior of the next.

use super::state::Kept;
use super::{GroupEstimation, Prior, Setup, State, invalid};
use crate::job::{Pace, Steps};
use crate::models::support::Distribution;
use marginalia_tables::Result;
use std::sync::Arc;

/// The distribution of a group, from the states of the plan's groups; all that it lies within must be there.
pub fn weights(
    setup: Arc<Setup>,
    states: &[Option<Arc<State>>],
    group: usize,
) -> Result<Steps<Distribution>> {
    let path = Path::new(setup, states, group)?;
    Ok(Steps::new(move |pace| async move { path.weights(&pace).await }))
}

/// The same as the prior of the groups within it.
pub fn prior_below(setup: Arc<Setup>, states: &[Option<Arc<State>>], group: usize) -> Result<Steps<Prior>> {
    let path = Path::new(setup, states, group)?;
    Ok(Steps::new(move |pace| async move { path.below(&pace).await }))
}

/// The groups from the coarsest to the one that is asked for, and their states.
pub(super) struct Path {
    setup: Arc<Setup>,
    path: Vec<(usize, Arc<State>)>,
}

impl Path {
    pub(super) fn new(setup: Arc<Setup>, states: &[Option<Arc<State>>], group: usize) -> Result<Self> {
        let path = if group < setup.plan.groups().len() { setup.plan.path(group) } else { Vec::new() };
        let state = |at: &usize| states.get(*at).cloned().flatten().map(|state| (*at, state));
        let path: Option<Vec<_>> = path.iter().map(state).collect();
        let path = path.filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| {
            invalid("the group is not estimated yet, or one that it lies within: run the hierarchy first")
        })?;
        Ok(Self { setup, path })
    }

    /// The distribution of the group.
    pub(super) async fn weights(&self, pace: &Pace) -> Result<Distribution> {
        Ok(self.last(pace).await?.1)
    }

    /// The group as the prior of those within it.
    pub(super) async fn below(&self, pace: &Pace) -> Result<Prior> {
        let (prior, model) = self.last(pace).await?;
        prior.below(model.weights()?, &self.path[self.path.len() - 1].1)
    }

    /// The prior of the last group, and its distribution.
    async fn last(&self, pace: &Pace) -> Result<(Arc<Prior>, Distribution)> {
        let mut prior = Arc::clone(&self.setup.prior);
        for (group, state) in &self.path[..self.path.len() - 1] {
            let (own, model) = self.again(prior, *group, state, pace).await?;
            prior = Arc::new(own.below(model.weights()?, state)?);
        }
        let (group, state) = &self.path[self.path.len() - 1];
        self.again(prior, *group, state, pace).await
    }

    /// The prior of a group and its distribution, from what it lies within and what was kept of it.
    async fn again(
        &self,
        mut prior: Arc<Prior>,
        group: usize,
        state: &State,
        pace: &Pace,
    ) -> Result<(Arc<Prior>, Distribution)> {
        let setup = &self.setup;
        if let (Some(local), Some(v)) = (&setup.local, &state.tilt) {
            prior = Arc::new(prior.tilted(local.index(), v, prior.strength)?);
            pace.did(local.index().rows() * (local.index().marginals().len() + 8)).await;
        }
        let level = &setup.levels[setup.plan.groups()[group].level];
        let model = match &state.kept {
            Kept::Potentials(u) => {
                let (base, index) = (Arc::clone(&prior.base), Arc::clone(&level.index));
                let model =
                    Distribution::from_potentials(base, index, u.clone(), state.total.value.max(0.0))?;
                model.weights()?;
                pace.did(level.index.rows() * (level.index.marginals().len() + 8)).await;
                model
            }
            Kept::Task(task, steps) => {
                let (task, seed) = (Arc::clone(task), setup.seed(group));
                let again = GroupEstimation::of_steps(level, Arc::clone(&prior), task, seed, *steps)?;
                again.estimate(pace).await?.model
            }
        };
        Ok((prior, model))
    }
}
