//! The stream of random words behind all noise: ChaCha20, keyed once from the platform's entropy.
//!
//! Every generator takes its own key, and nothing can copy one, so no two streams have one key; threads that draw at the
//! same time have a generator each. Each block of
//! output begins with the key of the next block, and words are erased as they are handed out ("fast key
//! erasure", Bernstein 2017): what is in memory at any moment says nothing about noise already drawn.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use marginalia_tables::error::{Code, Error, Result};
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a key.
const KEY: usize = 32;
/// Bytes of one block: the next key, then output.
const BLOCK: usize = 2048;

/// What is said of an entropy that is none. Every build that can draw noise contains this text, and so it is where a
/// build that can draw noise for tests betrays itself: `scripts/gates/stale.mjs` looks for both texts in `pkg/`.
#[cfg(not(feature = "test-noise"))]
const NO_ENTROPY: &str =
    "the platform's entropy is all zeros: nothing was drawn; run where `crypto.getRandomValues` works";
#[cfg(feature = "test-noise")]
const NO_ENTROPY: &str = "the platform's entropy is all zeros: nothing was drawn; built with test-noise";

/// Where keys come from: the platform's source of cryptographic entropy.
pub trait Entropy {
    /// Fills all of `bytes` with fresh entropy, or fails and leaves nothing that may be used.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()>;
}

/// A cryptographic generator of uniform words. It cannot be cloned, and is wiped when it is dropped.
///
/// ```compile_fail,E0599
/// use marginalia_privacy::random::Generator;
/// fn twice(generator: &Generator) -> Generator {
///     Generator::clone(generator)
/// }
/// ```
///
/// What does work:
///
/// ```
/// use marginalia_privacy::random::Generator;
/// fn once(generator: &mut Generator) -> u64 {
///     Generator::next_u64(generator)
/// }
/// ```
pub struct Generator {
    /// The next key in the first bytes, erased output up to `at`, output not yet handed out after it.
    block: Zeroizing<[u8; BLOCK]>,
    at: usize,
}

impl Generator {
    /// A generator with a fresh key of 256 bits; the only step that can fail is the entropy.
    pub fn new(entropy: &mut dyn Entropy) -> Result<Self> {
        let mut block = Zeroizing::new([0; BLOCK]);
        entropy.fill(&mut block[..KEY])?;
        if block[..KEY].iter().all(|byte| *byte == 0) {
            return Err(Error::new(Code::EntropyUnavailable, NO_ENTROPY));
        }
        Ok(Self { block, at: BLOCK })
    }

