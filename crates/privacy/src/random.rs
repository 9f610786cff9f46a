//! The stream of random words behind all noise: ChaCha20, keyed from the platform's entropy.
//!
//! [`Keys`] gives each generator a key that no other generator of it has, and nothing can copy one; threads that draw at the
//! same time have a generator each. Each block of
//! output begins with the key of the next block, and words are erased as they are handed out ("fast key
//! erasure", Bernstein 2017): what is in memory at any moment says nothing about noise already drawn.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use marginalia_tables::error::{Code, Error, Result};
use std::collections::BTreeSet;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a key.
const KEY: usize = 32;
/// Bytes of one block: the next key, then output.
const BLOCK: usize = 2048;

/// What each use of the cipher on keys has as its nonce; keys themselves have their number, from 1.
const DIGEST: u64 = u64::MAX;
const NAME: u64 = u64::MAX - 1;

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

/// Where all generators of a process have their keys from. Each key is made of fresh entropy, of its number, and of what
/// was left of making the one before, so that no two are alike whatever the entropy gives. Entropy that comes twice
/// is refused as well: it is none, though what comes of it would differ.
///
/// What is kept says nothing of keys already given, as long as one entropy among theirs or before was good: the state
/// is the other half of the block that a key was the first half of, and of entropies it keeps digests.
pub struct Keys {
    entropy: Box<dyn Entropy + Send>,
    state: Zeroizing<[u8; KEY]>,
    count: u64,
    /// 16 bytes for each key.
    seen: BTreeSet<[u8; KEY / 2]>,
}

impl Keys {
    /// Keys of an entropy, which is first asked when the first key is.
    pub fn new(entropy: impl Entropy + Send + 'static) -> Self {
        let state = Zeroizing::new([0; KEY]);
        Self { entropy: Box::new(entropy), state, count: 0, seen: BTreeSet::new() }
    }

    /// Tells these keys from those of others: two that are given names which differ give keys that differ, though the
    /// entropy of both were the same.
    pub fn name(&mut self, name: &[u8]) {
        for part in name.chunks(KEY) {
            self.state.iter_mut().zip(part).for_each(|(state, byte)| *state ^= byte);
            self.state = derived(&self.state, NAME).0;
        }
    }

    fn next(&mut self) -> Result<Zeroizing<[u8; KEY]>> {
        let mut fresh = Zeroizing::new([0; KEY]);
        self.entropy.fill(&mut fresh[..])?;
        if fresh.iter().all(|byte| *byte == 0) {
            return Err(Error::new(Code::EntropyUnavailable, NO_ENTROPY));
        }
        let mut digest = [0; KEY / 2];
        digest.copy_from_slice(&derived(&fresh, DIGEST).0[..KEY / 2]);
        if !self.seen.insert(digest) {
            let message = "the platform's entropy gave the same twice: nothing was drawn; run where `crypto.getRandomValues` works";
            return Err(Error::new(Code::EntropyUnavailable, message));
        }
        self.count += 1;
        fresh.iter_mut().zip(self.state.iter()).for_each(|(fresh, state)| *fresh ^= state);
        let (key, state) = derived(&fresh, self.count);
        self.state = state;
        Ok(key)
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys { .. }")
    }
}

