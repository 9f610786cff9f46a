//! Serves `ts/engine/operations/hierarchy.ts`: releases of groups within groups.

use crate::groups::Groups;
use crate::job::Job;
use crate::kinds::ESTIMATORS;
use crate::reading::seed;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, whole};
use marginalia_binding::table::Table;
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::strength::{GAUSSIAN, LAPLACE};
use marginalia_estimate::estimators::{Status, estimator, iterative};
use marginalia_estimate::hierarchy::{
    GroupEstimator, GroupsJob, Hierarchy, HierarchyPlan, HierarchyRequest, LevelAnswers, Shared, Strength,
    TotalRule, apportion, between, blanked, estimate_groups,
};
use marginalia_estimate::job::threads;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::priors::dependencies::Followed;
use marginalia_estimate::total::Total;
use marginalia_tables::{Code, Error, Schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// What follows from a code, of `pair` the second from the first; a number is null where there is none.
fn follows(one: &Value) -> std::result::Result<(u16, Followed), Error> {
    let pair: Vec<u16> = whole(&one["pair"])?;
    let [from, to] = pair[..] else { return Err(invalid("what follows is named by two attributes")) };
    let numbers = one["numbers"].as_array().map_or(&[][..], |list| list);
    let numbers = numbers.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect();
    Ok((from, Followed { to, codes: whole(&one["codes"])?, numbers }))
}

/// The declared groups of a schema.
#[wasm_bindgen]
pub struct GroupPlan {
    plan: Arc<HierarchyPlan>,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl GroupPlan {
    /// The groups of a chain of levels, each a list of attributes; `declared` says what follows from those of the last.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, levels: &str, declared: &str) -> Result<GroupPlan> {
        let schema = Arc::new(Schema::from_json(schema)?);
        let levels: Vec<Vec<u16>> = parse(levels)?;
        let list: Vec<Value> = parse(declared)?;
        let more: Vec<(u16, Followed)> = list.iter().map(follows).collect::<std::result::Result<_, _>>()?;
        Ok(Self { plan: Arc::new(HierarchyPlan::following(&schema, levels, &more)?), schema })
    }

    /// Of each group its level, the group that it lies within (−1 for none), and its codes of the attributes of its
    /// level.
    pub fn groups(&self) -> Vec<f64> {
        let mut flat = Vec::new();
        for group in self.plan.groups() {
            flat.push(group.level as f64);
            flat.push(group.parent.map_or(-1.0, |parent| parent as f64));
            let own = &self.plan.levels()[group.level];
            flat.extend(own.iter().map(|a| self.plan.code(group, *a).map_or(-1.0, f64::from)));
        }
        flat
    }

    /// How many records what a group lies within is worth as its prior, for each level: by public counts, the cliques of
    /// each level as JSON and the values of one after another.
    pub fn between(&self, counts: &str, values: &[f64]) -> Result<Vec<f64>> {
        let (levels, mut rest): (Vec<Vec<Value>>, _) = (parse(counts)?, values);
        let of = |level: &Vec<Value>| measurements(&self.plan, level, &mut rest);
        let counts: Vec<Vec<Measurement>> = levels.iter().map(of).collect::<std::result::Result<_, _>>()?;
        Ok(between(&self.plan, &counts)?)
    }
}

/// How many whole records each of some totals gets of all.
#[wasm_bindgen]
pub fn apportioned(totals: &[f64], records: f64) -> Result<Vec<f64>> {
    let total = |value: &f64| Total { value: *value, variance: 0.0 };
    let totals: Vec<Total> = totals.iter().map(total).collect();
    Ok(apportion(&totals, records as u64)?.into_iter().map(|records| records as f64).collect())
}

/// The rows of a public table, or about `most` of them, without what tells groups apart.
#[wasm_bindgen(js_name = blankRows, unchecked_return_type = "Job<Table>")]
pub fn blank_rows(plan: &GroupPlan, table: Table, most: f64, digits: &str) -> Result<Job> {
    let job = blanked(&plan.plan, table.shared(), most as usize, seed(digits)?)?;
    Ok(Job::new(job, |table| Ok(Table::new(table).into())))
}

/// Rows that all groups share.
#[wasm_bindgen]
pub struct SharedRows {
    pub(crate) plan: Arc<HierarchyPlan>,
    pub(crate) shared: Shared,
}

#[wasm_bindgen]
impl SharedRows {
    /// The distinct rows of a table that was made by [`blank_rows`].
    #[wasm_bindgen(constructor)]
    pub fn new(plan: &GroupPlan, table: Table) -> Result<SharedRows> {
        let table = table.shared();
        if table.schema() != &plan.schema {
            return Err(invalid("the shared rows are under another schema than the groups").into());
        }
        Ok(Self { plan: Arc::clone(&plan.plan), shared: Shared::new(&plan.plan, table)? })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.shared.base.rows()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunOptions {
    levels: Vec<LevelOptions>,
    /// How many records the shared rows are worth.
    strength: f64,
    totals: String,
    /// The number of all records, where that is known, and those of groups, by their places.
    all: Option<f64>,
    known: Vec<(usize, f64)>,
    laplace: bool,
    /// What makes the estimates: Algorithm 1 with the settings of the paper, if that.
    estimator: String,
    tolerance: f64,
    passes: u64,
    seed: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LevelOptions {
    measurements: Vec<Value>,
    /// The cliques of public counts.
    public: Vec<Value>,
    /// How many records the prior of a group is worth, where somebody said so.
    fixed: Option<f64>,
    /// How many records what a group lies within is worth to it.
    between: f64,
    sweeps: usize,
}

/// The estimation of all groups: measurements of each level, then its public counts, as JSON, and the values of one after
/// another. The cells of rows are kept in at most `limit` bytes.
#[wasm_bindgen(js_name = estimateGroups, unchecked_return_type = "Job<Groups>")]
pub fn estimate_all(shared: &SharedRows, values: &[f64], options: &str, limit: f64) -> Result<Job> {
    let options: RunOptions = parse(options)?;
    let plan = &shared.plan;
    let (rule, agree) = rule(&options.totals)?;
    let (mut levels, mut rest) = (Vec::new(), values);
    for level in &options.levels {
        let answers = measurements(plan, &level.measurements, &mut rest)?;
        let public = measurements(plan, &level.public, &mut rest)?;
        let (tolerance, passes, sweeps) = (options.tolerance, options.passes, level.sweeps);
        let how = CalibratedEstimator { tolerance, passes, sweeps, ..CalibratedEstimator::default() };
        let strength = strength(level.fixed, !public.is_empty(), level.between);
        let estimator = estimator_named(&options.estimator, plan, &answers, (how, strength))?;
        let between = level.between;
        levels.push(LevelAnswers { measurements: answers, estimator, public, between });
    }
    let lanes = lanes(plan.of_level(plan.levels().len().saturating_sub(1)).count());
    let (seed, limit) = (seed(&options.seed)?, limit as u64);
    let spread = if options.laplace { LAPLACE } else { GAUSSIAN };
    let (all, known) = (options.all, options.known);
    let request = HierarchyRequest { levels, rule, agree, all, known, spread, lanes, seed, limit };
    let base = Arc::clone(&shared.shared.base);
    let job = estimate_groups(Arc::clone(plan), base, options.strength, request)?;
    let shared = shared.shared.clone();
    Ok(Job::telling(job, finished, |hierarchy| Ok(Groups { hierarchy, shared }.into())))
}

/// Of each group that was finished since this was last asked: its place, how it ended (0 converged, 1 limit,
/// 2 refused), its relative gap, the relative entropy to its prior, its total with the variance, what it is worth as a
/// prior, and the records that its answers have where no row is.
fn finished(job: &mut GroupsJob<Hierarchy>) -> Vec<f64> {
    let flat = job.take().into_iter().flat_map(|one| {
        let status = match one.status {
            Status::Converged => 0.0,
            Status::Refused => 2.0,
            _ => 1.0,
        };
        let (gap, entropy) = one.certificate.gap_and_entropy().unwrap_or((f64::NAN, f64::NAN));
        let Total { value, variance } = one.state.total;
        [one.group as f64, status, gap, entropy, value, variance, one.state.worth, one.outside.iter().sum()]
    });
    flat.collect()
}

/// The estimator of a level: Algorithm 1 with the settings of the paper for these measurements, or one to the tolerance of the
/// calibrated one.
pub(crate) fn estimator_named(
    name: &str,
    plan: &HierarchyPlan,
    answers: &[Measurement],
    (calibrated, strength): (CalibratedEstimator, Strength),
) -> std::result::Result<GroupEstimator, Error> {
    let is_measured = |one: &&Measurement| one.clique.iter().any(|a| plan.rest().contains(a));
    match name {
        "calibrated" => Ok(GroupEstimator::calibrated(calibrated, strength)),
        "iterative" => Ok(GroupEstimator::iterative(iterative::Options::paper(
            answers.iter().filter(is_measured).count(),
        ))),
        other => {
            let (tolerance, solver) = (calibrated.tolerance, Value::Null);
            let options =
                json!({ "target": "loss", "entropy": true, "tolerance": tolerance, "solver": solver });
            GroupEstimator::new(estimator(ESTIMATORS, other, &options)?, None)
        }
    }
}

/// What says how many records a group has, and whether totals agree.
pub(crate) fn rule(totals: &str) -> std::result::Result<(TotalRule, bool), Error> {
    match totals {
        "count" => Ok((TotalRule::Count, false)),
        "combined" => Ok((TotalRule::Combined, false)),
        "consistent" => Ok((TotalRule::Combined, true)),
        _ => Err(invalid("`totals` is count, combined or consistent")),
    }
}

/// What says how much the prior of a group of a level is worth.
pub(crate) fn strength(fixed: Option<f64>, known: bool, between: f64) -> Strength {
    match fixed {
        Some(records) => Strength::Fixed(records),
        // Where the public table knows the group, the prior says itself what it is worth.
        None if known => Strength::Harmonic { most: f64::INFINITY },
        None => Strength::Harmonic { most: between },
    }
}

/// Measurements by all attributes, each with its variance.
pub(crate) fn measurements(
    plan: &HierarchyPlan,
    list: &[Value],
    rest: &mut &[f64],
) -> std::result::Result<Vec<Measurement>, Error> {
    let one = |one: &Value| {
        let clique: Vec<u16> = whole(&one["clique"])?;
        let sizes = plan.domain().sizes();
        if clique.iter().any(|a| usize::from(*a) >= sizes.len()) {
            return Err(Error::new(Code::AttributeUnknown, "a clique names an attribute that is not there"));
        }
        let cells = plan.domain().cells(&clique).unwrap_or(u64::MAX) as usize;
        let Some((now, later)) = rest.split_at_checked(cells) else {
            return Err(invalid("a measurement needs one value for each of its answers"));
        };
        *rest = later;
        let variance = one["variance"].as_f64().ok_or_else(|| invalid("a measurement needs its variance"))?;
        Ok(Measurement { clique, answers: now.to_vec(), variance })
    };
    list.iter().map(one).collect()
}

/// Groups side by side: where there are many for each thread, every thread has its own.
pub(crate) fn lanes(groups: usize) -> usize {
    if groups >= 4 * threads() { threads() } else { 1 }
}

pub(crate) fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
