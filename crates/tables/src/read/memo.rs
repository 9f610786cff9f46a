//! The codes of texts seen before.

use super::dictionary::{SHORT, short_key, spread, words};

/// Places for texts up to seven bytes, as a power of two: so many that the numbers below 100 have one each.
const SHORT_BITS: u32 = 11;
/// Places for longer texts.
const LONG_BITS: u32 = 10;

/// Remembers the codes of texts up to 16 bytes, each in the one place that it hashes to: most columns have few
/// distinct texts, so that nearly all of their fields cost one look here, whatever their kind.
#[derive(Debug)]
pub(super) struct Memo {
    short: Box<[Short; 1 << SHORT_BITS]>,
    /// Allocated when the first long text comes.
    long: Vec<Long>,
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
        // No key is all ones: its upper byte is a length.
        Self { short: Box::new([Short { key: u64::MAX, code: 0 }; 1 << SHORT_BITS]), long: Vec::new() }
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
            let entry = &mut self.short[home(key, SHORT_BITS)];
            if entry.key != key {
                *entry = Short { key, code: encode(&text[start..end])? };
            }
            return Some(entry.code);
        }
        self.long(&text[start..end], encode)
    }

    /// The code of a text that is longer, or that stands at the end of all text. Kept out of the way of short ones.
    #[inline(never)]
    fn long(&mut self, text: &[u8], encode: impl FnOnce(&[u8]) -> Option<u16>) -> Option<u16> {
        if text.len() <= SHORT || text.len() > 16 {
            return encode(text);
        }
        if self.long.is_empty() {
            // No long text has no length.
            self.long.resize(1 << LONG_BITS, Long { words: [0; 2], length: 0, code: 0 });
        }
        let (words, length) = (words(text), text.len() as u32);
        let entry = &mut self.long[home(words[0].rotate_left(29) ^ spread(words[1]), LONG_BITS)];
        if entry.words != words || entry.length != length {
            *entry = Long { words, length, code: encode(text)? };
        }
        Some(entry.code)
    }
}

fn home(key: u64, bits: u32) -> usize {
    (spread(key) >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_never_mistakes_a_text_for_another(
            texts in prop::collection::vec(prop::collection::vec(prop::sample::select(&b"a\0"[..]), 0..20), 1..200)
        ) {
            let code = |text: &[u8]| texts.iter().position(|known| known == text).map(|first| first as u16);
            let (mut memo, all) = (Memo::default(), texts.concat());
            for _ in 0..2 {
                let mut start = 0;
                for text in &texts {
                    prop_assert_eq!(memo.get(&all, start, start + text.len(), code), code(text));
                    start += text.len();
                }
            }
        }

        #[test]
        fn it_keeps_no_text_without_a_code(length in 0usize..20) {
            let (mut memo, text) = (Memo::default(), [b'a'; 30]);
            prop_assert_eq!(memo.get(&text, 0, length, |_| None), None);
            prop_assert_eq!(memo.get(&text, 0, length, |_| Some(1)), Some(1));
            let again = memo.get(&text, 0, length, |_| Some(2));
            prop_assert_eq!(again, if length <= 16 { Some(1) } else { Some(2) });
        }
    }
}
