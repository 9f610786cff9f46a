//! The problem at a price, the proof of its loss, and a higher price while the loss is not the least.

use super::certificate::{Certificate, certify, certify_loss};
use crate::estimators::interior::{self, Fit, Problem};
use crate::estimators::invalid;
use crate::estimators::linear::{Aim, Best, Least, Norm, least};
use crate::job::{Pace, Steps};
use crate::models::support::{Index, zeros};
use marginalia_tables::Result;
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

/// The estimate from a prior on the rows of an index, with sum 1, and the answer of each supported cell as a share of the total.
pub fn two_stage(index: Arc<Index>, prior: Vec<f64>, answers: Vec<f64>, options: Options) -> Steps<Solution> {
    Steps::new(move |pace| async move { solve(&index, &prior, &answers, options, &pace).await }).awake()
}

/// The same at a pace.
pub(super) async fn solve(
    index: &Arc<Index>,
    prior: &[f64],
    answers: &[f64],
    options: Options,
    pace: &Pace,
) -> Result<Solution> {
    if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
        return Err(invalid("the tolerance lies between 0 and 1"));
    }
    let (rounds, (price, proof, best)) = (Vec::new(), (PRICE, None, None));
    let mut stages = Stages { index, prior, answers, options, price, passes: 0, proof, best, rounds, pace };
    if options.entropy {
        stages.run().await?
    } else {
        stages.first().await?
    }
    let Stages { rounds, best, .. } = stages;
    let best = best.ok_or_else(|| invalid("the estimation failed: there is no model"))?;
    Ok(Solution { rounds, ..best })
}

/// The method at work.
struct Stages<'a> {
    index: &'a Arc<Index>,
    prior: &'a [f64],
    answers: &'a [f64],
    options: Options,
    price: f64,
    /// Of the problems that ended.
    passes: usize,
    /// A dual point of the distance, once there is one that does not depend on a price.
    proof: Option<Vec<f64>>,
    best: Option<Solution>,
    rounds: Vec<Round>,
    pace: &'a Pace,
}

impl Stages<'_> {
    /// Both stages: the problem at a price, and at higher ones as long as the distance can fall.
    async fn run(&mut self) -> Result<()> {
        for _ in 0..ROUNDS {
            let fit = self.priced().await?;
            if self.offer(&fit)? || self.pace.stopped() {
                return Ok(());
            }
            if self.proof.is_none() {
                let tolerance = self.options.tolerance;
                let aim = Aim { tolerance: PART * tolerance, of_start: tolerance };
                let dual = self.dual(&fit.u);
                let start = (fit.weights.as_slice(), dual.as_slice());
                let quiet = self.pace.quiet();
                let Least { best, passes, .. } =
                    least(self.index, self.prior, self.answers, start, (Norm::Sum, aim), &quiet).await?;
                self.passes += passes;
                self.proof = Some(best.v);
                // Where the distance can fall, the price was too low.
                let enough =
                    fit.certificate.distance - tolerance * Norm::Sum.natural(best.distance, self.answers);
                if self.offer(&fit)? || best.distance >= enough || self.pace.stopped() {
                    return Ok(());
                }
            }
            self.price *= RISE;
        }
        Ok(())
    }

    /// The best point of Λ‖Mq − y‖₁ + KL(q‖p) at the price, with its judgements.
    async fn priced(&mut self) -> Result<Fit> {
        let bounds = vec![self.price; self.answers.len()];
        let problem = Problem::new(Arc::clone(self.index), self.prior, self.answers.to_vec(), bounds)?;
        let (tolerance, seed) = (PART * self.options.tolerance, self.options.seed);
        let options = interior::Options { tolerance, seed, ..interior::Options::default() };
        let fit = interior::solve(&problem.by_parts(), &options, self.pace).await?;
        self.rounds.extend(fit.trace.iter().map(|(passes, certificate)| Round {
            passes: (self.passes + passes) as f64,
            price: self.price,
            loss: certificate.distance,
            entropy: certificate.divergence,
        }));
        self.passes += fit.counts.row_passes;
        Ok(fit)
    }

    /// The distance alone, from the prior.
    async fn first(&mut self) -> Result<()> {
        let aim = Aim { tolerance: self.options.tolerance, of_start: self.options.tolerance };
        let v = zeros(self.answers.len())?;
        let least =
            least(self.index, self.prior, self.answers, (self.prior, &v), (Norm::Sum, aim), self.pace)
                .await?;
        let round = |&(passes, loss, entropy): &(usize, f64, f64)| Round {
            passes: passes as f64,
            price: 0.0,
            loss,
            entropy,
        };
        self.rounds.extend(least.trace.iter().map(round));
        let Best { q, m, v, .. } = least.best;
        let certificate = certify_loss(self.index, self.prior, self.answers, (&q, &m), &v)?;
        let converged = certificate.relative <= self.options.tolerance;
        self.best = Some(Solution { u: None, weights: q, certificate, converged, rounds: Vec::new() });
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
        let certificate = certify(self.index, self.prior, self.answers, (weights, marginals), u, v)?;
        let converged = certificate.relative <= self.options.tolerance;
        if self.best.as_ref().is_none_or(|best| certificate.relative < best.certificate.relative) {
            let (u, weights) = (Some(u.clone()), weights.clone());
            self.best = Some(Solution { u, weights, certificate, converged, rounds: Vec::new() });
        }
        Ok(converged)
    }
}
