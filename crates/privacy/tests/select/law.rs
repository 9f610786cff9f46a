//! Both mechanisms against the closed form of their law.

use crate::statistics::{agrees, draws};
use crate::support::{
    Listed, Seeded, exponential_law, permute_and_flip_law, permute_and_flip_law_of_many, ratio,
};
use marginalia_privacy::select::{exponential, permute_and_flip};
use num_rational::BigRational;

/// Scores, and p/q = ε with a sensitivity of 1.
const CASES: [(&[i64], (i64, i64)); 6] = [
    (&[0, 0], (1, 1)),
    (&[3, 1, 4, 1, 5, 9], (2, 3)),
    (&[7, 7, 5, 7], (1, 1)),
    // Gaps at which exp underflows to subnormal numbers and to 0, and one below the best that competes.
    (&[0, -1_490, -40_000, -3], (1, 1)),
    // Scores near the ends of the range, differences of 1 among them.
    (&[(1 << 61) - 1, 1 << 61, -(1 << 61)], (1, 1)),
    // A tiny ε with large scores.
    (&[0, 1_000_000_007, 500_000_000, 123_456_789], (1, 300_000_000)),
];

type Select = fn(&mut Listed, &BigRational, &mut Seeded) -> usize;

fn by_exponential(listed: &mut Listed, epsilon: &BigRational, bits: &mut Seeded) -> usize {
    exponential(listed, epsilon, bits).expect("one takes part") as usize
}

fn by_permute_and_flip(listed: &mut Listed, epsilon: &BigRational, bits: &mut Seeded) -> usize {
    permute_and_flip(listed, epsilon, bits).expect("one takes part") as usize
}

fn drawn(mut listed: Listed, epsilon: &BigRational, seed: u64, select: Select) -> Vec<u64> {
    let mut counts = vec![0; listed.scores.len()];
    let mut bits = Seeded(seed);
    for _ in 0..draws() {
        listed.rewind();
        counts[select(&mut listed, epsilon, &mut bits)] += 1;
    }
    counts
}

#[test]
fn exponential_has_its_exact_law() {
    for (seed, (scores, (p, q))) in CASES.into_iter().enumerate() {
        let listed = Listed::new(scores);
        let law = exponential_law(scores, &listed.shares(), p as f64 / q as f64 / 2.0);
        let counts = drawn(listed, &ratio(p, q), seed as u64, by_exponential);
        assert_eq!(agrees(&counts, &law), Ok(()), "{scores:?}");
    }
}

#[test]
fn permute_and_flip_has_its_exact_law() {
    for (seed, (scores, (p, q))) in CASES.into_iter().enumerate() {
        let listed = Listed::new(scores);
        let law = permute_and_flip_law(scores, &listed.shares(), p as f64 / q as f64 / 2.0);
        let counts = drawn(listed, &ratio(p, q), 100 + seed as u64, by_permute_and_flip);
        assert_eq!(agrees(&counts, &law), Ok(()), "{scores:?}");
    }
}

#[test]
fn weights_multiply_probabilities() {
    let scores = [5, 2, 3, 900, 2];
    let weights = [0.1, 3.0, f64::MIN_POSITIVE, 0.0, 0.75];
    let listed = Listed::new(&scores).weighted(&weights).sensitivity(3);
    let law = exponential_law(&scores, &weights, 0.5);
    assert_eq!(agrees(&drawn(listed, &ratio(3, 1), 200, by_exponential), &law), Ok(()));

    // Weights and scores that cancel: ln w = 700 against t·s = -700.
    let listed = Listed::new(&[0, -1_400]).weighted(&[1.0, 700f64.exp()]);
    let law = [1.0 / (1.0 + 1.0), 0.5];
    assert_eq!(agrees(&drawn(listed, &ratio(1, 1), 201, by_exponential), &law), Ok(()));
}

#[test]
fn masked_candidates_are_as_if_absent() {
    let (scores, mask) = ([90, 2, 3, 1, 80], [false, true, true, true, false]);
    let listed = Listed::new(&scores).masked(&mask);
    let law = exponential_law(&scores, &listed.shares(), 0.5);
    assert_eq!(agrees(&drawn(listed.clone(), &ratio(1, 1), 300, by_exponential), &law), Ok(()));
    let law = permute_and_flip_law(&scores, &listed.shares(), 0.5);
    assert_eq!(agrees(&drawn(listed, &ratio(1, 1), 301, by_permute_and_flip), &law), Ok(()));
}

