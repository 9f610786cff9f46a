//! Standard normal deviates from a seed: addressed, not drawn in order, and the same bytes on every platform.

use marginalia_tables::draw::Draws;
use std::f64::consts::PI;

/// The deviates of a seed.
#[derive(Debug, Clone, Copy)]
pub struct Normals(Draws);

impl Normals {
    /// The deviates of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Draws::new(seed))
    }

    /// Deviate `i` of a series (Box and Muller 1958): of two uniform numbers of 52 bits, by functions of libm, whose
    /// results do not depend on the platform.
    pub fn at(self, series: u64, i: u64) -> f64 {
        let uniform = |draw: u64| ((draw >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
        let (radius, turn) = (uniform(self.0.at(series, 2 * i)), uniform(self.0.at(series, 2 * i + 1)));
        libm::sqrt(-2.0 * libm::log(radius)) * cosine(turn)
    }
}

/// cos(2πx) for 0 < x < 1, by the sine or cosine of an eighth of a turn at most: no bits are lost near its zeros.
fn cosine(x: f64) -> f64 {
    let from_half = (x - 0.5).abs();
    if from_half < 0.125 {
        -libm::cos(2.0 * PI * from_half)
    } else if from_half < 0.375 {
        libm::sin(2.0 * PI * (from_half - 0.25))
    } else {
        libm::cos(2.0 * PI * (0.5 - from_half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same numbers from arithmetic of 200 bits, rounded at the end.
    #[test]
    fn they_are_exact_to_the_last_bits() {
        for (seed, series, i, golden) in [
            (0, 0, 0, 1.9549744116420436),
            (0, 0, 1, 1.3099995278347742),
            (7, 3, 12, 0.5783827771382221),
            (1 << 63, 8, 99_999, -1.3520192544117204),
        ] {
            let deviate = Normals::new(seed).at(series, i);
            assert!((deviate - golden).abs() <= 7e-16 * f64::abs(golden), "{deviate} is not {golden}");
        }
    }

    #[test]
    fn the_cosine_is_that_of_the_turn() {
        for i in 1..1000 {
            let x = f64::from(i) / 1000.0;
            assert!((cosine(x) - (2.0 * PI * x).cos()).abs() < 1e-15, "{x}");
        }
        assert_eq!([0.25, 0.5, 0.75].map(cosine).map(f64::abs), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn they_have_the_law_of_the_normal() {
        let n = 200_000u64;
        let mut deviates: Vec<f64> = (0..n).map(|i| Normals::new(3).at(i % 5, i)).collect();
        deviates.sort_by(f64::total_cmp);
        // Kolmogorov and Smirnov: √n·D exceeds 1.95 with probability 1e-3; the seed is fixed.
        let law = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
        let distance = (0..).zip(&deviates).map(|(i, z)| (f64::from(i) / n as f64 - law(*z)).abs());
        assert!(distance.fold(0.0, f64::max) * (n as f64).sqrt() < 1.95);
        let tail = deviates.iter().filter(|z| z.abs() > 4.0).count();
        assert!((3..30).contains(&tail), "{tail} of 12.7 expected lie beyond 4");
    }

    #[test]
    fn series_seeds_and_places_are_uncorrelated() {
        let n = 50_000u64;
        let at = |seed: u64, series: u64, i: u64| Normals::new(seed).at(series, i);
        for (seed, series, shift) in [(1, 1, 0), (2, 0, 0), (1, 0, 1)] {
            let mean = (0..n).map(|i| at(1, 0, i) * at(seed, series, i + shift)).sum::<f64>() / n as f64;
            assert!(mean.abs() < 4.0 / (n as f64).sqrt(), "{mean}");
        }
    }
}
