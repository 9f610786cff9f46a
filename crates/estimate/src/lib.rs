//! Measurements in, model out. Never sees `privacy`.

pub use marginalia_compute::{job, math, seed};
use marginalia_compute::{par, vector};
pub mod counts;
pub mod design;
pub mod deviates;
pub mod errors;
pub mod estimators;
pub mod hierarchy;
pub mod measurement;
pub mod models;
pub mod priors;
pub mod records;
mod simplex;
pub mod total;
