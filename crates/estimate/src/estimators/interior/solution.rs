//! A solution in steps.

use super::certificate::{Certificate, Counts, Fit, Status};
use super::method::InteriorPoint;
use super::point::Point;
use super::problem::Problem;
use super::watch::Watch;
use super::{Options, sweeps};
use crate::job::{Job, Pace, Steps};
use marginalia_tables::Result;
use std::sync::Arc;

/// The largest bound that a start from the prior is good for, by how much bounds grow from there, and the gap in nats to
/// which the problems on the way are solved: within a nat the distribution is about that of the optimum.
const EASY: f64 = 100.0;
const GROWTH: f64 = 8.0;
const NEAR: f64 = 1.0;

/// The solution of one problem.
pub struct InteriorJob {
    problem: Arc<Problem>,
    watch: Watch,
    steps: Steps<Status>,
    done: u64,
}

impl InteriorJob {
    /// Nothing is computed before the first step.
    pub fn new(problem: Problem, options: Options) -> Self {
        let (problem, watch) = (Arc::new(problem), Watch::default());
        let (shared, seen) = (problem.clone(), watch.clone());
        let steps = Steps::new(|pace| async move { solve(&shared, &options, &seen, &pace).await }).awake();
        Self { problem, watch, steps, done: 0 }
    }

    /// Does about `work` units, of about a nanosecond each; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.done = self.steps.step(work).work;
        match self.steps.outcome() {
            Some(outcome) => outcome.clone().map(|_| true),
            None => Ok(false),
        }
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The certificate of the best point so far, and what it took.
    pub fn progress(&self) -> (Option<Certificate>, Counts) {
        (self.watch.certificate(), self.watch.counts())
    }

    /// Every certificate that was the best of its time, and the passes over all rows and marginals until then.
    pub fn trace(&self) -> Vec<(usize, Certificate)> {
        self.watch.trace()
    }

    /// Does what is left and gives the solution.
    pub fn finish(mut self) -> Result<Fit> {
        while !self.step(u64::MAX)? {}
        self.stop()
    }

    /// The best solution so far: at worst the prior.
    pub fn stop(self) -> Result<Fit> {
        let status = self.steps.outcome().cloned().unwrap_or(Ok(Status::Stopped))?;
        let mut point = Point::prior(&self.problem, &self.watch)?;
        if let Some(u) = self.watch.best() {
            point.u = u;
            point.refresh(&self.problem, &self.watch);
        }
        let certificate = point.certificate(&self.problem);
        let counts = self.watch.counts();
        Ok(Fit { u: point.u, weights: point.q, marginals: point.m, certificate, status, counts })
    }
}

/// Sweeps where they are promising, then the interior point from the prior.
async fn solve(problem: &Problem, options: &Options, watch: &Watch, pace: &Pace) -> Result<Status> {
    let mut point = Point::prior(problem, watch)?;
    pace.did(problem.pass_work()).await;
    let certificate = point.certificate(problem);
    watch.offer(certificate, &point);
    if certificate.relative <= options.tolerance {
        return Ok(Status::Converged);
    }
    if sweeps::promising(problem) {
        if sweeps::sweep(problem, options, &mut point, watch, pace).await {
            return Ok(Status::Converged);
        }
        point.u.fill(0.0);
        point.refresh(problem, watch);
        pace.did(2 * problem.pass_work()).await;
    }
    along_bounds(problem, options, watch, pace, &mut point).await
}

/// The interior point. Where bounds are large, ln Z bends within a nat or two of u while the box is many thousands
/// wide, and a cold start goes from row to row; so the bounds grow, and the point goes along from u of the last ones.
async fn along_bounds(
    problem: &Problem,
    options: &Options,
    watch: &Watch,
    pace: &Pace,
    point: &mut Point,
) -> Result<Status> {
    let most = problem.bounds.iter().fold(0.0, |most: f64, bound| most.max(*bound));
    let mut share = EASY / most;
    let mut multipliers = None;
    while share < 1.0 {
        let station = problem.scaled(share);
        let mut method = InteriorPoint::new(&station, options, watch, pace);
        (method.whole, method.nats) = (problem, NEAR);
        let mut z = multipliers.take().unwrap_or_else(|| method.multipliers(point));
        z.take_slacks(&station, point);
        method.run(point, &mut z).await?;
        multipliers = Some(z);
        share *= GROWTH;
    }
    let mut method = InteriorPoint::new(problem, options, watch, pace);
    let mut z = multipliers.unwrap_or_else(|| method.multipliers(point));
    z.take_slacks(problem, point);
    method.run(point, &mut z).await
}
