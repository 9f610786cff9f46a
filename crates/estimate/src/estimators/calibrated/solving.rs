//! The choice of a strength, and then the solver of the loss that was asked for.

use super::estimator::{CalibratedEstimator, Loss};
use super::fits::Fits;
use super::{Calibrated, Gaps, Options, Problem, Step};
use crate::estimators::interior::{self, InteriorJob};
use crate::estimators::strength::{
    Bootstrap, Choice, Noise, Question, Rule, StrengthJob, flatness, harmonic,
};
use crate::estimators::{Certificate, Estimate, Estimation, Judgement, Missing, Request, Status, invalid};
use crate::job::{Job, Progress};
use crate::measurement::{Law, Measurement, Outside};
use crate::models::support::{Base, Distribution, Index, SupportModel};
use crate::total::Total;
use marginalia_tables::{Error, Result, Schema};
use std::sync::Arc;

/// What is to be estimated, and how.
pub(super) struct Terms {
    schema: Arc<Schema>,
    base: Arc<Base>,
    measurements: Vec<Measurement>,
    laws: Vec<Law>,
    total: Total,
    public: f64,
    /// What is decided already.
    strength: Option<f64>,
    seed: u64,
    settings: CalibratedEstimator,
}

impl Terms {
    /// Those of a request.
    pub fn new(request: &Request, settings: CalibratedEstimator) -> Result<Self> {
        Ok(Self {
            schema: Arc::clone(&request.schema),
            base: request.rows()?,
            measurements: request.cells()?,
            laws: request.measurements.iter().map(|one| one.law).collect(),
            total: request.total,
            public: request.public,
            strength: request.shared.as_ref().and_then(|shared| shared.strength),
            seed: request.seed,
            settings,
        })
    }
}

/// A calibrated estimation whose cells of rows are known: the choice of a strength, and then the solver of its loss.
pub(super) struct Solving {
    terms: Arc<Terms>,
    /// At strength 1, or at the one that is decided.
    problem: Problem,
    phase: Phase,
    /// Units of the choice.
    before: u64,
    strength: f64,
    consistency: Option<f64>,
    /// The share of equal weights in the prior that is started from; there is none unless the answers ask for it.
    flatness: f64,
    over: bool,
}

enum Phase {
    Strength(Box<StrengthJob<Fits>>),
    L2(Box<Calibrated>),
    L1(Box<InteriorJob>),
    Failed(Error),
}

impl Solving {
    /// Begins with the choice of the strength, unless it is decided.
    pub fn new(terms: Arc<Terms>, index: Arc<Index>) -> Result<Self> {
        let (records, decided) = (terms.total.records(), terms.strength);
        let strength = decided.unwrap_or(1.0);
        let problem = Problem::new(Arc::clone(&terms.base), index, &terms.measurements, records, strength)?;
        let phase = Phase::Failed(failed());
        let mut solving = Self {
            terms,
            problem,
            phase,
            before: 0,
            strength,
            consistency: None,
            flatness: 0.0,
            over: false,
        };
        solving.phase = match decided {
            Some(_) => solving.solver(solving.problem.clone())?,
            None => solving.choice()?,
        };
        Ok(solving)
    }

    /// The choice of the strength, from a prior that is flattened where the answers ask for it.
    fn choice(&mut self) -> Result<Phase> {
        let (terms, problem) = (&self.terms, &mut self.problem);
        let of_marginals = || problem.index.marginals().iter().zip(&terms.laws);
        let spread = of_marginals().flat_map(|(marginal, law)| vec![law.spread(); marginal.places.len()]);
        let variance = problem.lambda.iter().map(|lambda| 1.0 / lambda).collect();
        let noise = Noise::new(variance, spread.collect())?;
        let prior = terms.base.prior();
        let rule = match terms.settings.strength {
            Rule::Bootstrap(rule) => {
                self.flatness = flatness(&problem.index, prior, &problem.y, &noise)?;
                Rule::Bootstrap(Bootstrap { seed: terms.seed, ..rule })
            }
            rule => rule,
        };
        if self.flatness > 0.0 {
            let equal = self.flatness / prior.len() as f64;
            let weights: Vec<f64> = prior.iter().map(|p| (1.0 - self.flatness) * p + equal).collect();
            problem.base = Arc::new(terms.base.reweighted(&weights)?);
        }
        let unmeasured = unmeasured(problem.index.marginals().iter().map(|marginal| &marginal.clique[..]));
        let (answers, records) = (problem.y.clone(), problem.total);
        let question = Question { answers, noise, public: terms.public, records, unmeasured };
        let job = StrengthJob::new(rule, question, Fits::new(problem.clone(), terms.public))?;
        Ok(Phase::Strength(Box::new(job)))
    }

