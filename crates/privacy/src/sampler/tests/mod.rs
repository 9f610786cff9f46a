//! Statistical tests of the samplers against their exact laws.
//!
//! Every check rejects a correct sampler with probability at most 10⁻⁶ ([`verdict`] says how each threshold
//! follows), and the keys are fixed, so that a test that passed once passes always. 10⁶ draws for each law, and
//! 10⁷ where the environment variable `MARGINALIA_FULL` is set. The module `mutants` shows what they detect.

mod coins;
mod figures;
mod laws;
mod mutants;
mod verdict;

use super::{Law, Scale};
use crate::random::{Entropy, Generator, Keys};
use marginalia_tables::error::Result;
use num_bigint::BigInt;
use num_rational::BigRational;

/// A key for tests, the same on every run.
struct Key(u8);

impl Entropy for Key {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        bytes.fill(self.0);
        Ok(())
    }
}

fn generator(key: u8) -> Generator {
    Generator::new(&mut Keys::new(Key(key))).expect("the key is not zero")
}

/// Draws per law of the fast way.
fn many() -> usize {
    if std::env::var_os("MARGINALIA_FULL").is_some() { 10_000_000 } else { 1_000_000 }
}

fn fraction(p: u64, q: u64) -> BigRational {
    BigRational::new(BigInt::from(p), BigInt::from(q))
}

fn laplace(b: &BigRational) -> Law {
    Law::laplace(Scale::at_least(b).expect("within the limits")).expect("within the limits")
}

/// By σ, not σ².
fn gaussian(sigma: &BigRational) -> Law {
    Law::gaussian(Scale::at_least(&(sigma * sigma)).expect("within the limits")).expect("within the limits")
}

/// The grid of b and σ: tiny, below and at 1, with no finite binary form, on both sides of the change from one
/// table to blocks of 2 and more, and huge.
const SPREADS: [(u64, u64); 12] = [
    (1, 1000),
    (1, 3),
    (1, 2),
    (1, 1),
    (7, 3),
    (10, 1),
    (63, 2),
    (32, 1),
    (100, 3),
    (10_000, 1),
    (1_000_000_007, 1),
    (1 << 40, 1),
];

/// Every law of the grid.
fn grid() -> impl Iterator<Item = Law> {
    SPREADS.iter().flat_map(|(p, q)| [laplace(&fraction(*p, *q)), gaussian(&fraction(*p, *q))])
}
