//! One way to divide a budget, tried on one truth.

use super::job::Parts;
use super::totals::{Totals, totals};
use super::{Spent, truth};
use crate::deviates::{child, stream};
use crate::estimators::calibrated;
use crate::hierarchy::local;
use crate::hierarchy::{Estimator, GroupJob, Level, Prior, Task};
use crate::measurement::Measurement;
use crate::models::support::{Index, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// Enough to rank ways to divide a budget.
const TOLERANCE: f64 = 1e-2;
const PASSES: u64 = 200;

/// Groups one after another.
pub(super) struct Trial {
    split: usize,
    draw: u64,
    levels: Vec<Level>,
    totals: Totals,
    /// Of each member the estimate as the prior of those within it.
    priors: Vec<Option<Arc<Prior>>>,
    at: usize,
    job: Option<Box<GroupJob>>,
    /// The sum of distances of the groups that were drawn, and of how often they were.
    distance: f64,
    drawn: f64,
}

impl Trial {
    pub fn new(parts: &mut Parts, split: usize, draw: u64) -> Result<Self> {
        let asked = parts.asked.splits[split].clone();
        let mut levels = Vec::with_capacity(asked.len());
        for (place, level) in asked.iter().enumerate() {
            let options =
                calibrated::Options { tolerance: TOLERANCE, passes: PASSES, sweeps: 1, ..Default::default() };
            let estimator = Estimator::Calibrated(options, parts.asked.strengths[place]);
            levels.push(Level::with_index(parts.index(&level.cliques)?, estimator));
        }
        let totals = totals(&parts.world, &parts.asked, &asked, draw)?;
        let priors = vec![None; parts.world.members.len()];
        Ok(Self { split, draw, levels, totals, priors, at: 0, job: None, distance: 0.0, drawn: 0.0 })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, parts: &Parts, work: u64) -> Result<bool> {
        let Some(job) = &mut self.job else {
            if self.at == self.priors.len() {
                return Ok(true);
            }
            self.job = Some(Box::new(self.begin(parts)?));
            return Ok(false);
        };
        if job.step(work)?
            && let Some(job) = self.job.take()
        {
            self.ended(parts, *job)?;
            self.at += 1;
        }
        Ok(false)
    }

    /// The mean distance, on the scale of the k-marginal score.
    pub fn points(&self) -> f64 {
        points(self.distance, self.drawn)
    }

    fn begin(&self, parts: &Parts) -> Result<GroupJob> {
        let world = &parts.world;
        let member = &world.members[self.at];
        let above = match member.parent {
            Some(parent) => self.priors[parent].as_ref().unwrap_or(&parts.root),
            None => &parts.root,
        };
        let prior = match &parts.moved[self.at] {
            Some(moved) => {
                let base = local::tilted(&above.base, &moved.index, &moved.potentials)?;
                let strength = above.strength.min(moved.between) + moved.records;
                Arc::new(Prior { base, public: Arc::clone(&moved.public), strength })
            }
            None => Arc::clone(above),
        };
        let level = world.plan.groups()[member.group].level;
        let spent = &parts.asked.splits[self.split][level];
        let measurements = self.answers(parts, spent, level)?;
        let task = Task { measurements, total: self.totals.estimated[member.group] };
        let seed = child(parts.asked.seed, &[ORDER, self.draw, member.group as u64]);
        GroupJob::new(&self.levels[level], prior, Arc::new(task), seed)
    }

    /// The answers of a group's truth with the noise of a split: the same luck for all of them, so that less of it decides.
    fn answers(&self, parts: &Parts, spent: &Spent, level: usize) -> Result<Vec<Measurement>> {
        let (world, index) = (&parts.world, &self.levels[level].index);
        let group = world.members[self.at].group;
        let shares = truth::of_group(world, &parts.truth, group)?;
        let mut cells = zeros(index.cells())?;
        index.scatter(&shares, &mut cells);
        let mut seed = stream(parts.asked.seed, &[NOISE, self.draw, group as u64]);
        let mut measurements = Vec::with_capacity(spent.cliques.len());
        for (marginal, budget) in index.marginals().iter().zip(&spent.budgets) {
            let number = world.base.cells(&marginal.clique)? as usize;
            let mut answers = zeros(number)?;
            for (place, share) in marginal.places.iter().zip(&cells[marginal.cells.clone()]) {
                answers[*place as usize] = share * self.totals.records[group];
            }
            // Cells without a row take no part in the estimate.
            for place in &marginal.places {
                answers[*place as usize] += parts.asked.noise.draw(*budget, &mut seed);
            }
            let (clique, variance) = (marginal.clique.clone(), parts.asked.noise.variance(*budget));
            measurements.push(Measurement { clique, answers, variance });
        }
        Ok(measurements)
    }

    fn ended(&mut self, parts: &Parts, job: GroupJob) -> Result<()> {
        let prior = Arc::clone(job.prior());
        let outcome = job.finish()?;
        let members = &parts.world.members;
        let member = &members[self.at];
        if member.drawn > 0 {
            let (estimated, records) =
                (self.totals.estimated[member.group], self.totals.records[member.group]);
            let rate = estimated.value.max(0.0) / records;
            let weight = f64::from(member.drawn);
            self.distance += weight * distance(parts, self.at, outcome.model.weights()?, rate)?;
            self.drawn += weight;
        }
        if members.get(self.at + 1).is_some_and(|next| next.parent == Some(self.at)) {
            self.priors[self.at] = Some(Arc::new(prior.below(outcome.model.weights()?, &outcome.state)?));
        }
        Ok(())
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
