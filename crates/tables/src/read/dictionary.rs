//! Texts to codes, by open addressing. A text may be known to have no code.

/// Texts up to this many bytes are told apart by a word alone.
pub(super) const SHORT: usize = 7;

/// The word for a short text: its bytes, then its length. `word` holds the text's bytes, low byte first, and
/// whatever follows them.
pub(super) fn short_key(word: u64, length: usize) -> u64 {
    debug_assert!(length <= SHORT);
    (word & ((1 << (8 * length)) - 1)) | (length as u64) << 56
}

/// Spreads a key over the upper bits (Fibonacci hashing; the multiplier is 2⁶⁴ over the golden ratio).
pub(super) fn spread(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The first eight bytes of a text, and the last eight; both together are all of one up to 16 bytes. Zero for
/// a text of fewer.
#[inline]
pub(super) fn words(text: &[u8]) -> [u64; 2] {
    [text.first_chunk(), text.last_chunk()].map(|word| word.map_or(0, |bytes| u64::from_le_bytes(*bytes)))
}

fn key(text: &[u8]) -> u64 {
    if text.len() <= SHORT {
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text);
        return short_key(u64::from_le_bytes(bytes), text.len());
    }
    let mix = |hash: u64, word: u64| spread(hash.rotate_left(29) ^ word);
    let whole = text.as_chunks::<8>().0.iter().fold(text.len() as u64, |h, w| mix(h, u64::from_le_bytes(*w)));
    // The upper bit keeps long texts apart from short ones, whose length stands there.
    mix(whole, words(text)[1]) | 1 << 63
}

/// Whether two texts of more than seven bytes are the same: without the call that comparing slices costs.
fn same(a: &[u8], b: &[u8]) -> bool {
    let chunks = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    a.len() == b.len() && words(a)[1] == words(b)[1] && chunks.fold(true, |all, (a, b)| all & (a == b))
}

/// A map from texts to codes that only grows.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    entries: Vec<(Box<[u8]>, Option<u16>)>,
    /// A key and one more than the index of its entry; zero where there is none.
    slots: Vec<(u64, u32)>,
    /// A bit for each length that occurs, the last one for all beyond: most texts of a number are decided here.
    lengths: u64,
}

impl Dictionary {
    /// The code of a text that is known.
    pub fn get(&self, text: &[u8]) -> Option<Option<u16>> {
        if self.lengths & length_bit(text) == 0 {
            return None;
        }
        let key = key(text);
        let mut at = self.home(key);
        loop {
            let (found, entry) = self.slots[at];
            if entry == 0 {
                return None;
            }
            let (known, code) = &self.entries[entry as usize - 1];
            if found == key && (text.len() <= SHORT || same(known, text)) {
                return Some(*code);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a text unless it is there: what is declared first wins.
    pub fn insert(&mut self, text: &[u8], code: Option<u16>) {
        if self.get(text).is_some() {
            return;
        }
        self.entries.push((text.into(), code));
        self.lengths |= length_bit(text);
        if self.entries.len() * 2 > self.slots.len() {
            self.slots = vec![(0, 0); (self.entries.len() * 4).next_power_of_two()];
            for entry in 1..=self.entries.len() {
                self.place(entry);
            }
        } else {
            self.place(self.entries.len());
        }
    }

    fn place(&mut self, entry: usize) {
        let key = key(&self.entries[entry - 1].0);
        let mut at = self.home(key);
        while self.slots[at].1 != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = (key, entry as u32);
    }

    fn home(&self, key: u64) -> usize {
        // The upper bits of the product depend on all of the key.
        (spread(key) >> (64 - self.slots.len().trailing_zeros())) as usize
    }
}

fn length_bit(text: &[u8]) -> u64 {
    1 << text.len().min(63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn long_texts_are_the_same_when_they_are(
            a in prop::collection::vec(0u8..2, 8..30), at in any::<prop::sample::Index>(), longer in any::<bool>()
        ) {
            let (mut changed, mut grown) = (a.clone(), a.clone());
            changed[at.index(a.len())] ^= 1;
            grown.insert(at.index(a.len()), if longer { 0 } else { 1 });
            prop_assert!(same(&a, &a.clone()));
            prop_assert!(!same(&a, &changed) && !same(&a, &grown) && !same(&grown, &a));
        }

        #[test]
        fn it_is_a_map_in_which_the_first_wins(
            texts in prop::collection::vec(prop::collection::vec(0u8..3, 0..20), 0..200),
            lookups in prop::collection::vec(prop::collection::vec(0u8..3, 0..20), 0..50)
        ) {
            let (mut ours, mut model) = (Dictionary::default(), HashMap::new());
            for (code, text) in texts.iter().enumerate() {
                ours.insert(text, Some(code as u16));
                model.entry(text.clone()).or_insert(Some(code as u16));
            }
            for text in texts.iter().chain(&lookups) {
                prop_assert_eq!(ours.get(text), model.get(text).copied());
            }
        }
    }
}
