//! How much of each group meets a condition.

use super::{HierarchyPlan, PathJob, Setup, State, invalid};
use crate::errors::mean;
use crate::models::support::{Condition, Distribution, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// The shares of groups' records that meet a condition on attributes that are none of groups. Exact: on shared rows, a
/// condition is a choice of these. The weights of one group are there at a time.
pub struct PartJob {
    setup: Arc<Setup>,
    states: Vec<Option<Arc<State>>>,
    groups: Vec<usize>,
    met: Vec<f64>,
    path: Option<Box<PathJob>>,
    shares: Vec<f64>,
    done: u64,
}

impl PartJob {
    /// Of the groups at these places, by a condition on attributes of the plan.
    pub fn new(
        setup: Arc<Setup>,
        states: Vec<Option<Arc<State>>>,
        groups: Vec<usize>,
        condition: &Condition,
    ) -> Result<Self> {
        let met = met(&setup, condition)?;
        Ok(Self { setup, states, groups, met, path: None, shares: Vec::new(), done: 0 })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while let Some(group) = self.groups.get(self.shares.len()).filter(|_| self.done < until) {
            let mut path = match self.path.take() {
                Some(path) => path,
                None => Box::new(PathJob::new(Arc::clone(&self.setup), &self.states, *group)?),
            };
            let before = path.done();
            let over = path.step(until - self.done)?;
            self.done += (path.done() - before).max(1);
            if over {
                let model = path.finish()?;
                let q = model.weights()?;
                self.shares.push(mean(q, &self.met));
            } else {
                self.path = Some(path);
            }
        }
        Ok(self.shares.len() == self.groups.len())
    }

    /// Groups done.
    pub fn done(&self) -> usize {
        self.shares.len()
    }

    /// All groups.
    pub fn total(&self) -> usize {
        self.groups.len()
    }

    /// Does what is left and returns the share of each group.
    pub fn finish(mut self) -> Result<Vec<f64>> {
        while !self.step(u64::MAX)? {}
        Ok(self.shares)
    }
}

/// 1 for each shared row that meets a condition on attributes of the plan, and 0 for the others.
pub(super) fn met(setup: &Setup, condition: &Condition) -> Result<Vec<f64>> {
    let base = setup.prior().base();
    let mut met = zeros(base.rows())?;
    Distribution::prior(Arc::clone(base), 1.0)?.mask(&of_shared(setup.plan(), condition)?, &mut met)?;
    Ok(met)
}

/// A condition by the numbers of attributes in the shared base.
fn of_shared(plan: &HierarchyPlan, condition: &Condition) -> Result<Condition> {
    let number = |(a, allowed): &(u16, Vec<bool>)| match plan.rest().binary_search(a) {
        Ok(number) => Ok((number as u16, allowed.clone())),
        Err(_) => Err(invalid("a condition on what tells groups apart is one on groups: choose these")),
    };
    condition.iter().map(number).collect()
}
