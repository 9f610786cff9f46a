//! The problem at a price, the proof of its loss, and a higher price while the loss is not the least.

use super::certificate::{Certificate, certify, certify_loss, natural};
use super::linear::{Aim, Best, LinearJob};
use crate::estimators::interior::{self, Fit, InteriorJob, Problem};
use crate::models::support::{Index, zeros};
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// The first price, and by how much it rises. Answers of real surveys were met at 64 as well as they can be.
const PRICE: f64 = 64.0;
const RISE: f64 = 8.0;
/// Beyond 64·8³ nothing was ever gained.
const ROUNDS: usize = 4;
/// The part of the tolerance that the first problem is solved to.
const PART: f64 = 0.3;

/// How far it goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The relative gap, of the loss and of the entropy, that is good enough.
    pub tolerance: f64,
    /// False leaves the second stage out: only the least loss is sought.
    pub entropy: bool,
    /// What the order of sweeps is drawn from.
    pub seed: u64,
}

/// A judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// Passes over all rows and marginals so far.
    pub passes: f64,
    /// The price of the distance; 0 of the loss alone.
    pub price: f64,
    /// The distance, and the entropy.
    pub loss: f64,
    /// KL(q‖p).
    pub entropy: f64,
}

/// The outcome: always the best point that was seen.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The potential of each supported cell: q ∝ p exp(Mᵀu). None of the loss alone.
    pub u: Option<Vec<f64>>,
    /// q.
    pub weights: Vec<f64>,
    /// How good it is.
    pub certificate: Certificate,
    /// Whether that is within the tolerance.
    pub converged: bool,
    /// The judgements, in order.
    pub rounds: Vec<Round>,
}

enum Phase {
    /// Λ‖Mq − y‖₁ + KL(q‖p).
    Priced(Box<InteriorJob>),
    /// The distance alone, from where that ended.
    Proof(Box<LinearJob>, Box<Fit>),
    /// The distance alone, from the prior.
    Linear(Box<LinearJob>),
    Over,
}

/// A two-stage estimation in the making.
pub struct TwoStageJob {
    index: Arc<Index>,
    prior: Arc<[f64]>,
    answers: Vec<f64>,
    options: Options,
    phase: Phase,
    price: f64,
    round: usize,
    /// A dual point of the distance, once there is one that does not depend on a price.
    proof: Option<Vec<f64>>,
    /// Units, and passes, of the problems that ended.
    before: (u64, usize),
    best: Option<Solution>,
    rounds: Vec<Round>,
}

