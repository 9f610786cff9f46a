//! Bindings: parse, call, convert. One file per TypeScript file that it serves.

pub mod check;
pub mod count;
pub mod design;
pub mod engine;
pub mod error;
mod memory;
mod options;
#[cfg(feature = "threads")]
pub mod pool;
pub mod privacy;
pub mod public;
pub mod read;
pub mod records;
pub mod table;
pub mod write;
