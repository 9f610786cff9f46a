//! The choice of a strength, and then the solver of the loss that was asked for.

use super::estimator::{CalibratedEstimator, Loss};
use super::fits::Fits;
use super::newton::{Options, solve};
use super::point::Gaps;
use super::problem::Problem;
use crate::estimators::interior;
use crate::estimators::strength::{Bootstrap, Choice, Noise, Question, Rule, choice, flatness, harmonic};
use crate::estimators::{Certificate, Estimate, Judgement, Missing, Request, Status};
use crate::job::{Pace, Steps};
use crate::measurement::Outside;
use crate::models::support::{Distribution, SupportModel};
use marginalia_tables::Result;
use std::sync::Arc;

/// What is to be estimated, and how.
pub(super) struct Terms {
    pub request: Request,
    pub settings: CalibratedEstimator,
}

type Solved = (Distribution, Status, Gaps, Vec<Judgement>);

impl Terms {
    /// The estimate of a problem at a strength, or of one at strength 1 where that is to be chosen first. The best model so far where
    /// it is finished early: before the strength is chosen it is the prior, and the strength what it is if both are of one population.
    pub async fn estimate(self, problem: Problem, strength: Option<f64>, pace: &Pace) -> Result<Estimate> {
        let (mut problem, base, records) = (problem, self.request.rows()?, self.request.total.records());
        let (mut flatness, mut consistency) = (0.0, None);
        let strength = match strength {
            Some(strength) => strength,
            None => {
                let (rule, noise) = (self.settings.strength, self.noise(&problem)?);
                if let Rule::Bootstrap(_) = rule {
                    flatness = self.flattened(&mut problem, &noise)?;
                }
                let choice = pace.unless_stopped(pace.run(self.choice(rule, noise, &problem)?)).await?;
                consistency = choice.as_ref().and_then(|choice| choice.consistency);
                let strength =
                    choice.map_or(harmonic(self.request.public, records), |choice| choice.strength);
                problem.lambda.iter_mut().for_each(|lambda| *lambda /= strength);
                strength
            }
        };
        let missing = |one: &Outside| Missing { answers: one.cells, records: one.records };
        let missing = problem.outside.iter().map(missing).collect();
        let (mut distribution, ended, gaps, trace) = match self.settings.loss {
            Loss::L2 => self.squares(problem, pace).await?,
            Loss::L1 => self.distances(problem, strength, pace).await?,
        };
        if flatness > 0.0 {
            // The model is one on the prior that was given.
            distribution = Distribution::from_weights(base, distribution.into_weights()?, records)?;
        }
        Ok(Estimate {
            model: Arc::new(SupportModel::new(self.request.schema, distribution)?),
            status: ended.unless_refused(gaps.relative(), gaps.gap),
            certificate: Certificate::Calibrated {
                gap: gaps.gap,
                relative_gap: gaps.relative(),
                value: gaps.primal,
                bound: gaps.dual,
                relative_entropy: gaps.entropy,
                strength,
                consistency,
                flatness,
            },
            trace,
            total: self.request.total,
            missing,
        })
    }

    /// The noise of the answers of a problem at strength 1.
    fn noise(&self, problem: &Problem) -> Result<Noise> {
        let of_marginals = problem.index.marginals().iter().zip(&self.request.measurements);
        let spread = of_marginals.flat_map(|(marginal, one)| vec![one.law.spread(); marginal.places.len()]);
        Noise::new(problem.lambda.iter().map(|lambda| 1.0 / lambda).collect(), spread.collect())
    }

    /// Flattens the prior where the answers ask for it; the share of equal weights in it.
    fn flattened(&self, problem: &mut Problem, noise: &Noise) -> Result<f64> {
        let prior = problem.base.prior();
        let share = flatness(&problem.index, prior, &problem.y, noise)?;
        if share > 0.0 {
            let equal = share / prior.len() as f64;
            let weights: Vec<f64> = prior.iter().map(|p| (1.0 - share) * p + equal).collect();
            problem.base = Arc::new(problem.base.reweighted(&weights)?);
        }
        Ok(share)
    }

    /// The choice of the strength of a problem at strength 1.
    fn choice(&self, rule: Rule, noise: Noise, problem: &Problem) -> Result<Steps<Choice>> {
        let rule = match rule {
            Rule::Bootstrap(rule) => Rule::Bootstrap(Bootstrap { seed: self.request.seed, ..rule }),
            rule => rule,
        };
        let (public, records, answers) = (self.request.public, problem.total, problem.y.clone());
        let unmeasured = unmeasured(problem.index.marginals().iter().map(|marginal| &marginal.clique[..]));
        let question = Question { answers, noise, public, records, unmeasured };
        let fits = Fits::new(problem.clone(), public);
        choice(rule, question, move |answers, strength, start| Ok(fits.fit(answers, strength, start)))
    }

    async fn squares(&self, problem: Problem, pace: &Pace) -> Result<Solved> {
        let CalibratedEstimator { tolerance, passes, sweeps, .. } = self.settings;
        let options = Options { tolerance, passes, sweeps, seed: self.request.seed, ..Options::default() };
        let solution = solve(&problem, &options, pace).await?;
        let trace = solution.trace.iter().map(|step| judgement(step.passes, step.certificate)).collect();
        Ok((solution.model, solution.status, solution.certificate, trace))
    }

    async fn distances(&self, problem: Problem, strength: f64, pace: &Pace) -> Result<Solved> {
        // Λ = n/(b n₀) of each supported cell.
        let mut bounds = Vec::with_capacity(problem.y.len());
        for (marginal, one) in problem.index.marginals().iter().zip(&self.request.measurements) {
            let bound = problem.total / (one.law.laplace_scale()? * strength);
            bounds.extend(marginal.places.iter().map(|_| bound));
        }
        let Problem { base, index, y, total, .. } = problem;
        let problem = interior::Problem::new(Arc::clone(&index), base.prior(), y, bounds)?;
        let (tolerance, seed) = (self.settings.tolerance, self.request.seed);
        let options = interior::Options { tolerance, seed, ..Default::default() };
        let fit = interior::solve(&problem, &options, pace).await?;
        let of = |certificate: interior::Certificate| Gaps {
            gap: certificate.gap,
            primal: certificate.primal,
            dual: certificate.dual(),
            entropy: certificate.divergence,
        };
        let trace = fit.trace.iter().map(|(passes, one)| judgement(*passes as f64, of(*one))).collect();
        let status = match fit.status {
            interior::Status::Converged => Status::Converged,
            interior::Status::IterationLimit | interior::Status::Stalled => Status::Limit,
            interior::Status::Stopped => Status::Stopped,
        };
        Ok((Distribution::from_potentials(base, index, fit.u, total)?, status, of(fit.certificate), trace))
    }
}

fn judgement(at: f64, gaps: Gaps) -> Judgement {
    let (gap, relative_entropy) = (Some(gaps.gap), gaps.entropy);
    Judgement { at, value: gaps.primal, gap, relative_entropy }
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