/// Many candidates far below a few, as among the cells of a workload: the few share what they should, and the
/// many together get their part, though each has less than 2⁻³⁰.
#[test]
fn many_small_probabilities_add_up() {
    let mut scores = vec![-42; 1 << 12];
    scores[1_000] = 0;
    scores[3_000] = -1;
    let law = exponential_law(&scores, &vec![1.0; scores.len()], 0.25);
    let few = [law[1_000], law[3_000], 1.0 - law[1_000] - law[3_000]];
    let (mut counts, mut bits) = ([0u64; 3], Seeded(400));
    let mut listed = Listed::new(&scores);
    for _ in 0..draws() / 200 {
        listed.rewind();
        match by_exponential(&mut listed, &ratio(1, 2), &mut bits) {
            1_000 => counts[0] += 1,
            3_000 => counts[1] += 1,
            _ => counts[2] += 1,
        }
    }
    assert_eq!(agrees(&counts, &few), Ok(()));
}

/// No place is better than another, whatever the pass has seen before it.
#[test]
fn equals_are_equally_likely() {
    let select: [Select; 2] = [by_exponential, by_permute_and_flip];
    for (seed, select) in select.into_iter().enumerate() {
        let (mut counts, mut bits) = ([0u64; 10], Seeded(500 + seed as u64));
        let mut listed = Listed::new(&[-7; 1_000]).blocks_of(64);
        for _ in 0..draws() / 20 {
            listed.rewind();
            counts[select(&mut listed, &ratio(1, 1), &mut bits) / 100] += 1;
        }
        assert_eq!(agrees(&counts, &[0.1; 10]), Ok(()));
    }
}

/// More candidates than are compared together, and the most promising of them first: in every order and by steps the
/// law stays the same.
#[test]
fn who_is_compared_first_changes_no_law() {
    let rising: Vec<i64> = (0..2_500).map(|i| i / 250).collect();
    let falling: Vec<i64> = rising.iter().rev().copied().collect();
    let steps: Vec<i64> = (0..2_500).map(|i| if i < 1_024 { 0 } else { i % 7 / 6 * 3 }).collect();
    let select: [Select; 2] = [by_exponential, by_permute_and_flip];
    for (case, scores) in [rising, falling, steps].into_iter().enumerate() {
        let shares = vec![1.0; scores.len()];
        let laws = [exponential_law(&scores, &shares, 0.5), permute_and_flip_law_of_many(&scores, 0.5)];
        for (i, (select, law)) in select.into_iter().zip(laws).enumerate() {
            let (mut counts, mut bits) = ([0u64; 10], Seeded(600 + 2 * case as u64 + i as u64));
            let mut listed = Listed::new(&scores).blocks_of(300);
            for _ in 0..draws() / 100 {
                listed.rewind();
                counts[select(&mut listed, &ratio(1, 1), &mut bits) / 250] += 1;
            }
            let groups: Vec<f64> = law.chunks(250).map(|part| part.iter().sum()).collect();
            assert_eq!(agrees(&counts, &groups), Ok(()), "case {case}, mechanism {i}");
        }
    }
}

/// The same where weights make the difference.
#[test]
fn weights_decide_who_is_compared_first_and_change_no_law() {
    let scores: Vec<i64> = (0..2_500).map(|i| i % 5).collect();
    let weights: Vec<f64> =
        (0..2_500).map(|i| if i % 11 == 0 { 0.0 } else { f64::from(1 + i % 400) }).collect();
    let law = exponential_law(&scores, &weights, 0.5);
    let (mut counts, mut bits) = ([0u64; 10], Seeded(700));
    let mut listed = Listed::new(&scores).weighted(&weights).blocks_of(999);
    for _ in 0..draws() / 100 {
        listed.rewind();
        counts[by_exponential(&mut listed, &ratio(1, 1), &mut bits) / 250] += 1;
    }
    let groups: Vec<f64> = law.chunks(250).map(|part| part.iter().sum()).collect();
    assert_eq!(agrees(&counts, &groups), Ok(()));
}
