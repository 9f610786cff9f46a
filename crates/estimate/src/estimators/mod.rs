//! From measurements to a model, a folder for each way.

pub mod calibrated;
pub mod estimation;
pub mod interior;
pub mod iterative;
pub mod strength;
pub mod two_stage;
