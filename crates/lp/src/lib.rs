//! Exact two-stage estimation of small problems (`papers/ide.txt`, section 3): among the distributions on the support
//! of a prior that have the least L1 distance to noisy answers, the one of least relative entropy to the prior.
//!
//! Both stages are convex programs that Clarabel solves. What it answers is never trusted: loss, entropy and their
//! lower bounds are computed anew from the distribution and from dual points that are feasible by construction
//! ([`Certificate`]).

mod certificate;
mod conic;
mod divergence;
mod face;
mod job;
mod least;
mod merge;
mod polish;
mod problem;

pub use certificate::Certificate;
pub use conic::Watch;
pub use job::{Options, Solution, Status, Target, TwoStage};
pub use problem::{Marginal, Problem};
