//! Discrete Gaussian noise on integers of any size: Algorithm 3 of Canonne, Kamath and Steinke (2020).

use super::bernoulli::exp_big;
use super::laplace;
use crate::random::Generator;
use num_bigint::{BigInt, BigUint};

/// Draws x with probability ∝ exp(−x²·d/2n), all integers possible; `n` and `d` positive, σ² = n/d.
///
/// Expected tries: 1.3 as σ → ∞, 2.2 as σ → 0.
pub fn draw(generator: &mut Generator, n: &BigUint, d: &BigUint) -> BigInt {
    let one = BigUint::from(1u32);
    let t = (n / d).sqrt() + 1u32;
    // (|y| − σ²/t)²/2σ² = (|y|·d·t − n)²/(2·n·d·t²).
    let (slope, whole) = (BigInt::from(d * &t), BigInt::from(n.clone()));
    let denominator = n * d * &t * &t * 2u32;
    loop {
        let y = laplace::draw(generator, &t, &one);
        let distance = BigInt::from(y.magnitude().clone()) * &slope - &whole;
        let numerator = distance.magnitude() * distance.magnitude();
        if exp_big(generator, &numerator, &denominator) {
            return y;
        }
    }
}
