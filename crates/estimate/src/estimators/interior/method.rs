//! The primal-dual interior point: Newton's method on r = z⁺ − z⁻, z⁺a = z⁻b = τ while τ falls.

use super::Options;
use super::certificate::Status;
use super::hessian::Hessian;
use super::multipliers::{Corrections, Multipliers};
use super::point::Point;
use super::precondition::{Preconditioner, free, freest};
use super::problem::Problem;
use super::shared::MOST_CELLS;
use super::system::{Solution, solve};
use super::watch::Watch;
use crate::job::Pace;
use crate::models::support::zeros;
use crate::vector::{add, copy, dot, sum2, weighted_norm};
use marginalia_tables::Result;

/// What inexact solutions may leave, relative to the path, with a predictor and without, and relative to the right side.
const FORCING_WITH: f64 = 0.1;
const FORCING_WITHOUT: f64 = 1.0;
const FORCING: f64 = 0.3;
/// A block of the freest alone has at least so many.
const LEAST_CELLS: usize = 400;
/// After so many steps t = Mᵀu is computed anew.
const REFRESH: usize = 10;
/// A step of u below this moves nothing; after so many in a row the method has stalled.
const NO_STEP: f64 = 1e-10;
const MOST_IDLE: usize = 5;
/// Below this gap, and after so many steps none of which brought it a tenth nearer, systems are solved in double precision.
const EXACT: f64 = 1e-7;
const PROGRESS: f64 = 0.9;
const MOST_SLOW: usize = 6;
/// After so many steps without a better point the next ones go to the central path.
const MOST_BARREN: usize = 10;
/// The share of what the slope promises that a step to the central path must gain.
const GAIN: f64 = 1e-4;
/// A step that a test refuses is shortened to so much of it.
const SHORTER: f64 = 0.6;

/// The method at work.
pub(super) struct InteriorPoint<'a> {
    pub problem: &'a Problem,
    /// What points are offered as solutions of: `problem`, or what it is a station on the way to.
    pub whole: &'a Problem,
    /// The relative gap that is good enough.
    pub tolerance: f64,
    /// The gap in nats that is good enough, whatever it is relative to.
    pub nats: f64,
    pub options: &'a Options,
    pub watch: &'a Watch,
    pub pace: &'a Pace,
    /// The most units of work that the products of one step took where no block held all free cells.
    dear: u64,
    /// The dense block of the step before, where that made it.
    kept: Option<Block>,
    /// What the diagonal of the last block needed.
    shift: f32,
    /// The shorter of the last steps of u and z.
    last: f64,
    /// Whether systems are solved in double precision, because single no longer leads on.
    exact: bool,
    /// The τ of the point of the central path that the steps go to, if they do.
    centring: Option<f64>,
}

/// A dense block.
struct Block {
    inverse: Preconditioner,
    /// Whether it holds all cells that were free when it was made: then few products solve a system, and a predictor pays.
    whole: bool,
    /// Whether the next step may have it too: each block serves two, because it takes longer to make than the products that
    /// it costs to keep it.
    again: bool,
}

/// A step as it will be taken.
struct Step {
    u: Vec<f64>,
    tau: f64,
    corrections: Corrections,
}

impl<'a> InteriorPoint<'a> {
    pub fn new(problem: &'a Problem, options: &'a Options, watch: &'a Watch, pace: &'a Pace) -> Self {
        Self {
            problem,
            whole: problem,
            tolerance: options.tolerance,
            nats: 0.0,
            options,
            watch,
            pace,
            dear: 0,
            kept: None,
            shift: 0.0,
            last: 0.0,
            exact: false,
            centring: None,
        }
    }

    /// Multipliers to begin with at a point.
    pub fn multipliers(&self, point: &Point) -> Multipliers {
        let residuals = point.residuals(self.problem);
        let tau =
            0.3 * sum2(&self.problem.bounds, &residuals, |bound, r| bound * r.abs()) / residuals.len() as f64;
        Multipliers::new(self.problem, point, &residuals, tau)
    }