/// The first block of ChaCha20 under a key and a nonce, in halves.
fn derived(key: &[u8; KEY], nonce: u64) -> (Zeroizing<[u8; KEY]>, Zeroizing<[u8; KEY]>) {
    let mut cipher = ChaCha20Rng::from_seed(*key);
    cipher.set_stream(nonce);
    let mut halves = (Zeroizing::new([0; KEY]), Zeroizing::new([0; KEY]));
    cipher.fill_bytes(&mut halves.0[..]);
    cipher.fill_bytes(&mut halves.1[..]);
    halves
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
    pub fn new(keys: &mut Keys) -> Result<Self> {
        Ok(Self::keyed(&*keys.next()?))
    }

    /// So many generators, at least one, for as many threads.
    pub fn several(keys: &mut Keys, count: usize) -> Result<Vec<Self>> {
        (0..count.max(1)).map(|_| Self::new(keys)).collect()
    }

    fn keyed(key: &[u8; KEY]) -> Self {
        let mut block = Zeroizing::new([0; BLOCK]);
        block[..KEY].copy_from_slice(key);
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
        let mut key = [0; KEY];
        key[0] = 1;
        Generator::keyed(&key)
    }

    /// Keys of an entropy whose answers are so many bytes each, in all places.
    fn keys(bytes: impl IntoIterator<Item = u8, IntoIter: Send + 'static>) -> Keys {
        let mut bytes = bytes.into_iter();
        Keys::new(Platform(move |wanted: &mut [u8]| {
            wanted.fill(bytes.next().expect("there is entropy"));
            Ok(())
        }))
    }

    #[test]
    fn without_entropy_there_is_no_generator() {
        let refusal = Error::new(Code::EntropyUnavailable, "none");
        let none = refusal.clone();
        let mut none = Keys::new(Platform(move |_: &mut [u8]| Err(none.clone())));
        assert_eq!(Generator::new(&mut none).err(), Some(refusal));
        let zeros = Generator::new(&mut keys([0])).expect_err("zeros are no entropy");
        assert_eq!(zeros.code, Code::EntropyUnavailable);
        assert_eq!(zeros.message.contains("built with test-noise"), cfg!(feature = "test-noise"));
    }

    #[test]
    fn several_generators_have_keys_of_their_own() {
        let mut four = Generator::several(&mut keys(1..=4), 4).expect("there is entropy");
        let mut words: Vec<u64> =
            four.iter_mut().flat_map(|one| (0..1000).map(|_| one.next_u64()).collect::<Vec<_>>()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 4000);
        assert_eq!(Generator::several(&mut keys([9]), 0).expect("there is entropy").len(), 1);
    }

    /// What 200 calls for a generator give: the first words of those that are given.
    fn first_words(keys: &mut Keys) -> Vec<Option<u64>> {
        (0..200).map(|_| Generator::new(keys).ok().map(|mut generator| generator.next_u64())).collect()
    }

    #[test]
    fn entropy_that_comes_twice_is_refused_for_as_long_as_there_are_keys() {
        let count = |keys: &mut Keys| first_words(keys).iter().flatten().count();
        assert_eq!(count(&mut keys(std::iter::repeat(9))), 1);
        assert_eq!(count(&mut keys([9, 7].into_iter().cycle())), 2);
        // Bytes of a linear congruence that takes 16 values.
        assert_eq!(count(&mut keys((0u8..).map(|i| i.wrapping_mul(5) & 15 | 16))), 16);
        let refused = Generator::several(&mut keys([9, 9]), 2).expect_err("it came twice");
        assert_eq!(refused.code, Code::EntropyUnavailable);
    }

    #[test]
    fn no_stream_comes_twice_even_where_the_entropy_does_and_nobody_remembers() {
        for mut keys in [keys(std::iter::repeat(9)), keys([9, 7].into_iter().cycle())] {
            let mut words = Vec::new();
            for _ in 0..200 {
                keys.seen.clear();
                words.extend(first_words(&mut keys).into_iter().flatten());
            }
            let all = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!((words.len(), all >= 200), (all, true));
        }
    }

    #[test]
    fn keys_of_other_names_are_others() {
        let first = |names: &[&str]| {
            let mut keys = keys([9]);
            names.iter().for_each(|name| keys.name(name.as_bytes()));
            Generator::new(&mut keys).expect("there is entropy").next_u64()
        };
        let long = "a name of more than thirty-two bytes, and ";
        let [one, two] = [format!("{long}1"), format!("{long}2")];
        let words =
            [first(&[]), first(&["1"]), first(&["2"]), first(&["1", "2"]), first(&[&one]), first(&[&two])];
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), 6);
        assert_eq!(first(&[&one]), first(&[&one]));
    }

    /// A key is never in what is kept, and what is kept differs after each.
    #[test]
    fn what_is_kept_holds_no_key_that_was_given() {
        let mut keys = keys(1..);
        let mut before = keys.state.clone();
        for _ in 0..100 {
            let key = keys.next().expect("there is entropy");
            assert!(*key != *keys.state && *keys.state != *before && !keys.seen.contains(&key[..KEY / 2]));
            before = keys.state.clone();
        }
        assert_eq!((keys.seen.len(), format!("{keys:?}").as_str()), (100, "Keys { .. }"));
    }

    #[test]
    fn the_entropy_is_asked_once_for_a_whole_key() {
        let wanted = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = wanted.clone();
        let mut keys = Keys::new(Platform(move |bytes: &mut [u8]| {
            seen.lock().expect("no thread failed").push(bytes.len());
            bytes.fill(9);
            Ok(())
        }));
        let mut generator = Generator::new(&mut keys).expect("there is entropy");
        (0..10_000).for_each(|_| {
            generator.next_u64();
        });
        assert_eq!(*wanted.lock().expect("no thread failed"), [KEY]);
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
