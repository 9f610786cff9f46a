//! Whether the priors of groups agree with their answers.
//!
//! What a prior is worth by its sources is right where it is of the same population. Whether it is shows in the answers:
//! of one group hardly, of all groups of a level together soon. So each level has one factor for the strengths of its
//! groups, found as for one table ([`choice`]): 1 where a fit is no farther from the answers than their
//! noise explains, otherwise what the coupled bootstrap finds best. It is found on a sample of groups: some of the
//! finest, in proportion to their totals, and what they lie within.

use super::{GroupEstimation, Judged, Prior, Setup, Source, Strength, Task};
use crate::deviates::child;
use crate::estimators::calibrated::Fits;
use crate::estimators::calibrated::Problem;
use crate::estimators::strength::{Bootstrap, Choice, Fitted, Noise, Question, Rule, choice};
use crate::job::{Lanes, Pace, Steps, threads};
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::{Arc, Mutex, PoisonError};

/// The most of the finest groups in the sample.
const MOST: usize = 16;
/// Draws of the bootstrap in all groups of a level together.
const DRAWS: usize = 8;
const GATE: u64 = 0x6761_7465;

/// One group of the sample.
struct Member {
    group: usize,
    level: usize,
    /// The place of what it lies within in the sample.
    parent: Option<usize>,
    /// What it is to those within it, once it is estimated.
    below: Option<Arc<Prior>>,
}

/// The levels with the factor of each, from the coarsest to the finest; `spread` is Var(r²)/σ⁴ of the noise r.
pub(super) async fn judged(
    mut setup: Setup,
    source: &dyn Source,
    totals: &[Total],
    spread: f64,
    pace: &Pace,
) -> Result<Setup> {
    let mut members = sample(&setup, totals);
    for level in 0..setup.levels.len() {
        let of_level: Vec<usize> = (0..members.len()).filter(|at| members[*at].level == level).collect();
        let mut priors = Vec::with_capacity(of_level.len());
        for at in &of_level {
            priors.push((members[*at].group, prior(&setup, &members, *at, pace).await?));
        }
        if let Some(job) = strength(&setup, source, level, &priors, spread)? {
            let Choice { strength: trust, consistency, .. } = pace.run(job).await?;
            setup.levels[level].trust = trust;
            setup.levels[level].judged = consistency.map(|excess| Judged { trust, excess });
        }
        if level + 1 == setup.levels.len() {
            break;
        }
        for (at, (group, prior)) in of_level.into_iter().zip(priors) {
            let (task, seed) = (Arc::new(source.task(group)?), setup.seed(group));
            let estimation = GroupEstimation::new(&setup.levels[level], Arc::clone(&prior), task, seed)?;
            let outcome = estimation.estimate(pace).await?;
            members[at].below = Some(Arc::new(prior.below(outcome.model.weights()?, &outcome.state)?));
        }
    }
    Ok(setup)
}

/// The prior of a group of the sample.
async fn prior(setup: &Setup, members: &[Member], at: usize, pace: &Pace) -> Result<Arc<Prior>> {
    let Member { group, parent, .. } = members[at];
    let above = parent.and_then(|parent| members[parent].below.as_ref()).unwrap_or(&setup.prior);
    match setup.local(group) {
        None => Ok(Arc::clone(above)),
        Some(local) => Ok(Arc::new(local.prior(above, group, setup.seed(group), pace).await?.0)),
    }
}