impl TwoStageJob {
    /// A prior on the rows of an index, with sum 1, and the answer of each supported cell as a share of the total.
    pub fn new(index: Arc<Index>, prior: Vec<f64>, answers: Vec<f64>, options: Options) -> Result<Self> {
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
            return Err(Error::new(Code::OptionInvalid, "the tolerance lies between 0 and 1"));
        }
        let job = Self {
            index,
            prior: prior.into(),
            answers,
            options,
            phase: Phase::Over,
            price: PRICE,
            round: 1,
            proof: None,
            before: (0, 0),
            best: None,
            rounds: Vec::new(),
        };
        let phase = if options.entropy { job.priced()? } else { job.linear()? };
        Ok(Self { phase, ..job })
    }

    /// Does about `work` units, of about a nanosecond each; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let ended = match &mut self.phase {
            Phase::Priced(job) => job.step(work)?,
            Phase::Proof(job, _) | Phase::Linear(job) => job.step(work),
            Phase::Over => return Ok(true),
        };
        if ended {
            self.next()?;
        }
        Ok(matches!(self.phase, Phase::Over))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        let of_job = match &self.phase {
            Phase::Priced(job) => job.done(),
            Phase::Proof(job, _) | Phase::Linear(job) => job.done(),
            Phase::Over => 0,
        };
        self.before.0 + of_job
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        let of_job = match &self.phase {
            Phase::Priced(job) => job.trace().len(),
            Phase::Linear(job) => job.trace().len(),
            _ => 0,
        };
        self.rounds.len() + of_job
    }

    /// The best solution so far: at worst the prior.
    pub fn finish(mut self) -> Result<Solution> {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Priced(job) => {
                let fit = self.ended(*job)?;
                self.offer(&fit)?;
            }
            Phase::Proof(job, fit) => {
                self.proof = Some(job.best().v.clone());
                self.offer(&fit)?;
            }
            Phase::Linear(job) => self.least(&job)?,
            Phase::Over => {}
        }
        let none = || Error::new(Code::OptionInvalid, "the estimation failed: there is no model");
        let best = self.best.ok_or_else(none)?;
        Ok(Solution { rounds: self.rounds, ..best })
    }

    /// The problem at the price.
    fn priced(&self) -> Result<Phase> {
        let Self { index, prior, answers, options, .. } = self;
        let bounds = vec![self.price; answers.len()];
        let problem = Problem::new(Arc::clone(index), prior, answers.clone(), bounds)?.by_parts();
        let tolerance = PART * options.tolerance;
        let options = interior::Options { tolerance, seed: options.seed, ..interior::Options::default() };
        Ok(Phase::Priced(Box::new(InteriorJob::new(problem, options))))
    }

    /// The distance alone.
    fn linear(&self) -> Result<Phase> {
        let aim = Aim { tolerance: self.options.tolerance, of_start: self.options.tolerance };
        let v = zeros(self.answers.len())?;
        let job = LinearJob::new(&self.index, &self.prior, &self.answers, (&self.prior, &v), aim)?;
        Ok(Phase::Linear(Box::new(job)))
    }

    /// What follows a problem that has ended.
    fn next(&mut self) -> Result<()> {
        let tolerance = self.options.tolerance;
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Priced(job) => {
                let fit = self.ended(*job)?;
                if self.offer(&fit)? {
                    return Ok(());
                }
                if self.proof.is_some() {
                    return self.rise();
                }
                let aim = Aim { tolerance: PART * tolerance, of_start: tolerance };
                let dual = self.dual(&fit.u);
                let start = (fit.weights.as_slice(), dual.as_slice());
                let job = LinearJob::new(&self.index, &self.prior, &self.answers, start, aim)?;
                self.phase = Phase::Proof(Box::new(job), Box::new(fit));
            }
            Phase::Proof(job, fit) => {
                self.before = (self.before.0 + job.done(), self.before.1 + job.passes());
                let best = job.best();
                self.proof = Some(best.v.clone());
                // Where the distance can fall, the price was too low.
                let least = fit.certificate.distance - tolerance * natural(best.distance, &self.answers);
                if !self.offer(&fit)? && best.distance < least {
                    return self.rise();
                }
            }
            Phase::Linear(job) => self.least(&job)?,
            Phase::Over => {}
        }
        Ok(())
    }

    /// The problem at the next price, if there is one.
    fn rise(&mut self) -> Result<()> {
        if self.round < ROUNDS {
            self.round += 1;
            self.price *= RISE;
            self.phase = self.priced()?;
        }
        Ok(())
    }

    /// Keeps the judgements of a problem.
    fn note(&mut self, job: &InteriorJob) {
        let (before, price) = (self.before.1, self.price);
        self.rounds.extend(job.trace().into_iter().map(|(passes, certificate)| Round {
            passes: (before + passes) as f64,
            price,
            loss: certificate.distance,
            entropy: certificate.divergence,
        }));
    }

    /// The best point of a problem.
    fn ended(&mut self, job: InteriorJob) -> Result<Fit> {
        self.note(&job);
        let done = job.done();
        let fit = job.stop()?;
        self.before = (self.before.0 + done, self.before.1 + fit.counts.row_passes);
        Ok(fit)
    }

    /// Takes the least distance.
    fn least(&mut self, job: &LinearJob) -> Result<()> {
        self.before = (job.done(), job.passes());
        let round = |&(passes, loss, entropy): &(usize, f64, f64)| Round {
            passes: passes as f64,
            price: 0.0,
            loss,
            entropy,
        };
        self.rounds.extend(job.trace().iter().map(round));
        let Best { q, m, v, .. } = job.best();
        let certificate = certify_loss(&self.index, &self.prior, &self.answers, (q, m), v)?;
        let converged = certificate.relative <= self.options.tolerance;
        self.best =
            Some(Solution { u: None, weights: q.clone(), certificate, converged, rounds: Vec::new() });
        Ok(())
    }

    /// A dual point of the distance from potentials at the price.
    fn dual(&self, u: &[f64]) -> Vec<f64> {
        u.iter().map(|u| (u / self.price).clamp(-1.0, 1.0)).collect()
    }

    /// Keeps a point if it is the best; whether it is good enough.
    fn offer(&mut self, Fit { u, weights, marginals, .. }: &Fit) -> Result<bool> {
        let own = if self.proof.is_none() { self.dual(u) } else { Vec::new() };
        let v = self.proof.as_ref().unwrap_or(&own);
        let certificate = certify(&self.index, &self.prior, &self.answers, (weights, marginals), u, v)?;
        let converged = certificate.relative <= self.options.tolerance;
        if self.best.as_ref().is_none_or(|best| certificate.relative < best.certificate.relative) {
            let (u, weights) = (Some(u.clone()), weights.clone());
            self.best = Some(Solution { u, weights, certificate, converged, rounds: Vec::new() });
        }
        Ok(converged)
    }
}
