//! One place that knows whether there are threads. Rows are cut into chunks by their number alone, and what chunks
//! give is taken in their order, so that any number of threads gives the same bits.

use std::ops::Range;

#[cfg(feature = "threads")]
pub use team::{alone, awake};

/// The most rows that one thread takes at a time: what a pass over one marginal reads of them fits the second cache.
pub const CHUNK: usize = 1 << 15;

/// Rows that are not shared: two threads take as long as one.
const FEW: usize = 1 << 13;

/// Chunks whose parts are held at the same time.
#[cfg(feature = "threads")]
const WAVE: usize = 32;

/// The rows of each chunk but the last, which may have fewer. Chunks are an even number, so that none is left over for one of
/// two threads.
fn rows_per_chunk(rows: usize) -> usize {
    if rows <= FEW {
        FEW
    } else {
        rows.div_ceil(rows.div_ceil(CHUNK).next_multiple_of(2)).next_multiple_of(4)
    }
}

/// The chunks of so many rows.
fn chunks(rows: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let length = rows_per_chunk(rows);
    (0..rows.div_ceil(length)).map(move |chunk| chunk * length..rows.min((chunk + 1) * length))
}

/// Gives `take` what `f` makes of each chunk of rows, in order.
pub fn fold<R: Send>(rows: usize, f: impl Fn(Range<usize>) -> R + Sync, mut take: impl FnMut(R)) {
    #[cfg(feature = "threads")]
    if team::shares() {
        return waves(chunks(rows), f, take);
    }
    chunks(rows).for_each(|chunk| take(f(chunk)));
}

/// The same where `f` may also change what `w` holds for the rows of its chunk.
pub fn fold_mut<T: Send, R: Send>(
    w: &mut [T],
    f: impl Fn(Range<usize>, &mut [T]) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let rows = w.len();
    let chunks = chunks(rows).zip(w.chunks_mut(rows_per_chunk(rows)));
    #[cfg(feature = "threads")]
    if team::shares() {
        return waves(chunks, |(chunk, w)| f(chunk, w), take);
    }
    chunks.for_each(|(chunk, w)| take(f(chunk, w)));
}

/// Has `f` fill parts of so many items, each of which is worth a thread; it also gets the place of the first.
pub fn fill<T: Send>(items: &mut [T], length: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    let parts = items.chunks_mut(length).enumerate().map(|(i, part)| (i * length, part));
    #[cfg(feature = "threads")]
    if parts.len() > 1 && team::shares() {
        return team::share(parts.collect(), |(at, part)| f(at, part), |()| {});
    }
    parts.for_each(|(at, part)| f(at, part));
}

/// Shares tasks among threads, some at a time, since what they give is held until it is their turn.
#[cfg(feature = "threads")]
fn waves<T: Send, R: Send>(
    mut tasks: impl ExactSizeIterator<Item = T>,
    f: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R),
) {
    while tasks.len() > 0 {
        team::share(tasks.by_ref().take(WAVE).collect(), &f, &mut take);
    }
}

/// How many threads there are.
pub fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Carries out `f`.
#[cfg(not(feature = "threads"))]
pub fn awake<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Passes of some 50 µs each, thousands of them: what a thread costs to wake counts, and so does every line of memory that
/// one thread has written and another one uses. Threads are therefore kept [`awake`] while passes follow each other, two of
/// them take the same rows in every pass, and sums are made in memory that stays with its thread.
#[cfg(feature = "threads")]
mod team {
    use rayon::Yield;
    use std::cell::Cell;
    use std::hint::spin_loop;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    /// How often a thread looks for work before it sleeps: some milliseconds, more than lie between two passes.
    const PATIENCE: usize = 1 << 15;

    /// How often a thread looks whether the others have done their last tasks before it sleeps until then.
    const SPINS: usize = 1 << 14;

    thread_local! {
        /// Whether this thread has a task of its own beside others, and is not to share its rows.
        static ALONE: Cell<bool> = const { Cell::new(false) };
        /// Whether this thread keeps the others awake.
        static AWAKE: Cell<bool> = const { Cell::new(false) };
    }

