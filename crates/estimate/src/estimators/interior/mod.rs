//! Calibrated estimation under Laplace noise: min Σ Λ|Mq − y| + KL(q‖p) on the support of a prior, by its dual
//!
//!   max u·y − ln Σ p exp(Mᵀu),  |u| ≤ Λ,
//!
//! solved by block sweeps where these are quick, and else by a primal-dual interior point. Its systems are solved
//! by products with the Hessian, each two passes over the rows, and a dense block where that pays. The gap between
//! primal and dual value, a sum of non-negative terms of cells, proves how good a solution is.

mod certificate;
mod cholesky;
mod hessian;
mod method;
mod multipliers;
mod point;
mod precondition;
mod problem;
mod shared;
mod solution;
mod sweeps;
mod system;
mod watch;

pub use certificate::{Certificate, Counts, Fit, Status};
pub use problem::Problem;
pub use solution::interior;
pub(in crate::estimators) use solution::solve;

/// How far a solution goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The relative gap that is good enough.
    pub tolerance: f64,
    /// Sweeps that may be tried before the interior point, where they are promising.
    pub sweeps: usize,
    /// Steps of the interior point.
    pub steps: usize,
    /// What the order of the sweeps is drawn from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-6, sweeps: 50, steps: 500, seed: 0 }
    }
}
