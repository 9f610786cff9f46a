//! Rows that a public table might have had: drawn from a Bayesian network that is learnt from it, so that private
//! mass outside the public rows has somewhere to go. Reads public tables only.

mod entropy;
mod learn;
mod merge;
mod network;
mod search;

pub use entropy::{Entropies, Family};
pub use learn::{LearnOptions, Learnt, learn};
pub use merge::{Wide, WidenOptions, widen, widened};
pub use network::Network;
pub use search::{Structure, search};
