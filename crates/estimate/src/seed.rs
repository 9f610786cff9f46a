//! Randomness after the noise: reproducible from a seed, to the byte, on every platform. It protects nothing.

/// xoshiro256++ (Blackman and Vigna 2019), its state filled by SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self { state: std::array::from_fn(|_| splitmix(&mut state)) }
    }

    /// The stream of a place below a seed (a group, a fold, a draw), whatever is drawn elsewhere.
    pub fn at(seed: u64, path: &[u64]) -> Self {
        Self::new(below(seed, path))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// Uniform on `0..n`, exactly (Lemire 2019); `n` must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if let Ok(n) = u32::try_from(n) {
            return u64::from(self.below_word(n));
        }
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            // The low half decides whether this draw is one of the 2⁶⁴ mod n too many.
            let low = product as u64;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// The same with half the bits: WebAssembly has no product of 128 bits.
    fn below_word(&mut self, n: u32) -> u32 {
        loop {
            let product = (self.bits() >> 32) * u64::from(n);
            let low = product as u32;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }

    /// Uniform on the multiples of 2⁻⁵³ in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform on the odd multiples of 2⁻⁵³ in `(0, 1)`: it has a logarithm.
    pub fn open(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
    }

    /// Puts a list into a uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// The seed of a place below a seed.
pub fn below(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(seed, |key, step| splitmix(&mut (key ^ step.wrapping_mul(0xd1b5_4a32_d192_ed03))))
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_streams_are_those_of_the_reference_implementations() {
        let mut state = 1_234_567;
        assert_eq!(splitmix(&mut state), 6_457_827_717_110_365_317);
        let mut random = Random { state: [1, 2, 3, 4] };
        assert_eq!([(); 3].map(|()| random.bits()), [41_943_041, 58_720_359, 3_588_806_011_781_223]);
        let mut random = Random::new(1_234_567);
        let first = [437_095_814_655_224_680, 8_127_161_015_984_454_572, 18_128_670_339_019_551_454];
        assert_eq!([(); 3].map(|()| random.bits()), first);
    }

    #[test]
    fn places_below_a_seed_have_streams_of_their_own() {
        let mut seeds: Vec<u64> = (0..64).flat_map(|a| (0..64).map(move |b| below(7, &[a, b]))).collect();
        seeds.extend((0..64).map(|a| below(7, &[a])));
        seeds.push(below(7, &[]));
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 64 * 64 + 64 + 1);
    }

    #[test]
    fn all_orders_of_four_are_equally_frequent() {
        let mut random = Random::new(3);
        let mut seen = [0f64; 256];
        for _ in 0..24_000 {
            let mut list = [0usize, 1, 2, 3];
            random.shuffle(&mut list);
            seen[list.iter().fold(0, |code, i| code * 4 + i)] += 1.0;
        }
        assert_eq!(seen.iter().filter(|count| **count > 0.0).count(), 24);
        let chi2: f64 = seen.iter().filter(|c| **c > 0.0).map(|c| (c - 1000.0).powi(2) / 1000.0).sum();
        // χ² with 23 degrees of freedom exceeds 76 with probability 1.5e-7.
        assert!(chi2 < 76.0, "{chi2}");
    }

    #[test]
    fn numbers_below_a_bound_have_no_bias() {
        let mut random = Random::new(11);
        // Multiply-and-shift alone would give every third number of 3·2⁶² twice as often.
        let third = (0..30_000).filter(|_| random.below(3 << 62).is_multiple_of(3)).count() as f64;
        let words = (0..30_000).filter(|_| random.below(3 << 30).is_multiple_of(3)).count() as f64;
        for count in [third, words] {
            // More than 5.5 standard deviations: probability 4e-8 each.
            assert!((count - 10_000.0).abs() < 5.5 * (30_000.0f64 * 2.0 / 9.0).sqrt(), "{count}");
        }
    }
}
