//! One place that knows whether there are threads. Rows are cut into chunks by their number alone, and what chunks
//! give is taken in their order, so that any number of threads gives the same bits.

#[cfg(feature = "threads")]
use rayon::prelude::*;
use std::ops::Range;

/// Rows that one thread takes at a time; their weights fit the second cache.
pub const CHUNK: usize = 1 << 14;

/// Chunks whose parts are held at the same time.
#[cfg(feature = "threads")]
const WAVE: usize = 32;

/// The chunks of so many rows.
fn chunks(rows: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    (0..rows.div_ceil(CHUNK)).map(move |chunk| chunk * CHUNK..rows.min((chunk + 1) * CHUNK))
}

#[cfg(feature = "threads")]
thread_local! {
    /// Whether this thread has a task of its own beside others, and is not to share its rows.
    static ALONE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Carries out `f` on this thread alone, to the same bits, where the threads already work on other tasks.
#[cfg(feature = "threads")]
pub fn alone<R>(f: impl FnOnce() -> R) -> R {
    let before = ALONE.replace(true);
    let result = f();
    ALONE.set(before);
    result
}

/// Gives `take` what `f` makes of each chunk of rows, in order.
#[cfg(feature = "threads")]
pub fn fold<R: Send>(rows: usize, f: impl Fn(Range<usize>) -> R + Sync + Send, mut take: impl FnMut(R)) {
    if ALONE.get() {
        return chunks(rows).for_each(|chunk| take(f(chunk)));
    }
    let chunks: Vec<Range<usize>> = chunks(rows).collect();
    for wave in chunks.chunks(WAVE) {
        let parts: Vec<R> = wave.par_iter().cloned().map(&f).collect();
        parts.into_iter().for_each(&mut take);
    }
}

/// Gives `take` what `f` makes of each chunk of rows, in order.
#[cfg(not(feature = "threads"))]
pub fn fold<R>(rows: usize, f: impl Fn(Range<usize>) -> R, mut take: impl FnMut(R)) {
    chunks(rows).for_each(|chunk| take(f(chunk)));
}

/// The same where `f` may also change what `w` holds for the rows of its chunk.
#[cfg(feature = "threads")]
pub fn fold_mut<R: Send>(
    w: &mut [f64],
    f: impl Fn(Range<usize>, &mut [f64]) -> R + Sync + Send,
    mut take: impl FnMut(R),
) {
    let rows = w.len();
    if ALONE.get() {
        return chunks(rows).zip(w.chunks_mut(CHUNK)).for_each(|(chunk, w)| take(f(chunk, w)));
    }
    let chunks: Vec<Range<usize>> = chunks(rows).collect();
    for (wave, w) in chunks.chunks(WAVE).zip(w.chunks_mut(WAVE * CHUNK)) {
        let of_chunks = wave.par_iter().cloned().zip(w.par_chunks_mut(CHUNK));
        let parts: Vec<R> = of_chunks.map(|(chunk, w)| f(chunk, w)).collect();
        parts.into_iter().for_each(&mut take);
    }
}

/// The same where `f` may also change what `w` holds for the rows of its chunk.
#[cfg(not(feature = "threads"))]
pub fn fold_mut<R>(w: &mut [f64], f: impl Fn(Range<usize>, &mut [f64]) -> R, mut take: impl FnMut(R)) {
    let rows = w.len();
    chunks(rows).zip(w.chunks_mut(CHUNK)).for_each(|(chunk, w)| take(f(chunk, w)));
}
