//! Discrete Laplace noise on integers of any size: Algorithm 2 of Canonne, Kamath and Steinke (2020).

use super::bernoulli::exp_big;
use super::uniform::below_big;
use crate::random::Generator;
use num_bigint::{BigInt, BigUint, Sign};

/// Draws x with probability ∝ exp(−|x|·s/t), all integers possible; `t` and `s` positive.
///
/// Expected loops: below 1.6/(1 − P(0)/2) ≤ 3.2, with about 6 coins each.
pub fn draw(generator: &mut Generator, t: &BigUint, s: &BigUint) -> BigInt {
    let one = BigUint::from(1u32);
    loop {
        // u + t·v is geometric with ratio exp(−1/t): a remainder accepted with exp(−u/t), a quotient of exp(−1).
        let u = below_big(generator, t);
        if !exp_big(generator, &u, t) {
            continue;
        }
        let mut v = 0u64;
        while exp_big(generator, &one, &one) {
            v += 1;
        }
        // Groups of s neighbours are geometric with ratio exp(−s/t).
        let magnitude = (u + t * v) / s;
        let negative = generator.next_u64() >> 63 == 1;
        if negative && magnitude == BigUint::ZERO {
            continue;
        }
        return BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, magnitude);
    }
}
