//! Measurements in, model out. Never sees `privacy`.

pub mod deny;
pub mod design;
pub mod deviates;
pub mod fit;
pub mod pool;
pub mod records;
pub mod seed;
pub mod support;
pub mod widen;
