//! What both modules with models bind: `crates/graph-wasm` takes it in by its path, for what is bound is of one module.

pub mod errors_of;
pub mod estimate;
pub mod job;
pub mod model;
mod objects;
pub mod prior;
pub mod reading;
