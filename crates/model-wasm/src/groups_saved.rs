//! Serves `ts/engine/operations/groups-saved.ts`: groups taken apart, and put together again to the same bits.

use crate::groups::Groups;
use crate::hierarchy::{SharedRows, estimator_named, invalid, measurements};
use crate::job::Job;
use crate::reading::seed;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::hierarchy::{
    Figures, HierarchyPlan, LevelAnswers, Restorer, Shared, State, Strength, restorer,
};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::total::Total;
use marginalia_tables::Error;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Groups {
    /// Of each level how many potentials the prior of a group has, and the group itself.
    pub fn lengths(&self) -> Vec<u32> {
        self.hierarchy.lengths().into_iter().flat_map(|(v, u)| [v as u32, u as u32]).collect()
    }

    /// Of each group how many steps of Algorithm 1 make it again; 0 where it has potentials.
    pub fn steps(&self) -> Vec<f64> {
        self.states(0, usize::MAX).map(|state| state.steps() as f64).collect()
    }

    /// The potentials of so many groups from one on: of each those of its prior and then its own.
    pub fn numbers(&self, first: usize, groups: usize) -> Result<Vec<f64>> {
        let count = self.states(first, groups).map(|state| state.numbers().count()).sum();
        let mut all = Vec::new();
        all.try_reserve_exact(count).map_err(|_| Error::out_of_memory(8 * count))?;
        all.extend(self.states(first, groups).flat_map(State::numbers));
        Ok(all)
    }
}

impl Groups {
    fn states(&self, first: usize, groups: usize) -> impl Iterator<Item = &State> {
        self.hierarchy.states.iter().skip(first).take(groups).flatten().map(Arc::as_ref)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Restoring {
    levels: Vec<RestoredLevel>,
    /// How many records the shared rows are worth.
    strength: f64,
    /// What made the estimates.
    estimator: String,
    seed: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RestoredLevel {
    measurements: Vec<Value>,
    /// The cliques of public counts.
    public: Vec<Vec<u16>>,
}

/// Groups on shared rows that are to be put together again: measurements of each level as JSON, and the values of one after another.
/// The cells of rows are kept in at most `limit` bytes.
#[wasm_bindgen(js_name = restoreGroups, unchecked_return_type = "Job<GroupsRestorer>")]
pub fn restore_groups(shared: &SharedRows, values: &[f64], options: &str, limit: f64) -> Result<Job> {
    let options: Restoring = parse(options)?;
    let (plan, mut rest) = (&shared.plan, values);
    let mut levels = Vec::new();
    for level in &options.levels {
        let measured = measurements(plan, &level.measurements, &mut rest)?;
        // Of what has potentials these say what it came to.
        let none = (CalibratedEstimator::default(), Strength::Fixed(1.0));
        let estimator = estimator_named(&options.estimator, plan, &measured, none)?;
        let public = public(plan, &level.public)?;
        levels.push(LevelAnswers { measurements: measured, estimator, public, between: 1.0 });
    }
    let (plan, base) = (Arc::clone(plan), Arc::clone(&shared.shared.base));
    let seed = seed(&options.seed)?;
    let job = restorer(plan, base, options.strength, levels, seed, limit as u64)?;
    let shared = shared.shared.clone();
    Ok(Job::new(job, |groups| Ok(GroupsRestorer { groups, shared }.into())))
}

/// Groups that are put together again, group after group.
#[wasm_bindgen]
pub struct GroupsRestorer {
    groups: Restorer,
    shared: Shared,
}

#[wasm_bindgen]
impl GroupsRestorer {
    /// How many numbers the next groups have.
    pub fn numbers(&self, groups: usize) -> usize {
        self.groups.numbers(groups)
    }

    /// Takes the next groups: of each its total, the variance, what it is worth and its steps, and their numbers one after
    /// another.
    pub fn push(&mut self, figures: &[f64], numbers: &[f64]) -> Result<()> {
        let groups = &mut self.groups;
        let mut rest = numbers;
        for [value, variance, worth, steps] in figures.as_chunks::<4>().0 {
            let Some((own, later)) = rest.split_at_checked(groups.numbers(1)) else {
                return Err(invalid("a group that was kept has fewer potentials than cells").into());
            };
            let total = Total { value: *value, variance: *variance };
            groups.push(Figures { total, worth: *worth, steps: *steps as usize }, own)?;
            rest = later;
        }
        match rest.is_empty() {
            true => Ok(()),
            false => Err(invalid("a group that was kept has more potentials than cells").into()),
        }
    }

    /// All groups, when all were taken.
    pub fn finish(self) -> Result<Groups> {
        Ok(Groups { hierarchy: self.groups.finish()?, shared: self.shared })
    }
}

/// Cliques of public counts, whose values nobody looks at any more.
fn public(plan: &HierarchyPlan, cliques: &[Vec<u16>]) -> Result<Vec<Measurement>> {
    let sizes = plan.domain().sizes();
    if cliques.iter().flatten().any(|a| usize::from(*a) >= sizes.len()) {
        return Err(invalid("public counts are of an attribute that is not there").into());
    }
    let one = |clique: &Vec<u16>| Measurement { clique: clique.clone(), answers: Vec::new(), variance: 1.0 };
    Ok(cliques.iter().map(one).collect())
}
