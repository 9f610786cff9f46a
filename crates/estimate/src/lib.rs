//! Measurements in, model out. Never sees `privacy`.

pub mod seed;
pub mod support;
