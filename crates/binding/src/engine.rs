//! What the engine asks about its own memory; serves `ts/engine/host.ts` and `ts/engine/module.ts`.

use crate::memory;
use wasm_bindgen::prelude::wasm_bindgen;

/// Sets the bytes beyond which large allocations fail with `OUT_OF_MEMORY`.
#[wasm_bindgen(js_name = setMemoryLimit)]
pub fn set_memory_limit(bytes: f64) {
    memory::set_limit(bytes as usize);
}

/// Says how many bytes the module beside this one holds: both share one limit.
#[wasm_bindgen(js_name = setMemoryBeside)]
pub fn set_memory_beside(bytes: f64) {
    memory::set_beside(bytes as usize);
}

/// The bytes that are allocated in this module alone, without those for private rows.
#[wasm_bindgen(js_name = memoryOwn)]
pub fn memory_own() -> f64 {
    memory::own() as f64
}

/// The bytes that are allocated now, here and beside, without those for private rows; within a private call, those alone.
#[wasm_bindgen(js_name = memoryUsed)]
pub fn memory_used() -> f64 {
    memory::used() as f64
}

/// The limit that is in force for these.
#[wasm_bindgen(js_name = memoryLimit)]
pub fn memory_limit() -> f64 {
    memory::limit() as f64
}

/// The limit for private rows and everything else together: it depends on no rows.
#[wasm_bindgen(js_name = memoryOfAll)]
pub fn memory_of_all() -> f64 {
    memory::all() as f64
}

/// Begins a call whose memory nobody may be told of, and which may take so many bytes for private rows in all.
#[wasm_bindgen(js_name = enterPrivate)]
pub fn enter_private(most: f64) {
    memory::enter(most as usize);
}

/// Ends it.
#[wasm_bindgen(js_name = leavePrivate)]
pub fn leave_private() {
    memory::leave();
}
