//! Whether the priors of groups agree with their answers.
//!
//! What a prior is worth by its sources is right where it is of the same population. Whether it is shows in the answers:
//! of one group hardly, of all groups of a level together soon. So each level has one factor for the strengths of its
//! groups, found as for one table ([`StrengthJob`]): 1 where a fit is no farther from the answers than their
//! noise explains, otherwise what the coupled bootstrap finds best. It is found on a sample of groups: some of the
//! finest, in proportion to their totals, and what they lie within.

use super::{GroupEstimation, Judged, Prior, Setup, Source, Strength, Task};
use crate::deviates::child;
use crate::estimators::calibrated::Fits;
use crate::estimators::calibrated::Problem;
use crate::estimators::strength::{Bootstrap, Choice, Noise, Question, Rule, Solver, StrengthJob};
use crate::job::Pace;
#[cfg(feature = "threads")]
use crate::par::alone;
use crate::total::Total;
use marginalia_tables::Result;
#[cfg(feature = "threads")]
use rayon::prelude::*;
use std::sync::Arc;
#[cfg(feature = "threads")]
use std::sync::{Mutex, PoisonError};

/// The most of the finest groups in the sample.
const MOST: usize = 16;
/// Draws of the bootstrap in all groups of a level together.
const DRAWS: usize = 8;
/// How much more work threads do side by side before they wait for each other.
#[cfg(feature = "threads")]
const MORE: u64 = 4;
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
        if let Some(mut job) = strength(&setup, source, level, &priors, spread)? {
            pace.drive(|work| Ok((job.step(work)?, job.done()))).await?;
            let Choice { strength: trust, consistency, .. } = job.finish()?.0;
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
) -> Result<Option<StrengthJob<Stack>>> {
    let Some(strength @ Strength::Harmonic { .. }) = setup.levels[level].estimator.strength else {
        return Ok(None);
    };
    let mut stack = Stack::default();
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
        stack.push(problem, own);
    }
    if answers.is_empty() {
        return Ok(None);
    }
    let draws = DRAWS.div_ceil(stack.fits.len());
    let seed = child(setup.seed, &[GATE, level as u64]);
    let rule = Rule::Bootstrap(Bootstrap { draws, seed, doublings: 0, ..Bootstrap::default() });
    let spread = vec![spread; variances.len()];
    // Of a strength that is 1 by its sources.
    let (noise, public, records) = (Noise::new(variances, spread)?, f64::INFINITY, 1.0);
    let question = Question { answers, noise, public, records, unmeasured: 1.0 };
    Ok(Some(StrengthJob::new(rule, question, stack)?))
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

/// Fits of several groups as one: their answers and marginals after each other, and a strength as a factor of each one's own.
#[derive(Default)]
struct Stack {
    fits: Vec<Fit>,
    marginals: Vec<f64>,
}

struct Fit {
    fits: Fits,
    /// What the strength is a factor of.
    own: f64,
    over: bool,
}

impl Fit {
    fn step(&mut self, work: u64) -> Result<bool> {
        self.over = self.fits.step(work)?;
        Ok(self.over)
    }
}

impl Stack {
    fn push(&mut self, problem: Problem, own: f64) {
        self.fits.push(Fit { fits: Fits::new(problem, f64::INFINITY), own, over: true });
    }

    /// Goes on with what is not over: where that is enough for all threads, each has fits of its own.
    fn advance(&mut self, work: u64) -> Result<()> {
        let left: Vec<&mut Fit> = self.fits.iter_mut().filter(|fit| !fit.over).collect();
        #[cfg(feature = "threads")]
        if rayon::current_num_threads() > 1 && left.len() >= rayon::current_num_threads() {
            return side_by_side(left, work);
        }
        left.into_iter().next().map_or(Ok(()), |fit| fit.step(work).map(|_| ()))
    }
}

/// Each thread takes one fit after another until one needs more than its work.
#[cfg(feature = "threads")]
fn side_by_side(fits: Vec<&mut Fit>, work: u64) -> Result<()> {
    let left = Mutex::new(fits.into_iter());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let lane = |_| {
        while let Some(fit) = next() {
            if !alone(|| fit.step(work.saturating_mul(MORE)))? {
                break;
            }
        }
        Ok(())
    };
    (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).try_for_each(lane)
}

impl Solver for Stack {
    fn begin(&mut self, answers: &[f64], strength: f64) -> Result<()> {
        let mut rest = answers;
        for fit in &mut self.fits {
            let (own, others) = rest.split_at(fit.fits.cells());
            fit.fits.begin(own, strength)?;
            fit.over = false;
            rest = others;
        }
        Ok(())
    }

    fn step(&mut self, work: u64) -> Result<bool> {
        self.advance(work)?;
        let over = self.fits.iter().all(|fit| fit.over);
        if over {
            self.marginals.clear();
            self.fits.iter().for_each(|fit| self.marginals.extend_from_slice(fit.fits.marginals()));
        }
        Ok(over)
    }

    fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    fn divergence(&self) -> f64 {
        self.fits.iter().map(|fit| fit.own * fit.fits.divergence()).sum()
    }
}
