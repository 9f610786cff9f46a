//! A whole hierarchy from released marginals: the cells of rows, the totals, the groups.

use super::algorithm::{Board, estimated};
use super::gate::judged;
use super::{
    GroupEstimator, GroupsJob, HierarchyPlan, Level, Local, Prior, Released, Setup, States, TotalRule,
    UNKNOWN, consistent_with, invalid,
};
use crate::job::{Pace, Steps};
use crate::measurement::Measurement;
use crate::models::support::{Base, Index};
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::Arc;

/// One level of what was released.
#[derive(Debug, Clone)]
pub struct LevelAnswers {
    /// Marginals with the group attributes among theirs, the counts of the groups included.
    pub measurements: Vec<Measurement>,
    /// How its groups are estimated.
    pub estimator: GroupEstimator,
    /// Public counts with the group attributes among theirs, of each level on the same other attributes; none where the
    /// public table does not know the groups.
    pub public: Vec<Measurement>,
    /// How many records what a group lies within is worth as its prior.
    pub between: f64,
}

/// A hierarchy that is to be estimated.
#[derive(Debug)]
pub struct HierarchyRequest {
    /// From the coarsest level to the finest.
    pub levels: Vec<LevelAnswers>,
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

/// All groups of a plan, estimated on shared rows that are worth so many records.
pub fn estimate_groups(
    plan: Arc<HierarchyPlan>,
    base: Arc<Base>,
    strength: f64,
    request: HierarchyRequest,
) -> Result<GroupsJob<Hierarchy>> {
    let board = Board::new(vec![None; plan.groups().len()], request.lanes)?;
    let index = indexes(&plan, &base, &request.levels, request.limit)?;
    let prior = Prior::new(base, strength);
    let shared = Arc::clone(&board);
    let steps = Steps::new(move |pace| async move {
        pace.show(0, plan.groups().len());
        let (setup, released) =
            setup(plan, prior, request, indexed(index, &pace.quiet()).await?, &pace).await?;
        let setup = Arc::new(setup);
        let states = estimated(Arc::clone(&setup), Arc::new(released), board, &pace).await?;
        Ok(Hierarchy { setup, states })
    });
    Ok(GroupsJob::new(steps, shared))
}

/// What all groups share, each level trusting its priors as far as its answers do, and what was released of each group.
async fn setup(
    plan: Arc<HierarchyPlan>,
    prior: Prior,
    mut request: HierarchyRequest,
    index: Vec<Arc<Index>>,
    pace: &Pace,
) -> Result<(Setup, Released)> {
    let answers = std::mem::take(&mut request.levels);
    let counts = answers.iter().map(|of| of.public.clone()).collect();
    let between = answers.iter().map(|of| of.between).collect();
    let (setup, released) =
        leveled(Arc::clone(&plan), prior, answers, index, request.rule, request.seed, (counts, between))?;
    let totals = totals(&plan, released.totals()?, &request)?;
    let released = released.with_totals(totals.clone())?;
    Ok((judged(setup, &released, &totals, request.spread, pace).await?, released))
}

/// The indexes of the cliques of each level, and of those of the public counts, that are about to be made in at most `limit` bytes.
pub(super) fn indexes(
    plan: &HierarchyPlan,
    base: &Arc<Base>,
    levels: &[LevelAnswers],
    limit: u64,
) -> Result<Vec<Steps<Arc<Index>>>> {
    if levels.len() != plan.levels().len() {
        return Err(invalid("there must be a list of measurements for each level, if an empty one"));
    }
    let part = limit / (levels.len() as u64 + 1);
    cliques(plan, levels)?.into_iter().map(|cliques| Index::over(Arc::clone(base), cliques, part)).collect()
}

/// Makes them, one after another.
pub(super) async fn indexed(jobs: Vec<Steps<Arc<Index>>>, pace: &Pace) -> Result<Vec<Arc<Index>>> {
    let (mut index, all) = (Vec::with_capacity(jobs.len()), jobs.len());
    for job in jobs {
        index.push(pace.stage(index.len(), all).run(job).await?);
    }
    Ok(index)
}

/// Levels with their indexes, and what was released; with public counts of each level and what parents are worth to its groups.
pub(super) fn leveled(
    plan: Arc<HierarchyPlan>,
    prior: Prior,
    answers: Vec<LevelAnswers>,
    mut index: Vec<Arc<Index>>,
    rule: TotalRule,
    seed: u64,
    (counts, between): (Vec<Vec<Measurement>>, Vec<f64>),
) -> Result<(Setup, Released)> {
    let known = answers.iter().any(|of| !of.public.is_empty());
    let of_counts = index.pop().filter(|_| known);
    let (mut levels, mut measurements) = (Vec::new(), Vec::new());
    for (of, index) in answers.into_iter().zip(index) {
        levels.push(Level::with_index(&prior.base, index, of.estimator)?);
        measurements.push(of.measurements);
    }
    let released = Released::new(Arc::clone(&plan), measurements, rule)?;
    let setup = Setup::new(Arc::clone(&plan), prior, levels, seed)?;
    match of_counts {
        Some(index) => Ok((setup.with_local(Local::new(plan, index, counts, between)?)?, released)),
        None => Ok((setup, released)),
    }
}

/// The totals of groups: each one's own, or such that they agree with each other and with what is known.
fn totals(plan: &HierarchyPlan, mut own: Vec<Total>, request: &HierarchyRequest) -> Result<Vec<Total>> {
    if !request.agree && (request.all.is_some() || !request.known.is_empty()) {
        return Err(invalid("known numbers of records need totals that agree"));
    }
    for (group, records) in &request.known {
        let own = own.get_mut(*group).ok_or_else(|| invalid("the plan has no such group"))?;
        *own = Total::known(*records)?;
    }
    let last = plan.levels().len() - 1;
    let unknown =
        |at: usize| own[at].variance == UNKNOWN && (!request.agree || plan.groups()[at].level == last);
    if (0..own.len()).any(unknown) {
        return Err(invalid("without a measurement nothing says how many records a group has"));
    }
    if request.agree { consistent_with(plan, &own, request.all) } else { Ok(own) }
}

/// The cliques of each level without counts and without group attributes, and those of the public counts.
fn cliques(plan: &HierarchyPlan, levels: &[LevelAnswers]) -> Result<Vec<Vec<Vec<u16>>>> {
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
    pub states: States,
}
