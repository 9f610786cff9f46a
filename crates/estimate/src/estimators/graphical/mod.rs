//! Estimates without rows: a graphical model of the measured cliques.

mod estimator;
mod prior;

pub use estimator::{GraphicalEstimator, Strength};
