//! Iterative estimation (Tao, Bater and Machanavajjhala): Algorithm 1, and the step that it is made of.
//!
//! A step takes a [partial workload](Partial) of norm 1, moves its noisy answers to the [nearest](project) that a
//! distribution can have, and [updates](update) the distribution to have them with the least relative entropy
//! (Definition 3.1).

mod algorithm;
mod estimator;
mod project;
mod update;

pub use super::partial::{NONE, Partial, PartialAnswers};
pub use algorithm::{Options, Order, Solution, Step, iterative};
pub use estimator::IterativeEstimator;
pub use project::{Choice, project};
pub use update::{Update, update};
