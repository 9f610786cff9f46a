//! Estimates without rows: a graphical model of the measured cliques.

mod estimator;
mod terms;

pub use estimator::GraphicalEstimator;
pub use marginalia_graph::fit::Choice;
