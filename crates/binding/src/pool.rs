//! rayon's global pool on workers that JavaScript starts; serves `ts/engine/host.ts`.
//!
//! rayon hands each thread to `spawn_handler`, which leaves it in a queue; a worker that has entered [`work`]
//! takes one out and becomes that thread. The queue is static, so workers may come before or after the pool.

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::sync::{Condvar, Mutex, PoisonError};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

static WAITING: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());
static ARRIVED: Condvar = Condvar::new();

/// Builds the global pool of `threads` threads, of which the calling one is the first; returns when workers
/// have taken up the others.
#[wasm_bindgen(js_name = poolStart)]
pub fn start(threads: u32) -> Result<(), JsError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads as usize).use_current_thread();
    pool.spawn_handler(offer).build_global()?;
    Ok(())
}

fn offer(thread: ThreadBuilder) -> std::io::Result<()> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
    ARRIVED.notify_one();
    Ok(())
}

/// Waits for a thread of the pool and becomes it: never returns while the pool lives.
#[wasm_bindgen(js_name = poolWork)]
pub fn work() {
    let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut waiting = ARRIVED.wait_while(waiting, |w| w.is_empty()).unwrap_or_else(PoisonError::into_inner);
    let thread = waiting.pop();
    drop(waiting);
    if let Some(thread) = thread {
        thread.run();
    }
}
