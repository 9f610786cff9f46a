//! Randomness after the noise: from a seed, the same on every platform. Not for noise.

use marginalia_tables::draw::split_mix;

/// A stream of uniform numbers: xoshiro256** (Blackman and Vigna 2018), its state filled by SplitMix64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    state: [u64; 4],
}

impl Seed {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: std::array::from_fn(|word| split_mix(seed, word as u64)) }
    }

    /// A stream that goes on from a given state, which must not be all zero; if it is, that of seed 0.
    pub fn from_state(state: [u64; 4]) -> Self {
        if state == [0; 4] { Self::new(0) } else { Self { state } }
    }

    /// Another stream for a part of the work, the same whenever it is asked for; this stream does not move.
    pub fn split(&self, label: u64) -> Self {
        let state = std::array::from_fn(|word| self.state[word] ^ split_mix(label, word as u64));
        // A seed and the label that it was made of cancel, and zeros stay zeros for ever.
        if state == [0; 4] { Self { state: self.state.map(|word| !word) } } else { Self { state } }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A uniform integer below `n`, which must be positive (Lemire 2019: unbiased).
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no integer below zero");
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            if product as u64 >= reject {
                return (product >> 64) as u64;
            }
        }
    }

    /// A uniform number in [0, 1) with 53 bits.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts items in uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_outputs_are_those_of_the_reference() {
        let mut seed = Seed::from_state([1, 2, 3, 4]);
        let outputs: [u64; 4] = std::array::from_fn(|_| seed.next_u64());
        assert_eq!(outputs, [11520, 0, 1_509_978_240, 1_215_971_899_390_074_240]);
        assert_eq!(Seed::new(1_234_567).state[0], 6_457_827_717_110_365_317);
    }

    #[test]
    fn streams_of_parts_differ_and_repeat() {
        let seed = Seed::new(7);
        assert_eq!(seed.split(3), seed.split(3));
        assert_ne!(seed.split(3).next_u64(), seed.split(4).next_u64());
        assert_ne!(seed.split(0).next_u64(), seed.clone().next_u64());
        assert_eq!(Seed::from_state([0; 4]), Seed::new(0));
        assert!((0..9).all(|own| seed_moves(Seed::new(own).split(own))));
    }

    fn seed_moves(mut seed: Seed) -> bool {
        (0..4).any(|_| seed.next_u64() != seed.next_u64())
    }

    #[test]
    fn every_order_of_four_is_as_frequent() {
        let mut seed = Seed::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut order = [0, 1, 2, 3];
            seed.shuffle(&mut order);
            *counts.entry(order).or_insert(0.0) += 1.0;
        }
        assert_eq!(counts.len(), 24);
        // χ² with 23 degrees of freedom exceeds 70 with probability 1.3e-6; the seed is fixed.
        let chi2: f64 = counts.values().map(|count: &f64| (count - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi2 < 70.0, "{chi2}");
        let mean: f64 = (0..10_000).map(|_| seed.uniform()).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
    }
}
