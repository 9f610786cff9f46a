//! A pooled prior.

use super::product::{Product, ProductOptions, product};
use crate::counts::{count_on, index, weights};
use crate::estimators::calibrated::{self, Task};
use crate::job::Steps;
use crate::priors::deny::Deny;
use crate::priors::dependencies::Dependencies;
use crate::vector::filled;
use marginalia_tables::table::Raw;
use marginalia_tables::{Result, Table};
use std::sync::Arc;

/// How a prior is pooled.
#[derive(Debug, Clone)]
pub struct PoolOptions {
    /// The group attribute.
    pub group: u16,
    /// The groups that there are to be, by code.
    pub groups: Vec<u16>,
    /// How many rows the public table is worth.
    pub strength: f64,
    /// How many rows the independence of rows and groups is worth beside them: with as many as the public table, the
    /// fit goes about half of the way to its pairs.
    pub independence: f64,
    /// The most cells of a pair of the group with another attribute; larger ones are not fitted.
    pub cells: u64,
    /// The most rows.
    pub most_rows: usize,
    /// Combinations that cannot be: no such row is made or kept.
    pub deny: Deny,
    /// Attributes that follow from others: no row is made that breaks that.
    pub dependencies: Dependencies,
    /// How closely the weights are fitted.
    pub estimation: calibrated::Options,
    /// The seed of raw numbers.
    pub seed: u64,
}

/// Rows in all groups with two sets of weights: those of the public table, and pooled ones.
#[derive(Debug, Clone)]
pub struct Pooled {
    /// The rows.
    pub rows: Arc<Table>,
    /// The weights of the public table; their sum is 1.
    pub empirical: Vec<f64>,
    /// The weights that make rows independent of their group but for the pairs of the group with every other
    /// attribute; their sum is 1.
    pub pooled: Vec<f64>,
}

impl Pooled {
    /// `(1 − α)·empirical + α·pooled`.
    pub fn mix(&self, alpha: f64) -> Result<Vec<f64>> {
        let mut mixed = filled(0.0, self.pooled.len())?;
        for (i, weight) in mixed.iter_mut().enumerate() {
            *weight = (1.0 - alpha) * self.empirical[i] + alpha * self.pooled[i];
        }
        Ok(mixed)
    }

    /// The rows that the mixture gives weight to, with weights whose sum is `total`.
    pub fn table(&self, alpha: f64, total: f64) -> Result<Table> {
        let weights = self.mix(alpha)?;
        let raw: Vec<usize> = self.rows.raw().iter().map(|raw| raw.attribute).collect();
        let mut table = Table::new(self.rows.schema().clone(), true, &raw);
        let base = &self.rows.columns()[..self.rows.schema().base().len()];
        for start in (0..weights.len()).step_by(BLOCK) {
            let all = start..weights.len().min(start + BLOCK);
            let rows: Vec<usize> = all.filter(|row| weights[*row] > 0.0).collect();
            let codes: Vec<Vec<u16>> =
                base.iter().map(|column| rows.iter().map(|row| column.get(*row)).collect()).collect();
            let number = |raw: &Raw, row: usize| raw.pick(row, 0).unwrap_or(f64::NAN);
            let raw: Vec<Vec<f64>> = self
                .rows
                .raw()
                .iter()
                .map(|raw| rows.iter().map(|row| number(raw, *row)).collect())
                .collect();
            let weights: Vec<f64> = rows.iter().map(|row| total * weights[*row]).collect();
            let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
            let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
            table.extend(&codes, Some(&weights), &raw)?;
        }
        Ok(table)
    }
}

/// Rows that are copied at once.
const BLOCK: usize = 4096;

/// A pooled prior of a public table: the product of rows and groups, and its fit to the public pairs.
pub fn pool(table: Arc<Table>, options: PoolOptions) -> Result<Steps<Pooled>> {
    let PoolOptions { group, groups, most_rows, seed, dependencies, deny, .. } = options.clone();
    let of_product = ProductOptions { group, groups, most_rows, dependencies, seed };
    let product = product(Arc::clone(&table), of_product, deny)?;
    Ok(Steps::new(move |pace| async move {
        let product = pace.run(product).await?;
        let fit = task(&table, &product, &options)?.weights(options.estimation);
        let pooled = pace.run(fit).await?;
        let sum: f64 = product.empirical.iter().sum();
        let empirical = product.empirical.iter().map(|weight| weight / sum.max(f64::MIN_POSITIVE)).collect();
        Ok(Pooled { rows: product.rows, empirical, pooled })
    }))
}

/// The fit of the product to the public pairs of the group: a count of m records has the variance of a sample, m, and at
/// least one half.
fn task(table: &Table, product: &Product, options: &PoolOptions) -> Result<Task> {
    let cliques = group_pairs(table, options.group, options.cells);
    let index = index(&product.rows, &cliques)?;
    let weights = weights(table)?;
    let rate = options.strength / weights.iter().sum::<f64>();
    let (mut answers, _) = count_on(&index, &cliques, table, &weights);
    answers.iter_mut().for_each(|answer| *answer *= rate);
    let variances = answers.iter().map(|answer| answer.max(0.5)).collect();
    let (rows, prior) = (Arc::clone(&product.rows), product.independent.clone());
    let (total, strength) = (options.strength, options.independence);
    Ok(Task { rows, prior, index, answers, variances, total, strength })
}

/// The pairs of a group attribute with every other attribute of the base, as far as they are small enough.
pub fn group_pairs(table: &Table, group: u16, cells: u64) -> Vec<Vec<u16>> {
    let domain = table.domain();
    let others = (0..table.schema().base().len() as u16).filter(|a| *a != group);
    let small = |clique: &Vec<u16>| domain.cells(clique).is_some_and(|size| size <= cells);
    others.map(|a| vec![group, a]).filter(small).collect()
}
