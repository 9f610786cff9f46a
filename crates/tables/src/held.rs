//! Whether anything private is in memory: then whoever gives memory back wipes it first.
//!
//! Everything in `crates/privacy` that holds private rows or counts carries a [`Held`], as its last field, so that it goes
//! after them. The allocator of `crates/binding` asks [`any`], which is never so in a module without that crate.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// Says, as long as it lives, that something private is in memory.
#[derive(Debug)]
pub struct Held(());

impl Default for Held {
    fn default() -> Self {
        ALIVE.fetch_add(1, SeqCst);
        Self(())
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, SeqCst);
    }
}

/// Whether anything private is in memory.
#[inline]
pub fn any() -> bool {
    ALIVE.load(SeqCst) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_as_long_as_one_lives() {
        let one = Held::default();
        let two = one.clone();
        drop(one);
        assert!(any());
        drop(two);
    }
}