    /// So many generators, at least one, for as many threads: each asks for a key of its own, and an entropy that gives one
    /// twice is refused, since two streams would be the same.
    pub fn several(entropy: &mut dyn Entropy, count: usize) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for _ in 0..count.max(1) {
            let new = Self::new(entropy)?;
            if all.iter().any(|other: &Self| other.block[..KEY] == new.block[..KEY]) {
                let message = "the platform's entropy gave the same twice: nothing was drawn; run where `crypto.getRandomValues` works";
                return Err(Error::new(Code::EntropyUnavailable, message));
            }
            all.push(new);
        }
        Ok(all)
    }

    /// A generator whose stream is known: its noise protects nobody.
    #[cfg(feature = "test-noise")]
    pub fn from_seed(seed: [u8; KEY]) -> Self {
        let mut block = Zeroizing::new([0; BLOCK]);
        block[..KEY].copy_from_slice(&seed);
        Self { block, at: BLOCK }
    }

    /// The next 64 uniform bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        if self.at == BLOCK {
            self.refill();
        }
        let mut word = [0; 8];
        word.copy_from_slice(&self.block[self.at..self.at + 8]);
        self.block[self.at..self.at + 8].fill(0);
        self.at += 8;
        u64::from_le_bytes(word)
    }

    /// Fills `bytes` with uniform bytes, whole words at a time: what is left of the last word is thrown away.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let mut word = self.next_u64().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
            word.zeroize();
        }
    }

    #[cold]
    fn refill(&mut self) {
        let mut key = Zeroizing::new([0; KEY]);
        key.copy_from_slice(&self.block[..KEY]);
        // The cipher's own state is wiped when it goes out of scope.
        ChaCha20Rng::from_seed(*key).fill_bytes(&mut self.block[..]);
        self.at = KEY;
    }
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Generator { .. }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Platform<F>(F);

    impl<F: FnMut(&mut [u8]) -> Result<()>> Entropy for Platform<F> {
        fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
            (self.0)(bytes)
        }
    }

    /// A key of one 1 and zeros.
    fn generator() -> Generator {
        let first = |bytes: &mut [u8]| {
            bytes[0] = 1;
            Ok(())
        };
        Generator::new(&mut Platform(first)).expect("there is entropy")
    }

    #[test]
    fn without_entropy_there_is_no_generator() {
        let refusal = Error::new(Code::EntropyUnavailable, "none");
        let none = Generator::new(&mut Platform(|_: &mut [u8]| Err(refusal.clone())));
        assert_eq!(none.err(), Some(refusal));
        let zeros = Generator::new(&mut Platform(|_: &mut [u8]| Ok(())));
        let zeros = zeros.expect_err("zeros are no entropy");
        assert_eq!(zeros.code, Code::EntropyUnavailable);
        assert_eq!(zeros.message.contains("built with test-noise"), cfg!(feature = "test-noise"));
    }

    #[test]
    fn several_generators_have_keys_of_their_own() {
        let mut asked = 0u8;
        let fresh = |bytes: &mut [u8]| {
            asked += 1;
            bytes.fill(asked);
            Ok(())
        };
        let mut four = Generator::several(&mut Platform(fresh), 4).expect("there is entropy");
        assert_eq!(asked, 4);
        let mut words: Vec<u64> =
            four.iter_mut().flat_map(|one| (0..1000).map(|_| one.next_u64()).collect::<Vec<_>>()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 4000);
        let same = |bytes: &mut [u8]| {
            bytes.fill(9);
            Ok(())
        };
        assert_eq!(Generator::several(&mut Platform(same), 0).expect("one has no other").len(), 1);
        let refused = Generator::several(&mut Platform(same), 2).expect_err("two streams would be one");
        assert_eq!(refused.code, Code::EntropyUnavailable);
    }

    #[test]
    fn the_key_is_asked_for_once_and_whole() {
        let mut asked = Vec::new();
        let count = |bytes: &mut [u8]| {
            asked.push(bytes.len());
            bytes.fill(9);
            Ok(())
        };
        let mut generator = Generator::new(&mut Platform(count)).expect("there is entropy");
        (0..10_000).for_each(|_| {
            generator.next_u64();
        });
        assert_eq!(asked, [KEY]);
    }

    /// Test vector TC2 of the ChaCha family's published vectors: 256-bit key, 20 rounds, first block. Its first
    /// half is the next key here, and so never seen.
    #[test]
    fn the_stream_is_that_of_chacha20() {
        let mut generator = generator();
        let mut half = [0; 32];
        generator.fill(&mut half);
        let expected = ["29eb63d0a17a5b99", "9b52da22be4023eb", "07620a54f6fa6ad8", "737b71eb0464dac0"];
        let hex: Vec<String> =
            half.chunks(8).map(|chunk| chunk.iter().map(|byte| format!("{byte:02x}")).collect()).collect();
        assert_eq!(hex, expected);
        assert_eq!(generator.block[..4], [0xc5, 0xd3, 0x0a, 0x7c]);
    }

    #[test]
    fn what_is_handed_out_is_erased_and_keys_change() {
        let mut generator = generator();
        let first = generator.next_u64();
        assert_ne!(first, 0);
        assert_eq!(generator.block[KEY..KEY + 8], [0; 8]);
        let key = generator.block[..KEY].to_vec();
        (0..BLOCK / 8).for_each(|_| {
            generator.next_u64();
        });
        assert_ne!(generator.block[..KEY], key[..]);
    }

    #[test]
    fn bytes_are_the_bytes_of_words() {
        let (mut words, mut bytes) = (generator(), generator());
        let mut odd = [0; 13];
        bytes.fill(&mut odd);
        let expected = [words.next_u64().to_le_bytes(), words.next_u64().to_le_bytes()].concat();
        assert_eq!(odd[..], expected[..13]);
        assert_eq!(words.next_u64(), bytes.next_u64());
    }

    #[test]
    fn nothing_is_printed() {
        assert_eq!(format!("{:?}", generator()), "Generator { .. }");
    }
}
