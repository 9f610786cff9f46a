//! The codes of texts seen before.

use super::dictionary::{SHORT, short_key, spread, words};

/// Entries for texts up to seven bytes, and up to 16: a few per code of a usual attribute, and few enough for the
/// L1 cache.
const BITS: u32 = 11;
const ENTRIES: usize = 1 << BITS;

/// Remembers the codes of texts up to 16 bytes, each in the one place that it hashes to: most columns have few
/// distinct texts, so that nearly all of their fields cost one look here, whatever their kind.
#[derive(Debug)]
pub(super) struct Memo {
    short: Box<[Short; ENTRIES]>,
    long: Box<[Long; ENTRIES]>,
}

#[derive(Debug, Clone, Copy)]
struct Short {
    key: u64,
    code: u16,
}

#[derive(Debug, Clone, Copy)]
struct Long {
    words: [u64; 2],
    length: u32,
    code: u16,
}

impl Default for Memo {
    fn default() -> Self {
        // No key is all ones, as its upper byte is a length; no long text has no length.
        let short = Box::new([Short { key: u64::MAX, code: 0 }; ENTRIES]);
        let long = Box::new([Long { words: [0; 2], length: 0, code: 0 }; ENTRIES]);
        Self { short, long }
    }
}

impl Memo {
    /// The code of the field from `start` to `end`.
    #[inline]
    pub fn get(
        &mut self,
        text: &[u8],
        start: usize,
        end: usize,
        encode: impl FnOnce(&[u8]) -> Option<u16>,
    ) -> Option<u16> {
        let length = end - start;
        if length <= SHORT
            && let Some(word) = text.get(start..start + 8).and_then(|bytes| bytes.first_chunk())
        {
            let key = short_key(u64::from_le_bytes(*word), length);
            let entry = &mut self.short[home(key)];
            if entry.key != key {
                *entry = Short { key, code: encode(&text[start..end])? };
            }
            return Some(entry.code);
        }
        let text = &text[start..end];
        if length <= SHORT || length > 16 {
            return encode(text);
        }
        let (words, length) = (words(text), length as u32);
        let entry = &mut self.long[home(words[0].rotate_left(29) ^ spread(words[1]))];
        if entry.words != words || entry.length != length {
            *entry = Long { words, length, code: encode(text)? };
        }
        Some(entry.code)
    }
}

fn home(key: u64) -> usize {
    (spread(key) >> (64 - BITS)) as usize
}
