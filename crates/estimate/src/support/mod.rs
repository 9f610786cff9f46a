//! Distributions on the distinct rows of a prior.

pub mod index;

pub use index::{Index, Marginal};