    /// Moves the point to the optimum.
    pub async fn run(&mut self, point: &mut Point, multipliers: &mut Multipliers) -> Result<Status> {
        let cells = point.u.len() as f64;
        let mut residuals = point.residuals(self.problem);
        let (mut age, mut idle, mut barren, mut best) = (0, 0, 0, f64::INFINITY);
        let (mut slow, mut mark) = (0, f64::INFINITY);
        loop {
            let certificate = point.certificate(self.problem);
            if certificate.relative <= self.tolerance || certificate.gap <= self.nats || age >= REFRESH {
                if age == 0 {
                    self.watch.offer(point.certificate(self.whole), point);
                    return Ok(Status::Converged);
                }
                point.refresh(self.problem, self.watch);
                self.pace.did(2 * self.problem.pass_work()).await;
                residuals = point.residuals(self.problem);
                age = 0;
                continue;
            }
            self.watch.offer(point.certificate(self.whole), point);
            barren = if certificate.relative < best { 0 } else { barren + 1 };
            best = certificate.relative.min(best);
            if self.watch.counts().steps >= self.options.steps {
                return Ok(Status::IterationLimit);
            }
            if idle >= MOST_IDLE || !certificate.relative.is_finite() {
                return Ok(Status::Stalled);
            }
            let mu = multipliers.mean();
            (slow, mark) = if certificate.relative < PROGRESS * mark {
                (0, certificate.relative)
            } else {
                (slow + 1, mark)
            };
            self.exact |= slow >= MOST_SLOW || certificate.relative < EXACT;
            if barren >= MOST_BARREN {
                barren = 0;
                self.centring = self.centring.or(Some(mu));
            }
            if let Some(tau) = self.centring {
                multipliers.centre(tau);
            }
            let least = 0.4 * (self.tolerance * certificate.scale).max(self.nats) / cells;
            let newton = self.newton(point, multipliers, &residuals, mu, least).await?;
            let moved = self.advance(point, multipliers, newton, &residuals, mu).await?;
            residuals = point.residuals(self.problem);
            idle = if moved < NO_STEP { idle + 1 } else { 0 };
            age += 1;
            self.watch.count(|counts| counts.steps += 1);
        }
    }

    /// The direction of the next step.
    async fn newton(
        &mut self,
        point: &Point,
        multipliers: &Multipliers,
        residuals: &[f64],
        mu: f64,
        least: f64,
    ) -> Result<(Vec<f64>, Step)> {
        let (problem, watch, pace) = (self.problem, self.watch, self.pace);
        let d = multipliers.barrier();
        let hessian = Hessian { problem, q: &point.q, m: &point.m, d, watch, pace };
        let (products, block) = (watch.counts().products, self.block(&hessian).await?);
        let whole = block.as_ref().is_some_and(|block| block.whole);
        let step = match block {
            Some(block) if whole && self.centring.is_none() => {
                self.by_predictor(&hessian, block, multipliers, residuals, mu, least).await?
            }
            block => self.without_predictor(&hessian, block, multipliers, residuals, mu, least).await?,
        };
        if !whole {
            let products = watch.counts().products - products;
            self.dear = self.dear.max((products * 2 * problem.pass_work()) as u64);
        }
        Ok((hessian.d, step))
    }

    /// The dense block of this step, if one pays: of all cells that are free where products have become dearer than such a
    /// block, and else of so many, the freest, that its solutions take about as long as products, which pass over several
    /// marginals at once.
    async fn block(&mut self, hessian: &Hessian<'_>) -> Result<Option<Block>> {
        if let Some(mut block) = self.kept.take_if(|_| self.centring.is_none()) {
            block.inverse.keep(hessian);
            return Ok(Some(Block { again: false, ..block }));
        }
        let pays =
            |cells: &Vec<u32>, steps| Preconditioner::work_to_make(hessian, cells) <= steps * self.dear;
        // Few cells cost next to nothing, and where steps no longer lead on a predictor may.
        let all_pay = |cells: &Vec<u32>| {
            let anyhow = self.exact || cells.len() <= LEAST_CELLS;
            cells.len() <= MOST_CELLS && (anyhow || pays(cells, 2))
        };
        let product = 0.5 * self.problem.pass_work() as f64;
        let some = || freest(hessian, (libm::sqrt(product) as usize).clamp(LEAST_CELLS, MOST_CELLS));
        let all = Some(free(hessian)).filter(all_pay);
        let whole = all.is_some();
        let Some(cells) = all.or_else(|| Some(some()).filter(|cells| pays(cells, 1))) else {
            return Ok(None);
        };
        let inverse = Preconditioner::new(hessian, cells, &mut self.shift).await?;
        Ok(Some(Block { inverse, whole, again: true }))
    }

    /// τ without a predictor: the bolder, the longer the last step.
    fn cautious_tau(&self, mu: f64, least: f64) -> f64 {
        let sigma = match self.last {
            last if last > 0.9 => 0.1,
            last if last > 0.5 => 0.3,
            _ => 0.6,
        };
        (sigma * mu).max(least)
    }

    /// What |Λ∘residual| of the step's system may be.
    fn tolerance(&self, forcing: f64, tau: f64, right: &[f64]) -> f64 {
        let path = forcing * tau * libm::sqrt(right.len() as f64);
        path.min(FORCING * weighted_norm(&self.problem.bounds, right))
    }

    async fn without_predictor(
        &mut self,
        hessian: &Hessian<'_>,
        block: Option<Block>,
        multipliers: &Multipliers,
        residuals: &[f64],
        mu: f64,
        least: f64,
    ) -> Result<Step> {
        let tau = self.centring.unwrap_or_else(|| self.cautious_tau(mu, least));
        let corrections = Corrections::none();
        let right = multipliers.right_side(residuals, tau, &corrections);
        let tolerance = self.tolerance(FORCING_WITHOUT, tau, &right);
        let start = Solution::none(right)?;
        let solution = match block {
            Some(mut block) => {
                let solution = self.solve(hessian, Some(&mut block.inverse), start, tolerance).await?;
                self.kept = block.again.then_some(block);
                solution
            }
            None => self.solve(hessian, None, start, tolerance).await?,
        };
        Ok(Step { u: solution.u, tau, corrections })
    }

