//! A direction of Newton's method: conjugate residuals for `(Q Cov Qᵀ + 1/λ) v = g`, without a preconditioner, because the
//! gap ½Σλg² asks for a small 2-norm of the residual. Every few products what `v` would bring is compared with what the
//! quadratic model promises.

use super::{Point, Problem};
use crate::Oracle;
use marginalia_compute::job::Pace;
use marginalia_compute::vector::{add, copy, dot, scale_and_add, sum2, zeros};
use marginalia_tables::Result;

/// The covariance of the answers, and the softness of each, at a point.
pub(super) struct Hessian {
    cells: Vec<f64>,
    out: Vec<f64>,
}

impl Hessian {
    pub fn new(problem: &Problem) -> Result<Self> {
        Ok(Self { cells: zeros(problem.base.len())?, out: zeros(problem.base.len())? })
    }

    /// (Q Cov Qᵀ + 1/λ) x.
    pub fn product(&mut self, problem: &Problem, oracle: &mut Oracle, x: &[f64], out: &mut [f64]) {
        self.covariance(problem, oracle, x, out);
        out.iter_mut().zip(x.iter().zip(&problem.lambda)).for_each(|(out, (x, lambda))| *out += x / lambda);
    }

    /// Q Cov Qᵀ x.
    pub fn covariance(&mut self, problem: &Problem, oracle: &mut Oracle, x: &[f64], out: &mut [f64]) {
        self.cells.fill(0.0);
        problem.spread(x, &mut self.cells);
        oracle.product(&self.cells, &mut self.out);
        problem.ask(&self.out, out);
    }

    /// (1 + Λ^½ Q Cov Qᵀ Λ^½)⁻¹ b by conjugate gradients, and how many products that took: until the residual is such a part of b, or
    /// so many were taken.
    pub async fn solve(
        &mut self,
        problem: &Problem,
        oracle: &mut Oracle,
        b: &[f64],
        (tolerance, most): (f64, usize),
        pace: &Pace,
    ) -> Result<(Vec<f64>, usize)> {
        let roots: Vec<f64> = problem.lambda.iter().map(|lambda| lambda.sqrt()).collect();
        let (mut x, mut scaled, mut a_p) = (problem.zeros()?, problem.zeros()?, problem.zeros()?);
        let (mut res, mut p) = (copy(b)?, copy(b)?);
        let (mut square, mut products) = (dot(b, b), 0);
        let stop = tolerance * tolerance * square;
        while square > stop && products < most && !pace.stopped() {
            scaled.iter_mut().zip(p.iter().zip(&roots)).for_each(|(to, (p, root))| *to = p * root);
            self.covariance(problem, oracle, &scaled, &mut a_p);
            a_p.iter_mut().zip(p.iter().zip(&roots)).for_each(|(to, (p, root))| *to = p + root * *to);
            products += 1;
            pace.did(problem.work(6)).await;
            let step = square / dot(&p, &a_p);
            if !step.is_finite() {
                break;
            }
            add(&mut x, step, &p);
            add(&mut res, -step, &a_p);
            let before = std::mem::replace(&mut square, dot(&res, &res));
            scale_and_add(&mut p, square / before, &res);
        }
        Ok((x, products))
    }
}

/// The state of conjugate residuals.
pub(super) struct Direction {
    pub v: Vec<f64>,
    g: Vec<f64>,
    res: Vec<f64>,
    a_res: Vec<f64>,
    p: Vec<f64>,
    a_p: Vec<f64>,
    /// res · A res.
    curvature: f64,
    pub products: usize,
}

impl Direction {
    /// The start, at v = 0.
    pub fn new(g: Vec<f64>) -> Result<Self> {
        let zeros = || zeros(g.len());
        let (v, a_res, p, a_p) = (zeros()?, zeros()?, zeros()?, zeros()?);
        Ok(Self { v, res: copy(&g)?, a_res, p, a_p, g, curvature: 0.0, products: 0 })
    }

    /// The next one; whether its residual has at most such a norm, or rounding allows no further one.
    pub fn iterate(
        &mut self,
        problem: &Problem,
        point: &mut Point,
        hessian: &mut Hessian,
        stop: f64,
    ) -> bool {
        hessian.product(problem, &mut point.oracle, &self.res, &mut self.a_res);
        let before = std::mem::replace(&mut self.curvature, dot(&self.res, &self.a_res));
        let beta = if self.products == 0 { 0.0 } else { self.curvature / before };
        self.products += 1;
        scale_and_add(&mut self.p, beta, &self.res);
        scale_and_add(&mut self.a_p, beta, &self.a_res);
        let alpha = self.curvature / dot(&self.a_p, &self.a_p);
        if !alpha.is_finite() {
            return true;
        }
        add(&mut self.v, alpha, &self.p);
        add(&mut self.res, -alpha, &self.a_p);
        dot(&self.res, &self.res).sqrt() <= stop
    }

    /// What the dual would gain by v if it were quadratic.
    pub fn promise(&self) -> f64 {
        0.5 * (dot(&self.g, &self.v) + dot(&self.res, &self.v))
    }

    /// What it gains where v leads to this log Z.
    pub fn gain(&self, problem: &Problem, point: &Point, log_z: f64) -> f64 {
        let softened = sum2(&problem.lambda, &self.v, |lambda, v| v * v / lambda);
        let fitted = dot(&point.fitted, &self.v);
        (dot(&self.g, &self.v) + fitted) - (log_z - point.log_z) - 0.5 * softened
    }

    /// g · v.
    pub fn slope(&self) -> f64 {
        dot(&self.g, &self.v)
    }
}
