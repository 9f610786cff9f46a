//! Groups that were kept elsewhere, to the same bits: what is kept of each, and the cells of rows that it is of.

use super::run::{indexed, indexes, leveled};
use super::state::Kept;
use super::{
    GroupEstimation, Hierarchy, HierarchyPlan, Level, LevelAnswers, Prior, Released, Setup, State, States,
    Task, TotalRule, invalid,
};
use crate::job::Steps;
use crate::models::support::{Base, room};
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::Arc;

/// No sum of so large numbers is infinite, and none that was estimated comes near.
const MOST: f64 = 1e100;

/// One group as it was kept: [`State`] in numbers.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// How many records it has.
    pub total: Total,
    /// How many records its estimate is worth as a prior.
    pub worth: f64,
    /// How many steps of Algorithm 1 make it again; 0 where it has potentials.
    pub steps: usize,
}

impl State {
    /// The potentials of its prior and then its own: with [`State::steps`] and its figures all that is to be kept.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let tilt = self.tilt().unwrap_or_default();
        tilt.iter().chain(self.potentials().unwrap_or_default()).copied()
    }

    /// How many steps of Algorithm 1 make it again, from its measurements; 0 where it has potentials.
    pub fn steps(&self) -> usize {
        match &self.kept {
            Kept::Potentials(_) => 0,
            Kept::Task(_, steps) => *steps,
        }
    }
}

/// What puts groups together again, on shared rows that are worth so many records, once their cells are known. Of public counts the
/// cliques are looked at, and that a level has some; of measurements the cliques, and for Algorithm 1 the answers. Cells of rows
/// are kept in at most `limit` bytes.
pub fn restorer(
    plan: Arc<HierarchyPlan>,
    base: Arc<Base>,
    strength: f64,
    levels: Vec<LevelAnswers>,
    seed: u64,
    limit: u64,
) -> Result<Steps<Restorer>> {
    let index = indexes(&plan, &base, &levels, limit)?;
    Ok(Steps::new(move |pace| async move {
        let index = indexed(index, &pace).await?;
        let tilted = levels.iter().map(|level| !level.public.is_empty()).collect();
        // The counts themselves are in the potentials.
        let none = (vec![Vec::new(); levels.len()], vec![1.0; levels.len()]);
        let states = room(plan.groups().len())?;
        let prior = Prior::new(base, strength);
        let (setup, released) = leveled(plan, prior, levels, index, TotalRule::Combined, seed, none)?;
        Ok(Restorer { setup: Arc::new(setup), released, tilted, states })
    }))
}

/// Groups that are put together again, one after another.
pub struct Restorer {
    setup: Arc<Setup>,
    released: Released,
    tilted: Vec<bool>,
    states: States,
}

impl Restorer {
    /// How many numbers the next groups have, so many of them or all that are left.
    pub fn numbers(&self, groups: usize) -> usize {
        let all = self.setup.plan.groups();
        all.iter().skip(self.states.len()).take(groups).map(|one| self.of_level(one.level)).sum()
    }

    fn of_level(&self, level: usize) -> usize {
        tilts(&self.setup, self.tilted[level]) + potentials(&self.setup.levels[level])
    }

    /// Takes the next group: its figures, and its numbers as [`State::numbers`] gave them.
    pub fn push(&mut self, figures: Figures, numbers: &[f64]) -> Result<()> {
        let at = self.states.len();
        let Some(group) = self.setup.plan.groups().get(at) else {
            return Err(invalid("there are more groups than the schema declares"));
        };
        let Figures { total, worth, steps } = figures;
        let counted = total.value.abs() <= MOST && (0.0..=MOST).contains(&total.variance);
        let sound = counted && worth > 0.0 && worth.is_finite();
        if !(sound && numbers.iter().all(|one| one.abs() <= MOST)) {
            return Err(invalid("a group that was kept has figures and potentials that no estimate has"));
        }
        if numbers.len() != self.of_level(group.level) {
            return Err(invalid("a group that was kept has another number of potentials than of cells"));
        }
        let (tilt, u) = numbers.split_at(tilts(&self.setup, self.tilted[group.level]));
        let tilt = if self.tilted[group.level] { Some(copied(tilt)?) } else { None };
        let kept = match self.setup.levels[group.level].estimator.estimator.gives_potentials() {
            true => Kept::Potentials(copied(u)?),
            false => self.task(at, total, steps)?,
        };
        self.states.push(Some(Arc::new(State { total, worth, tilt, kept })));
        Ok(())
    }

    /// The measurements of a group that Algorithm 1 makes again; what it would refuse is refused now.
    fn task(&self, at: usize, total: Total, steps: usize) -> Result<Kept> {
        let mut measurements = self.released.slices(at)?;
        measurements.retain(|one| !one.clique.is_empty());
        let task = Arc::new(Task { measurements, total });
        let answers = task.measurements.iter().flat_map(|one| &one.answers);
        if answers.into_iter().any(|answer| answer.is_nan() || answer.abs() > MOST) {
            return Err(invalid("an answer of a group that was kept is no number of records"));
        }
        let level = &self.setup.levels[self.setup.plan.groups()[at].level];
        GroupEstimation::of_steps(level, Arc::clone(&self.setup.prior), Arc::clone(&task), 0, steps)?;
        Ok(Kept::Task(task, steps))
    }

    /// All groups, when all were taken.
    pub fn finish(self) -> Result<Hierarchy> {
        if self.states.len() < self.setup.plan.groups().len() {
            return Err(invalid("there are fewer groups than the schema declares"));
        }
        Ok(Hierarchy { setup: self.setup, states: self.states })
    }
}

impl Hierarchy {
    /// Of each level how many potentials the prior of a group has, and the group itself.
    pub fn lengths(&self) -> Vec<(usize, usize)> {
        let groups = self.setup.plan.groups();
        let of = |level: usize| {
            let first = groups.iter().position(|one| one.level == level);
            let state = first.and_then(|at| self.states.get(at)?.as_deref());
            let tilt = state.and_then(State::tilt).map_or(0, <[f64]>::len);
            (tilt, state.and_then(State::potentials).map_or(0, <[f64]>::len))
        };
        (0..self.setup.levels.len()).map(of).collect()
    }
}

fn tilts(setup: &Setup, tilted: bool) -> usize {
    let cells = setup.local.as_ref().map_or(0, |local| local.index().cells());
    if tilted { cells } else { 0 }
}

fn potentials(level: &Level) -> usize {
    if level.estimator.estimator.gives_potentials() { level.index.cells() } else { 0 }
}

fn copied(numbers: &[f64]) -> Result<Vec<f64>> {
    let mut copy = room(numbers.len())?;
    copy.extend_from_slice(numbers);
    Ok(copy)
}
