//! Definition 3.1: the distribution of least relative entropy that has given answers to a partial workload.

use super::project::{Choice, project};
use crate::estimators::partial::NONE;

/// What becomes of the rows of each cell: `q ← q · ratio + spread · revived`.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// By what rows are scaled (cases 1 and 3).
    pub ratios: Vec<f64>,
    /// For cells whose rows had no weight and now get some, how much for each unit of what it is spread by (cases 2
    /// and 4); empty where there is no such cell.
    pub revived: Vec<f64>,
}

/// Sets of cells with what they have now, and what a mass is spread by where they have nothing.
#[derive(Debug, Clone, Copy, Default)]
struct Mass {
    now: f64,
    spread: f64,
}

impl Mass {
    fn add(&mut self, now: f64, spread: f64) {
        self.now += now;
        self.spread += spread;
    }

    /// The factors that give it the mass `y`.
    fn factors_for(self, y: f64) -> (f64, f64) {
        if self.now > 0.0 {
            (y / self.now, 0.0)
        } else if self.spread > 0.0 {
            (0.0, y / self.spread)
        } else {
            (0.0, 0.0)
        }
    }
}

/// The update of cells of mass `m`, of which `query` names the query that counts each, to the answers nearest to
/// `noisy` ones. Where the rows of a query (case 2), or those that no query counts (case 4), have no weight, their
/// mass is spread as `spread` is: the original prior on a support, a constant on a full domain, as the paper has it.
/// Queries without a cell here take no part, so that nothing goes where there is no row.
pub fn update(query: &[u32], noisy: &[f64], m: &[f64], spread: &[f64], choice: Choice) -> Update {
    let mut of_query = vec![Mass::default(); noisy.len()];
    let mut rest = Mass::default();
    let mut cover = true;
    for ((query, m), spread) in query.iter().zip(m).zip(spread) {
        if *query == NONE {
            rest.add(*m, *spread);
            cover = false;
        } else {
            of_query[*query as usize].add(*m, *spread);
        }
    }
    let present: Vec<usize> = (0..noisy.len()).filter(|i| of_query[*i].spread > 0.0).collect();
    let of_present: Vec<f64> = present.iter().map(|i| noisy[*i]).collect();
    let now: Vec<f64> = present.iter().map(|i| of_query[*i].now).collect();
    let y = project(&of_present, &now, cover, choice);
    let of_rest = rest.factors_for((1.0 - y.iter().sum::<f64>()).max(0.0));
    let mut factors = vec![(0.0, 0.0); noisy.len()];
    for (i, y) in present.iter().zip(y) {
        factors[*i] = of_query[*i].factors_for(y);
    }
    let factor = |query: &u32| if *query == NONE { of_rest } else { factors[*query as usize] };
    let ratios = query.iter().map(|query| factor(query).0).collect();
    let revived: Vec<f64> = query.iter().map(|query| factor(query).1).collect();
    let any = revived.iter().any(|revived| *revived > 0.0);
    Update { ratios, revived: if any { revived } else { Vec::new() } }
}

impl Update {
    /// The update half way: weights are scaled by ratio^γ, revived cells get γ of their mass, and the whole is
    /// normalised to sum 1. With γ = 1 the answers are met; less of it lets inconsistent answers find a balance.
    pub fn damp(&mut self, gamma: f64, m: &[f64], spread: &[f64]) {
        if gamma < 1.0 {
            self.ratios.iter_mut().for_each(|ratio| *ratio = libm::pow(*ratio, gamma));
            self.revived.iter_mut().for_each(|revived| *revived *= gamma);
        }
        let scaled: f64 = self.ratios.iter().zip(m).map(|(ratio, m)| ratio * m).sum();
        let revived: f64 = self.revived.iter().zip(spread).map(|(revived, spread)| revived * spread).sum();
        let all = scaled + revived;
        if all > 0.0 {
            self.ratios.iter_mut().chain(&mut self.revived).for_each(|factor| *factor /= all);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(numbers: &[f64], expected: &[f64]) {
        assert_eq!(numbers.len(), expected.len());
        for (number, expected) in numbers.iter().zip(expected) {
            assert!((number - expected).abs() < 1e-12, "{numbers:?}");
        }
    }

    #[test]
    fn cases_one_and_two() {
        // Three queries; the second has cells but no weight, so its answer is spread as the prior is.
        let update = update(
            &[0, 1, 1, 2],
            &[0.2, 0.3, 0.5],
            &[0.4, 0.0, 0.0, 0.6],
            &[0.1, 0.1, 0.3, 0.5],
            Choice::Rescale,
        );
        near(&update.ratios, &[0.5, 0.0, 0.0, 0.5 / 0.6]);
        near(&update.revived, &[0.0, 0.75, 0.75, 0.0]);
    }

    #[test]
    fn cases_three_and_four() {
        let query = [0, NONE, NONE];
        let third = update(&query, &[0.4], &[0.2, 0.6, 0.2], &[0.3, 0.3, 0.4], Choice::Kl);
        near(&third.ratios, &[2.0, 0.75, 0.75]);
        assert!(third.revived.is_empty());
        let fourth = update(&query, &[0.4], &[1.0, 0.0, 0.0], &[0.3, 0.3, 0.4], Choice::Kl);
        near(&fourth.ratios, &[0.4, 0.0, 0.0]);
        near(&fourth.revived, &[0.0, 0.6 / 0.7, 0.6 / 0.7]);
    }

    #[test]
    fn queries_without_a_cell_take_no_part() {
        let update = update(&[0, 2], &[0.2, 0.4, 0.2], &[0.5, 0.5], &[0.5, 0.5], Choice::Rescale);
        near(&update.ratios, &[1.0, 1.0]);
        // All that could be asked has no row: what is left keeps its proportions.
        let nothing = super::update(&[NONE, NONE], &[0.7], &[0.2, 0.8], &[0.5, 0.5], Choice::Kl);
        near(&nothing.ratios, &[1.0, 1.0]);
    }

    #[test]
    fn a_damped_update_sums_to_one() {
        let (m, spread) = ([0.5, 0.5, 0.0], [0.3, 0.3, 0.4]);
        let mut update = update(&[0, 1, 2], &[0.6, 0.2, 0.2], &m, &spread, Choice::Rescale);
        update.damp(0.5, &m, &spread);
        let (a, b, c) = (0.5 * 1.2f64.sqrt(), 0.5 * 0.4f64.sqrt(), 0.1);
        near(
            &[m[0] * update.ratios[0], m[1] * update.ratios[1], 0.4 * update.revived[2]],
            &[a, b, c].map(|x| x / (a + b + c)),
        );
    }
}
