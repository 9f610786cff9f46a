//! Sweeps of exact steps, and then Newton's method.

use super::direction::{Direction, Hessian};
use super::point::{Gap, Point};
use super::sweep::sweep;
use super::{Problem, invalid};
use crate::Oracle;
use marginalia_compute::job::Pace;
use marginalia_compute::vector::{add, copy, zeros};
use marginalia_tables::Result;
use std::mem::swap;
use std::sync::Arc;

/// The part of a gradient that its direction may leave.
const ETA: f64 = 0.03;

/// A direction leaves so much of what the tolerance would.
const AIM: f64 = 0.7;

/// Products between two comparisons with the true gain, the least part of the promised gain that must be there, and what
/// rounding may do to log Z.
const CHECK_EVERY: usize = 6;
const LEAST_GAIN: f64 = 0.1;
const ROUNDING: f64 = 1e-13;

/// The most halvings of a direction that promised too much.
const HALVINGS: usize = 60;

/// The largest λ in sweeps.
const CAP: f64 = 30_000.0;

/// How to estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most products with the covariance.
    pub products: usize,
    /// Sweeps at the start, also where there are multipliers to start from: they come closer than these do after a change.
    pub sweeps: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-6, products: 10_000, sweeps: 5 }
    }
}

/// One judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Products with the covariance so far.
    pub products: usize,
    /// How far from the optimum.
    pub gap: Gap,
}

/// The outcome.
#[derive(Debug)]
pub struct Fit {
    /// The best point on the way.
    pub point: Point,
    /// How far from the optimum that is.
    pub gap: Gap,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// Whether it ended before it was stopped.
    pub ended: bool,
    /// All judgements, in order.
    pub trace: Vec<Step>,
}

/// The estimate of a problem, from these multipliers where there are any: the best one so far where it is stopped.
pub async fn fit(problem: &Problem, start: Option<Vec<f64>>, options: &Options, pace: &Pace) -> Result<Fit> {
    let mut newton = Newton::new(problem, start, *options, pace)?;
    let ended = pace.unless_stopped(newton.run()).await?.is_some();
    newton.outcome(ended)
}

/// The method at work.
struct Newton<'a> {
    problem: &'a Problem,
    options: Options,
    pace: &'a Pace,
    point: Point,
    hessian: Hessian,
    /// Where trial points go: products read the messages of the last one that was kept.
    trial: Oracle,
    trial_potentials: Vec<f64>,
    best: Option<(Gap, Vec<f64>)>,
    trace: Vec<Step>,
    products: usize,
    /// How often in a row a step brought no progress.
    barren: i32,
}

impl<'a> Newton<'a> {
    fn new(problem: &'a Problem, start: Option<Vec<f64>>, options: Options, pace: &'a Pace) -> Result<Self> {
        let u = match start {
            Some(u) => u,
            None => problem.zeros()?,
        };
        if u.len() != problem.answers() || u.iter().any(|u| !u.is_finite()) {
            return Err(invalid("multipliers to start from must be finite, one for each answer"));
        }
        Ok(Self {
            problem,
            options,
            pace,
            point: Point::new(problem, u)?,
            hessian: Hessian::new(problem)?,
            trial: Oracle::new(Arc::clone(&problem.passes)),
            trial_potentials: zeros(problem.base.len())?,
            best: None,
            trace: Vec::new(),
            products: 0,
            barren: 0,
        })
    }

