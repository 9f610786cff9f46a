//! The choice of a strength, and then the solver of the loss that was asked for.

use super::calibration::{Loss, Terms};
use super::fits::Fits;
use super::stage::Job;
use super::{Estimate, Judgement, Missing, Status};
use crate::estimators::calibrated::{self, Calibrated, Certificate, Problem};
use crate::estimators::interior::{self, InteriorJob};
use crate::estimators::strength::{Choice, Noise, Question, Rule, StrengthJob, flatness};
use crate::measurement::Outside;
use crate::models::support::{Index, Model};
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// Above these gaps, one relative and one in nats, a model is no estimate.
const REFUSED: (f64, f64) = (0.1, 1e-6);

/// A calibrated estimation whose cells of rows are known.
pub(super) struct Solving {
    terms: Arc<Terms>,
    /// At strength 1.
    problem: Problem,
    phase: Phase,
    /// Units of the choice.
    before: u64,
    strength: f64,
    consistency: Option<f64>,
    /// The share of equal weights in the prior that is started from; there is none unless the answers ask for it.
    flatness: f64,
}

enum Phase {
    Strength(Box<StrengthJob<Fits>>),
    L2(Box<Calibrated>),
    L1(Box<InteriorJob>),
    Failed,
}

impl Solving {
    /// Begins with the choice of the strength.
    pub fn new(terms: Arc<Terms>, index: Arc<Index>) -> Result<Self> {
        let records = terms.total.records();
        let mut problem = Problem::new(Arc::clone(&terms.base), index, &terms.measurements, records, 1.0)?;
        let of_marginals = || problem.index.marginals().iter().zip(&terms.noises);
        let spread = of_marginals().flat_map(|(marginal, noise)| vec![noise.spread(); marginal.places.len()]);
        let variance = problem.lambda.iter().map(|lambda| 1.0 / lambda).collect();
        let noise = Noise::new(variance, spread.collect())?;
        let prior = terms.base.prior();
        let flatness = match terms.settings.rule {
            Rule::Bootstrap(_) => flatness(&problem.index, prior, &problem.y, &noise)?,
            _ => 0.0,
        };
        if flatness > 0.0 {
            let equal = flatness / prior.len() as f64;
            let weights: Vec<f64> = prior.iter().map(|p| (1.0 - flatness) * p + equal).collect();
            problem.base = Arc::new(terms.base.reweighted(&weights)?);
        }
        let (answers, public) = (problem.y.clone(), terms.settings.public);
        let cliques = problem.index.marginals().iter().map(|marginal| &marginal.clique[..]);
        let unmeasured = unmeasured(cliques);
        let question = Question { answers, noise, public, records, unmeasured };
        let job = StrengthJob::new(
            terms.settings.rule,
            question,
            Fits::new(problem.clone(), terms.settings.public),
        )?;
        let phase = Phase::Strength(Box::new(job));
        Ok(Self { terms, problem, phase, before: 0, strength: 1.0, consistency: None, flatness })
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        match &self.phase {
            Phase::L2(job) => job.judgements(),
            Phase::L1(job) => job.trace().len(),
            Phase::Strength(_) | Phase::Failed => 0,
        }
    }

    /// The best model so far. Before the strength is chosen it is the prior, and the strength what it is if both are of one population.
    pub fn finish(mut self, over: bool) -> Result<Estimate> {
        if let Phase::Strength(_) = self.phase {
            let harmonic =
                crate::estimators::strength::harmonic(self.terms.settings.public, self.problem.total);
            self.phase = self.solve(harmonic)?;
        }
        let (strength, consistency, total) = (Some(self.strength), self.consistency, self.terms.total);
        let missing = |one: &Outside| Missing { answers: one.cells, records: one.records };
        let missing = self.problem.outside.iter().map(missing).collect();
        let (model, ended, certificate, trace) = match self.phase {
            Phase::L2(job) => squares(*job, over)?,
            Phase::L1(job) => distances(*job, &self.problem)?,
            Phase::Strength(_) | Phase::Failed => return Err(failed()),
        };
        // The model is one on the prior that was given.
        let model = match self.flatness {
            share if share > 0.0 => {
                let base = Arc::clone(&self.terms.base);
                Model::from_weights(base, model.into_weights()?, self.problem.total)?
            }
            _ => model,
        };
        let far = certificate.relative() > REFUSED.0 && certificate.gap > REFUSED.1;
        let status = if far { Status::Refused } else { ended };
        Ok(Estimate {
            model,
            status,
            certificate: Some(certificate),
            trace,
            total,
            strength,
            consistency,
            flatness: Some(self.flatness),
            missing,
        })
    }

