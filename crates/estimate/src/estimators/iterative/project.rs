//! The answers nearest to noisy ones, in L1, that a distribution can have. There are many such answers.
//!
//! With u = max(ỹ, 0) and P = Σu: where answers must sum to 1, every y ≤ u is nearest if P ≥ 1, and every y ≥ u if
//! P < 1; where they may sum to less, y = u is the only nearest one if P ≤ 1. The choices differ in which one they take.

use crate::simplex;

/// Which of the nearest answers to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The one of least relative entropy to what the distribution has now.
    #[default]
    Kl,
    /// All answers in one proportion, which makes the total cancel out.
    Rescale,
    /// The one that is also nearest in L2.
    Euclidean,
}

/// The nearest answers to `noisy` ones, for queries to which the distribution now gives the answers `now`; they sum
/// to 1 when the queries `cover` everything, and to at most 1 otherwise.
pub fn project(noisy: &[f64], now: &[f64], cover: bool, choice: Choice) -> Vec<f64> {
    let u: Vec<f64> = noisy.iter().map(|y| y.max(0.0)).collect();
    let sum: f64 = u.iter().sum();
    if u.is_empty() || (!cover && sum <= 1.0) {
        return u;
    }
    let chosen = match choice {
        Choice::Euclidean => {
            let mut y = noisy.to_vec();
            simplex::project(&mut y, &vec![1.0; noisy.len()], &mut 0.0);
            Some(y)
        }
        Choice::Kl if sum >= 1.0 => at_most(&u, now),
        Choice::Kl => at_least(&u, now),
        Choice::Rescale => None,
    };
    chosen.unwrap_or_else(|| rescaled(u, sum, now))
}

/// u/P; without a positive answer every distribution is as near, and the answers stay what they are.
fn rescaled(u: Vec<f64>, sum: f64, now: &[f64]) -> Vec<f64> {
    if sum > 0.0 {
        return u.iter().map(|u| u / sum).collect();
    }
    let all: f64 = now.iter().sum();
    if all > 0.0 {
        return now.iter().map(|m| m / all).collect();
    }
    vec![1.0 / u.len() as f64; u.len()]
}

/// min(u, c m) with sum 1; none when the queries with m > 0 do not reach that. The sum is concave in c, so that Newton's steps
/// from where all are c m go up to its root, one answer or more at a time.
fn at_most(u: &[f64], m: &[f64]) -> Option<Vec<f64>> {
    let mut c = 0.0;
    loop {
        let (mut capped, mut rest) = (0.0, 0.0);
        for (u, m) in u.iter().zip(m).filter(|(_, m)| **m > 0.0) {
            if c * m < *u || c == 0.0 {
                rest += m;
            } else {
                capped += u;
            }
        }
        let next = (1.0 - capped) / rest;
        if next > c {
            c = next;
        } else if rest > 0.0 {
            return Some(u.iter().zip(m).map(|(u, m)| u.min(c * m)).collect());
        } else {
            // The last one may miss its answer by rounding alone.
            let kept = u.iter().zip(m).map(|(u, m)| if *m > 0.0 { *u } else { 0.0 });
            return ((capped - 1.0).abs() <= 1e-12).then(|| kept.collect());
        }
    }
}