    /// Solves a system in single precision, as long as its directions lead on.
    async fn solve(
        &self,
        hessian: &Hessian<'_>,
        block: Option<&mut Preconditioner>,
        start: Solution,
        tolerance: f64,
    ) -> Result<Solution> {
        if self.exact {
            solve::<f64>(hessian, block, start, tolerance).await
        } else {
            solve::<f32>(hessian, block, start, tolerance).await
        }
    }

    async fn by_predictor(
        &mut self,
        hessian: &Hessian<'_>,
        mut block: Block,
        multipliers: &Multipliers,
        residuals: &[f64],
        mu: f64,
        least: f64,
    ) -> Result<Step> {
        let bounds = &self.problem.bounds;
        let path = 0.001 * mu * libm::sqrt(residuals.len() as f64);
        let tolerance = path.max(0.05 * weighted_norm(bounds, residuals));
        let start = Solution::none(copy(residuals)?)?;
        let predictor = self.solve(hessian, Some(&mut block.inverse), start, tolerance).await?;
        let dz = multipliers.step(&predictor.u, 0.0, &Corrections::none());
        let lengths = multipliers.lengths(&predictor.u, &dz);
        let ratio = multipliers.mean_after(&predictor.u, &dz, lengths) / mu;
        let tau = ((ratio * ratio * ratio).clamp(0.01, 1.0) * mu).max(least);
        let corrections = Corrections::of(&predictor.u, &dz, tau);
        let right = multipliers.right_side(residuals, tau, &corrections);
        let tolerance = self.tolerance(FORCING_WITH, tau, &right);
        let start = predictor.towards(&right, residuals);
        let solution = self.solve(hessian, Some(&mut block.inverse), start, tolerance).await?;
        self.kept = block.again.then_some(block);
        Ok(Step { u: solution.u, tau, corrections })
    }

    /// Goes as far as boundaries and guard allow; the length of the step of u.
    async fn advance(
        &mut self,
        point: &mut Point,
        multipliers: &mut Multipliers,
        (d, step): (Vec<f64>, Step),
        residuals: &[f64],
        mu: f64,
    ) -> Result<f64> {
        let (du, mut dt) = (step.u, zeros(point.t.len())?);
        self.problem.index.gather(&du, &mut dt);
        self.watch.count(|counts| counts.row_passes += 1);
        self.pace.did(self.problem.pass_work()).await;
        let dz = multipliers.step(&du, step.tau, &step.corrections);
        let (of_u, of_z) = multipliers.lengths(&du, &dz);
        let mut guarded = self.guard(point, &d, &du, &dt, of_u).await;
        if let Some(tau) = self.centring {
            let right = multipliers.right_side(residuals, tau, &step.corrections);
            guarded = self.descend(point, multipliers, [&du, &dt, residuals, &right], tau, guarded).await;
            if guarded == 1.0 {
                self.centring = None;
            }
        }
        let of_z = if guarded < of_u { of_z.min(guarded.max(0.1)) } else { of_z };
        add(&mut point.u, guarded, &du);
        add(&mut point.t, guarded, &dt);
        point.settle(self.problem, self.watch);
        self.pace.did(self.problem.pass_work()).await;
        multipliers.advance(self.problem, point, &dz, of_z, mu);
        self.last = guarded.min(of_z);
        Ok(guarded)
    }

    /// Shortens a step of u until ln Z bends no more than Newton's model allows for.
    async fn guard(&self, point: &Point, d: &[f64], du: &[f64], dt: &[f64], mut alpha: f64) -> f64 {
        let mean = dot(&point.q, dt);
        let variance = sum2(&point.q, dt, |q, dt| q * (dt - mean) * (dt - mean));
        let bend = variance + sum2(d, du, |d, du| d * du * du);
        while alpha > NO_STEP {
            self.pace.did(10 * dt.len()).await;
            if point.curvature(self.problem, alpha, dt, mean) <= alpha * alpha * bend {
                break;
            }
            alpha *= SHORTER;
        }
        alpha
    }

    /// Shortens a step until the barrier function ln Z − u·y − τ Σ (ln a + ln b) falls by it, as it does on every
    /// step to its minimum that is short enough: the method cannot go in circles.
    async fn descend(
        &self,
        point: &Point,
        multipliers: &Multipliers,
        [du, dt, residuals, right]: [&[f64]; 4],
        tau: f64,
        mut alpha: f64,
    ) -> f64 {
        let (mean, slope) = (dot(&point.q, dt), dot(right, du));
        while alpha > NO_STEP {
            self.pace.did(10 * dt.len()).await;
            let growth = point.curvature(self.problem, alpha, dt, mean) - alpha * dot(residuals, du)
                + tau * multipliers.barrier_growth(alpha, du);
            if growth <= -GAIN * alpha * slope {
                break;
            }
            alpha *= SHORTER;
        }
        alpha
    }
}
