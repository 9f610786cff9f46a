//! Bindings: parse, call, convert. One file per TypeScript file that it serves.

pub mod answers;
pub mod check;
pub mod copy;
pub mod count;
pub mod distinct;
pub mod engine;
pub mod error;
mod memory;
#[cfg(test)]
mod memory_tests;
mod options;
#[cfg(feature = "threads")]
pub mod pool;
pub mod privacy;
pub mod read;
pub mod select;
pub mod table;
pub mod write;

/// Whether anything private is in memory, so that what is freed must be wiped.
fn private_rows_held() -> bool {
    marginalia_privacy::held::any()
}
