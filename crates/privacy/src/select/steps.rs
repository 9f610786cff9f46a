//! Bounds of the noise by the first nine digits of U: what decides between most candidates that come close, before
//! any logarithm is taken.

use super::approximate::LN_ERROR;
use super::noise::Noise;

/// The digits that a table goes by.
const DIGITS: u32 = 9;

/// (centre, radius) for each beginning of U.
pub(super) struct Steps(Vec<(f64, f64)>);

impl Steps {
    /// Both kinds of noise fall in U, so their values at the ends of [i, i + 1]·2⁻⁹ enclose those between.
    pub(super) fn new(noise: Noise) -> Self {
        let ends: Vec<(f64, f64)> = (0..1u64 << DIGITS).map(|i| noise.near(i << (64 - DIGITS))).collect();
        let unbounded = (0.0, f64::INFINITY);
        let step = |i: usize| {
            let ((most, above), (least, below)) = (ends[i], *ends.get(i + 1).unwrap_or(&unbounded));
            let (high, low) = (most + above, least - below);
            // Far more than the roundings of these sums, which are of numbers below 2⁶.
            let bounds = ((high + low) / 2.0, (high - low) / 2.0 + LN_ERROR);
            if high - low < f64::INFINITY { bounds } else { unbounded }
        };
        Self((0..1 << DIGITS).map(step).collect())
    }

    /// Every U that begins with the 16 digits of `head` has its noise within the radius of the centre. The radius is
    /// infinite at the ends, where the noise is unbounded.
    pub(super) fn near(&self, head: u16) -> (f64, f64) {
        self.0[usize::from(head >> (16 - DIGITS))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn most_steps_are_narrow() {
        for noise in [Noise::Gumbel, Noise::Exponential] {
            let steps = Steps::new(noise);
            let narrow = steps.0.iter().filter(|(_, radius)| *radius < 0.05).count();
            assert!(narrow > 480, "{narrow}");
            assert_eq!(steps.0[0].1, f64::INFINITY);
        }
    }

    proptest! {
        #[test]
        fn steps_enclose_what_begins_so(u: u64) {
            for noise in [Noise::Gumbel, Noise::Exponential] {
                let (centre, radius) = Steps::new(noise).near((u >> 48) as u16);
                let (near, within) = noise.near(u);
                // Both hold of the same number, so they overlap; and the finer one lies within, but for what it is off by.
                prop_assert!(within == f64::INFINITY || (near - centre).abs() <= radius + within);
            }
        }
    }
}
