//! Exact samplers: integers on integers, no floating point on the way to accept or reject.
//!
//! | claim | function | shown by |
//! |---|---|---|
//! | uniform below n, no bias (Lemire 2019; rejection) | [`uniform`] | `coins::uniform_integers` |
//! | a coin of p/q | [`bernoulli::ratio`], [`bernoulli::ratio_big`] | `coins::coins_of_rational_probability` |
//! | a coin of exp(−p/q) (Canonne, Kamath and Steinke 2020, Algorithm 1) | [`bernoulli::exp_big`] | `coins::coins_of_exponential_probability` |
//! | the same by digits of a uniform number, as many as decide | [`bernoulli::exp`], [`bernoulli::Digits`] | the same, `coins::words_enclose_exponentials` |
//! | exp(−p/q) lies between two integers | [`bounds::exp_minus`] | `coins::exponentials_enclose_their_digits` |
//! | P(x) ∝ exp(−∣x∣/b) (Algorithm 2) | [`laplace::draw`] | `laws::the_general_way_follows_the_law` |
//! | P(x) ∝ exp(−x²/2σ²) (Algorithm 3) | [`gaussian::draw`] | `laws::the_general_way_follows_the_law` |
//! | both laws by inversion and acceptance | [`table`] | `laws::the_fast_way_…`, `laws::the_rare_paths_…`, `table::tests` |
//! | the scale that is drawn is at least what was asked, and is the one charged | [`Scale::at_least`] | `scale::tests` |
//! | draws saturate at ±2⁵³, the sums that they are part of at ±2⁵² | [`LIMIT`], [`finish`](crate::measure::Measuring::finish) | `drawing::tests` |
//! | threads draw at the same time, none from the stream of another | [`drawing`](crate::drawing) | `tests/drawing.rs` |
//! | variance, tails, probabilities of the laws drawn | [`Law`] | `figures` |
//! | the checks find samplers that are a little wrong | | `mutants` |
//!
//! Not promised: constant time. How long a draw takes depends on what is drawn, by rejected tries, by the place in a
//! table, by rare further digits; whoever can time single draws learns about the noise.

pub mod bernoulli;
pub mod bounds;
pub mod gaussian;
pub mod laplace;
mod law;
mod scale;
pub mod table;
pub mod uniform;

#[cfg(test)]
mod tests;

pub use law::{LIMIT, Law};
pub use scale::Scale;

use crate::random::Generator;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use table::Table;

/// Draws of one law. Many at once come from a table, few by the algorithms of the paper; the law is the same.
#[derive(Debug)]
pub struct Noise {
    law: Law,
    table: Option<Table>,
    /// From so many draws on a table pays.
    many: usize,
    /// Draws that are still to come, as far as is known.
    expected: usize,
}

impl Noise {
    /// The sampler of a law.
    pub fn new(law: Law) -> Self {
        Self { law, table: None, many: Table::entries(law), expected: 0 }
    }

    /// What is drawn.
    pub fn law(&self) -> Law {
        self.law
    }

    /// Says that so many more draws are to come, in one call of [`Noise::fill`] or in many.
    pub fn expect(&mut self, draws: usize) {
        self.expected = self.expected.saturating_add(draws);
    }

    /// Makes the table, where so many draws as are expected pay for it.
    pub fn prepare(&mut self) {
        if self.table.is_none() && self.expected >= self.many {
            self.table = Table::new(self.law);
        }
    }

    /// Fills `noise` with independent draws of the law. Cannot fail.
    ///
    /// Expected words per draw: see [`Table::draw`]; below [`Table::entries`] draws altogether, or for spreads beyond 2⁴⁵, about 30.
    pub fn fill(&mut self, generator: &mut Generator, noise: &mut [i64]) {
        self.expected = self.expected.max(noise.len());
        self.prepare();
        self.fill_prepared(generator, noise);
    }

    /// The same as it was prepared: by several threads, each with a generator of its own.
    #[inline(never)]
    pub fn fill_prepared(&self, generator: &mut Generator, noise: &mut [i64]) {
        match &self.table {
            Some(table) => noise.iter_mut().for_each(|draw| *draw = table.draw(generator)),
            None => noise.iter_mut().for_each(|draw| *draw = general(self.law, generator)),
        }
    }

    /// One draw of the law. Cannot fail.
    pub fn draw(&mut self, generator: &mut Generator) -> i64 {
        let mut one = [0];
        self.fill(generator, &mut one);
        one[0]
    }
}

/// One draw by the algorithms of Canonne, Kamath and Steinke, for any scale, on integers of any size.
#[inline(never)]
pub fn general(law: Law, generator: &mut Generator) -> i64 {
    let scale = law.scale();
    let (numerator, denominator) = (scale.numerator(), scale.denominator());
    clamp(&match law {
        Law::Laplace(_) => laplace::draw(generator, &numerator, &denominator),
        Law::Gaussian(_) => gaussian::draw(generator, &numerator, &denominator),
    })
}

fn clamp(x: &BigInt) -> i64 {
    let limit = BigInt::from(LIMIT);
    x.clamp(&-&limit, &limit).to_i64().unwrap_or(0)
}
