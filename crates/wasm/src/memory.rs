//! The global allocator: counts what is allocated, and refuses large allocations beyond the limit.
//!
//! A refused allocation makes `try_reserve` fail, which the crates turn into `OUT_OF_MEMORY`. Small allocations
//! always pass, because most of them have no way to fail but to end the engine.
#![expect(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; each method only counts and forwards"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Allocations from this size on are refused when they would exceed the limit.
const LARGE: usize = 64 * 1024;

static USED: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that are allocated now.
pub fn used() -> usize {
    USED.load(Relaxed)
}

/// Bytes beyond which large allocations are refused.
pub fn limit() -> usize {
    LIMIT.load(Relaxed)
}

/// Sets the limit; what is allocated already stays.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Relaxed);
}

/// Counts `bytes` more, unless they are many and would exceed the limit.
fn reserve(bytes: usize) -> bool {
    let before = USED.fetch_add(bytes, Relaxed);
    let fits = bytes < LARGE || before.saturating_add(bytes) <= LIMIT.load(Relaxed);
    if !fits {
        USED.fetch_sub(bytes, Relaxed);
    }
    fits
}

/// Takes back what `reserve` counted when the system refuses after all.
fn settle(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() {
        USED.fetch_sub(bytes, Relaxed);
    }
    pointer
}

struct Counting;

// SAFETY: every method forwards its arguments unchanged to the system's allocator, whose contract is the same;
// the only other answer is null, by which this trait says "refused".
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !reserve(layout.size()) {
            return std::ptr::null_mut();
        }
        settle(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !reserve(layout.size()) {
            return std::ptr::null_mut();
        }
        settle(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) };
        USED.fetch_sub(layout.size(), Relaxed);
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let more = size.saturating_sub(layout.size());
        if !reserve(more) {
            return std::ptr::null_mut();
        }
        let moved = settle(unsafe { System.realloc(pointer, layout, size) }, more);
        if !moved.is_null() {
            USED.fetch_sub(layout.size().saturating_sub(size), Relaxed);
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because limit and count are global and tests share the process.
    #[test]
    fn large_allocations_stop_at_the_limit_and_small_ones_pass() {
        let mut grown: Vec<u8> = Vec::with_capacity(1 << 20);
        set_limit(used() + (8 << 20));
        let mut fits: Vec<u8> = Vec::new();
        assert!(fits.try_reserve_exact(4 << 20).is_ok());
        let before = used();
        assert!(Vec::<u8>::new().try_reserve_exact(16 << 20).is_err());
        assert!(grown.try_reserve_exact(32 << 20).is_err());
        assert!(used().abs_diff(before) < LARGE, "a refused allocation is not counted");
        set_limit(0);
        assert!(Vec::<u8>::new().try_reserve_exact(LARGE - 1).is_ok());
        assert!(Vec::<u8>::new().try_reserve_exact(LARGE).is_err());
        drop(fits);
        assert!(before - used() > 3 << 20, "freed bytes are no longer counted");
        set_limit(usize::MAX);
        assert!(Vec::<u8>::new().try_reserve_exact(16 << 20).is_ok());
    }
}
