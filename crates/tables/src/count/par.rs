//! One place that knows whether there are threads. Results come back in the order of the items.

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Applies `f` to each item.
#[cfg(feature = "threads")]
pub fn map<T: Send, R: Send>(items: Vec<T>, f: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    items.into_par_iter().with_max_len(1).map(f).collect()
}

/// Applies `f` to each item.
#[cfg(not(feature = "threads"))]
pub fn map<T, R>(items: Vec<T>, f: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}
