//! Rounds of two problems each, at a price that rises until the certificate is good enough.

use super::certificate::{Certificate, certify};
use crate::interior::{self, Fit, InteriorJob, Problem};
use crate::support::Index;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// The first price, and by how much it rises. Answers of real surveys were met at 64 as well as they can be.
const PRICE: f64 = 64.0;
const RISE: f64 = 8.0;
/// Beyond 64·8³ nothing was ever gained.
const ROUNDS: usize = 4;
/// The part of the tolerance that the first problem is solved to.
const PART: f64 = 0.3;
/// The second problem proves a gap of about the root of its own; where that is not enough it is solved again, to so
/// much less, and at most to this.
const FINER: f64 = 1e-3;
const FINEST: f64 = 1e-14;

/// How far it goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The relative gap, of the loss and of the entropy, that is good enough.
    pub tolerance: f64,
    /// What the order of sweeps is drawn from.
    pub seed: u64,
}

/// A judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// Passes over all rows and marginals so far.
    pub passes: f64,
    /// The price of the distance.
    pub price: f64,
    /// The distance, and the entropy.
    pub loss: f64,
    /// KL(q‖p).
    pub entropy: f64,
}

/// The outcome: always the best point that was seen.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The potential of each supported cell: q ∝ p exp(Mᵀu).
    pub u: Vec<f64>,
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
    /// The same from where that ended.
    Checked(Box<InteriorJob>, Fit),
    Over,
}

/// A two-stage estimation in the making.
pub struct TwoStageJob {
    index: Arc<Index>,
    prior: Vec<f64>,
    answers: Vec<f64>,
    options: Options,
    problem: Problem,
    phase: Phase,
    price: f64,
    /// What the second problem is solved to.
    proof: f64,
    round: usize,
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
        let price = PRICE;
        let problem = priced(&index, &prior, &answers, price)?;
        let job = solving(problem.clone(), PART * options.tolerance, options.seed);
        let phase = Phase::Priced(Box::new(job));
        let (round, before, rounds) = (1, (0, 0), Vec::new());
        Ok(Self {
            index,
            prior,
            answers,
            options,
            problem,
            phase,
            price,
            proof: 1.0,
            round,
            before,
            best: None,
            rounds,
        })
    }

    /// Does about `work` units, of about a nanosecond each; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let (Phase::Priced(job) | Phase::Checked(job, _)) = &mut self.phase else { return Ok(true) };
        if job.step(work)? {
            self.next()?;
        }
        Ok(matches!(self.phase, Phase::Over))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.before.0 + self.job().map_or(0, InteriorJob::done)
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        let of_job = match &self.phase {
            Phase::Priced(job) => job.trace().len(),
            _ => 0,
        };
        self.rounds.len() + of_job
    }

    /// The best solution so far: at worst the prior.
    pub fn finish(mut self) -> Result<Solution> {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Priced(job) => {
                self.note(&job);
                let fit = self.ended(*job)?;
                self.offer_priced(fit)?;
            }
            Phase::Checked(job, first) => {
                let fit = self.ended(*job)?;
                self.offer_checked(&first, fit)?;
            }
            Phase::Over => {}
        }
        let none = || Error::new(Code::OptionInvalid, "the estimation failed: there is no model");
        let best = self.best.ok_or_else(none)?;
        Ok(Solution { rounds: self.rounds, ..best })
    }

    fn job(&self) -> Option<&InteriorJob> {
        match &self.phase {
            Phase::Priced(job) | Phase::Checked(job, _) => Some(job),
            Phase::Over => None,
        }
    }

    /// What follows a problem that has ended.
    fn next(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Priced(job) => {
                self.note(&job);
                let fit = self.ended(*job)?;
                if !self.offer_priced(fit.clone())? {
                    let moved = self.problem.moved(&fit.u)?;
                    let tolerance = PART * self.options.tolerance;
                    self.proof = (tolerance * tolerance).max(FINEST);
                    let job = solving(moved, self.proof, self.options.seed);
                    self.phase = Phase::Checked(Box::new(job), fit);
                }
            }
            Phase::Checked(job, first) => {
                let fit = self.ended(*job)?;
                // Where the distance no longer falls, a higher price would not help.
                let (before, after) = (first.certificate.distance, fit.certificate.distance);
                let fell = after < before * (1.0 - PART * self.options.tolerance);
                if self.offer_checked(&first, fit)? {
                    return Ok(());
                }
                if !fell && self.proof > FINEST {
                    self.proof = (FINER * self.proof).max(FINEST);
                    let job = solving(self.problem.moved(&first.u)?, self.proof, self.options.seed);
                    self.phase = Phase::Checked(Box::new(job), first);
                } else if fell && self.round < ROUNDS {
                    self.round += 1;
                    self.price *= RISE;
                    self.problem = priced(&self.index, &self.prior, &self.answers, self.price)?;
                    let job = solving(self.problem.clone(), PART * self.options.tolerance, self.options.seed);
                    self.phase = Phase::Priced(Box::new(job));
                }
            }
            Phase::Over => {}
        }
        Ok(())
    }

    /// Keeps the judgements of a problem. Those of a second one are of the entropy to where it began.
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
        let done = job.done();
        let fit = job.stop()?;
        self.before = (self.before.0 + done, self.before.1 + fit.counts.row_passes);
        Ok(fit)
    }

    /// Offers the optimum at a price, with its own dual as that of the loss.
    fn offer_priced(&mut self, fit: Fit) -> Result<bool> {
        let v = self.of_loss(&fit.u);
        self.offer(fit, &v)
    }

    /// Offers both optima with the dual of the second.
    fn offer_checked(&mut self, first: &Fit, mut second: Fit) -> Result<bool> {
        let v = self.of_loss(&second.u);
        let good = self.offer(first.clone(), &v)?;
        second.u.iter_mut().zip(&first.u).for_each(|(u, first)| *u += first);
        Ok(self.offer(second, &v)? || good)
    }

    fn of_loss(&self, u: &[f64]) -> Vec<f64> {
        u.iter().map(|u| (u / self.price).clamp(-1.0, 1.0)).collect()
    }

    /// Keeps a point if it is the best; whether it is good enough.
    fn offer(&mut self, Fit { u, weights, marginals, .. }: Fit, v: &[f64]) -> Result<bool> {
        let point = (weights.as_slice(), marginals.as_slice());
        let certificate = certify(&self.index, &self.prior, &self.answers, point, &u, v)?;
        let converged = certificate.relative <= self.options.tolerance;
        if self.best.as_ref().is_none_or(|best| certificate.relative < best.certificate.relative) {
            self.best = Some(Solution { u, weights, certificate, converged, rounds: Vec::new() });
        }
        Ok(converged)
    }
}

fn priced(index: &Arc<Index>, prior: &[f64], answers: &[f64], price: f64) -> Result<Problem> {
    let bounds = vec![price; answers.len()];
    Ok(Problem::new(Arc::clone(index), prior, answers.to_vec(), bounds)?.by_parts())
}

fn solving(problem: Problem, tolerance: f64, seed: u64) -> InteriorJob {
    InteriorJob::new(problem, interior::Options { tolerance, seed, ..interior::Options::default() })
}
