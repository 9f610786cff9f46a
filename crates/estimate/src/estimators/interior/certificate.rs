//! What comes out: a dual point, how far from the optimum it can be at most, and what it took.

use super::problem::Yardstick;

/// Proof of how good a point is: the optimum lies between `primal − gap` and `primal`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// Σ Λ|r| + KL(q‖p).
    pub primal: f64,
    /// Primal minus dual value.
    pub gap: f64,
    /// The gap relative to the primal value, or to what else the problem measures it against.
    pub relative: f64,
    /// KL(q‖p).
    pub divergence: f64,
    /// Σ |r|.
    pub distance: f64,
    /// What the gap is measured against.
    pub(super) scale: f64,
}

impl Certificate {
    pub(super) fn new(yardstick: Yardstick, primal: f64, gap: f64, divergence: f64, distance: f64) -> Self {
        let scale = yardstick.scale(primal, divergence);
        Self { primal, gap, relative: gap / scale, divergence, distance, scale }
    }

    /// A lower bound of the optimum.
    pub fn dual(&self) -> f64 {
        self.primal - self.gap
    }
}

/// How a solution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The gap is within the tolerance.
    Converged,
    /// The limit of steps was reached first.
    IterationLimit,
    /// No step makes progress any more.
    Stalled,
    /// Whoever asked for it stopped it.
    Stopped,
}

impl Status {
    /// The name that crosses to JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Converged => "converged",
            Status::IterationLimit => "iteration-limit",
            Status::Stalled => "stalled",
            Status::Stopped => "stopped",
        }
    }
}

/// What a solution took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sweeps over all marginals.
    pub sweeps: usize,
    /// Steps of the interior point.
    pub steps: usize,
    /// Products of the Hessian with a vector.
    pub products: usize,
    /// Passes over all rows and marginals; a product and a sweep take two.
    pub row_passes: usize,
    /// Factorisations of a dense block.
    pub factorisations: usize,
}

/// A solution: always the best point that was seen.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The dual: what to add to a row's log weight for each of its cells.
    pub u: Vec<f64>,
    /// q of each row; sums to 1.
    pub weights: Vec<f64>,
    /// Mq.
    pub marginals: Vec<f64>,
    /// How good it is at worst, computed from u alone.
    pub certificate: Certificate,
    /// How it ended.
    pub status: Status,
    /// What it took.
    pub counts: Counts,
    /// Every certificate that was the best of its time, and the passes over all rows and marginals until then.
    pub trace: Vec<(usize, Certificate)>,
}
