//! Measurements in, model out. Never sees `privacy`.

pub mod design;
pub mod deviates;
pub mod errors;
pub mod estimators;
pub mod fit;
pub mod hierarchy;
pub mod job;
pub mod math;
pub mod measurement;
pub mod models;
mod par;
pub mod priors;
pub mod records;
pub mod seed;
mod simplex;
pub mod total;
mod vector;
