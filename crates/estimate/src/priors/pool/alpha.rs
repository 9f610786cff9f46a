//! How much of a pooled prior to take, by validation on public halves.

use super::halves::halves;
use super::pooled::{PoolOptions, Pooled, group_pairs, pool};
use crate::counts::{count_on, harmonic, index, weights};
use crate::design::{Candidate, Noise, Score, all_tables, some_tables};
use crate::deviates::stream;
use crate::estimators::calibrated::Task;
use crate::job::Steps;
use crate::models::support::Index;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// How the share is found.
#[derive(Debug, Clone)]
pub struct AlphaOptions {
    /// How the prior is pooled.
    pub pool: PoolOptions,
    /// The shares to choose from, each above 0 and at most 1.
    pub alphas: Vec<f64>,
    /// What will be measured.
    pub plan: Candidate,
    /// The noise of it, on a table of `expected` records.
    pub noise: Noise,
    /// How many records the private table is expected to have.
    pub expected: f64,
    /// The most tables to judge by.
    pub tables: usize,
    /// The seed of halves, noise and tables.
    pub seed: u64,
}

/// What each share led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Alphas {
    /// The mean score over both halves of each share, in points of the k-marginal score.
    pub scores: Vec<f64>,
    /// The share with the highest.
    pub alpha: f64,
}

/// Finds the share. Each half of a public table serves as the prior of the other once: it is pooled, and for every share fitted
/// to noisy answers of the other half, with noise as large beside its records as the plan's is beside those expected.
pub fn best_alpha(table: &Arc<Table>, options: AlphaOptions) -> Result<Steps<Alphas>> {
    let valid = |alpha: &f64| *alpha > 0.0 && *alpha <= 1.0;
    if options.alphas.is_empty()
        || !options.alphas.iter().all(valid)
        || options.expected.is_nan()
        || options.expected <= 0.0
    {
        return Err(invalid("shares of pooling are above 0 and at most 1, of an expected number of records"));
    }
    let tables = judged(table, &options);
    let halves = halves(table, options.seed)?;
    if halves.iter().any(|half| half.rows() == 0) || tables.is_empty() {
        return Err(invalid("the public table is too small to be halved: give the share of pooling"));
    }
    Ok(Steps::new(move |pace| async move {
        let AlphaOptions { alphas, pool: whole, .. } = &options;
        let (mut scores, mut done) = (vec![0.0; alphas.len()], 0);
        for fold in 0..2 {
            pace.show(done, 2 * alphas.len());
            let (strength, independence) = (0.5 * whole.strength, 0.5 * whole.independence);
            let options_of_half = PoolOptions { strength, independence, ..whole.clone() };
            let pooling = pool(Arc::clone(&halves[fold]), options_of_half)?;
            let pooled = pace.quiet().run(pooling).await?;
            let fold = Fold::new(pooled, &halves[1 - fold], fold as u64, &tables, &options)?;
            for (alpha, score) in alphas.iter().zip(&mut scores) {
                let task = Task { prior: fold.pooled.mix(*alpha)?, ..fold.task.clone() };
                let weights = pace.run(task.weights(whole.estimation.clone())).await?;
                *score += 0.5 * fold.points(&weights);
                done += 1;
                pace.show(done, 2 * alphas.len());
            }
        }
        let mut best = 0;
        for (i, score) in scores.iter().enumerate() {
            best = if *score > scores[best] { i } else { best };
        }
        Ok(Alphas { alpha: alphas[best], scores })
    }))
}

/// A pooled table, and the share of the pooled weights in it.
#[derive(Debug)]
pub struct PooledTable {
    /// Rows in all groups with their weights.
    pub table: Table,
    /// The share.
    pub alpha: f64,
}

/// Which share of the pooled weights is taken.
#[derive(Debug, Clone)]
pub enum Alpha {
    /// This one.
    Fixed(f64),
    /// The best of some.
    Best(Box<AlphaOptions>),
}

/// A public table, pooled.
pub fn pooled(table: Arc<Table>, options: PoolOptions, alpha: Alpha) -> Result<Steps<PooledTable>> {
    let strength = options.strength;
    let (known, finding) = match alpha {
        Alpha::Fixed(alpha) => (alpha, None),
        Alpha::Best(options) => (0.0, Some(best_alpha(&table, *options)?)),
    };
    let pooling = pool(table, options)?;
    Ok(Steps::new(move |pace| async move {
        let alpha = match finding {
            Some(finding) => pace.run(finding).await?.alpha,
            None => known,
        };
        let table = pace.quiet().run(pooling).await?.table(alpha, strength)?;
        Ok(PooledTable { table, alpha })
    }))
}

/// Some of the tables of the score, drawn at random.
fn judged(table: &Table, options: &AlphaOptions) -> Vec<Vec<u16>> {
    let base: Vec<u16> = (0..table.schema().base().len() as u16).collect();
    let group = options.pool.group;
    let mut tables = all_tables(&table.domain(), &base, Some(group), options.pool.cells);
    if tables.is_empty() {
        tables = group_pairs(table, group, options.pool.cells);
    }
    some_tables(tables, options.tables, &mut stream(options.seed, &[TABLES]))
}

/// What stays the same for all shares of a fold.
struct Fold {
    pooled: Pooled,
    task: Task,
    tables: Arc<Index>,
    truth: Vec<f64>,
    outside: f64,
}

impl Fold {
    /// The answers of the other half, and the tables to judge by.
    fn new(
        pooled: Pooled,
        truth: &Table,
        fold: u64,
        tables: &[Vec<u16>],
        options: &AlphaOptions,
    ) -> Result<Self> {
        let weights = weights(truth)?;
        let total: f64 = weights.iter().sum();
        let AlphaOptions { plan, noise, expected, seed, pool, .. } = options;
        let noise = noise.scaled(*expected, total);
        let measured = index(&pooled.rows, &plan.cliques)?;
        let (mut answers, _) = count_on(&measured, &plan.cliques, truth, &weights);
        let mut variances = Vec::with_capacity(answers.len());
        let mut random = stream(*seed, &[NOISE, fold]);
        for (marginal, share) in measured.marginals().iter().zip(&plan.shares) {
            for answer in &mut answers[marginal.cells.clone()] {
                *answer += noise.draw(*share, &mut random);
                variances.push(noise.variance(*share));
            }
        }
        let strength = harmonic(pool.strength / 2.0, total);
        let rows = Arc::clone(&pooled.rows);
        let task = Task { rows, prior: Vec::new(), index: measured, answers, variances, total, strength };
        let of_tables = index(&pooled.rows, tables)?;
        let fractions: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let (truth, outside) = count_on(&of_tables, tables, truth, &fractions);
        Ok(Self { pooled, task, tables: of_tables, truth, outside: outside.iter().sum() })
    }

    /// The score of a fit.
    fn points(&self, weights: &[f64]) -> f64 {
        let mut q = vec![0.0; self.tables.cells()];
        self.tables.scatter(weights, &mut q);
        Score::of(&self.tables, &q, &self.truth, self.outside).points()
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

const TABLES: u64 = 0x7461_626c;
const NOISE: u64 = 0x6e6f_6973;
