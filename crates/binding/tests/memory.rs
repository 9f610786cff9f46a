//! Tests of the allocator: what it counts, refuses and wipes.
#![expect(unsafe_code, reason = "an allocator is called by its unsafe methods")]

use marginalia_binding::memory::{Counting, LARGE, enter, leave, own, set_beside, set_limit, used};
use marginalia_privacy::random::{Entropy, Keys};
use marginalia_privacy::sealed::{SealOptions, Sealed, SealedReader};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::Schema;
use marginalia_tables::read::{BadRows, Encoding, Format};
use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Gives out a place of its own for each block and takes nothing back, so that what was freed can be looked at.
struct Shelf {
    next: AtomicUsize,
    bytes: UnsafeCell<[u8; 1024]>,
}

// SAFETY: the tests use a shelf from one thread.
unsafe impl Sync for Shelf {}

// SAFETY: blocks of at most 64 bytes with an alignment of at most 8 get 64 bytes each, until all are given out.
unsafe impl GlobalAlloc for Shelf {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let place = self.next.fetch_add(64, Relaxed);
        assert!(layout.size() <= 64 && place < 1024);
        unsafe { self.bytes.get().cast::<u8>().add(place) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

fn shelf() -> Counting<Shelf> {
    Counting(Shelf { next: AtomicUsize::new(0), bytes: UnsafeCell::new([0; 1024]) })
}

/// What is left of blocks that held sevens, after one was freed, one grew and one shrank.
fn left_over(allocator: &Counting<Shelf>) -> usize {
    let layout = Layout::from_size_align(32, 8).unwrap();
    let moved = unsafe {
        let [freed, grown, shrunk] = [(); 3].map(|()| allocator.alloc(layout));
        [freed, grown, shrunk].iter().for_each(|block| block.write_bytes(7, 32));
        allocator.dealloc(freed, layout);
        [(allocator.realloc(grown, layout, 48), 48), (allocator.realloc(shrunk, layout, 16), 16)]
    };
    for (block, size) in moved {
        let kept = unsafe { std::slice::from_raw_parts(block, size.min(32)) };
        assert!(kept.iter().all(|byte| *byte == 7), "what moves stays as it was");
        unsafe { allocator.dealloc(block, Layout::from_size_align(size, 8).unwrap()) };
    }
    unsafe { *allocator.0.bytes.get() }.iter().filter(|byte| **byte == 7).count()
}

fn seal() -> Sealed {
    let schema = r#"{"nulls":[],"attributes":[{"name":"a","type":"category","values":["x"],"other":"y"}]}"#;
    let options =
        SealOptions { format: Format::default(), encoding: Encoding::Utf8, bad_rows: BadRows::Drop };
    let neighbours = Neighbours { unit: Unit::Row, relation: Relation::AddRemove };
    let schema = Arc::new(Schema::from_json(schema).unwrap());
    let mut reader = SealedReader::new(schema, &options, neighbours, &mut Keys::new(None)).unwrap();
    reader.push(b"a\nx\n").unwrap();
    reader.finish().unwrap()
}

/// Units that are rows need no entropy.
struct None;

impl Entropy for None {
    fn fill(&mut self, _: &mut [u8]) -> marginalia_tables::Result<()> {
        unreachable!("nothing is drawn")
    }
}

/// One test, because what is held, limit and count are global and tests share the process.
#[test]
fn what_is_freed_is_wiped_while_something_is_sealed() {
    assert_eq!(left_over(&shelf()), 4 * 32 + 16, "nothing private, nothing wiped");
    let sealed = seal();
    let other = sealed.clone();
    assert_eq!(left_over(&shelf()), 0);
    drop(sealed);
    assert_eq!(left_over(&shelf()), 0);
    drop(other);
    assert!(left_over(&shelf()) > 0);
    large_allocations_stop_at_the_limit_and_small_ones_pass(1);
    let _sealed = seal();
    // What is not private has half of the limit now.
    large_allocations_stop_at_the_limit_and_small_ones_pass(2);
    what_private_calls_take_is_counted_apart();
    what_is_held_beside_counts_but_not_among_private_rows();
}

fn large_allocations_stop_at_the_limit_and_small_ones_pass(parts: usize) {
    let mut grown: Vec<u8> = Vec::with_capacity(1 << 20);
    set_limit(parts * (used() + (8 << 20)));
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

fn what_private_calls_take_is_counted_apart() {
    let before = used();
    enter(4 << 20);
    let mut hidden: Vec<u8> = Vec::new();
    assert!(hidden.try_reserve_exact(3 << 20).is_ok());
    assert!(Vec::<u8>::new().try_reserve_exact(2 << 20).is_err());
    leave();
    assert!(used().abs_diff(before) < LARGE, "nobody is told");
    set_limit(2 * (used() + (8 << 20)));
    assert!(Vec::<u8>::new().try_reserve_exact(7 << 20).is_ok(), "nobody has less for it");
    set_limit(usize::MAX);
    enter(4 << 20);
    drop(hidden);
    leave();
    assert!(used().abs_diff(before) < LARGE);
}

fn what_is_held_beside_counts_but_not_among_private_rows() {
    let mine = used();
    assert!(own().abs_diff(mine) < LARGE);
    set_limit(2 * (mine + (8 << 20)));
    set_beside(6 << 20);
    assert!(used().abs_diff(mine + (6 << 20)) < LARGE && own().abs_diff(mine) < LARGE);
    assert!(Vec::<u8>::new().try_reserve_exact(1 << 20).is_ok());
    assert!(Vec::<u8>::new().try_reserve_exact(4 << 20).is_err());
    enter(4 << 20);
    assert!(used() < LARGE, "private calls are told of nothing else");
    assert!(Vec::<u8>::new().try_reserve_exact(3 << 20).is_ok());
    leave();
    set_beside(0);
    assert!(Vec::<u8>::new().try_reserve_exact(7 << 20).is_ok());
    set_limit(usize::MAX);
}
