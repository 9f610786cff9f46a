//! What would become of the public table if it were the private one.

use super::candidates::Candidate;
use super::noise::Noise;
use super::score::Score;
use crate::counts::{harmonic, index};
use crate::deviates::{child, gamma, normal, stream};
use crate::estimators::calibrated::Task;
use crate::job::Pace;
use crate::models::support::Index;
use crate::records::{Shares, Totals, sample, systematic, take};
use crate::vector::filled;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// What is simulated. The truth is drawn as `n` records of a law that lies about the public one, by as much as years
/// differ: each row's weight is a gamma number of shape `drift · strength · weight`.
#[derive(Debug, Clone)]
pub struct Simulation {
    /// The rows that the prior and the truth give weight to.
    pub rows: Arc<Table>,
    /// The prior's weights; none is zero.
    pub prior: Vec<f64>,
    /// The weights that the truth is drawn about.
    pub law: Vec<f64>,
    /// How many records the prior is worth.
    pub strength: f64,
    /// How many records the private table is expected to have; never its own number.
    pub expected: u64,
    /// How many of the prior's records agree with the truth's law; less than 1.
    pub drift: f64,
    /// The noise of the plan.
    pub noise: Noise,
    /// The tables that are judged.
    pub tables: Vec<Vec<u16>>,
    /// The most rows; of more, a systematic sample is simulated.
    pub most_rows: usize,
    /// The seed of everything.
    pub seed: u64,
}

impl Simulation {
    /// Refuses what makes no sense.
    pub(super) fn check(&self) -> Result<()> {
        let weights = [&self.prior, &self.law];
        let fits = weights.iter().all(|list| list.len() == self.rows.rows());
        let positive = [self.strength, self.drift, self.noise.budget, self.noise.sensitivity];
        let sums = weights.iter().all(|list| list.iter().sum::<f64>().is_normal());
        let signs = self.prior.iter().all(|w| *w > 0.0) && self.law.iter().all(|w| *w >= 0.0);
        if fits && sums && signs && positive.iter().all(|x| x.is_normal() && *x > 0.0) && self.expected > 0 {
            return Ok(());
        }
        let message =
            "a forecast needs rows with positive weights, and a positive budget and number of records";
        Err(Error::new(Code::OptionInvalid, message))
    }

    /// The same on at most `most_rows` rows, each drawn in proportion to its weight in the prior.
    pub(super) async fn thinned(self, pace: &Pace) -> Result<Self> {
        if self.rows.rows() <= self.most_rows {
            return Ok(self);
        }
        let shares = Shares::new(&self.prior, &Totals::all(self.most_rows as u64))?;
        let due: Vec<f64> = (0..shares.rows()).map(|row| shares.due(row)).collect();
        let counts = systematic(shares, child(self.seed, &[THIN]), pace).await?;
        let kept: Vec<u32> =
            (0..).zip(&counts).filter(|(_, count)| **count > 0).map(|(row, _)| row).collect();
        let weigh = |weights: &[f64]| -> Vec<f64> {
            let weight = |row: usize| weights[row] * f64::from(counts[row]) / due[row];
            kept.iter().map(|row| weight(*row as usize)).collect()
        };
        let (prior, law) = (weigh(&self.prior), weigh(&self.law));
        let rows = Arc::new(pace.run(take(Arc::clone(&self.rows), kept, self.seed)).await?);
        Ok(Self { rows, prior, law, ..self })
    }

    /// The number of records of each row in the truth of a draw.
    pub(super) async fn truth(&self, draw: u64, pace: &Pace) -> Result<Vec<f64>> {
        let mut seed = stream(self.seed, &[TRUTH, draw]);
        let sum: f64 = self.law.iter().sum();
        let shape = self.drift * self.strength / sum;
        let mut weights = filled(0.0, self.law.len())?;
        for (weight, law) in weights.iter_mut().zip(&self.law).filter(|(_, law)| **law > 0.0) {
            *weight = gamma(&mut seed, shape * law);
        }
        pace.did(GAMMA * weights.len()).await;
        let seed = child(self.seed, &[TRUTH, draw]);
        let counts = sample(&weights, &Totals::all(self.expected), seed, pace).await?;
        Ok(counts.into_iter().map(f64::from).collect())
    }

    /// The index of a candidate's cliques.
    pub(super) fn index(&self, cliques: &[Vec<u16>]) -> Result<Arc<Index>> {
        index(&self.rows, cliques)
    }

    /// The answers that a candidate would get from a truth, and the estimate that they ask for. The number of records
    /// is what all marginals say about it, weighted by their precision. In a draw every candidate has the same luck with a clique.
    pub(super) fn measure(&self, candidate: &Candidate, index: Arc<Index>, truth: &[f64], draw: u64) -> Task {
        let mut answers = vec![0.0; index.cells()];
        index.scatter(truth, &mut answers);
        let mut variances = Vec::with_capacity(answers.len());
        let (mut sum, mut precision) = (0.0, 0.0);
        let domain = self.rows.domain();
        for ((marginal, share), clique) in
            index.marginals().iter().zip(&candidate.shares).zip(&candidate.cliques)
        {
            let path: Vec<u64> =
                [NOISE, draw].into_iter().chain(clique.iter().map(|a| u64::from(*a))).collect();
            let mut seed = stream(self.seed, &path);
            let variance = self.noise.variance(*share);
            let cells = &mut answers[marginal.cells.clone()];
            cells.iter_mut().for_each(|answer| *answer += self.noise.draw(*share, &mut seed));
            variances.extend(cells.iter().map(|_| variance));
            let all = domain.cells(clique).map_or(1.0, |cells| cells as f64);
            let elsewhere = libm::sqrt(variance * (all - cells.len() as f64)) * normal(&mut seed);
            let weight = 1.0 / (variance * all);
            sum += weight * (cells.iter().sum::<f64>() + elsewhere);
            precision += weight;
        }
        let total = (sum / precision).max(1.0);
        let strength = harmonic(self.strength, total);
        let (rows, prior) = (Arc::clone(&self.rows), self.prior.clone());
        Task { rows, prior, index, answers, variances, total, strength }
    }

