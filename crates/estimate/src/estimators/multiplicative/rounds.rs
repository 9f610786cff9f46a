//! Rounds: weights move towards the newest answers, and again towards those before.

use super::stored::Stored;
use crate::models::support::rows::sum;
use crate::seed::Seed;
use marginalia_compute::math;

/// How weights move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// `exp(q(x)(m − q(A))/2)` by the newest answers alone, as in the theorems.
    Newest,
    /// By the newest, and then in random order by all that are off by half as much or more, with the differences of the beginning
    /// of the round (Liu and others 2021, C.3).
    Recycled,
    /// To what the worst answers say, with the least relative entropy, one after another (entropy projection: Liu, Vietri and Wu 2021).
    Projected,
}

/// Weights lower than this stay, so that what is nearly gone can come back.
const LEAST: f64 = 1e-300;

/// The weights of rows, which sum to 1 between rounds.
#[derive(Debug, Clone)]
pub struct Rounds {
    weights: Vec<f64>,
    /// What they sum to within a round.
    sum: f64,
    /// The rows that have moved against the others, each once, and the factor that these have changed by.
    moved: Vec<u32>,
    is_moved: Vec<bool>,
    common: f64,
    rule: Rule,
    /// The most projections of a round.
    projections: usize,
    seed: Seed,
}

impl Rounds {
    /// From weights that sum to 1.
    pub fn new(weights: Vec<f64>, rule: Rule, projections: usize, seed: u64) -> Self {
        let (moved, is_moved) = (Vec::new(), vec![false; weights.len()]);
        Self { weights, sum: 1.0, moved, is_moved, common: 1.0, rule, projections, seed: Seed::new(seed) }
    }

    /// The weights between rounds.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The rows that have moved since this was last asked, and what all others were multiplied by.
    pub fn take_moved(&mut self) -> (Vec<u32>, f64) {
        let moved = std::mem::take(&mut self.moved);
        moved.iter().for_each(|row| self.is_moved[*row as usize] = false);
        (moved, std::mem::replace(&mut self.common, 1.0))
    }

    /// The weights, when no further round follows.
    pub fn into_weights(self) -> Vec<f64> {
        self.weights
    }

    /// The round that the last of some answers begins; returns how far off they were, and what was done in rows.
    pub fn round(&mut self, stored: &[Stored]) -> (f64, usize) {
        let Some((newest, _)) = stored.split_last() else { return (0.0, 0) };
        let now = newest.sums(&self.weights);
        let off = newest.error(&now);
        let work = match self.rule {
            Rule::Newest => self.tilt(newest, &now),
            Rule::Recycled => self.recycle(stored, off),
            Rule::Projected => self.project(stored),
        };
        self.normalise();
        (off, work)
    }

    fn recycle(&mut self, stored: &[Stored], off: f64) -> usize {
        let now: Vec<Vec<f64>> = stored.iter().map(|one| one.sums(&self.weights)).collect();
        let last = stored.len() - 1;
        let mut order: Vec<usize> = (0..=last).filter(|i| stored[*i].error(&now[*i]) >= off / 2.0).collect();
        self.seed.split(stored.len() as u64).shuffle(&mut order);
        let work = stored.iter().map(Stored::counted).sum::<usize>();
        [last].into_iter().chain(order).fold(work, |work, i| work + self.tilt(&stored[i], &now[i]))
    }

    /// Multiplies by `exp((m − q)/2)`.
    fn tilt(&mut self, stored: &Stored, now: &[f64]) -> usize {
        let factor = |(answer, now): (&f64, &f64)| math::exp((answer - now) / 2.0);
        self.scale(stored, &stored.answers().iter().zip(now).map(factor).collect::<Vec<_>>())
    }

