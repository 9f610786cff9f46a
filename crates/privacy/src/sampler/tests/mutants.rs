//! The power of the checks: each of these samplers is wrong, a little, and is found out.

use super::super::{Law, Noise};
use super::verdict::verdict;
use super::{SPREADS, fraction, gaussian, generator, laplace};

const DRAWS: usize = 1_000_000;

fn sample(key: u8, law: Law) -> Vec<i64> {
    let mut sample = vec![0; DRAWS];
    Noise::new(law).fill(&mut generator(key), &mut sample);
    sample
}

#[track_caller]
fn found_out(law: Law, sample: &[i64]) -> String {
    verdict(law, sample).expect_err("a wrong sampler passes")
}

/// Scales off by one part in a hundred, to either side.
#[test]
fn a_scale_that_is_off() {
    // At 1/1000 nothing but 0 is ever drawn.
    for (p, q) in &SPREADS[1..] {
        let spread = fraction(*p, *q);
        for factor in [fraction(101, 100), fraction(100, 101)] {
            let wrong = &spread * factor;
            found_out(laplace(&spread), &sample(160, laplace(&wrong)));
            found_out(gaussian(&spread), &sample(161, gaussian(&wrong)));
        }
    }
}

#[test]
fn the_other_law_of_the_same_variance() {
    for spread in [1, 10, 10_000] {
        let law = gaussian(&fraction(spread, 1));
        let b = num_rational::BigRational::from_float((law.variance() / 2.0).sqrt()).expect("finite");
        found_out(law, &sample(162, laplace(&b)));
    }
}

/// Mironov's observation: rounding leaves the low bits of the noise without entropy.
#[test]
fn low_bits_that_lack() {
    for spread in [10_000, 1_000_000, 1 << 40] {
        let law = gaussian(&fraction(spread, 1));
        let mut wrong = sample(163, law);
        wrong.iter_mut().filter(|x| **x > spread as i64).for_each(|x| *x &= !1);
        assert!(found_out(law, &wrong).starts_with("low bits"));
    }
}

#[test]
fn holes() {
    let law = laplace(&fraction(100, 3));
    let mut wrong = sample(164, law);
    wrong.iter_mut().filter(|x| **x == 150).for_each(|x| *x = 151);
    assert_eq!(found_out(law, &wrong), "a hole at ±150");
}

/// Rounded floating-point noise has the law of an integral, not of a discrete law.
#[test]
fn rounded_continuous_noise() {
    let law = laplace(&fraction(1, 1));
    let mut stream = generator(165);
    let mut uniform = || (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let wrong: Vec<i64> = (0..DRAWS).map(|_| (uniform().ln() - uniform().ln()).round() as i64).collect();
    found_out(law, &wrong);
}

#[test]
fn a_coin_that_leans() {
    let law = gaussian(&fraction(10, 1));
    let mut wrong = sample(166, law);
    wrong.iter_mut().step_by(60).for_each(|x| *x = x.abs());
    found_out(law, &wrong);
}

#[test]
fn draws_that_depend() {
    let law = laplace(&fraction(10, 1));
    let mut wrong = sample(167, law);
    wrong.chunks_exact_mut(100).for_each(|chunk| chunk[1] = chunk[0]);
    assert!(found_out(law, &wrong).starts_with("neighbours"));
}
