//! Distributions that answer any marginal, a folder for each kind.

pub mod support;
