//! Measurements in, model out. Never sees `privacy`.

pub mod records;
pub mod seed;
pub mod support;