    /// The score of weights whose sum is 1 against a truth.
    pub(super) fn score(&self, tables: &Index, weights: &[f64], truth: &[f64]) -> Score {
        let (mut q, mut t) = (vec![0.0; tables.cells()], vec![0.0; tables.cells()]);
        tables.scatter(weights, &mut q);
        let n = self.expected as f64;
        let truth: Vec<f64> = truth.iter().map(|count| count / n).collect();
        tables.scatter(&truth, &mut t);
        Score::of(tables, &q, &t, 0.0)
    }
}

/// How much longer a gamma number takes than looking up a row.
const GAMMA: usize = 50;
const THIN: u64 = 0x7468_696e;
const TRUTH: u64 = 0x7472_7574;
const NOISE: u64 = 0x6e6f_6973;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Family, Law};
    use crate::job::{Job, Steps};
    use marginalia_tables::Schema;

    fn simulation() -> Simulation {
        let json = r#"{"nulls":[],"attributes":[{"name":"a","type":"category","values":["0","1","2","3"]},
            {"name":"b","type":"category","values":["0","1"]}]}"#;
        let mut rows = Table::new(Arc::new(Schema::from_json(json).unwrap()), false, &[]);
        rows.extend(&[&[0, 1, 2], &[0, 1, 1]], None, &[]).unwrap();
        Simulation {
            rows: Arc::new(rows),
            prior: vec![1.0, 1.0, 2.0],
            law: vec![1.0, 3.0, 0.0],
            strength: 1000.0,
            expected: 400,
            drift: 0.2,
            noise: Noise { law: Law::Gaussian, budget: 0.1, sensitivity: 1.0 },
            tables: vec![vec![0, 1]],
            most_rows: 10,
            seed: 5,
        }
    }

    fn truth(simulation: &Simulation, draw: u64) -> Vec<f64> {
        let simulation = simulation.clone();
        Steps::new(move |pace| async move { simulation.truth(draw, &pace).await }).complete().unwrap()
    }

    fn moments(draws: &[f64]) -> (f64, f64) {
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        (mean, draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws.len() as f64)
    }

    const DRAWS: u64 = 4000;

    /// Records of a Dirichlet law of weight A: variance n p (1 − p) (n + A)/(1 + A).
    #[test]
    fn the_truth_drifts_as_much_as_asked() {
        let simulation = simulation();
        let draws: Vec<Vec<f64>> = (0..DRAWS).map(|draw| truth(&simulation, draw)).collect();
        assert!(draws.iter().all(|truth| truth.iter().sum::<f64>() == 400.0 && truth[2] == 0.0));
        let (mean, variance) = moments(&draws.iter().map(|truth| truth[0]).collect::<Vec<f64>>());
        let expected = 400.0 * 0.25 * 0.75 * 600.0 / 201.0;
        // 5.5 deviations of a mean, and of a variance of nearly normal draws: probability 4e-8 each.
        assert!((mean - 100.0).abs() < 5.5 * (expected / DRAWS as f64).sqrt(), "{mean}");
        assert!((variance / expected - 1.0).abs() < 5.5 * (2.2 / DRAWS as f64).sqrt(), "{variance}");
    }

    /// The number of records is right on average, with the variance 1 / Σ 1/(σ² cells) of the best combination, cells
    /// without support included; answers have the variance that they are said to have.
    #[test]
    fn the_total_is_the_best_combination_of_all_marginals() {
        let simulation = simulation();
        let cliques = vec![vec![0], vec![1], vec![0, 1]];
        let index = simulation.index(&cliques).unwrap();
        let candidate = Candidate::new(&simulation.rows.domain(), Family::Fixed, 0.0, cliques);
        let truth = [100.0, 290.0, 10.0];
        let measure = |draw| simulation.measure(&candidate, Arc::clone(&index), &truth, draw);
        let tasks: Vec<Task> = (0..DRAWS).map(measure).collect();
        let variance_of = |i: usize| simulation.noise.variance(candidate.shares[i]);
        let precision: f64 =
            [4.0, 2.0, 8.0].iter().enumerate().map(|(i, cells)| 1.0 / (variance_of(i) * cells)).sum();
        let check = |draws: Vec<f64>, expected: f64, variance: f64| {
            let (mean, square) = moments(&draws);
            assert!((mean - expected).abs() < 5.5 * (variance / DRAWS as f64).sqrt(), "{mean} {expected}");
            assert!(
                (square / variance - 1.0).abs() < 5.5 * (2.0 / DRAWS as f64).sqrt(),
                "{square} {variance}"
            );
        };
        check(tasks.iter().map(|task| task.total).collect(), 400.0, 1.0 / precision);
        check(tasks.iter().map(|task| task.answers[3]).collect(), 100.0, variance_of(1));
        assert_eq!(tasks[0].variances[3], variance_of(1));
        assert!((tasks[0].strength - harmonic(1000.0, tasks[0].total)).abs() < 1e-9);
    }
}
