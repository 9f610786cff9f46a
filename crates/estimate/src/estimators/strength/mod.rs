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

pub use choice::StrengthJob;
pub use consistency::{GAUSSIAN, LAPLACE, Noise, consistency};
pub use flat::flatness;
pub use normal::Normals;
pub use rule::{Bootstrap, Choice, Question, Rule, harmonic};

use marginalia_tables::Result;

/// What fits a model to answers: an estimator with its prior, noise and tolerance already given.
pub trait Solver {
    /// Begins a fit to `answers`, as fractions of the total for each supported cell, with a prior worth `strength`
    /// observations. The last fit may serve as a start.
    fn begin(&mut self, answers: &[f64], strength: f64) -> Result<()>;

    /// Does about `work` units, of about a nanosecond each; true at the end.
    fn step(&mut self, work: u64) -> Result<bool>;

    /// The marginals of the model that was fitted, one number for each supported cell.
    fn marginals(&self) -> &[f64];

    /// n₀ KL(q‖p) of the model that was fitted: how far it went from the prior, in nats of the observations that the prior
    /// is worth.
    fn divergence(&self) -> f64;

    /// For each supported cell the variance that its share has because the model's rows are a sample: what it would
    /// miss, squared, had it not been measured. Empty where they are none.
    fn sampling(&self) -> &[f64] {
        &[]
    }
}