    async fn run(&mut self) -> Result<()> {
        self.begin()?;
        self.pace.did(self.problem.work(4)).await;
        if !self.point.oracle.logarithmic() {
            for _ in 0..self.options.sweeps {
                sweep(self.problem, &mut self.point, CAP, self.pace).await;
                self.pace.did(self.problem.work(3)).await;
            }
            self.point.refresh(self.problem);
            self.pace.did(self.problem.work(3)).await;
        }
        while let Some((g, stop)) = self.judge() {
            let Some(log_z) = self.step(g, stop).await? else { return Ok(()) };
            swap(&mut self.point.oracle, &mut self.trial);
            swap(&mut self.point.potentials, &mut self.trial_potentials);
            self.point.log_z = log_z;
            self.point.settle(self.problem);
            self.pace.did(self.problem.work(2)).await;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        self.point.begin(self.problem);
        if !self.point.log_z0.is_finite() {
            return Err(invalid("no record is possible: what is forbidden leaves nothing"));
        }
        Ok(())
    }

    /// Keeps the best, and gives the gradient and the norm of the residual that ends the next direction, if there is to be one.
    fn judge(&mut self) -> Option<(Vec<f64>, f64)> {
        let gap = self.point.gap(self.problem);
        let (relative, before) = (gap.relative(), self.trace.last().map(|step| step.gap.relative()));
        self.trace.push(Step { products: self.products, gap });
        self.pace.judged();
        if relative.is_nan() {
            return None;
        }
        if self.best.as_ref().is_none_or(|(best, _)| relative < best.relative()) {
            self.best = Some((gap, self.point.u.clone()));
        }
        if relative <= self.options.tolerance || self.products >= self.options.products {
            return None;
        }
        let progress = before.is_none_or(|before| relative < 0.9 * before);
        self.barren = if progress { 0 } else { self.barren + 1 };
        let g = self.point.gradient(self.problem);
        let norm = g.iter().map(|g| g * g).sum::<f64>().sqrt();
        // Directions that are solved for roughly can go to and fro for ever.
        let aim = AIM * (self.options.tolerance / relative).sqrt();
        Some((g, ETA.max(aim) * 0.5f64.powi(self.barren.min(60)) * norm))
    }

    /// Moves u along a direction whose residual has at most such a norm, as far as it keeps its promise: log Z there, and the
    /// trial's messages. Nothing where the direction does not lead up at all.
    async fn step(&mut self, g: Vec<f64>, stop: f64) -> Result<Option<f64>> {
        let mut direction = Direction::new(g)?;
        let mut kept: Option<Vec<f64>> = None;
        loop {
            let solved = direction.iterate(self.problem, &mut self.point, &mut self.hessian, stop)
                || self.products + direction.products >= self.options.products;
            self.pace.did(self.problem.work(6)).await;
            if !solved && !direction.products.is_multiple_of(CHECK_EVERY) {
                continue;
            }
            let log_z = self.log_z_at(&direction.v).await;
            let least = LEAST_GAIN * direction.promise() - ROUNDING * (1.0 + self.point.log_z.abs());
            let holds = direction.gain(self.problem, &self.point, log_z) >= least;
            self.products += if solved || !holds { direction.products } else { 0 };
            if solved && holds {
                add(&mut self.point.u, 1.0, &direction.v);
                return Ok(Some(log_z));
            }
            if !holds {
                return self.shorten(direction, kept).await;
            }
            kept = Some(copy(&direction.v)?);
        }
    }

    /// The step along the last v that kept its promise, or along a shorter one.
    async fn shorten(&mut self, mut direction: Direction, kept: Option<Vec<f64>>) -> Result<Option<f64>> {
        if let Some(v) = kept {
            let log_z = self.log_z_at(&v).await;
            add(&mut self.point.u, 1.0, &v);
            return Ok(Some(log_z));
        }
        for _ in 0..HALVINGS {
            direction.v.iter_mut().for_each(|v| *v *= 0.5);
            let log_z = self.log_z_at(&direction.v).await;
            if direction.gain(self.problem, &self.point, log_z) >= LEAST_GAIN * direction.slope() {
                add(&mut self.point.u, 1.0, &direction.v);
                return Ok(Some(log_z));
            }
        }
        Ok(None)
    }

    /// log Z at u + v, by the trial.
    async fn log_z_at(&mut self, v: &[f64]) -> f64 {
        self.problem.potentials(&self.point.potentials, v, &mut self.trial_potentials);
        self.pace.did(self.problem.work(1)).await;
        self.trial.forward(&self.trial_potentials)
    }

    /// The best point: the estimate when all is done, and one with its gap whenever that is asked for.
    fn outcome(mut self, ended: bool) -> Result<Fit> {
        if self.best.is_none() {
            self.begin()?;
            self.judge();
        }
        let Some((gap, u)) = self.best else {
            return Err(invalid(
                "the measurements lead to numbers beyond range: check their totals and variances",
            ));
        };
        if self.point.u != u {
            self.point.u = u;
            self.point.refresh(self.problem);
        }
        let converged = gap.relative() <= self.options.tolerance;
        Ok(Fit { point: self.point, gap, converged, ended, trace: self.trace })
    }
}
