//! Independent attributes: what all measurements together say of each attribute alone. What they say of pairs is lost, which
//! shows what it is worth.

mod estimator;

pub use estimator::IndependentEstimator;
