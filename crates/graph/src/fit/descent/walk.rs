//! What all ways down share: the oracle, the loss, what is judged, and the best so far.

use super::{Limits, Loss};
use crate::Oracle;
use crate::fit::{Operator, Options, Point, Problem, fit, invalid};
use marginalia_compute::job::Pace;
use marginalia_compute::vector::{copy, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// How many times as long passes take by logarithms.
const LOGARITHMIC: usize = 80;

/// The fewest iterations after which it may be steady.
const FEWEST: usize = 10;

/// The largest λ of the sweeps that something begins with.
const STIFF: f64 = 1e4;

/// How many records the marginals are worth that a model is to have, and the sweeps until it has them.
const PRECISION: f64 = 3e4;
const SWEEPS: usize = 2;

/// One judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Calls of the oracle so far.
    pub calls: usize,
    /// The loss of the marginals, which are of a model or are means of those of models.
    pub loss: f64,
}

/// The outcome.
#[derive(Debug, Clone)]
pub struct Descent {
    /// θ, for the cells of all factors.
    pub potentials: Vec<f64>,
    /// Their marginals.
    pub marginals: Vec<f64>,
    /// The loss of these.
    pub loss: f64,
    /// Whether the loss was low enough, or changed no more.
    pub converged: bool,
    /// Whether it ended before it was stopped.
    pub ended: bool,
    /// All judgements, in order.
    pub trace: Vec<Judged>,
}

/// The least loss so far.
struct Best {
    loss: f64,
    /// Potentials of the model that has it or is near, less those of the base.
    theta: Vec<f64>,
    /// The marginals that have it, where they are no model's.
    mean: Option<Vec<f64>>,
}

/// A way down under way.
pub(super) struct Walk<'a> {
    pub problem: &'a Problem,
    pub loss: &'a Loss,
    pub limits: Limits,
    pub log_z: f64,
    pace: &'a Pace,
    oracle: Oracle,
    potentials: Vec<f64>,
    calls: usize,
    converged: bool,
    trace: Vec<Judged>,
    best: Option<Best>,
}

impl<'a> Walk<'a> {
    pub fn new(problem: &'a Problem, loss: &'a Loss, limits: Limits, pace: &'a Pace) -> Result<Self> {
        Ok(Self {
            problem,
            loss,
            limits,
            pace,
            log_z: 0.0,
            oracle: Oracle::new(Arc::clone(&problem.passes)),
            potentials: zeros(problem.base.len())?,
            calls: 0,
            converged: false,
            trace: Vec::new(),
            best: None,
        })
    }

    /// So many zeros as there are cells.
    pub fn zeros(&self) -> Result<Vec<f64>> {
        zeros(self.problem.base.len())
    }

    /// MARGINAL-ORACLE(θ), for what θ is above the base.
    pub async fn marginals(&mut self, theta: &[f64]) -> Result<Vec<f64>> {
        self.potentials
            .iter_mut()
            .zip(theta.iter().zip(&self.problem.base))
            .for_each(|(p, (t, b))| *p = t + b);
        self.log_z = self.oracle.forward(&self.potentials);
        if !self.log_z.is_finite() {
            return Err(match self.trace.is_empty() {
                true => invalid("no record is possible: what is forbidden leaves nothing"),
                false => beyond(),
            });
        }
        if let Some(log_z) = self.oracle.reverse(&self.potentials) {
            self.log_z = log_z;
        }
        self.calls += 1;
        let slower = if self.oracle.logarithmic() { LOGARITHMIC } else { 1 };
        self.pace.did(slower * self.problem.work(3)).await;
        copy(self.oracle.marginals())
    }

    /// θ after a few sweeps of exact steps from the base, where residuals are squared: for a call of the oracle each they come as far
    /// as many steps along gradients.
    pub async fn swept(&mut self) -> Result<Option<Vec<f64>>> {
        let largest = self.problem.weights.iter().fold(0.0f64, |most, weight| most.max(*weight));
        if !matches!(self.loss, Loss::Squares) || largest == 0.0 {
            return Ok(None);
        }
        let mut problem = self.problem.clone();
        problem.set_strength(largest / STIFF);
        let options = Options { tolerance: 0.0, products: 0, ..Options::default() };
        let point = fit(&problem, None, &options, &self.pace.quiet()).await?.point;
        self.calls += options.sweeps;
        let mut theta = self.zeros()?;
        problem.spread(point.multipliers(), &mut theta);
        Ok(Some(theta))
    }

    /// L(μ), and its gradient.
    pub async fn loss(&mut self, marginals: &[f64], gradient: &mut [f64]) -> Result<f64> {
        self.loss.at(self.problem, marginals, gradient).await
    }

    /// L(μ) alone.
    pub async fn value(&mut self, marginals: &[f64]) -> Result<f64> {
        match self.loss.value(self.problem, marginals)? {
            Some(loss) => Ok(loss),
            None => {
                let mut gradient = self.zeros()?;
                self.loss(marginals, &mut gradient).await
            }
        }
    }

