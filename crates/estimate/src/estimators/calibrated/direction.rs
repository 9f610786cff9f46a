//! A direction of Newton's method: conjugate residuals for `H v = g`, without a preconditioner.
//!
//! The gap is ½Σλg², so what must become small is the plain 2-norm of the residual, and that is what conjugate
//! residuals minimise over growing subspaces. Every few iterations the gain that `v` would bring is compared with the
//! gain that the quadratic model promises; where the model no longer holds, the direction ends.

use super::Problem;
use super::point::Point;
use crate::models::support::rows::{sum, tilt_along};
use crate::models::support::zeros;
use crate::vector::{add, dot, scale_and_add, sum2};
use marginalia_tables::Result;

/// Iterations between two comparisons with the true gain.
const CHECK_EVERY: usize = 4;

/// The least part of the promised gain that must be there.
const LEAST_GAIN: f64 = 0.1;

/// What rounding may do to ln Σ p exp(t), as a part of it.
pub(super) const ROUNDING: f64 = 1e-13;

/// The state of conjugate residuals.
#[derive(Debug)]
pub(super) struct Direction {
    pub v: Vec<f64>,
    /// `dt = Mᵀ v`.
    pub dt: Vec<f64>,
    /// y − u/λ, and 1/λ.
    linear: Vec<f64>,
    softness: Vec<f64>,
    g: Vec<f64>,
    res: Vec<f64>,
    a_res: Vec<f64>,
    p: Vec<f64>,
    a_p: Vec<f64>,
    t_p: Vec<f64>,
    t_res: Vec<f64>,
    w: Vec<f64>,
    /// res · A res.
    curvature: f64,
    iterations: usize,
    /// The norm of the residual at which to stop.
    stop: f64,
    /// The last (v, dt) that kept what it promised.
    kept: Option<(Vec<f64>, Vec<f64>)>,
}

/// What an iteration leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Another one.
    Going,
    /// The system is solved well enough.
    Solved,
    /// The direction ended where its promise failed.
    Cut,
}

impl Direction {
    /// The start, at v = 0.
    pub fn new(problem: &Problem, point: &Point, g: Vec<f64>, stop: f64) -> Result<Self> {
        let (cells, rows) = (g.len(), point.q.len());
        let (mut linear, mut softness) = (zeros(cells)?, zeros(cells)?);
        for (i, lambda) in problem.lambda.iter().enumerate() {
            softness[i] = 1.0 / lambda;
            linear[i] = problem.y[i] - point.u[i] * softness[i];
        }
        Ok(Self {
            v: zeros(cells)?,
            dt: zeros(rows)?,
            linear,
            softness,
            res: g.clone(),
            g,
            a_res: zeros(cells)?,
            p: zeros(cells)?,
            a_p: zeros(cells)?,
            t_p: zeros(rows)?,
            t_res: zeros(rows)?,
            w: zeros(rows)?,
            curvature: 0.0,
            iterations: 0,
            stop,
            kept: None,
        })
    }

    /// The first pass of an iteration, `Mᵀ res`.
    pub fn gather(&mut self, problem: &Problem) {
        problem.index.gather(&self.res, &mut self.t_res);
    }

    /// An iteration after its first pass; with `last` it is the last one.
    pub fn iterate(&mut self, problem: &Problem, point: &Point, last: bool) -> Result<Outcome> {
        self.product(problem, point);
        let before = std::mem::replace(&mut self.curvature, dot(&self.res, &self.a_res));
        let beta = if self.iterations == 0 { 0.0 } else { self.curvature / before };
        scale_and_add(&mut self.p, beta, &self.res);
        scale_and_add(&mut self.a_p, beta, &self.a_res);
        scale_and_add(&mut self.t_p, beta, &self.t_res);
        let alpha = self.curvature / dot(&self.a_p, &self.a_p);
        if !alpha.is_finite() {
            return Ok(Outcome::Solved);
        }
        add(&mut self.v, alpha, &self.p);
        add(&mut self.dt, alpha, &self.t_p);
        add(&mut self.res, -alpha, &self.a_p);
        self.iterations += 1;
        let solved = last || dot(&self.res, &self.res).sqrt() <= self.stop;
        if !solved && !self.iterations.is_multiple_of(CHECK_EVERY) {
            return Ok(Outcome::Going);
        }
        if !self.keeps_its_promise(problem, point) {
            // Where there is nothing to go back to, the line search makes v short enough.
            if let Some((v, dt)) = self.kept.take() {
                (self.v, self.dt) = (v, dt);
            }
            return Ok(Outcome::Cut);
        }
        if solved {
            return Ok(Outcome::Solved);
        }
        self.keep()?;
        Ok(Outcome::Going)
    }

    /// Keeps what to go back to.
    fn keep(&mut self) -> Result<()> {
        if self.kept.is_none() {
            self.kept = Some((zeros(self.v.len())?, zeros(self.dt.len())?));
        }
        if let Some((v, dt)) = &mut self.kept {
            v.copy_from_slice(&self.v);
            dt.copy_from_slice(&self.dt);
        }
        Ok(())
    }

    /// `A res` from `Mᵀ res`, with `A = H = M (diag q − q qᵀ) Mᵀ + diag 1/λ`.
    fn product(&mut self, problem: &Problem, point: &Point) {
        let (q, t, w) = (&point.q, &self.t_res, &mut self.w);
        let mean = sum(t.len(), |row| q[row] * t[row]);
        w.iter_mut().zip(q).zip(t).for_each(|((w, q), t)| *w = q * (*t - mean));
        problem.index.scatter(w, &mut self.a_res);
        let of_penalty = self.res.iter().zip(&self.softness).map(|(res, softness)| res * softness);
        self.a_res.iter_mut().zip(of_penalty).for_each(|(a, penalty)| *a += penalty);
    }

    /// The slope of the dual's negative along v.
    pub fn slope(&self) -> f64 {
        -dot(&self.g, &self.v)
    }

    /// (y − u/λ)·v.
    pub fn linear(&self) -> f64 {
        dot(&self.linear, &self.v)
    }

    /// Σ v²/λ.
    pub fn quadratic(&self) -> f64 {
        sum2(&self.softness, &self.v, |softness, v| softness * v * v)
    }

    /// Whether the dual gains by `v` a fair part of (g·v + res·v)/2, which it would gain if it were quadratic.
    fn keeps_its_promise(&mut self, problem: &Problem, point: &Point) -> bool {
        let promised = 0.5 * (dot(&self.g, &self.v) + dot(&self.res, &self.v));
        let lz = tilt_along(problem.base.prior(), &point.t, 1.0, &self.dt, &mut self.w);
        let actual = point.lz - lz + self.linear() - 0.5 * self.quadratic();
        actual >= LEAST_GAIN * promised - ROUNDING * (1.0 + point.lz.abs())
    }
}
