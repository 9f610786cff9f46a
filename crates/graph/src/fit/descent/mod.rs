//! The estimators of McKenna, Sheldon and Miklau, Graphical-model based estimation and inference for differential privacy
//! (2019): any convex loss of the marginals is lowered by steps on the potentials, and among the least the entropy is
//! largest. Nothing is taken from what a base is worth: it is only where they begin.
//!
//! They differ in how potentials follow from gradients; each step asks the oracle once.

mod accelerated;
mod averaging;
mod interior;
mod loss;
mod mirror;
mod walk;

pub use loss::{Evaluation, Loss, Own};
pub use mirror::Steps;
pub use walk::{Descent, Judged};

use super::{Problem, invalid};
use marginalia_compute::job::Pace;
use marginalia_tables::Result;
use walk::Walk;

/// A way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Algorithm 1: θ − η∇L(μ).
    Mirror(Steps),
    /// Algorithm 2: a multiple of the mean gradient.
    DualAveraging,
    /// Auslender and Teboulle's improved interior gradients.
    InteriorGradient,
    /// The same momentum with a constant that is found on the way.
    Accelerated,
}

/// When it is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The most calls of the oracle after the first.
    pub iterations: usize,
    /// It ends when the last quarter of the iterations lowered the least loss by less than this part of it.
    pub tolerance: f64,
    /// A loss that is low enough, such as [`Loss::noise`].
    pub until: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { iterations: 1000, tolerance: 1e-6, until: None }
    }
}

/// The estimate of a problem, from the potentials of its base: the best one so far where it is stopped.
pub async fn descend(
    problem: &Problem,
    loss: &Loss,
    method: Method,
    limits: &Limits,
    pace: &Pace,
) -> Result<Descent> {
    if matches!(loss, Loss::Absolute) && method != Method::Mirror(Steps::Decreasing) {
        return Err(invalid(
            "a loss without a gradient, \"l1\", is lowered by mirror descent alone, with steps that are \"decreasing\"",
        ));
    }
    let mut walk = Walk::new(problem, loss, *limits, pace)?;
    let run = async {
        match method {
            Method::Mirror(steps) => mirror::mirror_descent(&mut walk, steps).await,
            Method::DualAveraging => averaging::dual_averaging(&mut walk).await,
            Method::InteriorGradient => interior::interior_gradient(&mut walk).await,
            Method::Accelerated => accelerated::accelerated(&mut walk).await,
        }
    };
    let ended = pace.unless_stopped(run).await?.is_some();
    walk.outcome(ended).await
}
