//! Bindings: parse, call, convert. One file per TypeScript file that it serves.

pub mod check;
pub mod count;
pub mod distinct;
pub mod privacy;
pub mod read;
pub mod saved;
pub mod select;
pub mod write;
