//! The published estimators of graphical models, which lower a loss of marginals step by step.

mod estimator;
mod own;
mod start;

pub use estimator::DescentEstimator;