    /// The constant that a method cannot do without.
    pub fn lipschitz(&self) -> Result<f64> {
        match self.loss.lipschitz(self.problem) {
            Some(k) if k > 0.0 && k.is_finite() => Ok(k),
            // The loss is the same everywhere.
            Some(0.0) => Ok(1.0),
            _ => Err(invalid(
                "this estimator needs to know how much the gradient of a loss of your own changes: give its `lipschitz`",
            )),
        }
    }

    /// How far apart log-chances of two records may come by one unit of a gradient, at most.
    pub fn range(&self, gradient: &[f64]) -> f64 {
        let leaves = self.problem.passes.tree().leaves().iter();
        let range = leaves.map(|leaf| {
            let of = gradient[leaf.at..leaf.at + leaf.cells].iter();
            let (least, most) =
                of.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), g| (a.min(*g), b.max(*g)));
            most - least
        });
        range.sum()
    }

    /// Whether a gradient with such a range leads nowhere, and all is done.
    pub fn flat(&mut self, range: f64) -> bool {
        self.converged |= range == 0.0;
        range == 0.0
    }

    /// Keeps the best, by its loss: potentials with their marginals, or with a mean of such; whether there is to be another
    /// iteration.
    pub fn judge(&mut self, loss: f64, theta: &[f64], mean: Option<&[f64]>) -> Result<bool> {
        if loss.is_nan() {
            return Err(beyond());
        }
        self.trace.push(Judged { calls: self.calls, loss });
        self.pace.judged();
        let least = |judged: &[Judged]| judged.iter().map(|one| one.loss).fold(f64::INFINITY, f64::min);
        if self.best.as_ref().is_none_or(|best| loss < best.loss) {
            let (mut own, mut mean_of) = match self.best.take() {
                Some(Best { theta, mean, .. }) => (theta, mean),
                None => (self.zeros()?, mean.map(copy).transpose()?),
            };
            own.copy_from_slice(theta);
            mean_of.iter_mut().zip(mean).for_each(|(own, mean)| own.copy_from_slice(mean));
            self.best = Some(Best { loss, theta: own, mean: mean_of });
        }
        let least_of_all = if matches!(self.loss, Loss::Own(_)) { f64::NEG_INFINITY } else { 0.0 };
        let low = loss <= self.limits.until.unwrap_or(least_of_all);
        // Momentum makes losses rise and fall: over a part of the iterations that grows with them.
        let now = least(&self.trace);
        let all = self.trace.len();
        let changed = least(&self.trace[..all - all / 4]) - now;
        let steady = all > FEWEST && changed < self.limits.tolerance * now.abs();
        self.converged = low || steady;
        Ok(!self.converged && self.calls <= self.limits.iterations)
    }

    /// The model of the best marginals, or the base where no model near them is as good.
    pub async fn outcome(mut self, ended: bool) -> Result<Descent> {
        let Best { theta, mean, mut loss } = match self.best.take() {
            Some(best) => best,
            None => Best { loss: f64::INFINITY, theta: self.zeros()?, mean: None },
        };
        let mut marginals = self.marginals(&theta).await?;
        let mut potentials = copy(&self.potentials)?;
        // Stopped, a loss of one's own may be NaN: it is known of the best already.
        let value = self.value(&marginals).await?;
        loss = if value.is_nan() { loss } else { value };
        if let Some(mean) = mean {
            let nearer = self.near(&potentials, &mean).await?;
            let (own, lower) = (nearer.marginals(), self.value(nearer.marginals()).await?);
            if lower < loss {
                (loss, marginals, potentials) = (lower, copy(own)?, copy(nearer.potentials())?);
            }
        }
        if let Some(first) = self.trace.first().filter(|first| first.loss < loss) {
            loss = first.loss;
            marginals = self.marginals(&self.zeros()?).await?;
            potentials = copy(&self.potentials)?;
        }
        Ok(Descent { potentials, marginals, loss, converged: self.converged, ended, trace: self.trace })
    }

    /// The model that has marginals which are means, but for little, from one that is near. Its loss is mostly below theirs, because
    /// means hardly come to zero.
    async fn near(&self, potentials: &[f64], marginals: &[f64]) -> Result<Point> {
        let mut problem = Problem::new(Arc::clone(&self.problem.passes));
        problem.set_base(potentials);
        for (number, leaf) in self.problem.passes.tree().leaves().iter().enumerate() {
            let shares = &marginals[leaf.at..leaf.at + leaf.cells];
            problem.measure(number, Operator::Identity, shares, PRECISION)?;
        }
        let options = Options { tolerance: 0.0, products: 0, sweeps: SWEEPS };
        Ok(fit(&problem, None, &options, &self.pace.quiet()).await?.point)
    }
}

fn beyond() -> marginalia_tables::Error {
    invalid("the loss leads to numbers beyond range: check its gradient, totals and variances")
}
