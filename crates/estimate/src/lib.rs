//! Measurements in, model out. Never sees `privacy`.

pub mod interior;
pub mod steps;
pub mod strength;
pub mod support;
