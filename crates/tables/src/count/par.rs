//! One place that knows whether there are threads. Results come back in the order of the items.

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Units of work below which it does not pay to wake another thread.
const GRAIN: u64 = 1 << 16;

/// How many items of so much work one thread should take at least.
pub fn grain(work: u64) -> usize {
    (GRAIN / work.max(1)).max(1) as usize
}

/// Applies `f` to each item; a thread takes at least `grain` neighbours.
#[cfg(feature = "threads")]
pub fn map<T: Send, R: Send>(items: Vec<T>, grain: usize, f: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    items.into_par_iter().with_min_len(grain).map(f).collect()
}

/// Applies `f` to each item.
#[cfg(not(feature = "threads"))]
pub fn map<T, R>(items: Vec<T>, _grain: usize, f: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}
