//! Which marginals to measure, decided on public tables alone: candidates, and a forecast of what each would lead to.

mod candidates;
mod forecast;
mod noise;
mod score;
mod simulate;

pub(crate) use candidates::counted;
pub use candidates::{Candidate, DesignOptions, Family, candidates};
pub(crate) use forecast::likely;
pub use forecast::{Forecast, Scored, designed, forecast};
pub use noise::{Law, Noise};
pub use score::{Score, all_tables, some_tables};
pub use simulate::Simulation;