    fn chosen(&mut self, choice: &Choice) -> Result<Phase> {
        self.consistency = choice.consistency;
        self.solve(choice.strength)
    }

    fn solve(&mut self, strength: f64) -> Result<Phase> {
        self.strength = strength;
        let settings = &self.terms.settings;
        let (tolerance, seed) = (settings.tolerance, settings.seed);
        Ok(match settings.loss {
            Loss::L2 => {
                let lambda = self.problem.lambda.iter().map(|lambda| lambda / strength).collect();
                let problem = Arc::new(Problem { lambda, ..self.problem.clone() });
                let passes = settings.passes;
                let options = calibrated::Options { tolerance, passes, seed, ..Default::default() };
                Phase::L2(Box::new(Calibrated::new(problem, options)?))
            }
            Loss::L1 => {
                let bounds = self.bounds(strength)?;
                let (index, answers) = (Arc::clone(&self.problem.index), self.problem.y.clone());
                let prior = self.problem.base.prior();
                let problem = interior::Problem::new(index, prior, answers, bounds)?;
                let options = interior::Options { tolerance, seed, ..Default::default() };
                Phase::L1(Box::new(InteriorJob::new(problem, options)))
            }
        })
    }

    /// Λ = n/(b n₀) of each supported cell.
    fn bounds(&self, strength: f64) -> Result<Vec<f64>> {
        let mut bounds = Vec::with_capacity(self.problem.y.len());
        for (marginal, noise) in self.problem.index.marginals().iter().zip(&self.terms.noises) {
            let bound = self.problem.total / (noise.laplace_scale()? * strength);
            bounds.extend(marginal.places.iter().map(|_| bound));
        }
        Ok(bounds)
    }
}

impl Job for Solving {
    fn step(&mut self, work: u64) -> Result<bool> {
        match &mut self.phase {
            Phase::Strength(job) => {
                if job.step(work)? {
                    self.before = job.done();
                    if let Phase::Strength(job) = std::mem::replace(&mut self.phase, Phase::Failed) {
                        let (choice, _) = job.finish()?;
                        self.phase = self.chosen(&choice)?;
                    }
                }
                Ok(false)
            }
            Phase::L2(job) => job.step(work),
            Phase::L1(job) => job.step(work),
            Phase::Failed => Err(failed()),
        }
    }

    fn done(&self) -> u64 {
        match &self.phase {
            Phase::Strength(job) => job.done(),
            Phase::L2(job) => self.before + job.done(),
            Phase::L1(job) => self.before + job.done(),
            Phase::Failed => self.before,
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

type Solved = (Model, Status, Certificate, Vec<Judgement>);

fn squares(job: Calibrated, over: bool) -> Result<Solved> {
    let solution = job.finish()?;
    let status = match solution.status {
        calibrated::Status::Converged => Status::Converged,
        _ if over => Status::Limit,
        _ => Status::Stopped,
    };
    let judgement = |step: &calibrated::Step| judgement(step.passes, step.certificate);
    let trace = solution.trace.iter().map(judgement).collect();
    Ok((solution.model, status, solution.certificate, trace))
}

fn distances(job: InteriorJob, problem: &Problem) -> Result<Solved> {
    let of = |certificate: interior::Certificate| Certificate {
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
    Ok((Model::from_potentials(base, index, fit.u, problem.total)?, status, of(fit.certificate), trace))
}

fn judgement(at: f64, certificate: Certificate) -> Judgement {
    Judgement { at, value: certificate.primal, gap: certificate.gap, entropy: certificate.entropy }
}

fn failed() -> Error {
    Error::new(Code::OptionInvalid, "the estimation failed: there is no model")
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
