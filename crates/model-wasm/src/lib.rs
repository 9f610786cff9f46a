//! Bindings of `pkg/model-simd` and `pkg/model-threads`, loaded when something is first estimated. Memory, errors, options,
//! tables and answers are those of the core's module, by the same files: tables cross from one to the other as copies.

#[path = "../../wasm/src/answers.rs"]
pub mod answers;
#[path = "../../wasm/src/copy.rs"]
pub mod copy;
pub mod dependencies;
pub mod design;
#[path = "../../wasm/src/engine.rs"]
pub mod engine;
#[path = "../../wasm/src/error.rs"]
pub mod error;
pub mod errors_of;
pub mod estimate;
pub mod groups;
pub mod groups_errors;
pub mod groups_saved;
pub mod hierarchy;
pub mod job;
#[path = "../../wasm/src/memory.rs"]
mod memory;
pub mod model;
#[path = "../../wasm/src/options.rs"]
pub mod options;
#[cfg(feature = "threads")]
#[path = "../../wasm/src/pool.rs"]
pub mod pool;
pub mod prior;
pub mod priors;
pub mod public;
pub mod records;
pub mod saved;
pub mod split;
#[path = "../../wasm/src/table.rs"]
pub mod table;
pub mod two_stage;

/// Nothing private comes here.
fn private_rows_held() -> bool {
    false
}
