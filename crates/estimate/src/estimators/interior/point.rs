//! A point of the dual and the distribution that belongs to it.

use super::certificate::Certificate;
use super::problem::Problem;
use super::watch::Watch;
use crate::models::support::zeros;
use crate::vector::{dot, sum, sum2};
use marginalia_tables::Result;

/// u, and q = p·exp(Mᵀu)/Z with its marginals.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub u: Vec<f64>,
    /// t = Mᵀu.
    pub t: Vec<f64>,
    pub q: Vec<f64>,
    /// m = Mq.
    pub m: Vec<f64>,
    /// ln Σ p exp(t).
    pub log_z: f64,
}

impl Point {
    /// The prior: u = 0.
    pub fn prior(problem: &Problem, watch: &Watch) -> Result<Self> {
        let (rows, cells) = (problem.index.rows(), problem.index.cells());
        let (u, t, q, m) = (zeros(cells)?, zeros(rows)?, zeros(rows)?, zeros(cells)?);
        let mut point = Self { u, t, q, m, log_z: 0.0 };
        point.settle(problem, watch);
        Ok(point)
    }

    /// Everything from u: two passes over the rows.
    pub fn refresh(&mut self, problem: &Problem, watch: &Watch) {
        problem.index.gather(&self.u, &mut self.t);
        watch.count(|counts| counts.row_passes += 1);
        self.settle(problem, watch);
    }

    /// q, m and ln Z from t: one pass over the rows.
    pub fn settle(&mut self, problem: &Problem, watch: &Watch) {
        let log_weights = || problem.log_prior.iter().zip(&self.t).map(|(log_p, t)| log_p + t);
        let shift = log_weights().fold(f64::NEG_INFINITY, f64::max);
        self.q.iter_mut().zip(log_weights()).for_each(|(q, log_weight)| *q = libm::exp(log_weight - shift));
        let sum = sum(&self.q);
        self.q.iter_mut().for_each(|q| *q /= sum);
        self.log_z = shift + libm::log(sum);
        problem.index.scatter(&self.q, &mut self.m);
        watch.count(|counts| counts.row_passes += 1);
    }

    /// r = y − m.
    pub fn residuals(&self, problem: &Problem) -> Vec<f64> {
        problem.answers.iter().zip(&self.m).map(|(y, m)| y - m).collect()
    }

    /// What u and q are worth. The gap Σ Λ|r| − u·r is summed as the terms (Λ − u)r and (Λ + u)(−r), none of
    /// which is negative.
    pub fn certificate(&self, problem: &Problem) -> Certificate {
        let (mut gap, mut loss, mut distance) = (0.0, 0.0, 0.0);
        for ((bound, y), (u, m)) in
            problem.bounds.iter().zip(&problem.answers).zip(self.u.iter().zip(&self.m))
        {
            let r = y - m;
            gap += if r > 0.0 { (bound - u) * r } else { (bound + u) * -r };
            loss += bound * r.abs();
            distance += r.abs();
        }
        let divergence = (dot(&self.u, &self.m) - self.log_z).max(0.0);
        Certificate::new(problem.yardstick, loss + divergence, gap, divergence, distance)
    }

    /// ln Z(t + α d) − ln Z(t) − α E_q[d], never negative, for a direction of such a mean. Rows whose mass is too
    /// small for a number can gain it back on a long step, so that theirs is computed from its logarithm.
    pub fn curvature(&self, problem: &Problem, alpha: f64, d: &[f64], mean: f64) -> f64 {
        const SHORT: f64 = 30.0;
        let bend = |q: f64, d: f64| {
            let x = alpha * (d - mean);
            if x <= SHORT { q * (libm::expm1(x) - x) } else { -q * (1.0 + x) }
        };
        let rows = self.t.iter().zip(&problem.log_prior).zip(d);
        let risen: f64 = rows
            .filter(|(_, d)| alpha * (*d - mean) > SHORT)
            .map(|((t, log_p), d)| libm::exp(t + log_p - self.log_z + alpha * (d - mean)))
            .sum();
        libm::log1p(sum2(&self.q, d, bend) + risen)
    }
}
