//! The laws on all neighbours of small tables: what an observer learns is at most what is charged.

use crate::support::{exponential_law, permute_and_flip_law, ratio};
use marginalia_privacy::budget::Currency;
use marginalia_privacy::cost::Cost;
use marginalia_privacy::select::{Blocks, CellScores, Cells, Difference, Grid, Scores};
use marginalia_tables::Result;
use num_traits::ToPrimitive;

type Law = fn(&[i64], &[f64], f64) -> Vec<f64>;
const LAWS: [Law; 2] = [exponential_law, permute_and_flip_law];

/// Public: what the model answers, how far the penalties go, the weights.
const ANSWERS: [f64; 3] = [1.3, 0.0, 2.49];
const PENALTIES: [f64; 3] = [0.0, 0.7, -0.2];
const WEIGHTS: [f64; 3] = [1.0, 0.2, 5.0];
const SIZES: i64 = 4;

struct Once([i64; 3], bool);

impl Blocks for Once {
    fn next(&mut self) -> Result<Option<Cells<'_>>> {
        let first = !std::mem::replace(&mut self.1, true);
        let (counts, penalties) = (&self.0[..], Some(&PENALTIES[..]));
        Ok(first.then_some(Cells { counts, answers: &ANSWERS, penalties, weights: None, mask: None }))
    }
}

/// The law of one table, with the sensitivity that its scores declare, divided by `wrong`.
fn law_of(
    law: Law,
    counts: [i64; 3],
    rows: u32,
    epsilon: f64,
    difference: Difference,
    wrong: f64,
) -> Vec<f64> {
    let grid = Grid::new(3).expect("three digits are few");
    let mut scores = CellScores::new(Once(counts, false), grid, difference, rows);
    let t = epsilon / (2.0 * scores.sensitivity() as f64 / wrong);
    let block = scores.next().expect("all is valid").expect("there is one block");
    let shares = if law as usize == LAWS[0] as usize { WEIGHTS } else { [1.0; 3] };
    law(block.scores, &shares, t)
}

fn tables() -> impl Iterator<Item = [i64; 3]> {
    (0..SIZES.pow(3)).map(|i| [i % SIZES, i / SIZES % SIZES, i / SIZES / SIZES])
}

/// All tables that differ by one unit of up to `rows` rows: added or removed, or, where `replace`, put elsewhere.
fn neighbours(table: [i64; 3], rows: i64, replace: bool) -> impl Iterator<Item = [i64; 3]> {
    tables().filter(move |other| {
        let changes: Vec<i64> = other.iter().zip(table).map(|(a, b)| a - b).collect();
        let gained: i64 = changes.iter().filter(|change| **change > 0).sum();
        let lost: i64 = -changes.iter().filter(|change| **change < 0).sum::<i64>();
        match replace {
            true => gained <= rows && lost <= rows,
            false => gained + lost <= rows && gained.min(lost) == 0,
        }
    })
}

/// The most of ln P(i)/P'(i), of its range over i, and of D_α(P‖P')/α, over all neighbours.
fn worst(law: Law, rows: u32, epsilon: f64, wrong: f64) -> (f64, f64, f64) {
    let mut most = (0f64, 0f64, 0f64);
    for difference in [Difference::Absolute, Difference::Signed] {
        let law_of = |counts| law_of(law, counts, rows, epsilon, difference, wrong);
        for table in tables() {
            let p = law_of(table);
            for other in
                neighbours(table, i64::from(rows), false).chain(neighbours(table, i64::from(rows), true))
            {
                let q = law_of(other);
                let logs: Vec<f64> = p.iter().zip(&q).map(|(p, q)| (p / q).ln()).collect();
                let high = logs.iter().copied().fold(f64::MIN, f64::max);
                let low = logs.iter().copied().fold(f64::MAX, f64::min);
                most = (most.0.max(high), most.1.max(high - low), most.2.max(renyi(&p, &q)));
            }
        }
    }
    most
}

/// The most of D_α(P‖Q)/α over a grid of α > 1.
fn renyi(p: &[f64], q: &[f64]) -> f64 {
    let divergence = |alpha: f64| {
        let sum: f64 = p.iter().zip(q).map(|(p, q)| p * (p / q).powf(alpha - 1.0)).sum();
        sum.ln() / (alpha - 1.0) / alpha
    };
    [1.001, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 40.0].into_iter().map(divergence).fold(0.0, f64::max)
}

const EPSILONS: [(i64, i64); 3] = [(1, 10), (1, 1), (4, 1)];
/// What rounding of binary64 may add to these figures.
const SLACK: f64 = 1e-9;

#[test]
fn exponential_keeps_epsilon_and_bounded_range() {
    for (p, q) in EPSILONS {
        let cost = Cost::exponential(&ratio(p, q)).expect("it is positive");
        let price = |currency| cost.price(currency).expect("it has one").to_f64().expect("it fits");
        let (epsilon, rho) = (price(Currency::Epsilon), price(Currency::Rho));
        assert!((rho - epsilon * epsilon / 8.0).abs() < 1e-12);
        for rows in [1, 2] {
            let (ratio, range, renyi) = worst(LAWS[0], rows, epsilon, 1.0);
            assert!(ratio <= epsilon + SLACK && range <= epsilon + SLACK, "{ratio} {range} of {epsilon}");
            assert!(renyi <= rho + SLACK, "{renyi} of {rho}");
        }
    }
}

#[test]
fn permute_and_flip_keeps_epsilon() {
    for (p, q) in EPSILONS {
        let cost = Cost::permute_and_flip(&ratio(p, q)).expect("it is positive");
        let price = |currency| cost.price(currency).expect("it has one").to_f64().expect("it fits");
        let (epsilon, rho) = (price(Currency::Epsilon), price(Currency::Rho));
        assert!((rho - epsilon * epsilon / 2.0).abs() < 1e-12);
        for rows in [1, 2] {
            let (ratio, _, renyi) = worst(LAWS[1], rows, epsilon, 1.0);
            assert!(ratio <= epsilon + SLACK, "{ratio} of {epsilon}");
            assert!(renyi <= rho + SLACK, "{renyi} of {rho}");
        }
    }
}

/// The bounds are sharp enough to notice a sensitivity that is wrong by a factor of 2.
#[test]
fn half_the_sensitivity_is_caught() {
    for law in LAWS {
        assert!(worst(law, 1, 1.0, 2.0).0 > 1.0);
    }
    let (_, range, renyi) = worst(LAWS[0], 1, 1.0, 2.0);
    assert!(range > 1.0 && renyi > 1.0 / 8.0);
}
