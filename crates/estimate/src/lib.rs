//! Measurements in, model out. Never sees `privacy`.

pub mod math;
pub mod seed;
pub mod support;
