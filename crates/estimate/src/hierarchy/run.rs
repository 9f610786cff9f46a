//! A whole hierarchy from released marginals: the cells of rows, the totals, the groups.

use super::gate::GateJob;
use super::{
    Estimator, Finished, HierarchyJob, HierarchyPlan, Level, Local, Prior, Released, Setup, State, TotalRule,
    UNKNOWN, consistent_with, invalid,
};
use crate::measurement::Measurement;
use crate::models::support::{Base, IndexJob};
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::Arc;

/// One level of what was released.
#[derive(Debug, Clone)]
pub struct Answered {
    /// Marginals with the group attributes among theirs, the counts of the groups included.
    pub measurements: Vec<Measurement>,
    /// How its groups are estimated.
    pub estimator: Estimator,
    /// Public counts with the group attributes among theirs, of each level on the same other attributes; none where the
    /// public table does not know the groups.
    pub public: Vec<Measurement>,
    /// How many records what a group lies within is worth as its prior.
    pub between: f64,
}

/// All that is asked.
#[derive(Debug)]
pub struct Asked {
    /// From the coarsest level to the finest.
    pub levels: Vec<Answered>,
    /// What says how many records a group has.
    pub rule: TotalRule,
    /// Whether the totals of groups sum to that of what they lie within.
    pub agree: bool,
    /// The number of all records, where that is public, and that of groups at some places of the plan: totals are made to
    /// agree with them.
    pub all: Option<f64>,
    /// See `all`.
    pub known: Vec<(usize, f64)>,
    /// Var(r²)/σ⁴ of the noise r, by which answers are judged to contradict priors.
    pub spread: f64,
    /// Groups side by side.
    pub lanes: usize,
    /// The seed of all orders.
    pub seed: u64,
    /// Bytes for the cells of rows.
    pub limit: u64,
}

/// The estimation of a hierarchy, step by step.
pub struct RunJob {
    plan: Arc<HierarchyPlan>,
    prior: Prior,
    asked: Option<Asked>,
    index: Vec<IndexJob>,
    totals: Vec<Total>,
    gate: Option<(GateJob, Arc<Released>, usize)>,
    running: Option<HierarchyJob>,
    setup: Option<Arc<Setup>>,
    done: u64,
}

impl RunJob {
    /// A job that has done nothing yet: on shared rows that are worth so many records.
    pub fn new(plan: Arc<HierarchyPlan>, base: Arc<Base>, strength: f64, asked: Asked) -> Result<Self> {
        if asked.levels.len() != plan.levels().len() {
            return Err(invalid("there must be a list of measurements for each level, if an empty one"));
        }
        let mut index = Vec::new();
        for cliques in cliques(&plan, &asked.levels)? {
            let part = asked.limit / (asked.levels.len() as u64 + 1);
            index.push(IndexJob::new(Arc::clone(&base), cliques, part)?);
        }
        let prior = Prior::new(base, strength);
        let (totals, asked) = (Vec::new(), Some(asked));
        Ok(Self { plan, prior, asked, index, totals, gate: None, running: None, setup: None, done: 0 })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if let Some(running) = &mut self.running {
            let before = running.done();
            let over = running.step(work)?;
            self.done += running.done() - before;
            return Ok(over);
        }
        if let Some((mut gate, released, lanes)) = self.gate.take() {
            let before = gate.done();
            let over = gate.step(work)?;
            self.done += gate.done() - before;
            match over {
                true => self.run(gate.finish(), released, lanes)?,
                false => self.gate = Some((gate, released, lanes)),
            }
            return Ok(false);
        }
        for job in &mut self.index {
            let before = job.done();
            if !job.step(work)? || job.done() > before {
                self.done += job.done() - before;
                return Ok(false);
            }
        }
        self.begin()?;
        Ok(false)
    }

