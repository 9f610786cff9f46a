//! How much of a pooled prior to take, by validation on public halves.

use super::halves::halves;
use super::pooled::{PoolJob, PoolOptions, Pooled, group_pairs};
use crate::design::{Candidate, Noise, Score, all_tables};
use crate::deviates::{below, stream};
use crate::fit::{Fitting, Solver, Task, count_on, harmonic, index, weights};
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

/// Finds the share in steps. Each half serves as the prior of the other once: it is pooled, and for every share fitted
/// to noisy answers of the other half, with noise as large beside its records as the plan's is beside those expected.
pub struct AlphaJob<S> {
    options: AlphaOptions,
    solver: S,
    halves: [Arc<Table>; 2],
    tables: Vec<Vec<u16>>,
    fold: usize,
    pooling: Option<PoolJob<S>>,
    fold_of: Option<Fold>,
    fitting: Option<Box<dyn Fitting>>,
    scores: Vec<f64>,
    done: usize,
}

/// What stays the same for all shares of a fold.
struct Fold {
    pooled: Pooled,
    task: Task,
    tables: Arc<Index>,
    truth: Vec<f64>,
    outside: f64,
}

impl<S: Solver + Clone> AlphaJob<S> {
    /// A job over a public table.
    pub fn new(table: &Arc<Table>, options: AlphaOptions, solver: S) -> Result<Self> {
        let valid = |alpha: &f64| *alpha > 0.0 && *alpha <= 1.0;
        if options.alphas.is_empty()
            || !options.alphas.iter().all(valid)
            || options.expected.is_nan()
            || options.expected <= 0.0
        {
            return Err(invalid(
                "shares of pooling are above 0 and at most 1, of an expected number of records",
            ));
        }
        let base: Vec<u16> = (0..table.schema().base().len() as u16).collect();
        let group = options.pool.group;
        let mut tables = all_tables(&table.domain(), &base, Some(group), options.pool.cells);
        if tables.is_empty() {
            tables = group_pairs(table, group, options.pool.cells);
        }
        let mut random = stream(options.seed, &[TABLES]);
        for i in 0..tables.len().min(options.tables) {
            let other = i + below(&mut random, (tables.len() - i) as u32) as usize;
            tables.swap(i, other);
        }
        tables.truncate(options.tables.max(1));
        let halves = halves(table, options.seed)?;
        if halves.iter().any(|half| half.rows() == 0) || tables.is_empty() {
            return Err(invalid("the public table is too small to be halved: give the share of pooling"));
        }
        let scores = vec![0.0; options.alphas.len()];
        let (pooling, fold_of, fitting) = (None, None, None);
        Ok(Self { options, solver, halves, tables, fold: 0, pooling, fold_of, fitting, scores, done: 0 })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if let Some(fitting) = &mut self.fitting {
            if fitting.step(work)?
                && let Some(fitting) = self.fitting.take()
            {
                self.judge(&fitting.finish()?);
            }
        } else if let Some(pooling) = &mut self.pooling {
            if pooling.step(work)?
                && let Some(pooling) = self.pooling.take()
            {
                self.fold_of = Some(self.measure(pooling.finish()?)?);
            }
        } else if let Some(fold) = &self.fold_of {
            let alpha = self.options.alphas[self.done % self.options.alphas.len()];
            let task = Task { prior: fold.pooled.mix(alpha)?, ..fold.task.clone() };
            self.fitting = Some(self.solver.begin(task)?);
        } else if self.fold < 2 {
            let half = Arc::clone(&self.halves[self.fold]);
            let pool = self.options.pool.clone();
            let (strength, independence) = (0.5 * pool.strength, 0.5 * pool.independence);
            let options = PoolOptions { strength, independence, ..pool };
            self.pooling = Some(PoolJob::new(half, options, self.solver.clone())?);
        }
        Ok(self.fold == 2)
    }

    /// The answers of the other half, and the tables to judge by.
    fn measure(&self, pooled: Pooled) -> Result<Fold> {
        let truth = &self.halves[1 - self.fold];
        let weights = weights(truth)?;
        let total: f64 = weights.iter().sum();
        let AlphaOptions { plan, noise, expected, seed, pool, .. } = &self.options;
        let noise = noise.scaled(*expected, total);
        let measured = index(&pooled.rows, &plan.cliques)?;
        let (mut answers, _) = count_on(&measured, &plan.cliques, truth, &weights);
        let mut variances = Vec::with_capacity(answers.len());
        let mut random = stream(*seed, &[NOISE, self.fold as u64]);
        for (marginal, share) in measured.marginals().iter().zip(&plan.shares) {
            for answer in &mut answers[marginal.cells.clone()] {
                *answer += noise.draw(*share, &mut random);
                variances.push(noise.variance(*share));
            }
        }
        let strength = harmonic(pool.strength / 2.0, total);
        let rows = Arc::clone(&pooled.rows);
        let task = Task { rows, prior: Vec::new(), index: measured, answers, variances, total, strength };
        let tables = index(&pooled.rows, &self.tables)?;
        let fractions: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let (truth, outside) = count_on(&tables, &self.tables, truth, &fractions);
        Ok(Fold { pooled, task, tables, truth, outside: outside.iter().sum() })
    }

    fn judge(&mut self, weights: &[f64]) {
        let Some(fold) = &self.fold_of else { return };
        let mut q = vec![0.0; fold.tables.cells()];
        fold.tables.scatter(weights, &mut q);
        let number = self.options.alphas.len();
        self.scores[self.done % number] +=
            0.5 * Score::of(&fold.tables, &q, &fold.truth, fold.outside).points();
        self.done += 1;
        if self.done.is_multiple_of(number) {
            self.fold += 1;
            self.fold_of = None;
        }
    }

    /// Estimates done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Estimates to do.
    pub fn total(&self) -> usize {
        2 * self.options.alphas.len()
    }

    /// Does what is left and returns the score of each share, and the best.
    pub fn finish(mut self) -> Result<Alphas> {
        while !self.step(u64::MAX)? {}
        let mut best = 0;
        for (i, score) in self.scores.iter().enumerate() {
            best = if *score > self.scores[best] { i } else { best };
        }
        Ok(Alphas { alpha: self.options.alphas[best], scores: self.scores })
    }
}

pub(super) fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

const TABLES: u64 = 0x7461_626c;
const NOISE: u64 = 0x6e6f_6973;
