//! What the engine asks about its own memory; serves `ts/engine/host.ts`.

use crate::memory;
use wasm_bindgen::prelude::wasm_bindgen;

/// Sets the bytes beyond which large allocations fail with `OUT_OF_MEMORY`.
#[wasm_bindgen(js_name = setMemoryLimit)]
pub fn set_memory_limit(bytes: f64) {
    memory::set_limit(bytes as usize);
}

/// The bytes that are allocated now.
#[wasm_bindgen(js_name = memoryUsed)]
pub fn memory_used() -> f64 {
    memory::used() as f64
}

/// The limit that is in force.
#[wasm_bindgen(js_name = memoryLimit)]
pub fn memory_limit() -> f64 {
    memory::limit() as f64
}
