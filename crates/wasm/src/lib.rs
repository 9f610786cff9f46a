//! Bindings: parse, call, convert. One file per TypeScript file that it serves.

pub mod engine;
pub mod error;
mod memory;
#[cfg(feature = "threads")]
pub mod pool;
#[cfg(feature = "selftest")]
pub mod selftest;
