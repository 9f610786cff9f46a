//! What a public table says of how groups differ from what they lie within.
//!
//! The paper takes the estimate q_h of a parent as the prior of each group within it. Where the public table knows the
//! group, more is known: p_g, the public distribution of the parent moved to the public counts of the group. The prior of
//! the group is then q_h·p_g/p_h, what the private answers changed in the parent, and what the public table says that the
//! group is beside it. As p_g/p_h ∝ exp(Mᵀ v), this is q_h with potentials v, none of which depends on private answers.

use super::{HierarchyPlan, Prior, invalid, slice};
use crate::estimators::calibrated::{Options, Problem, calibrated};
use crate::job::Pace;
use crate::measurement::{Measurement, targets};
use crate::models::support::{Base, Index, rows::tilt, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// Enough for a prior, which nobody releases.
const TOLERANCE: f64 = 1e-3;
const PASSES: u64 = 200;
/// Potentials of priors are whole multiples of 1/4096, which changes no weight by more than an eightieth of a percent for each
/// attribute.
const GRID: f64 = 4096.0;
/// A parent is worth so many records at most to the groups within it, even where these do not seem to differ.
const MOST_WORTH: f64 = 1e9;

/// Public counts of groups: for some levels marginals with the group attributes among theirs.
#[derive(Debug, Clone)]
pub struct Local {
    plan: Arc<HierarchyPlan>,
    index: Arc<Index>,
    /// Of each level, in records; none where its groups are as what they lie within.
    counts: Vec<Vec<Measurement>>,
    /// How many records a parent is worth as the prior of a group of each level.
    between: Vec<f64>,
}

impl Local {
    /// Counts of each level on the cliques of an index over the shared rows, in its order, or none; and what parents are
    /// worth to the groups of each level, such as [`between`] says. Variances are not looked at.
    pub fn new(
        plan: Arc<HierarchyPlan>,
        index: Arc<Index>,
        counts: Vec<Vec<Measurement>>,
        between: Vec<f64>,
    ) -> Result<Self> {
        let (number, levels) = (index.marginals().len(), plan.levels().len());
        if counts.len() != levels || counts.iter().any(|of| !of.is_empty() && of.len() != number) {
            return Err(invalid(
                "public counts are of all cliques of their index, for each level or for none",
            ));
        }
        if between.len() != levels || between.iter().any(|records| records.is_nan() || *records <= 0.0) {
            return Err(invalid("what a parent is worth to its groups is a positive number of records"));
        }
        Ok(Self { plan, index, counts, between })
    }

    pub(super) fn knows(&self, level: usize) -> bool {
        !self.counts[level].is_empty()
    }

    pub(super) fn index(&self) -> &Arc<Index> {
        &self.index
    }
}

/// How many records what a group lies within is worth as its prior, for each level, by public counts with the group
/// attributes among theirs. Were groups drawn around their parent as by a Dirichlet law of ν records, Pearson's statistic
/// of their counts, Σ (y − N m)²/(N m), would be (c − 1)(1 + (N − 1)/(ν + 1)) on average.
pub fn between(plan: &HierarchyPlan, counts: &[Vec<Measurement>]) -> Result<Vec<f64>> {
    (0..plan.levels().len())
        .map(|level| of_level(plan, level, counts.get(level).map_or(&[], |of| of)))
        .collect()
}

fn of_level(plan: &HierarchyPlan, level: usize, counts: &[Measurement]) -> Result<f64> {
    let groups = plan.groups();
    let (mut excess, mut spread) = (0.0, 0.0);
    let all: Vec<usize> = plan.of_level(level).collect();
    // Groups of one parent follow each other.
    for family in all.chunk_by(|a, b| groups[*a].parent == groups[*b].parent) {
        for one in counts {
            let slices = family.iter().map(|group| slice(plan, &groups[*group], one));
            let slices: Vec<Measurement> = slices.collect::<Result<_>>()?;
            let mut sum = zeros(slices.first().map_or(0, |one| one.answers.len()))?;
            for slice in &slices {
                sum.iter_mut().zip(&slice.answers).for_each(|(sum, y)| *sum += y);
            }
            for slice in &slices {
                let (statistic, freedom) = pearson(&slice.answers, &sum);
                excess += statistic - freedom;
                spread += freedom * (slice.answers.iter().sum::<f64>() - 1.0).max(0.0);
            }
        }
    }
    if excess <= 0.0 || spread <= 0.0 {
        return Ok(MOST_WORTH);
    }
    Ok((spread / excess - 1.0).clamp(1.0, MOST_WORTH))
}

/// Pearson's statistic of counts against the shares of a sum that they are part of, and its degrees of freedom.
fn pearson(counts: &[f64], sum: &[f64]) -> (f64, f64) {
    let (n, all): (f64, f64) = (counts.iter().sum(), sum.iter().sum());
    if n <= 0.0 {
        return (0.0, 0.0);
    }
    let (mut statistic, mut cells) = (0.0, 0.0);
    for (count, sum) in counts.iter().zip(sum).filter(|(_, sum)| **sum > 0.0) {
        let expected = n * sum / all;
        statistic += (count - expected) * (count - expected) / expected;
        cells += 1.0;
    }
    // A group that is all of its parent cannot differ from it.
    let freedom = (cells - 1.0f64).max(0.0) * (1.0 - n / all).max(0.0);
    (statistic, freedom)
}

impl Local {
    /// The prior of a group, and the potentials that make it from what its parent leaves: the public fit of the group within
    /// its parent, and the parent's estimate moved by it. A count of m records has the variance of a sample, m, and at least
    /// one half; the parent weighs as much as it is worth. Nothing moves where the public table knows nobody of the group.
    pub(super) async fn prior(
        &self,
        parent: &Prior,
        group: usize,
        seed: u64,
        pace: &Pace,
    ) -> Result<(Prior, Vec<f64>)> {
        let one = &self.plan.groups()[group];
        let counts = self.counts[one.level].iter().map(|counts| slice(&self.plan, one, counts));
        let counts: Vec<Measurement> = counts.collect::<Result<_>>()?;
        let records = counts.first().map_or(0.0, |one| one.answers.iter().sum::<f64>()).max(0.0);
        let between = self.between[one.level];
        let (worth, index) = (parent.strength.min(between) + records, Arc::clone(&self.index));
        let mut v = zeros(index.cells())?;
        if records > 0.0 {
            let (y, _) = targets(&index, &counts, records)?;
            let lambda = y.iter().map(|y| records * records / ((y * records).max(0.5) * between)).collect();
            let (base, outside) = (Arc::clone(&parent.public), Vec::new());
            let problem = Problem { base, index, y, lambda, outside, total: records };
            let options =
                Options { tolerance: TOLERANCE, passes: PASSES, sweeps: 2, seed, ..Options::default() };
            let model = pace.run(calibrated(problem, options)).await?.model;
            v = model.potentials().map_or(Vec::new(), |(_, v)| v.iter().map(coarse).collect());
        }
        Ok((parent.tilted(&self.index, &v, worth)?, v))
    }
}

/// The nearest of a grid: so near that counts of a sample never say which, and the same few numbers again and again,
/// which are small where groups are saved.
fn coarse(v: &f64) -> f64 {
    libm::floor(v * GRID + 0.5) / GRID
}

/// The same rows with weights ∝ p exp(Mᵀ v), each positive.
pub(super) fn tilted(base: &Base, index: &Index, v: &[f64]) -> Result<Arc<Base>> {
    let (mut t, mut q) = (zeros(base.rows())?, zeros(base.rows())?);
    index.gather(v, &mut t);
    tilt(base.prior(), &t, &mut q);
    q.iter_mut().for_each(|q| *q = q.max(f64::MIN_POSITIVE));
    Ok(Arc::new(base.reweighted(&q)?))
}
