//! Multiplicative weights on rows (Hardt and Rothblum 2010; MWEM, Hardt, Ligett and McSherry 2012; PMW-Pub, Liu and others 2021):
//! answers are met one after another, a round each, and what was answered before is met again.

mod estimator;
mod iterate;
mod rounds;
mod stored;

pub use estimator::{MultiplicativeEstimator, rule};
pub use iterate::Iterate;
pub use rounds::{Rounds, Rule};
pub use stored::Stored;
