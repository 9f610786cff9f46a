//! Measurements in, model out. Never sees `privacy`.

pub mod support;
