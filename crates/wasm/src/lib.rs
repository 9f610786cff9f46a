//! Bindings: parse, call, convert. One file per TypeScript file that it serves.

pub mod check;
pub mod count;
pub mod design;
pub mod engine;
pub mod error;
pub mod estimate;
mod memory;
#[cfg(test)]
mod memory_tests;
pub mod model;
mod options;
#[cfg(feature = "threads")]
pub mod pool;
pub mod prior;
pub mod priors;
pub mod privacy;
pub mod public;
pub mod read;
pub mod records;
pub mod select;
pub mod table;
pub mod two_stage;
pub mod write;

/// Whether anything private is in memory, so that what is freed must be wiped.
fn private_rows_held() -> bool {
    marginalia_privacy::held::any()
}