    fn chosen(&mut self, strength: f64) -> Result<Phase> {
        self.strength = strength;
        let lambda = self.problem.lambda.iter().map(|lambda| lambda / strength).collect();
        self.solver(Problem { lambda, ..self.problem.clone() })
    }

    /// The solver of a problem at the strength.
    fn solver(&self, problem: Problem) -> Result<Phase> {
        let CalibratedEstimator { loss, tolerance, passes, sweeps, .. } = self.terms.settings;
        let seed = self.terms.seed;
        Ok(match loss {
            Loss::L2 => {
                let options = Options { tolerance, passes, seed, sweeps, ..Options::default() };
                Phase::L2(Box::new(Calibrated::new(Arc::new(problem), options)?))
            }
            Loss::L1 => {
                let (index, bounds) = (Arc::clone(&problem.index), self.bounds()?);
                let problem = interior::Problem::new(index, problem.base.prior(), problem.y, bounds)?;
                let options = interior::Options { tolerance, seed, ..Default::default() };
                Phase::L1(Box::new(InteriorJob::new(problem, options)))
            }
        })
    }

    /// Λ = n/(b n₀) of each supported cell.
    fn bounds(&self) -> Result<Vec<f64>> {
        let mut bounds = Vec::with_capacity(self.problem.y.len());
        for (marginal, law) in self.problem.index.marginals().iter().zip(&self.terms.laws) {
            let bound = self.problem.total / (law.laplace_scale()? * self.strength);
            bounds.extend(marginal.places.iter().map(|_| bound));
        }
        Ok(bounds)
    }

    fn advance(&mut self, work: u64) -> Result<()> {
        match &mut self.phase {
            Phase::Strength(job) => {
                if job.step(work)? {
                    self.before = job.done();
                    if let Phase::Strength(job) = std::mem::replace(&mut self.phase, Phase::Failed(failed()))
                    {
                        let (Choice { strength, consistency, .. }, _) = job.finish()?;
                        self.consistency = consistency;
                        self.phase = self.chosen(strength)?;
                    }
                }
            }
            Phase::L2(job) => self.over = job.step(work)?,
            Phase::L1(job) => self.over = job.step(work)?,
            Phase::Failed(_) => self.over = true,
        }
        Ok(())
    }

    fn done(&self) -> u64 {
        match &self.phase {
            Phase::Strength(job) => job.done(),
            Phase::L2(job) => self.before + job.done(),
            Phase::L1(job) => self.before + job.done(),
            Phase::Failed(_) => self.before,
        }
    }

    fn model(&self, distribution: Distribution) -> Result<SupportModel> {
        // The model is one on the prior that was given.
        let distribution = match self.flatness {
            share if share > 0.0 => {
                let base = Arc::clone(&self.terms.base);
                Distribution::from_weights(base, distribution.into_weights()?, self.problem.total)?
            }
            _ => distribution,
        };
        SupportModel::new(Arc::clone(&self.terms.schema), distribution)
    }
}

impl Job for Solving {
    type Output = Estimate;

    fn step(&mut self, work: u64) -> Progress {
        if let Err(error) = self.advance(work) {
            (self.phase, self.over) = (Phase::Failed(error), true);
        }
        let done = self.done();
        Progress { work: done, done, total: 0, over: self.over }
    }

