//! Bindings: parse, call, convert. One file per TypeScript file that it serves.

pub mod check;
pub mod count;
pub mod design;
pub mod engine;
pub mod error;
pub mod estimate;
mod memory;
pub mod model;
mod options;
#[cfg(feature = "threads")]
pub mod pool;
pub mod prior;
pub mod privacy;
pub mod public;
pub mod read;
pub mod records;
pub mod table;
pub mod write;
