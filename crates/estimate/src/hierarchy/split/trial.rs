//! One way to divide a budget, tried on one truth.

use super::forecast::Parts;
use super::totals::{Totals, totals};
use super::{Spent, truth};
use crate::deviates::{child, stream};
use crate::estimators::calibrated::CalibratedEstimator;
use crate::hierarchy::local;
use crate::hierarchy::{GroupEstimation, GroupEstimator, Level, Prior, Task};
use crate::job::Pace;
use crate::measurement::Measurement;
use crate::models::support::{Index, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// Enough to rank ways to divide a budget.
const TOLERANCE: f64 = 1e-2;
const PASSES: u64 = 200;

/// Groups one after another.
pub(super) struct Trial<'a> {
    parts: &'a Parts,
    split: usize,
    draw: u64,
    levels: Vec<Level>,
    totals: Totals,
    /// Of each member the estimate as the prior of those within it.
    priors: Vec<Option<Arc<Prior>>>,
    /// The sum of distances of the groups that were drawn, and of how often they were.
    distance: f64,
    drawn: f64,
}

impl<'a> Trial<'a> {
    pub fn new(parts: &'a mut Parts, split: usize, draw: u64) -> Result<Self> {
        let spent = parts.simulated.splits[split].clone();
        let mut levels = Vec::with_capacity(spent.len());
        for (place, level) in spent.iter().enumerate() {
            let options = CalibratedEstimator {
                tolerance: TOLERANCE,
                passes: PASSES,
                sweeps: 1,
                ..CalibratedEstimator::default()
            };
            let estimator = GroupEstimator::calibrated(options, parts.simulated.strengths[place]);
            let index = parts.index(&level.cliques)?;
            levels.push(Level::with_index(&parts.world.base, index, estimator)?);
        }
        let totals = totals(&parts.world, &parts.simulated, &spent, draw)?;
        let priors = vec![None; parts.world.members.len()];
        Ok(Self { parts, split, draw, levels, totals, priors, distance: 0.0, drawn: 0.0 })
    }

    /// The mean distance, on the scale of the k-marginal score.
    pub async fn points(mut self, pace: &Pace) -> Result<f64> {
        for at in 0..self.priors.len() {
            self.estimate(at, pace).await?;
        }
        Ok(points(self.distance, self.drawn))
    }

    async fn estimate(&mut self, at: usize, pace: &Pace) -> Result<()> {
        let parts = self.parts;
        let member = &parts.world.members[at];
        let prior = self.prior(at)?;
        let level = parts.world.plan.groups()[member.group].level;
        let measurements = self.answers(at, &parts.simulated.splits[self.split][level], level)?;
        let task = Task { measurements, total: self.totals.estimated[member.group] };
        let seed = child(parts.simulated.seed, &[ORDER, self.draw, member.group as u64]);
        let estimation = GroupEstimation::new(&self.levels[level], Arc::clone(&prior), Arc::new(task), seed)?;
        let outcome = estimation.estimate(pace).await?;
        if member.drawn > 0 {
            let (estimated, records) =
                (self.totals.estimated[member.group], self.totals.records[member.group]);
            let rate = estimated.value.max(0.0) / records;
            let weight = f64::from(member.drawn);
            self.distance += weight * distance(parts, at, outcome.model.weights()?, rate)?;
            self.drawn += weight;
        }
        if parts.world.members.get(at + 1).is_some_and(|next| next.parent == Some(at)) {
            self.priors[at] = Some(Arc::new(prior.below(outcome.model.weights()?, &outcome.state)?));
        }
        Ok(())
    }

    fn prior(&self, at: usize) -> Result<Arc<Prior>> {
        let Parts { world, root, moved, .. } = self.parts;
        let above = match world.members[at].parent {
            Some(parent) => self.priors[parent].as_ref().unwrap_or(root),
            None => root,
        };
        Ok(match &moved[at] {
            Some(moved) => {
                let base = local::tilted(&above.base, &moved.index, &moved.potentials)?;
                let strength = above.strength.min(moved.between) + moved.records;
                Arc::new(Prior { base, public: Arc::clone(&moved.public), strength })
            }
            None => Arc::clone(above),
        })
    }

    /// The answers of a group's truth with the noise of a split: the same luck for all of them, so that less of it decides.
    fn answers(&self, at: usize, spent: &Spent, level: usize) -> Result<Vec<Measurement>> {
        let (parts, world, index) = (self.parts, &self.parts.world, &self.levels[level].index);
        let group = world.members[at].group;
        let shares = truth::of_group(world, &parts.truth, group)?;
        let mut cells = zeros(index.cells())?;
        index.scatter(&shares, &mut cells);
        let mut seed = stream(parts.simulated.seed, &[NOISE, self.draw, group as u64]);
        let mut measurements = Vec::with_capacity(spent.cliques.len());
        for (marginal, budget) in index.marginals().iter().zip(&spent.budgets) {
            let number = world.base.cells(&marginal.clique)? as usize;
            let mut answers = zeros(number)?;
            for (place, share) in marginal.places.iter().zip(&cells[marginal.cells.clone()]) {
                answers[*place as usize] = share * self.totals.records[group];
            }
            // Cells without a row take no part in the estimate.
            for place in &marginal.places {
                answers[*place as usize] += parts.simulated.noise.draw(*budget, &mut seed);
            }
            let (clique, variance) = (marginal.clique.clone(), parts.simulated.noise.variance(*budget));
            measurements.push(Measurement { clique, answers, variance });
        }
        Ok(measurements)
    }
}

/// The mean L1 distance of the tables of weights that stand for so many times the group's records from those of the truth.
pub(super) fn distance(parts: &Parts, member: usize, weights: &[f64], rate: f64) -> Result<f64> {
    let tables: &Index = &parts.tables;
    let mut cells = zeros(tables.cells())?;
    tables.scatter(weights, &mut cells);
    let off: f64 = cells.iter().zip(&parts.judged[member]).map(|(q, t)| (rate * q - t).abs()).sum();
    Ok(off / tables.marginals().len() as f64)
}

pub(super) fn points(distance: f64, drawn: f64) -> f64 {
    (2.0 - distance / drawn) * 500.0
}

const ORDER: u64 = 0x6f72_6465;
const NOISE: u64 = 0x6e6f_6973;
