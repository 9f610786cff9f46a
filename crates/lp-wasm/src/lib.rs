//! Bindings of `pkg/lp`, loaded only when the exact two-stage estimate is used. Memory and errors are those of the
//! core's module, by the same files.

#[path = "../../wasm/src/engine.rs"]
pub mod engine;
#[path = "../../wasm/src/error.rs"]
pub mod error;
pub mod lp;
#[path = "../../wasm/src/memory.rs"]
mod memory;

/// Nothing private comes here.
fn private_rows_held() -> bool {
    false
}
