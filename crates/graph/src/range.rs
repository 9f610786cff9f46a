//! The scales of messages, so that numbers neither overflow nor vanish.

use marginalia_compute::math::ln;
use std::f64::consts::LN_2;

/// What is kept of a message.
pub(crate) struct Range;

impl Range {
    /// Entries that are a smaller part of the largest become 0: products of two that are left are not subnormal, and what is
    /// lost stands in [`Scale::largest`].
    pub const LEAST: f64 = 1e-150;

    /// ln of the same, for potentials.
    pub const LEAST_POTENTIAL: f64 = -345.3;

    /// A part of Z that is lost in rounding.
    pub const NOTHING: f64 = 1e-14;

    /// A largest entry between these needs no scale.
    const EASE: (f64, f64) = (1e-60, 1e60);
}

/// A message stands for its entries times 2 to the power of `all`, of which `own` is due to this node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scale {
    own: i32,
    all: i64,
    pub largest: f64,
}

impl Scale {
    /// That of a message of ones.
    pub const ONE: Self = Self { own: 0, all: 0, largest: 1.0 };

    /// Gives a message, that two of these scales led to, one of its own where it needs it.
    pub fn settle(message: &mut [f64], from: [Self; 2]) -> Self {
        let [least, largest] = extremes(message);
        let inherited = from[0].all + from[1].all;
        if largest == 0.0 || !largest.is_finite() {
            return Self { own: 0, all: inherited, largest };
        }
        let eased = (Range::EASE.0..=Range::EASE.1).contains(&largest);
        let own = if eased { 0 } else { exponent(largest) };
        let scale = Self { own, all: inherited + i64::from(own), largest: largest * power(-own) };
        if least < Range::LEAST * largest || own != 0 {
            let (floor, factor) = (Range::LEAST * largest, power(-own));
            message.iter_mut().for_each(|entry| *entry = if *entry < floor { 0.0 } else { *entry * factor });
        }
        scale
    }

    /// Gives the tangent of a message the same scale.
    pub fn apply(&self, tangent: &mut [f64]) {
        if self.own != 0 {
            let factor = power(-self.own);
            tangent.iter_mut().for_each(|entry| *entry *= factor);
        }
    }

    /// ln of what an entry of 1 stands for.
    pub fn log(&self) -> f64 {
        self.all as f64 * LN_2
    }

    pub fn log_largest(&self) -> f64 {
        ln(self.largest) + self.log()
    }
}

/// The least entry, and the largest above 0; lane by lane and by comparisons, which become vector code where `min` and `max` do not.
fn extremes(entries: &[f64]) -> [f64; 2] {
    let (blocks, rest) = entries.as_chunks::<8>();
    let (mut least, mut largest) = ([f64::INFINITY; 8], [0.0f64; 8]);
    for block in blocks {
        for lane in 0..8 {
            least[lane] = if block[lane] < least[lane] { block[lane] } else { least[lane] };
            largest[lane] = if block[lane] > largest[lane] { block[lane] } else { largest[lane] };
        }
    }
    let least = least.iter().chain(rest).fold(f64::INFINITY, |a, b| a.min(*b));
    [least, largest.iter().chain(rest).fold(0.0, |a, b| a.max(*b))]
}

/// The exponent of a positive finite number; of a subnormal one that of the least normal.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) as i32 - 1023).clamp(-1022, 1022)
}

/// 2 to a power from −1022 to 1022.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
