//! What the bindings of every module have, and each module exports: its memory and its errors; with the feature `tables` also tables,
//! answers and options.

#[cfg(feature = "tables")]
pub mod answers;
#[cfg(feature = "tables")]
pub mod copy;
pub mod engine;
pub mod error;
pub mod memory;
#[cfg(feature = "tables")]
pub mod options;
#[cfg(feature = "threads")]
pub mod pool;
#[cfg(feature = "tables")]
pub mod table;
