//! The solution of one problem.

use super::certificate::{Fit, Status};
use super::method::InteriorPoint;
use super::point::Point;
use super::problem::Problem;
use super::watch::Watch;
use super::{Options, sweeps};
use crate::job::{Pace, Steps};
use marginalia_tables::Result;

/// The largest bound that a start from the prior is good for, by how much bounds grow from there, and the gap in nats to
/// which the problems on the way are solved: within a nat the distribution is about that of the optimum.
const EASY: f64 = 100.0;
const GROWTH: f64 = 8.0;
const NEAR: f64 = 1.0;

/// The solution of a problem: the best so far where it is finished early, at worst the prior.
pub fn interior(problem: Problem, options: Options) -> Steps<Fit> {
    Steps::new(|pace| async move { solve(&problem, &options, &pace).await }).awake()
}

/// The same at a pace.
pub async fn solve(problem: &Problem, options: &Options, pace: &Pace) -> Result<Fit> {
    pace.keep_awake(true);
    let watch = Watch::new(pace);
    let ended = pace.unless_stopped(optimum(problem, options, &watch, pace)).await?;
    let status = ended.unwrap_or(Status::Stopped);
    let mut point = Point::prior(problem, &watch)?;
    if let Some(u) = watch.best() {
        point.u = u;
        point.refresh(problem, &watch);
    }
    let (certificate, counts, trace) = (point.certificate(problem), watch.counts(), watch.trace());
    Ok(Fit { u: point.u, weights: point.q, marginals: point.m, certificate, status, counts, trace })
}

/// Sweeps where they are promising, then the interior point from the prior.
async fn optimum(problem: &Problem, options: &Options, watch: &Watch, pace: &Pace) -> Result<Status> {
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
