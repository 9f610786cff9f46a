//! The global allocator: counts what is allocated, refuses large allocations beyond the limit, and wipes what is given
//! back while anything private is in memory.
//!
//! A refused allocation makes `try_reserve` fail, which the crates turn into `OUT_OF_MEMORY`. Small allocations
//! always pass, because most of them have no way to fail but to end the engine.
//!
//! How much private rows need is nobody's business, and whether something else is refused would tell it. So while
//! anything private is in memory, everything else has one half of the limit: what is allocated within [`enter`] and
//! [`leave`] counts for the private half alone.
//!
//! Another module may share the limit: what it holds counts as if it were here, but never among private rows.
//!
//! Private rows pass through buffers of parsers, tables that grow, counts, results that are dropped. None of them can
//! forget to erase itself: as long as a sealed table lives (`held::any` of `crates/tables`), every block is zero before it is free, and
//! a block that grows is copied and wiped.
#![expect(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; each method only counts, wipes and forwards"
)]

use marginalia_tables::held;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Allocations from this size on are refused when they would exceed the limit.
pub const LARGE: usize = 64 * 1024;

static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Bytes that are allocated now.
static USED: AtomicUsize = AtomicUsize::new(0);
/// Of these, what was allocated for private rows until now, or until the outermost private call began.
static HIDDEN: AtomicUsize = AtomicUsize::new(0);
/// Bytes for anything else, when the outermost private call began.
static OTHERS: AtomicUsize = AtomicUsize::new(0);
/// Bytes that a module beside this one holds.
static BESIDE: AtomicUsize = AtomicUsize::new(0);
/// What private rows may take, by the outermost private call.
static PRIVATE: AtomicUsize = AtomicUsize::new(0);
/// Private calls that lie within each other.
static DEPTH: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting<System> = Counting(System);

/// Bytes that are allocated now: for private rows within a private call; outside for anything else, and beside.
pub fn used() -> usize {
    if DEPTH.load(Relaxed) > 0 {
        return USED.load(Relaxed).saturating_sub(OTHERS.load(Relaxed));
    }
    own().saturating_add(BESIDE.load(Relaxed))
}

/// Bytes that are allocated here for anything but private rows; not to be asked within a private call.
pub fn own() -> usize {
    USED.load(Relaxed).saturating_sub(HIDDEN.load(Relaxed))
}

/// Says what a module beside this one holds.
pub fn set_beside(bytes: usize) {
    BESIDE.store(bytes, Relaxed);
}

/// Bytes of these beyond which large allocations are refused.
pub fn limit() -> usize {
    if DEPTH.load(Relaxed) > 0 {
        return PRIVATE.load(Relaxed);
    }
    let all = LIMIT.load(Relaxed);
    if held::any() { all / 2 } else { all }
}

/// The limit for private rows and anything else together.
pub fn all() -> usize {
    LIMIT.load(Relaxed)
}

/// Sets the limit; what is allocated already stays.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Relaxed);
}

/// Begins a call that works on private rows, for which so many bytes may be taken in all.
pub fn enter(most: usize) {
    if DEPTH.fetch_add(1, Relaxed) == 0 {
        PRIVATE.store(most, Relaxed);
        OTHERS.store(USED.load(Relaxed).saturating_sub(HIDDEN.load(Relaxed)), Relaxed);
    }
}

/// Ends it.
pub fn leave() {
    if DEPTH.fetch_sub(1, Relaxed) == 1 {
        HIDDEN.store(USED.load(Relaxed).saturating_sub(OTHERS.load(Relaxed)), Relaxed);
    }
}

/// Counts `bytes` more, unless they are many and would exceed the limit.
fn reserve(bytes: usize) -> bool {
    let fits = bytes < LARGE || used().saturating_add(bytes) <= limit();
    if fits {
        USED.fetch_add(bytes, Relaxed);
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

/// Zeros a block that is about to be free. The pointer goes to a place that the compiler cannot see, so that it may not
/// drop the writes to memory that nobody reads again.
///
/// # Safety
/// The block is allocated, of that many bytes, and nobody else uses it.
unsafe fn wipe(pointer: *mut u8, bytes: usize) {
    unsafe { pointer.write_bytes(0, bytes) };
    std::hint::black_box(pointer);
}

/// An allocator that counts, refuses and wipes for another. None of its methods is inlined: they would be, in a thousand places.
pub struct Counting<A>(pub A);

// SAFETY: every method forwards its arguments unchanged to an allocator whose contract is the same; the only other
// answer is null, by which this trait says "refused". Wiped is only what the caller gives up with this very call.
// Moving is `realloc` by its definition: a new block of the new size and the same alignment, with the bytes of the old
// one up to the smaller size, which then is free.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !reserve(layout.size()) {
            return std::ptr::null_mut();
        }
        settle(unsafe { self.0.alloc(layout) }, layout.size())
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !reserve(layout.size()) {
            return std::ptr::null_mut();
        }
        settle(unsafe { self.0.alloc_zeroed(layout) }, layout.size())
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if held::any() {
            unsafe { wipe(pointer, layout.size()) };
        }
        unsafe { self.0.dealloc(pointer, layout) };
        USED.fetch_sub(layout.size(), Relaxed);
    }

    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if held::any() {
            let moved = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
            if !moved.is_null() {
                unsafe { moved.copy_from_nonoverlapping(pointer, layout.size().min(size)) };
                unsafe { self.dealloc(pointer, layout) };
            }
            return moved;
        }
        let more = size.saturating_sub(layout.size());
        if !reserve(more) {
            return std::ptr::null_mut();
        }
        let moved = settle(unsafe { self.0.realloc(pointer, layout, size) }, more);
        if !moved.is_null() {
            USED.fetch_sub(layout.size().saturating_sub(size), Relaxed);
        }
        moved
    }
}