    fn begin(&mut self) -> Result<()> {
        let asked = self.asked.take().ok_or_else(|| invalid("the job has failed: begin another"))?;
        let mut index = Vec::new();
        for job in self.index.drain(..) {
            index.push(job.finish()?);
        }
        let of_counts = index.pop();
        let (mut levels, mut answers) = (Vec::new(), Vec::new());
        let (mut counts, mut between) = (Vec::new(), Vec::new());
        let mut asked = asked;
        for (of_level, index) in std::mem::take(&mut asked.levels).into_iter().zip(index) {
            levels.push(Level::with_index(index, of_level.estimator));
            answers.push(of_level.measurements);
            counts.push(of_level.public);
            between.push(of_level.between);
        }
        let released = Released::new(Arc::clone(&self.plan), answers, asked.rule)?;
        self.totals = totals(&self.plan, released.totals()?, &asked)?;
        let released = Arc::new(released.with_totals(self.totals.clone())?);
        let mut setup = Setup::new(Arc::clone(&self.plan), self.prior.clone(), levels, asked.seed)?;
        if let (Some(index), true) = (of_counts, counts.iter().any(|of| !of.is_empty())) {
            setup = setup.with_local(Local::new(Arc::clone(&self.plan), index, counts, between)?)?;
        }
        let gate = GateJob::new(setup, Arc::clone(&released) as _, &self.totals, asked.spread);
        self.gate = Some((gate, released, asked.lanes));
        Ok(())
    }

    fn run(&mut self, setup: Setup, released: Arc<Released>, lanes: usize) -> Result<()> {
        let setup = Arc::new(setup);
        self.running = Some(HierarchyJob::new(Arc::clone(&setup), released, lanes)?);
        self.setup = Some(setup);
        Ok(())
    }

    /// The groups that were finished since this was last asked, in no certain order.
    pub fn take(&mut self) -> Vec<Finished> {
        self.running.as_mut().map_or(Vec::new(), HierarchyJob::take)
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Groups that are done.
    pub fn groups_done(&self) -> usize {
        self.running.as_ref().map_or(0, HierarchyJob::groups_done)
    }

    /// Does what is left and returns the groups.
    pub fn finish(mut self) -> Result<Hierarchy> {
        while !self.step(u64::MAX)? {
            self.take();
        }
        let states = self.running.map_or(Vec::new(), |job| job.states());
        let setup = self.setup.ok_or_else(|| invalid("the job has failed: begin another"))?;
        Ok(Hierarchy { setup, states })
    }
}

/// The totals of groups: each one's own, or such that they agree with each other and with what is known.
fn totals(plan: &HierarchyPlan, mut own: Vec<Total>, asked: &Asked) -> Result<Vec<Total>> {
    if !asked.agree && (asked.all.is_some() || !asked.known.is_empty()) {
        return Err(invalid("known numbers of records need totals that agree"));
    }
    for (group, records) in &asked.known {
        let own = own.get_mut(*group).ok_or_else(|| invalid("the plan has no such group"))?;
        *own = Total::known(*records)?;
    }
    let last = plan.levels().len() - 1;
    let unknown =
        |at: usize| own[at].variance == UNKNOWN && (!asked.agree || plan.groups()[at].level == last);
    if (0..own.len()).any(unknown) {
        return Err(invalid("without a measurement nothing says how many records a group has"));
    }
    if asked.agree { consistent_with(plan, &own, asked.all) } else { Ok(own) }
}

/// The cliques of each level without counts and without group attributes, and those of the public counts.
pub(super) fn cliques(plan: &HierarchyPlan, levels: &[Answered]) -> Result<Vec<Vec<Vec<u16>>>> {
    let of = |level: usize, list: &[Measurement]| -> Result<Vec<Vec<u16>>> {
        let Some(first) = plan.of_level(level).next() else { return Ok(Vec::new()) };
        let group = &plan.groups()[first];
        let free = |one: &Measurement| super::slice::fix(plan, group, &one.clique).map(|(_, free, _)| free);
        list.iter().map(free).filter(|clique| clique.as_ref().map_or(true, |one| !one.is_empty())).collect()
    };
    let mut all: Vec<_> =
        levels.iter().enumerate().map(|(i, one)| of(i, &one.measurements)).collect::<Result<_>>()?;
    let known = levels.iter().enumerate().find(|(_, one)| !one.public.is_empty());
    all.push(known.map_or(Ok(Vec::new()), |(i, one)| of(i, &one.public))?);
    Ok(all)
}

/// All groups, estimated.
#[derive(Debug, Clone)]
pub struct Hierarchy {
    /// What they share.
    pub setup: Arc<Setup>,
    /// What was kept of each group of the plan.
    pub states: Vec<Option<Arc<State>>>,
}
