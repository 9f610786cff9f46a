//! Serves `ts/engine/operations/groups-errors.ts`: standard errors of what groups answer, and parts of them.

use crate::errors_of::{both, number, questions};
use crate::groups::Groups;
use crate::hierarchy::{measurements, rule};
use crate::job::Job;
use crate::model::condition;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, whole};
use marginalia_estimate::hierarchy::{
    ErrorShares, GroupErrorsRequest, GroupEvidence, Hierarchy, group_errors, parts,
};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// The errors of what groups answer together: the measurements of each level as JSON and the values of one after
/// another, and as JSON the places of the groups, how totals were found, the questions and, for shares, the records that
/// they are parts of. `shares` are the answers then. `attributes` and `allowed` say which records are asked about. For each
/// answer the variance by the noise, and by what is left open.
#[wasm_bindgen(js_name = groupErrors, unchecked_return_type = "Job<Float64Array<ArrayBuffer>>")]
pub fn errors_of_groups(
    groups: &Groups,
    levels: &str,
    values: &[f64],
    options: &str,
    shares: Vec<f64>,
    attributes: &[u16],
    allowed: &[u8],
) -> Result<Job> {
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
    let request = GroupErrorsRequest {
        groups: whole(&options["groups"])?,
        questions: questions(|clique| plan.domain().cells(clique), &options["questions"])?,
        condition: condition(plan.domain().sizes(), attributes, allowed)?,
        shares,
    };
    let job = group_errors(setup, states, evidence, request)?;
    Ok(Job::new(job, |spreads| Ok(both(&spreads)?.into())))
}

/// Which share of each of the groups at these places meets a condition on attributes that are none of groups.
#[wasm_bindgen(js_name = partsOfGroups, unchecked_return_type = "Job<Float64Array<ArrayBuffer>>")]
pub fn parts_of_groups(groups: &Groups, places: Vec<u32>, attributes: &[u16], allowed: &[u8]) -> Result<Job> {
    let Hierarchy { setup, states } = groups.hierarchy.clone();
    let condition = condition(setup.plan().domain().sizes(), attributes, allowed)?;
    let places = places.into_iter().map(|place| place as usize).collect();
    Ok(Job::new(parts(setup, states, places, &condition)?, |shares| Ok(shares.into())))
}
