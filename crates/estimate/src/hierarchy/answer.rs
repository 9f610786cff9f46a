//! Answers of groups: of one, of some, of all together; group attributes are attributes as any other.

use super::slice::{each_place, fix};
use super::{PathJob, Setup, State, invalid};
use crate::models::support::{Distribution, MarginalsJob, zeros};
use marginalia_tables::{Code, Error, Result, Workload};
use std::sync::Arc;

/// The counts of cliques over all attributes, summed over groups. The weights of one group are there at a time.
pub struct AnswerJob {
    setup: Arc<Setup>,
    states: Vec<Option<Arc<State>>>,
    groups: Vec<usize>,
    workload: Arc<Workload>,
    answers: Vec<f64>,
    limit: u64,
    next: usize,
    phase: Option<Phase>,
    done: u64,
}

enum Phase {
    Path(Box<PathJob>),
    Marginals(Box<MarginalsJob>),
}

impl AnswerJob {
    /// Counts of a workload over the attributes of the plan, of the groups at these places, in at most `limit` bytes.
    /// A clique may name group attributes that all the groups have a code of.
    pub fn new(
        setup: Arc<Setup>,
        states: Vec<Option<Arc<State>>>,
        groups: Vec<usize>,
        workload: Arc<Workload>,
        limit: u64,
    ) -> Result<Self> {
        if workload.domain() != setup.plan.domain() {
            return Err(invalid("the workload is over another schema: build it from the schema of the plan"));
        }
        if workload.total_cells().saturating_mul(24) > limit {
            return Err(Error::new(
                Code::ModelTooLarge,
                "the answers do not fit the memory limit: raise `memoryLimit`, or ask for fewer or smaller cliques",
            ));
        }
        let all = setup.plan.groups();
        if groups.iter().any(|at| *at >= all.len()) {
            return Err(invalid("the plan has no such group"));
        }
        for at in &groups {
            for clique in workload.cliques() {
                fix(&setup.plan, &all[*at], clique)?;
            }
        }
        let answers = zeros(workload.total_cells() as usize)?;
        Ok(Self { setup, states, groups, workload, answers, limit, next: 0, phase: None, done: 0 })
    }

    /// The same of all records: of all groups of the last level.
    pub fn all(
        setup: Arc<Setup>,
        states: Vec<Option<Arc<State>>>,
        workload: Arc<Workload>,
        limit: u64,
    ) -> Result<Self> {
        let groups = setup.plan.of_level(setup.levels.len() - 1).collect();
        Self::new(setup, states, groups, workload, limit)
    }

    /// Does about `work` units, one of which is a row of one clique; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.next < self.groups.len() && self.done < until {
            self.advance(until - self.done)?;
        }
        Ok(self.next == self.groups.len())
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many groups are answered.
    pub fn groups_done(&self) -> usize {
        self.next
    }

    /// How many groups there are to be.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Does what is left and returns the counts of all cells, clique after clique.
    pub fn finish(mut self) -> Result<Vec<f64>> {
        while !self.step(u64::MAX)? {}
        Ok(self.answers)
    }

    fn advance(&mut self, work: u64) -> Result<()> {
        self.phase = match self.phase.take() {
            None => {
                let path = PathJob::new(Arc::clone(&self.setup), &self.states, self.groups[self.next])?;
                Some(Phase::Path(Box::new(path)))
            }
            Some(Phase::Path(mut path)) => {
                let before = path.done();
                let over = path.step(work)?;
                self.done += (path.done() - before).max(1);
                Some(match over {
                    true => Phase::Marginals(Box::new(self.marginals(path.finish()?)?)),
                    false => Phase::Path(path),
                })
            }
            Some(Phase::Marginals(mut job)) => {
                let before = job.done();
                let over = job.step(work)?;
                self.done += (job.done() - before).max(1);
                if over { self.add(job.finish()?)? } else { Some(Phase::Marginals(job)) }
            }
        };
        Ok(())
    }

    /// The same cliques without the group attributes.
    fn marginals(&self, model: Distribution) -> Result<MarginalsJob> {
        let group = &self.setup.plan.groups()[self.groups[self.next]];
        let free = |clique| fix(&self.setup.plan, group, clique).map(|(_, free, _)| free);
        let cliques = self.workload.cliques().map(free).collect::<Result<Vec<_>>>()?;
        let workload = Workload::from_cliques(model.base().domain().clone(), &cliques)?;
        MarginalsJob::new(Arc::new(model), Arc::new(workload), self.limit)
    }

    /// Adds a group's counts at its place.
    fn add(&mut self, counts: Vec<f64>) -> Result<Option<Phase>> {
        let group = &self.setup.plan.groups()[self.groups[self.next]];
        let mut rest = counts.as_slice();
        for (i, clique) in self.workload.cliques().enumerate() {
            let (start, _, strides) = fix(&self.setup.plan, group, clique)?;
            let start = start + self.workload.cells(i).start as usize;
            let (own, others) = rest.split_at(strides.iter().map(|(_, size)| size).product());
            let answers = &mut self.answers[start..];
            each_place(&strides, |cell, place| answers[place] += own[cell]);
            rest = others;
        }
        self.next += 1;
        Ok(None)
    }
}
