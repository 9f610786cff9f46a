//! Measurements in, model out. Never sees `privacy`.

pub mod deny;
pub mod deviates;
pub mod records;
pub mod seed;
pub mod support;
pub mod widen;