    /// The best model so far. Before the strength is chosen it is the prior, and the strength what it is if both are of one population.
    fn finish(mut self: Box<Self>) -> Result<Estimate> {
        if let Phase::Strength(_) = self.phase {
            self.phase = self.chosen(harmonic(self.terms.public, self.problem.total))?;
        }
        let phase = std::mem::replace(&mut self.phase, Phase::Failed(failed()));
        let (distribution, ended, gaps, trace) = match phase {
            Phase::L2(job) => squares(*job, self.over)?,
            Phase::L1(job) => distances(*job, &self.problem)?,
            Phase::Strength(_) => return Err(failed()),
            Phase::Failed(error) => return Err(error),
        };
        let missing = |one: &Outside| Missing { answers: one.cells, records: one.records };
        Ok(Estimate {
            model: Arc::new(self.model(distribution)?),
            status: ended.unless_refused(gaps.relative(), gaps.gap),
            certificate: Certificate::Calibrated {
                gap: gaps.gap,
                relative_gap: gaps.relative(),
                value: gaps.primal,
                bound: gaps.dual,
                relative_entropy: gaps.entropy,
                strength: self.strength,
                consistency: self.consistency,
                flatness: self.flatness,
            },
            trace,
            total: self.terms.total,
            missing: self.problem.outside.iter().map(missing).collect(),
        })
    }
}

impl Estimation for Solving {
    fn judgements(&self) -> usize {
        match &self.phase {
            Phase::L2(job) => job.judgements(),
            Phase::L1(job) => job.trace().len(),
            Phase::Strength(_) | Phase::Failed(_) => 0,
        }
    }
}

/// How many pairs of the attributes that were measured are in no clique, for each that is, and 1 at most.
fn unmeasured<'a>(cliques: impl Iterator<Item = &'a [u16]> + Clone) -> f64 {
    let size = cliques.clone().flatten().max().map_or(0, |last| usize::from(*last) + 1);
    let mut together = vec![false; size * size];
    for clique in cliques {
        for (a, b) in clique.iter().flat_map(|a| clique.iter().map(move |b| (*a, *b))) {
            together[usize::from(a) * size + usize::from(b)] = true;
        }
    }
    let attributes = (0..size).filter(|a| together[a * size + a]).count() as f64;
    // Each pair is there twice, and each attribute once.
    let measured = together.iter().filter(|one| **one).count() as f64 - attributes;
    (attributes * (attributes - 1.0) / measured - 1.0).min(1.0)
}

type Solved = (Distribution, Status, Gaps, Vec<Judgement>);

fn squares(job: Calibrated, over: bool) -> Result<Solved> {
    let solution = job.finish()?;
    let status = match solution.status {
        Status::Converged => Status::Converged,
        _ if over => Status::Limit,
        _ => Status::Stopped,
    };
    let judgement = |step: &Step| judgement(step.passes, step.certificate);
    let trace = solution.trace.iter().map(judgement).collect();
    Ok((solution.model, status, solution.certificate, trace))
}

fn distances(job: InteriorJob, problem: &Problem) -> Result<Solved> {
    let of = |certificate: interior::Certificate| Gaps {
        gap: certificate.gap,
        primal: certificate.primal,
        dual: certificate.dual(),
        entropy: certificate.divergence,
    };
    let trace = job.trace().into_iter().map(|(passes, one)| judgement(passes as f64, of(one))).collect();
    let fit = job.stop()?;
    let status = match fit.status {
        interior::Status::Converged => Status::Converged,
        interior::Status::IterationLimit | interior::Status::Stalled => Status::Limit,
        interior::Status::Stopped => Status::Stopped,
    };
    let (base, index) = (Arc::clone(&problem.base), Arc::clone(&problem.index));
    Ok((
        Distribution::from_potentials(base, index, fit.u, problem.total)?,
        status,
        of(fit.certificate),
        trace,
    ))
}

fn judgement(at: f64, gaps: Gaps) -> Judgement {
    let (gap, relative_entropy) = (Some(gaps.gap), gaps.entropy);
    Judgement { at, value: gaps.primal, gap, relative_entropy }
}

fn failed() -> Error {
    invalid("the estimation failed: there is no model")
}

#[cfg(test)]
mod tests {
    use super::unmeasured;

    #[test]
    fn what_was_not_measured_is_counted_in_pairs() {
        let of = |cliques: &[&[u16]]| unmeasured(cliques.iter().copied());
        assert_eq!(of(&[&[0, 1], &[1, 2], &[2, 0]]), 0.0);
        assert_eq!(of(&[&[0, 1, 2], &[1, 2]]), 0.0);
        assert_eq!(of(&[&[0, 1], &[1, 2], &[3, 2], &[0, 2]]), 0.5);
        assert_eq!(of(&[&[0, 1], &[2]]), 1.0);
        assert_eq!(of(&[&[0], &[1]]), 1.0);
    }
}
