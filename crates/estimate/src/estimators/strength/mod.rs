//! How many observations a prior is worth: n₀, by which the divergence from the prior is weighed against the misfit
//! of the answers. Chosen from the noisy answers alone, so that it costs no privacy.
//!
//! A prior that is a sample of N public records, of the population that n private records are a sample of, is worth
//! the [`harmonic`] N·n/(N + n). Whether it is of that population shows in the answers: [`consistency`] compares how
//! far a fit stays from them with what their noise explains. Where it stays too far, other strengths are tried: weaker
//! ones for a prior of another population, stronger ones for one of too few rows, which follow precise answers only at
//! the cost of all that was not measured. The *coupled bootstrap* says what a strength misses of what was
//! measured: noise is added to the answers so that each fit can be judged by answers that are uncorrelated with those it
//! was fitted to. What it misses of the rest is the sampling error of its rows.

mod choice;
mod consistency;
mod flat;
mod normal;
mod rule;

pub use choice::choice;
pub use consistency::{GAUSSIAN, LAPLACE, Noise, consistency};
pub use flat::flatness;
pub use normal::Normals;
pub use rule::{Bootstrap, Choice, Question, Rule, harmonic};

/// A model that was fitted to answers at a strength.
#[derive(Debug, Clone, Default)]
pub struct Fitted {
    /// Its marginals, one number for each supported cell.
    pub marginals: Vec<f64>,
    /// n₀ KL(q‖p): how far it went from the prior, in nats of the observations that the prior is worth.
    pub divergence: f64,
    /// For each supported cell the variance that its share has because the model's rows are a sample: what it would
    /// miss, squared, had it not been measured. Empty where they are none.
    pub sampling: Vec<f64>,
    /// Where a fit at a lower strength may start.
    pub potentials: Option<Vec<f64>>,
}