    fn project(&mut self, stored: &[Stored]) -> usize {
        let mut work = 0;
        for _ in 0..self.projections {
            let now = |one: &Stored| -> Vec<f64> {
                one.sums(&self.weights).into_iter().map(|sum| sum / self.sum).collect()
            };
            let found = stored.iter().map(|one| (one, now(one)));
            let worst = found.max_by(|(a, now), (b, other)| a.error(now).total_cmp(&b.error(other)));
            let Some((worst, now)) = worst else { break };
            work += stored.iter().map(Stored::counted).sum::<usize>() + worst.counted();
            if worst.error(&now) < CLOSE {
                break;
            }
            self.scale(worst, &projection(worst.answers(), &now));
            self.normalise();
        }
        work
    }

    fn scale(&mut self, stored: &Stored, factors: &[f64]) -> usize {
        self.sum += stored.scale(factors, &mut self.weights);
        for row in stored.rows() {
            if !std::mem::replace(&mut self.is_moved[row as usize], true) {
                self.moved.push(row);
            }
        }
        stored.counted()
    }

    fn normalise(&mut self) {
        let all = sum(self.weights.len(), |row| self.weights[row]);
        self.weights.iter_mut().for_each(|weight| *weight = (*weight / all).max(LEAST));
        self.common /= all;
        self.sum = 1.0;
    }
}

/// Answers that are met as well as this are met.
const CLOSE: f64 = 1e-9;
/// Answers of which less is left are taken for as much: no row goes for ever.
const FLOOR: f64 = 1e-7;

