//! One place that knows whether there are threads. Results come back in the order of the items.

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Units of work below which it does not pay to wake another thread.
const GRAIN: u64 = 1 << 16;

/// How many items of so much work one thread should take at least.
pub fn grain(work: u64) -> usize {
    (GRAIN / work.max(1)).max(1) as usize
}

/// How many threads there are. A step that ends while some of them still work should have as much for each.
#[cfg(feature = "threads")]
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// There is one.
#[cfg(not(feature = "threads"))]
pub fn threads() -> usize {
    1
}

/// Applies `f` to each item; a thread takes `grain` neighbours or so at a time, because all wait for the last.
#[cfg(feature = "threads")]
pub fn map<T: Send, R: Send>(items: Vec<T>, grain: usize, f: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    items.into_par_iter().with_min_len(grain).with_max_len(grain).map(f).collect()
}

/// Applies `f` to each item.
#[cfg(not(feature = "threads"))]
pub fn map<T, R>(items: Vec<T>, _grain: usize, f: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}