/// The choice of the strength of a level by what its groups answer, as one question; none where it is not open.
fn strength(
    setup: &Setup,
    source: &dyn Source,
    level: usize,
    priors: &[(usize, Arc<Prior>)],
    spread: f64,
) -> Result<Option<Steps<Choice>>> {
    let Some(strength @ Strength::Harmonic { .. }) = setup.levels[level].estimator.strength else {
        return Ok(None);
    };
    let mut stack = Vec::new();
    let (mut answers, mut variances) = (Vec::new(), Vec::new());
    for (group, prior) in priors {
        let Task { measurements, total } = source.task(*group)?;
        let (base, n) = (Arc::clone(&prior.base), total.records());
        let own = strength.of(prior, n);
        let index = Arc::clone(&setup.levels[level].index);
        let mut problem = Problem::new(base, index, &measurements, n, own)?;
        answers.extend_from_slice(&problem.y);
        variances.extend(problem.lambda.iter().map(|lambda| 1.0 / (lambda * own)));
        problem.outside.clear();
        stack.push((Fits::new(problem, f64::INFINITY), own));
    }
    if answers.is_empty() {
        return Ok(None);
    }
    let draws = DRAWS.div_ceil(stack.len());
    let seed = child(setup.seed, &[GATE, level as u64]);
    let rule = Rule::Bootstrap(Bootstrap { draws, seed, doublings: 0, ..Bootstrap::default() });
    let spread = vec![spread; variances.len()];
    // Of a strength that is 1 by its sources.
    let (noise, public, records) = (Noise::new(variances, spread)?, f64::INFINITY, 1.0);
    let question = Question { answers, noise, public, records, unmeasured: 1.0 };
    let fit = move |answers: &[f64], strength, start| Ok(stacked(&stack, answers, strength, start));
    choice(rule, question, fit).map(Some)
}

/// Some of the finest groups, one wherever the sum of totals passes a step, and what they lie within, in the order of the plan.
fn sample(setup: &Setup, totals: &[Total]) -> Vec<Member> {
    let groups = setup.plan.groups();
    let last = setup.levels.len() - 1;
    let records = |at: usize| if groups[at].level == last { totals[at].value.max(0.0) } else { 0.0 };
    let every = (0..groups.len()).map(records).sum::<f64>() / MOST as f64;
    let many = setup.plan.of_level(last).count() > MOST;
    let mut part = vec![false; groups.len()];
    let mut sum = every / 2.0;
    for at in (0..groups.len()).filter(|at| records(*at) > 0.0) {
        let before = libm::floor(sum / every);
        sum += records(at);
        part[at] = !many || libm::floor(sum / every) > before;
    }
    for at in (0..groups.len()).rev() {
        if let (true, Some(parent)) = (part[at], groups[at].parent) {
            part[parent] = true;
        }
    }
    let mut place = vec![0; groups.len()];
    let mut members = Vec::new();
    for at in (0..groups.len()).filter(|at| part[*at]) {
        place[at] = members.len();
        let parent = groups[at].parent.map(|parent| place[parent]);
        members.push(Member { group: at, level: groups[at].level, parent, below: None });
    }
    members
}

/// Fits of several groups as one: their answers and marginals after each other, and a strength as a factor of each one's own. Where
/// they are enough for all threads, each of these has fits of its own.
fn stacked(stack: &[(Fits, f64)], answers: &[f64], strength: f64, start: Option<Vec<f64>>) -> Steps<Fitted> {
    let (mut jobs, mut first) = (Vec::new(), 0);
    for (at, (fits, own)) in stack.iter().enumerate() {
        let cells = first..first + fits.cells();
        let start = start.as_ref().map(|start| start[cells.clone()].to_vec());
        jobs.push((at, *own, fits.fit(&answers[cells.clone()], strength, start)));
        first = cells.end;
    }
    let (count, found) = (jobs.len(), Arc::new(Mutex::new(vec![None; jobs.len()])));
    let left = Arc::new(Mutex::new(jobs.into_iter()));
    Steps::new(move |pace| async move {
        let lane = |_| {
            let (left, found) = (Arc::clone(&left), Arc::clone(&found));
            Steps::new(move |pace| async move {
                let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some((at, own, fit)) = next() {
                    let fitted = pace.run(fit).await?;
                    found.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some((own, fitted));
                }
                Ok(())
            })
        };
        let lanes = if count >= threads() { threads() } else { 1 };
        pace.run(Lanes::new(lanes, lane)).await?;
        let found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
        let mut all = Fitted { potentials: Some(Vec::new()), ..Fitted::default() };
        for (own, fitted) in found.into_iter().flatten() {
            all.marginals.extend(fitted.marginals);
            all.divergence += own * fitted.divergence;
            all.potentials = all.potentials.zip(fitted.potentials).map(|(all, own)| [all, own].concat());
        }
        Ok(all)
    })
}
