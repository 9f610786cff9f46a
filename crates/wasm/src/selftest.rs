//! What the tests of the engine need from a real module; built to `target/` only, never shipped.

use crate::error::Result;
use marginalia_tables::Error;
use wasm_bindgen::prelude::wasm_bindgen;

/// The sum of `(i * 2654435761) mod 2^32` for `i < n`, split over the pool where there is one.
#[wasm_bindgen(js_name = selftestSum)]
pub fn sum(n: u32) -> f64 {
    let term = |i: u32| u64::from(i.wrapping_mul(2_654_435_761));
    #[cfg(feature = "threads")]
    let total: u64 = {
        use rayon::prelude::*;
        (0..n).into_par_iter().map(term).sum()
    };
    #[cfg(not(feature = "threads"))]
    let total: u64 = (0..n).map(term).sum();
    total as f64
}

/// Turns forever in every thread of the pool: a computation that only the end of the workers ends.
#[cfg(feature = "threads")]
#[wasm_bindgen(js_name = selftestSpin)]
pub fn spin() {
    rayon::broadcast(|_| {
        loop {
            std::hint::black_box(());
        }
    });
}

/// Ends in a trap.
#[wasm_bindgen(js_name = selftestTrap)]
pub fn trap() {
    panic!("selftest");
}

/// Asks for memory and gives it back, or fails as every operation fails.
#[wasm_bindgen(js_name = selftestAllocate)]
pub fn allocate(bytes: f64) -> Result<f64> {
    let mut buffer: Vec<u8> = Vec::new();
    buffer.try_reserve_exact(bytes as usize).map_err(|_| Error::out_of_memory(bytes as usize))?;
    Ok(buffer.capacity() as f64)
}
