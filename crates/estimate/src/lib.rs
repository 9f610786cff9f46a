//! Measurements in, model out. Never sees `privacy`.

pub mod calibrated;
pub mod iterative;
pub mod math;
pub mod measurement;
pub mod seed;
pub mod support;
pub mod total;
