//! Random bits, and real numbers that are uniform on [0, 1] and known to as many binary digits as anyone asked for.

use marginalia_tables::{Code, Error, Result};
use num_bigint::BigUint;

/// Independent uniform bits, 64 at a time.
pub trait Bits {
    /// The next 64 bits.
    fn next_u64(&mut self) -> u64;
}

impl Bits for crate::random::Generator {
    fn next_u64(&mut self) -> u64 {
        crate::random::Generator::next_u64(self)
    }
}

/// Deals 16 bits to each candidate, so that most candidates cost a quarter of a word.
///
/// Words are taken from the source in the order of candidates, whatever the blocks they come in.
#[derive(Default)]
pub(super) struct Heads {
    word: u64,
    left: u32,
}

impl Heads {
    pub(super) fn next(&mut self, bits: &mut dyn Bits) -> u16 {
        if self.left == 0 {
            (self.word, self.left) = (bits.next_u64(), 4);
        }
        let head = self.word as u16;
        self.word >>= 16;
        self.left -= 1;
        head
    }

    /// Deals to so many candidates at once: the same as one after another.
    pub(super) fn deal(&mut self, many: usize, heads: &mut Vec<u16>, bits: &mut dyn Bits) {
        let before = (self.left as usize).min(many);
        let words = (many - before) / 4;
        heads.extend((0..before).map(|_| self.next(bits)));
        for _ in 0..words {
            let word = bits.next_u64();
            heads.extend([0, 16, 32, 48].map(|shift| (word >> shift) as u16));
        }
        heads.extend((before + 4 * words..many).map(|_| self.next(bits)));
    }
}

/// Words after which two candidates that still agree mean a broken source: with real bits the chance of it is
/// below 2⁻⁴⁰⁰⁰.
const LONGEST: usize = 64;

/// A number U on [0, 1] with the digits 0.head tail₀ tail₁ …; digits that nobody has asked for are not drawn.
pub(super) struct Uniform {
    head: u16,
    tail: u64,
    more: Vec<u64>,
}

impl Uniform {
    /// Continues the 16 digits of `head` by 64 more.
    pub(super) fn draw(head: u16, bits: &mut dyn Bits) -> Self {
        Self { head, tail: bits.next_u64(), more: Vec::new() }
    }

    /// The first 64 digits: u with U in [u, u + 1]·2⁻⁶⁴.
    pub(super) fn leading(&self) -> u64 {
        u64::from(self.head) << 48 | self.tail >> 16
    }

    /// All digits drawn: (a, m) with U in [a, a + 1]·2⁻ᵐ.
    pub(super) fn digits(&self) -> (BigUint, u32) {
        let mut number = BigUint::from(u128::from(self.head) << 64 | u128::from(self.tail));
        for word in &self.more {
            number = (number << 64) + *word;
        }
        (number, 80 + 64 * self.more.len() as u32)
    }

    /// Draws digits until there are at least 16 + 64·`words`.
    ///
    /// # Errors
    /// `ENTROPY_BROKEN` beyond 64 words: the source repeats itself, and no selection may come of it.
    pub(super) fn extend_to(&mut self, words: usize, bits: &mut dyn Bits) -> Result<()> {
        if words > LONGEST {
            let message =
                "the source of random bits repeats itself, so nothing was selected: use another platform";
            return Err(Error::new(Code::EntropyBroken, message));
        }
        while self.more.len() + 1 < words {
            self.more.push(bits.next_u64());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(u64);

    impl Bits for Counter {
        fn next_u64(&mut self) -> u64 {
            self.0 += 0x0123_4567_89ab_cdef;
            self.0
        }
    }

    #[test]
    fn heads_deal_every_bit_once() {
        let (mut source, mut heads) = (Counter(0), Heads::default());
        let dealt: Vec<u16> = (0..8).map(|_| heads.next(&mut source)).collect();
        assert_eq!(dealt[..4], [0xcdef, 0x89ab, 0x4567, 0x0123]);
        assert_eq!(dealt[4..], [0x9bde, 0x1357, 0x8acf, 0x0246]);
        for first in 0..8 {
            let (mut source, mut heads, mut many) = (Counter(0), Heads::default(), Vec::new());
            heads.deal(first, &mut many, &mut source);
            heads.deal(8 - first, &mut many, &mut source);
            assert_eq!(many, dealt);
        }
    }

    #[test]
    fn digits_only_grow_at_the_end() {
        let mut source = Counter(0);
        let mut uniform = Uniform::draw(0xabcd, &mut source);
        assert_eq!(uniform.leading(), 0xabcd_0123_4567_89ab);
        let (short, m) = uniform.digits();
        assert_eq!(m, 80);
        uniform.extend_to(3, &mut source).expect("three words are few");
        let (long, m) = uniform.digits();
        assert_eq!((m, long >> 128), (208, short));
    }

    #[test]
    fn a_source_that_repeats_itself_is_an_error() {
        let mut uniform = Uniform::draw(0, &mut Counter(0));
        let error = uniform.extend_to(LONGEST + 1, &mut Counter(0)).expect_err("it is beyond the limit");
        assert_eq!(error.code, Code::EntropyBroken);
    }
}
