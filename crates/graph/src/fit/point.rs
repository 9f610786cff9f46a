//! A dual point, the distribution that belongs to it, and how far from the optimum they are.

use super::Problem;
use crate::Oracle;
use marginalia_compute::vector::{dot, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// u with all that follows from it.
#[derive(Debug)]
pub struct Point {
    pub(crate) u: Vec<f64>,
    /// θ₀ + Qᵀu.
    pub(crate) potentials: Vec<f64>,
    pub(crate) oracle: Oracle,
    pub(crate) log_z: f64,
    /// log Z(θ₀).
    pub(crate) log_z0: f64,
    /// Q m.
    pub(crate) fitted: Vec<f64>,
}

/// How far a model may be from the optimum, in nats: the least value lies between `value − gap` and `value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Σ (λ(y − Q m) − u)²/(2λ).
    pub gap: f64,
    /// What is minimised.
    pub value: f64,
    /// KL(p‖p₀).
    pub entropy: f64,
}

impl Gap {
    /// The gap as a part of the value.
    pub fn relative(&self) -> f64 {
        self.gap / self.value.max(1e-9)
    }
}

impl Point {
    pub(crate) fn new(problem: &Problem, u: Vec<f64>) -> Result<Self> {
        let cells = problem.base.len();
        Ok(Self {
            u,
            potentials: zeros(cells)?,
            oracle: Oracle::new(Arc::clone(&problem.passes)),
            log_z: 0.0,
            log_z0: 0.0,
            fitted: problem.zeros()?,
        })
    }

    /// Everything from u: log Z of the base is that of another one by now.
    pub(crate) fn begin(&mut self, problem: &Problem) {
        self.log_z0 = self.oracle.forward(&problem.base);
        self.refresh(problem);
    }

    /// Everything from u.
    pub(crate) fn refresh(&mut self, problem: &Problem) {
        problem.potentials(&problem.base, &self.u, &mut self.potentials);
        self.log_z = self.oracle.forward(&self.potentials);
        self.settle(problem);
    }

    /// The marginals, for potentials that went forward.
    pub(crate) fn settle(&mut self, problem: &Problem) {
        if let Some(log_z) = self.oracle.reverse(&self.potentials) {
            self.log_z = log_z;
        }
        problem.ask(self.oracle.marginals(), &mut self.fitted);
    }

    /// The gradient of the dual, (y − Q m) − u/λ.
    pub(crate) fn gradient(&self, problem: &Problem) -> Vec<f64> {
        let answers = problem.y.iter().zip(&self.fitted).zip(self.u.iter().zip(&problem.lambda));
        answers.map(|((y, m), (u, lambda))| (y - m) - u / lambda).collect()
    }

    /// How far from the optimum.
    pub fn gap(&self, problem: &Problem) -> Gap {
        let (mut gap, mut loss, mut um) = (0.0, 0.0, 0.0);
        for (i, lambda) in problem.lambda.iter().enumerate() {
            let r = problem.y[i] - self.fitted[i];
            let g = r - self.u[i] / lambda;
            gap += 0.5 * lambda * g * g;
            loss += 0.5 * lambda * r * r;
            um += self.u[i] * self.fitted[i];
        }
        let entropy = um - self.log_z + self.log_z0;
        Gap { gap, value: loss + entropy, entropy }
    }

    /// Σ (y − Q m)² n²/σ²: what the noise alone would make as many as there are answers.
    pub fn residual(&self, problem: &Problem) -> f64 {
        let answers = problem.y.iter().zip(&self.fitted).zip(&problem.weights);
        answers.map(|((y, m), weight)| weight * (y - m) * (y - m)).sum()
    }

    /// The mean log-likelihood of records that have such shares of all cells.
    pub fn log_likelihood(&self, shares: &[f64]) -> f64 {
        dot(&self.potentials, shares) - self.log_z
    }

    /// u.
    pub fn multipliers(&self) -> &[f64] {
        &self.u
    }

    /// θ, for the cells of all factors.
    pub fn potentials(&self) -> &[f64] {
        &self.potentials
    }

    /// The shares of the cells of all factors.
    pub fn marginals(&self) -> &[f64] {
        self.oracle.marginals()
    }
}
