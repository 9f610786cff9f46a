//! Random numbers of other laws than the uniform one, for what comes after the noise and for simulations on public
//! tables. They protect nothing. The same bits on every platform.

use crate::seed::Seed;

/// The stream of a place below a seed: what, of which group, in which draw.
pub fn stream(seed: u64, path: &[u64]) -> Seed {
    Seed::new(child(seed, path))
}

/// The seed of a place below a seed.
pub fn child(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(seed, |key, step| Seed::new(key ^ step.wrapping_mul(0xd1b5_4a32_d192_ed03)).next_u64())
}

/// Uniform on `0..n`, exactly (Lemire 2019), with a product of 64 bits and hardly ever a division.
pub fn below(seed: &mut Seed, n: u32) -> u32 {
    loop {
        let product = (seed.next_u64() >> 32) * u64::from(n);
        let low = product as u32;
        if low >= n || low >= n.wrapping_neg() % n {
            return (product >> 32) as u32;
        }
    }
}

/// Uniform on the odd multiples of 2⁻⁵³: neither 0 nor 1.
pub fn open(seed: &mut Seed) -> f64 {
    ((seed.next_u64() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
}

/// Mean 0 and variance 1 (Marsaglia's polar method).
pub fn normal(seed: &mut Seed) -> f64 {
    loop {
        let (x, y) = (2.0 * open(seed) - 1.0, 2.0 * open(seed) - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return x * libm::sqrt(-2.0 * libm::log(square) / square);
        }
    }
}

/// Laplace's law of scale 1: mean 0 and variance 2.
pub fn laplace(seed: &mut Seed) -> f64 {
    let exponential = -libm::log(open(seed));
    if seed.next_u64() >> 63 == 0 { exponential } else { -exponential }
}

/// The gamma law of a shape that is positive, and scale 1 (Marsaglia and Tsang 2000).
pub fn gamma(seed: &mut Seed, shape: f64) -> f64 {
    if shape < 1.0 {
        return gamma(seed, shape + 1.0) * libm::pow(open(seed), 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = normal(seed);
        let root = 1.0 + c * x;
        let v = root * root * root;
        if root > 0.0 && libm::log(open(seed)) < 0.5 * x * x + d * (1.0 - v + libm::log(v)) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 200_000;

    /// The largest distance between the empirical distribution function and a law's.
    fn distance(mut draws: Vec<f64>, law: impl Fn(f64) -> f64) -> f64 {
        draws.sort_by(f64::total_cmp);
        let n = draws.len() as f64;
        let miss =
            |(i, x): (usize, &f64)| (law(*x) - i as f64 / n).abs().max((law(*x) - (i + 1) as f64 / n).abs());
        draws.iter().enumerate().map(miss).fold(0.0, f64::max)
    }

    /// √n times the distance of Kolmogorov and Smirnov exceeds 2.9 with probability 1e-7.
    fn follows(draws: Vec<f64>, law: impl Fn(f64) -> f64) {
        let statistic = distance(draws, law) * (DRAWS as f64).sqrt();
        assert!(statistic < 2.9, "{statistic}");
    }

    fn draws(seed: u64, law: impl Fn(&mut Seed) -> f64) -> Vec<f64> {
        let mut seed = Seed::new(seed);
        (0..DRAWS).map(|_| law(&mut seed)).collect()
    }

    #[test]
    fn deviates_follow_their_laws() {
        follows(draws(1, normal), |x| 0.5 * libm::erfc(-x / 2f64.sqrt()));
        follows(draws(2, laplace), |x| if x < 0.0 { 0.5 * x.exp() } else { 1.0 - 0.5 * (-x).exp() });
        follows(draws(3, |seed| gamma(seed, 0.5)), |x| libm::erf(x.sqrt()));
        follows(draws(4, |seed| gamma(seed, 1.0)), |x| 1.0 - (-x).exp());
        follows(draws(5, |seed| gamma(seed, 3.0)), |x| 1.0 - (-x).exp() * (1.0 + x + 0.5 * x * x));
        follows(draws(6, open), |x| x);
    }

    #[test]
    fn integers_below_a_bound_have_no_bias() {
        let mut seed = Seed::new(11);
        // Multiply and shift alone would give every third number of 3·2³⁰ twice as often.
        let third = (0..30_000).filter(|_| below(&mut seed, 3 << 30).is_multiple_of(3)).count() as f64;
        // More than 5.5 standard deviations: probability 4e-8.
        assert!((third - 10_000.0).abs() < 5.5 * (30_000.0f64 * 2.0 / 9.0).sqrt(), "{third}");
    }

    #[test]
    fn places_below_a_seed_have_seeds_of_their_own() {
        let mut seeds: Vec<u64> = (0..64).flat_map(|a| (0..64).map(move |b| child(7, &[a, b]))).collect();
        seeds.extend((0..64).map(|a| child(7, &[a])));
        seeds.push(child(7, &[]));
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 64 * 64 + 64 + 1);
    }
}