    /// Carries out `f` on this thread alone, to the same bits, where the threads already work on other tasks.
    pub fn alone<R>(f: impl FnOnce() -> R) -> R {
        within(&ALONE, f)
    }

    fn within<R>(state: &'static std::thread::LocalKey<Cell<bool>>, f: impl FnOnce() -> R) -> R {
        let before = state.replace(true);
        let result = f();
        state.set(before);
        result
    }

    /// Carries out `f`, and keeps the other threads from sleeping between its passes.
    pub fn awake<R>(f: impl FnOnce() -> R) -> R {
        if AWAKE.get() || !shares() {
            return f();
        }
        let (over, caller) = (AtomicBool::new(false), rayon::current_thread_index());
        rayon::in_place_scope(|scope| {
            scope.spawn_broadcast(|_, thread| {
                // While it waits for the others the caller may come across what it has spread itself.
                if Some(thread.index()) != caller {
                    look_for_work(&over);
                }
            });
            let result = within(&AWAKE, f);
            over.store(true, Ordering::Release);
            result
        })
    }

    fn look_for_work(over: &AtomicBool) {
        let mut idle = 0;
        while idle < PATIENCE && !over.load(Ordering::Acquire) {
            idle = if rayon::yield_now() == Some(Yield::Executed) { 0 } else { idle + 1 };
        }
    }

    /// Whether there are other threads to share passes with.
    pub fn shares() -> bool {
        !ALONE.get() && rayon::current_num_threads() > 1
    }

    /// Gives `take` what `f` makes of each task, in order. This thread takes tasks from the first on, the others from the
    /// last.
    pub fn share<T: Send, R: Send>(tasks: Vec<T>, f: impl Fn(T) -> R + Sync, mut take: impl FnMut(R)) {
        let count = tasks.len();
        let others = rayon::current_num_threads().min(count).saturating_sub(1);
        if others == 0 {
            return tasks.into_iter().for_each(|task| take(f(task)));
        }
        let mut parts: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
        let left = Mutex::new(tasks.into_iter().zip(&mut parts));
        let next = |first: bool| {
            let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
            if first { left.next() } else { left.next_back() }
        };
        let done = AtomicUsize::new(0);
        let work = |first: bool| {
            while let Some((task, part)) = next(first) {
                *part = Some(f(task));
                done.fetch_add(1, Ordering::Release);
            }
        };
        rayon::in_place_scope(|scope| {
            (0..others).for_each(|_| scope.spawn(|_| work(false)));
            work(true);
            // The end of the scope would put this thread to sleep at once.
            let finished = || done.load(Ordering::Acquire) == count;
            (0..SPINS).take_while(|_| !finished()).for_each(|_| spin_loop());
        });
        drop(left);
        parts.into_iter().flatten().for_each(take);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_all_rows_in_order() {
        for rows in [0, 1, 5, FEW, FEW + 1, CHUNK + 1, 3 * CHUNK, 100_000, 35 * CHUNK - 1] {
            let (mut next, mut count) = (0, 0);
            fold(
                rows,
                |chunk| chunk,
                |chunk| {
                    assert!(chunk.start == next && chunk.len() <= CHUNK && !chunk.is_empty());
                    (next, count) = (chunk.end, count + 1);
                },
            );
            assert_eq!(next, rows);
            assert!(count < 2 || count % 2 == 0, "{rows} rows are {count} chunks");
        }
    }

    #[test]
    fn rows_are_changed_by_their_chunk() {
        let mut w = vec![0.0; 5 * CHUNK + 3];
        let number = |chunk: Range<usize>, w: &mut [f64]| {
            w.iter_mut().zip(chunk.clone()).for_each(|(w, row)| *w += row as f64);
            chunk.start
        };
        let mut starts = Vec::new();
        awake(|| {
            fold_mut(&mut w, number, |_| {});
            fold_mut(&mut w, number, |start| starts.push(start));
        });
        assert!(w.iter().enumerate().all(|(row, w)| *w == 2.0 * row as f64));
        assert!(starts.is_sorted() && starts[0] == 0);
    }
}