/// max(u, c m) with sum 1; none when no query has m > 0. The sum is convex in c, so that Newton's steps from where all are c m
/// go down to its root.
fn at_least(u: &[f64], m: &[f64]) -> Option<Vec<f64>> {
    let mut c = f64::INFINITY;
    loop {
        // Queries with m = 0 have u, and so have those with the highest ratios.
        let (mut kept, mut raised) = (0.0, 0.0);
        for (u, m) in u.iter().zip(m) {
            if *m > 0.0 && c * m > *u {
                raised += m;
            } else {
                kept += u;
            }
        }
        if raised <= 0.0 {
            return c.is_finite().then(|| u.iter().zip(m).map(|(u, m)| u.max(c * m)).collect());
        }
        let next = (1.0 - kept) / raised;
        if next >= c {
            return Some(u.iter().zip(m).map(|(u, m)| u.max(c * m)).collect());
        }
        c = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Choice; 3] = [Choice::Kl, Choice::Rescale, Choice::Euclidean];

    fn distance(y: &[f64], noisy: &[f64]) -> f64 {
        y.iter().zip(noisy).map(|(y, noisy)| (y - noisy).abs()).sum()
    }

    fn near(y: &[f64], expected: &[f64]) {
        let all = y.len() == expected.len() && y.iter().zip(expected).all(|(y, e)| (y - e).abs() < 1e-12);
        assert!(all, "{y:?} is not {expected:?}");
    }

    #[test]
    fn the_vectors_of_the_reading() {
        let (noisy, uniform) = ([0.6, 0.5, -0.1, 0.2], [0.25; 4]);
        near(&project(&noisy, &uniform, true, Choice::Rescale), &[6.0 / 13.0, 5.0 / 13.0, 0.0, 2.0 / 13.0]);
        near(&project(&noisy, &uniform, true, Choice::Euclidean), &[0.5, 0.4, 0.0, 0.1]);
        near(&project(&noisy, &uniform, true, Choice::Kl), &[0.4, 0.4, 0.0, 0.2]);
        for choice in ALL {
            assert!((distance(&project(&noisy, &uniform, true, choice), &noisy) - 0.4).abs() < 1e-12);
        }
        let few = [0.3, 0.2, -0.1, 0.1];
        near(&project(&few, &uniform, true, Choice::Euclidean), &[0.425, 0.325, 0.025, 0.225]);
        for choice in ALL {
            assert!((distance(&project(&few, &uniform, true, choice), &few) - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn answers_that_cover_nothing_yet_fit_stay() {
        for choice in ALL {
            near(&project(&[0.3, -0.2], &[0.5, 0.1], false, choice), &[0.3, 0.0]);
            near(&project(&[], &[], false, choice), &[]);
        }
        near(&project(&[0.9, 0.9], &[0.1, 0.3], false, Choice::Kl), &[0.25, 0.75]);
    }

    #[test]
    fn least_entropy_within_the_answers_may_be_impossible() {
        // What has mass now may have at most 0.4: the rest goes where the answers say.
        near(&project(&[0.4, 0.8], &[1.0, 0.0], true, Choice::Kl), &[1.0 / 3.0, 2.0 / 3.0]);
        // Without a positive answer nothing is learnt.
        for choice in [Choice::Kl, Choice::Rescale] {
            near(&project(&[-0.1, 0.0], &[0.7, 0.3], true, choice), &[0.7, 0.3]);
        }
        near(&project(&[0.0, 0.0], &[0.0, 0.0], true, Choice::Kl), &[0.5, 0.5]);
    }

    proptest! {
        /// Every choice is as near as any: by the triangle inequality at least |1 − P| + Σ max(−ỹ, 0), which all reach.
        #[test]
        fn every_choice_is_nearest(
            cells in prop::collection::vec((-0.5..1.0f64, 0.0..1.0f64, 0usize..4), 1..8),
        ) {
            let noisy: Vec<f64> = cells.iter().map(|cell| cell.0).collect();
            let mut now: Vec<f64> = cells.iter().map(|(_, m, zero)| if *zero == 0 { 0.0 } else { *m }).collect();
            now[0] += 0.1;
            let all: f64 = now.iter().sum();
            now.iter_mut().for_each(|m| *m /= all);
            let negative: f64 = noisy.iter().map(|y| (-y).max(0.0)).sum();
            let positive: f64 = noisy.iter().map(|y| y.max(0.0)).sum();
            for choice in ALL {
                let y = project(&noisy, &now, true, choice);
                prop_assert!(y.iter().all(|y| *y >= 0.0) && (y.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                prop_assert!((distance(&y, &noisy) - (1.0 - positive).abs() - negative).abs() < 1e-11);
                let part = project(&noisy, &now, false, choice);
                prop_assert!((distance(&part, &noisy) - (positive - 1.0).max(0.0) - negative).abs() < 1e-11);
            }
        }

        /// Of the nearest answers, no move towards another nearest one makes the relative entropy of `Kl` less.
        #[test]
        fn least_entropy_is_least(noisy in prop::collection::vec(-0.2..0.8f64, 2..6), draws in prop::collection::vec(0.1..1.0f64, 6)) {
            let now: Vec<f64> = draws[..noisy.len()].iter().map(|d| d / draws[..noisy.len()].iter().sum::<f64>()).collect();
            let entropy = |y: &[f64]| -> f64 {
                y.iter().zip(&now).map(|(y, m)| if *y > 0.0 { y * (y / m).ln() } else { 0.0 }).sum()
            };
            let best = project(&noisy, &now, true, Choice::Kl);
            for other in [Choice::Rescale, Choice::Euclidean] {
                let other = project(&noisy, &now, true, other);
                for part in [1.0, 0.1, 1e-3] {
                    let between: Vec<f64> = best.iter().zip(&other).map(|(b, o)| b + part * (o - b)).collect();
                    prop_assert!(entropy(&between) >= entropy(&best) - 1e-12);
                }
            }
        }
    }
}
