//! A dual point, the distribution that belongs to it, and how far from the optimum they are.

use super::Problem;
use crate::models::support::rows::tilt;

/// Potentials `u` with all that follows from them.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub u: Vec<f64>,
    /// `t = Mᵀ u`.
    pub t: Vec<f64>,
    /// `q ∝ p exp(t)`.
    pub q: Vec<f64>,
    /// `m = M q`.
    pub m: Vec<f64>,
    /// `ln Σ p exp(t)`.
    pub lz: f64,
}

/// How far a model may be from the optimum: the true value lies between `dual` and `primal`, in nats (units of n₀),
/// and KL(q‖q*) ≤ `gap`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaps {
    /// `primal − dual`, as a sum of terms none of which is negative.
    pub gap: f64,
    /// The value of what is minimised.
    pub primal: f64,
    /// A bound from below.
    pub dual: f64,
    /// Relative entropy to the prior.
    pub entropy: f64,
}

impl Gaps {
    /// The gap as a part of the value.
    pub fn relative(&self) -> f64 {
        self.gap / self.primal.max(1e-9)
    }
}

impl Point {
    /// `t` from `u`: one pass.
    pub fn gather(&mut self, problem: &Problem) {
        problem.index.gather(&self.u, &mut self.t);
    }

    /// `q` and `m` from `t`: one pass.
    pub fn scatter(&mut self, problem: &Problem) {
        self.lz = tilt(problem.base.prior(), &self.t, &mut self.q);
        problem.index.scatter(&self.q, &mut self.m);
    }

    /// The gradient of the dual, `g = (y − m) − u/λ`.
    pub fn gradient(&self, problem: &Problem) -> Vec<f64> {
        let cells = problem.y.iter().zip(&self.m).zip(self.u.iter().zip(&problem.lambda));
        cells.map(|((y, m), (u, lambda))| (y - m) - u / lambda).collect()
    }

    /// Gap `Σ (λ(y − m) − u)²/(2λ) = Σ λ g²/2`.
    pub fn certificate(&self, problem: &Problem) -> Gaps {
        let (mut gap, mut loss, mut um) = (0.0, 0.0, 0.0);
        for (i, lambda) in problem.lambda.iter().enumerate() {
            let r = problem.y[i] - self.m[i];
            let g = r - self.u[i] / lambda;
            gap += 0.5 * lambda * g * g;
            loss += 0.5 * lambda * r * r;
            um += self.u[i] * self.m[i];
        }
        let entropy = um - self.lz;
        let primal = loss + entropy;
        Gaps { gap, primal, dual: primal - gap, entropy }
    }
}
