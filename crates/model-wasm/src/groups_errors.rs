//! Serves `ts/engine/operations/groups-errors.ts`: standard errors of what groups answer, and parts of them.

use crate::errors_of::{both, number, questions};
use crate::groups::Groups;
use crate::hierarchy::{measurements, rule};
use crate::model::condition;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, whole};
use marginalia_estimate::hierarchy::{
    ErrorShares, ErrorsAsked, GroupErrorsJob, GroupEvidence, Hierarchy, PartJob,
};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// The working out of standard errors of groups.
#[wasm_bindgen]
pub struct GroupsSpreadJob(GroupErrorsJob);

#[wasm_bindgen]
impl GroupsSpreadJob {
    /// The errors of what groups answer together: the measurements of each level as JSON and the values of one after
    /// another, and as JSON the places of the groups, how totals were found, the questions and, for shares, the records that
    /// they are parts of. `shares` are the answers then. `attributes` and `allowed` say which records are asked about.
    #[wasm_bindgen(constructor)]
    pub fn new(
        groups: &Groups,
        levels: &str,
        values: &[f64],
        options: &str,
        shares: Vec<f64>,
        attributes: &[u16],
        allowed: &[u8],
    ) -> Result<GroupsSpreadJob> {
        let Hierarchy { setup, states } = groups.hierarchy.clone();
        let plan = setup.plan();
        let options: Value = parse(options)?;
        let (levels, mut rest): (Vec<Vec<Value>>, _) = (parse(levels)?, values);
        let of = |level: &Vec<Value>| measurements(plan, level, &mut rest);
        let measured = levels.iter().map(of).collect::<std::result::Result<_, _>>()?;
        let (rule, agree) = rule(options["totals"].as_str().unwrap_or_default())?;
        let evidence = GroupEvidence { measurements: measured, rule, agree };
        let shares = match &options["records"] {
            Value::Null => None,
            records => Some(ErrorShares { records: number(records)?, answers: shares }),
        };
        let asked = ErrorsAsked {
            groups: whole(&options["groups"])?,
            questions: questions(|clique| plan.domain().cells(clique), &options["questions"])?,
            condition: condition(plan.domain().sizes(), attributes, allowed)?,
            shares,
        };
        Ok(Self(GroupErrorsJob::new(setup, states, evidence, asked)?))
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.0.step(work as u64)?)
    }

    /// The answers done.
    pub fn done(&self) -> f64 {
        self.0.done() as f64
    }

    /// All answers.
    pub fn total(&self) -> f64 {
        self.0.total() as f64
    }

    /// For each answer the variance by the noise, and by what is left open.
    pub fn finish(self) -> Result<Vec<f64>> {
        both(&self.0.finish()?)
    }
}

/// The working out of which part of each group meets a condition.
#[wasm_bindgen]
pub struct GroupPartsJob(PartJob);

#[wasm_bindgen]
impl GroupPartsJob {
    /// A job for groups at these places, and a condition on attributes that are none of groups.
    #[wasm_bindgen(constructor)]
    pub fn new(
        groups: &Groups,
        places: Vec<u32>,
        attributes: &[u16],
        allowed: &[u8],
    ) -> Result<GroupPartsJob> {
        let Hierarchy { setup, states } = groups.hierarchy.clone();
        let condition = condition(setup.plan().domain().sizes(), attributes, allowed)?;
        let places = places.into_iter().map(|place| place as usize).collect();
        Ok(Self(PartJob::new(setup, states, places, &condition)?))
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.0.step(work as u64)?)
    }

    /// Groups done.
    pub fn done(&self) -> f64 {
        self.0.done() as f64
    }

    /// All groups.
    pub fn total(&self) -> f64 {
        self.0.total() as f64
    }

    /// The share of each group.
    pub fn finish(self) -> Result<Vec<f64>> {
        Ok(self.0.finish()?)
    }
}
