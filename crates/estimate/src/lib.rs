//! Measurements in, model out. Never sees `privacy`.

pub mod calibrated;
pub mod deny;
pub mod dependencies;
pub mod design;
pub mod deviates;
pub mod errors;
pub mod estimation;
pub mod fit;
pub mod hierarchy;
pub mod interior;
pub mod iterative;
pub mod math;
pub mod measurement;
pub mod pool;
pub mod records;
pub mod seed;
mod simplex;
pub mod steps;
pub mod strength;
pub mod support;
pub mod total;
pub mod two_stage;
mod vector;
pub mod widen;