/// What disjoint queries are multiplied by, so that with what is left of 1 they have the answers.
fn projection(answers: &[f64], now: &[f64]) -> Vec<f64> {
    let wanted: Vec<f64> = answers.iter().map(|answer| answer.max(FLOOR)).collect();
    let rest = |of: &[f64]| (1.0 - of.iter().sum::<f64>()).max(FLOOR);
    let others = if 1.0 - now.iter().sum::<f64>() <= CLOSE { 1.0 } else { rest(now) / rest(&wanted) };
    wanted.iter().zip(now).map(|(wanted, now)| wanted / now.max(FLOOR) * others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::partial::{Partial, PartialAnswers};
    use crate::models::support::Base;
    use marginalia_tables::Domain;
    use proptest::prelude::*;

    /// Two attributes of two codes: the rows are 00, 01, 10 and 11.
    fn base() -> Base {
        Base::full(Domain::new([2, 2]), u64::MAX).unwrap()
    }

    fn cell(base: &Base, clique: &[u16], cell: u32, answer: f64) -> Stored {
        let cells = base.cells(clique).unwrap() as usize;
        let partial = Partial::cells(clique, cells, &[cell]).unwrap();
        Stored::new(base, PartialAnswers { partial, answers: vec![answer] }).unwrap()
    }

    fn close(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn rounds_are_those_on_paper() {
        let base = base();
        let stored = vec![cell(&base, &[0], 1, 0.7), cell(&base, &[0, 1], 0, 0.1)];
        // The answer is above: rows with the code 1 rise by e^0.1.
        let mut newest = Rounds::new(vec![0.25; 4], Rule::Newest, 0, 1);
        let up = 0.1f64.exp();
        assert_eq!(newest.round(&stored[..1]).0, 0.7 - 0.5);
        let first = [0.25, 0.25, 0.25 * up, 0.25 * up].map(|weight| weight / (0.5 + 0.5 * up));
        close(newest.weights(), &first);
        // The second is below: row 00 falls.
        newest.round(&stored);
        let down = ((0.1 - first[0]) / 2.0).exp();
        let all = 1.0 - first[0] + first[0] * down;
        close(newest.weights(), &[first[0] * down / all, first[1] / all, first[2] / all, first[3] / all]);
        // Recycled, the only answer counts twice with the same difference.
        let mut recycled = Rounds::new(vec![0.25; 4], Rule::Recycled, 0, 1);
        recycled.round(&stored[..1]);
        let twice = up * up;
        close(recycled.weights(), &[0.25, 0.25, 0.25 * twice, 0.25 * twice].map(|w| w / (0.5 + 0.5 * twice)));
        // In the next round the first is off by more than half as much, so both count, in any order.
        let now = recycled.weights().to_vec();
        let (second, first) = ((0.1 - now[0]) / 2.0, (0.7 - now[2] - now[3]) / 2.0);
        assert!(first > -second / 2.0);
        recycled.round(&stored);
        let moved = [now[0] * (2.0 * second).exp(), now[1], now[2] * first.exp(), now[3] * first.exp()];
        let all: f64 = moved.iter().sum();
        close(recycled.weights(), &moved.map(|weight| weight / all));
        // Projected, the newest is met, then what that leaves worst.
        let mut projected = Rounds::new(vec![0.25; 4], Rule::Projected, 1, 1);
        projected.round(&stored[..1]);
        close(projected.weights(), &[0.15, 0.15, 0.35, 0.35]);
        let mut met = Rounds::new(vec![0.25; 4], Rule::Projected, 1000, 1);
        met.round(&stored);
        for (found, expected) in [(met.weights()[0], 0.1), (met.weights()[2] + met.weights()[3], 0.7)] {
            assert!((found - expected).abs() < 2e-9, "{found} {expected}");
        }
    }

    proptest! {
        /// Σₜ errₜ² ≤ 4·KL(D‖A₀) + Σ noise: the potential of the proof falls by what the theorem says (Hardt, Ligett and McSherry,
        /// A.4), here without noise.
        #[test]
        fn the_theorem_holds(truth in prop::collection::vec(0.01..1.0f64, 8), picks in prop::collection::vec((0usize..3, 0u32..4), 1..60)) {
            let base = Base::full(Domain::new([2, 2, 2]), u64::MAX).unwrap();
            let all: f64 = truth.iter().sum();
            let truth: Vec<f64> = truth.iter().map(|weight| weight / all).collect();
            let mut rounds = Rounds::new(vec![0.125; 8], Rule::Newest, 0, 0);
            let kl = |q: &[f64]| truth.iter().zip(q).map(|(p, q)| p * (p / q).ln()).sum::<f64>();
            for (pair, place) in picks {
                let clique = [[0, 1], [0, 2], [1, 2]][pair];
                let before = kl(rounds.weights());
                let mut one = cell(&base, &clique, place, 0.0);
                let answer = one.sums(&truth)[0];
                one = cell(&base, &clique, place, answer);
                let (off, _) = rounds.round(&[one]);
                prop_assert!(before - kl(rounds.weights()) >= off * off / 4.0 - 1e-12);
            }
        }

        #[test]
        fn the_whole_domain_as_rows_is_the_domain(seed: u64, picks in prop::collection::vec((0u32..4, 0.0..1.0f64), 1..20)) {
            let whole = base();
            // The same rows in another order.
            let order = [2usize, 0, 3, 1];
            let columns = (0..2).map(|attribute| {
                let mut column = marginalia_tables::Codes::new(2);
                column.extend(&order.map(|row| whole.columns()[attribute].get(row))).unwrap();
                column
            });
            let listed = Base::new(Domain::new([2, 2]), columns.collect(), None).unwrap();
            for rule in [Rule::Newest, Rule::Recycled, Rule::Projected] {
                let run = |base: &Base| {
                    let mut rounds = Rounds::new(base.prior().to_vec(), rule, 5, seed);
                    let mut stored = Vec::new();
                    for (place, answer) in &picks {
                        stored.push(cell(base, &[0, 1], *place, *answer));
                        rounds.round(&stored);
                    }
                    rounds.into_weights()
                };
                let (one, other) = (run(&whole), run(&listed));
                for (place, row) in order.iter().enumerate() {
                    prop_assert!((one[*row] - other[place]).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn what_is_nearly_gone_comes_back() {
        let base = base();
        let (none, all) = (cell(&base, &[0], 0, 0.0), cell(&base, &[0], 0, 1.0));
        let mut rounds = Rounds::new(vec![0.25; 4], Rule::Newest, 0, 0);
        for _ in 0..3000 {
            rounds.round(std::slice::from_ref(&none));
        }
        assert!(rounds.weights()[0] > 0.0 && rounds.weights()[0] < 0.01);
        for _ in 0..3000 {
            rounds.round(std::slice::from_ref(&all));
        }
        assert!(rounds.weights()[0] > 0.49);
    }
}
