//! Whether the priors of groups agree with their answers.
//!
//! What a prior is worth by its sources is right where it is of the same population. Whether it is shows in the answers:
//! of one group hardly, of all groups of a level together soon. So each level has one factor for the strengths of its
//! groups, found as for one table ([`StrengthJob`]): 1 where a fit is no farther from the answers than their
//! noise explains, otherwise what the coupled bootstrap finds best. It is found on a sample of groups: some of the
//! finest, in proportion to their totals, and what they lie within.

use super::local::LocalJob;
use super::{Estimator, GroupJob, Judged, Prior, Setup, Source, Strength, Task};
use crate::deviates::child;
use crate::estimators::calibrated::Fits;
use crate::estimators::calibrated::Problem;
use crate::estimators::strength::{Bootstrap, Choice, Noise, Question, Rule, Solver, StrengthJob};
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
    /// The place of what it lies within in the sample.
    parent: Option<usize>,
    /// Its prior, once that is made.
    prior: Option<Arc<Prior>>,
    /// What it is to those within it, once it is estimated.
    below: Option<Arc<Prior>>,
}

enum Phase {
    /// The priors of a level's groups are made, one after another.
    Priors(usize, Option<Box<LocalJob>>),
    /// Their strength is chosen.
    Strength(Box<StrengthJob<Stack>>),
    /// They are estimated, for those within them.
    Groups(usize, Option<Box<GroupJob>>),
    Done,
}

/// Finds the factor of each level, from the coarsest to the finest.
pub(super) struct GateJob {
    setup: Setup,
    source: Arc<dyn Source>,
    /// Var(r²)/σ⁴ of the noise r.
    spread: f64,
    members: Vec<Member>,
    level: usize,
    phase: Phase,
    done: u64,
}

impl GateJob {
    pub fn new(setup: Setup, source: Arc<dyn Source>, totals: &[Total], spread: f64) -> Self {
        let members = sample(&setup, totals);
        Self { setup, source, spread, members, level: 0, phase: Phase::Priors(0, None), done: 0 }
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.done < until && !matches!(self.phase, Phase::Done) {
            let phase = std::mem::replace(&mut self.phase, Phase::Done);
            self.phase = self.advance(phase, until - self.done)?;
            self.done += 1;
        }
        Ok(matches!(self.phase, Phase::Done))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The levels with their factors.
    pub fn finish(self) -> Setup {
        self.setup
    }

    fn advance(&mut self, phase: Phase, work: u64) -> Result<Phase> {
        match phase {
            Phase::Priors(at, job) => self.prior(at, job, work),
            Phase::Strength(mut job) => {
                let before = job.done();
                let over = job.step(work)?;
                self.done += job.done() - before;
                if !over {
                    return Ok(Phase::Strength(job));
                }
                let Choice { strength: trust, consistency, .. } = job.finish()?.0;
                let level = &mut self.setup.levels[self.level];
                level.trust = trust;
                level.judged = consistency.map(|excess| Judged { trust, excess });
                Ok(Phase::Groups(0, None))
            }
            Phase::Groups(at, job) => self.group(at, job, work),
            Phase::Done => Ok(Phase::Done),
        }
    }

    /// Goes on with the prior of a group; the next phase after the last of the level.
    fn prior(&mut self, at: usize, job: Option<Box<LocalJob>>, work: u64) -> Result<Phase> {
        let Some(at) = self.next(at) else { return self.asked() };
        let Member { group, parent, .. } = self.members[at];
        let above = parent.and_then(|parent| self.members[parent].below.clone());
        let above = above.unwrap_or_else(|| Arc::clone(&self.setup.prior));
        let prior = match (self.setup.local(group), job) {
            (None, _) => above,
            (Some(local), None) => {
                let job = LocalJob::new(local, above, group, self.setup.seed(group))?;
                return Ok(Phase::Priors(at, Some(Box::new(job))));
            }
            (Some(_), Some(mut job)) => {
                let before = job.done();
                let over = job.step(work)?;
                self.done += job.done() - before;
                if !over {
                    return Ok(Phase::Priors(at, Some(job)));
                }
                Arc::new(job.finish()?.0)
            }
        };
        self.members[at].prior = Some(prior);
        Ok(Phase::Priors(at + 1, None))
    }

    /// What the level's groups answer, as one question.
    fn asked(&self) -> Result<Phase> {
        let level = &self.setup.levels[self.level];
        let Estimator::Calibrated(_, strength @ Strength::Harmonic { .. }) = &level.estimator else {
            return Ok(Phase::Groups(0, None));
        };
        let mut stack = Stack::default();
        let (mut answers, mut variances) = (Vec::new(), Vec::new());
        for member in self.members.iter().filter(|one| self.of_level(one.group)) {
            let (Some(prior), Task { measurements, total }) =
                (&member.prior, self.source.task(member.group)?)
            else {
                continue;
            };
            let (base, index, n) = (Arc::clone(&prior.base), Arc::clone(&level.index), total.records());
            let own = strength.of(prior, n);
            let mut problem = Problem::new(base, index, &measurements, n, own)?;
            answers.extend_from_slice(&problem.y);
            variances.extend(problem.lambda.iter().map(|lambda| 1.0 / (lambda * own)));
            problem.outside.clear();
            stack.push(problem, own);
        }
        if answers.is_empty() {
            return Ok(Phase::Groups(0, None));
        }
        let draws = DRAWS.div_ceil(stack.fits.len());
        let seed = child(self.setup.seed, &[GATE, self.level as u64]);
        let rule = Rule::Bootstrap(Bootstrap { draws, seed, doublings: 0, ..Bootstrap::default() });
        let spread = vec![self.spread; variances.len()];
        // Of a strength that is 1 by its sources.
        let (noise, public, records) = (Noise::new(variances, spread)?, f64::INFINITY, 1.0);
        let question = Question { answers, noise, public, records, unmeasured: 1.0 };
        Ok(Phase::Strength(Box::new(StrengthJob::new(rule, question, stack)?)))
    }

    /// Goes on with the estimate of a group; the next level after the last.
    fn group(&mut self, at: usize, job: Option<Box<GroupJob>>, work: u64) -> Result<Phase> {
        let last = self.level + 1 == self.setup.levels.len();
        let Some(at) = self.next(at).filter(|_| !last) else {
            self.members.iter_mut().for_each(|one| one.prior = None);
            self.level += 1;
            return Ok(if last { Phase::Done } else { Phase::Priors(0, None) });
        };
        let member = &self.members[at];
        let Some(prior) = member.prior.clone() else { return Ok(Phase::Groups(at + 1, None)) };
        let Some(mut job) = job else {
            let task = Arc::new(self.source.task(member.group)?);
            let seed = self.setup.seed(member.group);
            let job = GroupJob::new(&self.setup.levels[self.level], prior, task, seed)?;
            return Ok(Phase::Groups(at, Some(Box::new(job))));
        };
        let before = job.done();
        let over = job.step(work)?;
        self.done += job.done() - before;
        if !over {
            return Ok(Phase::Groups(at, Some(job)));
        }
        let outcome = job.finish()?;
        let below = prior.below(outcome.model.weights()?, &outcome.state)?;
        self.members[at].below = Some(Arc::new(below));
        Ok(Phase::Groups(at + 1, None))
    }

    fn of_level(&self, group: usize) -> bool {
        self.setup.plan.groups()[group].level == self.level
    }

    /// The first member of the level from a place on.
    fn next(&self, at: usize) -> Option<usize> {
        (at..self.members.len()).find(|at| self.of_level(self.members[*at].group))
    }
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
        members.push(Member { group: at, parent, prior: None, below: None });
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
