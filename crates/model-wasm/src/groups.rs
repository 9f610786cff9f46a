//! Serves `ts/engine/operations/hierarchy.ts` too: what is asked of groups that were estimated.

use crate::hierarchy::lanes;
use crate::job::Job;
use crate::model::{Model, answers, condition};
use crate::reading::{cliques, seed};
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::hierarchy::{
    GroupRecordsRequest, Hierarchy, Level, Shared, answer, model, records_of_shared, weights,
};
use marginalia_estimate::records::Method;
use marginalia_tables::Workload;
use serde::Deserialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Groups that were estimated.
#[wasm_bindgen]
pub struct Groups {
    pub(crate) hierarchy: Hierarchy,
    pub(crate) shared: Shared,
}

#[wasm_bindgen]
impl Groups {
    /// The rows that groups share.
    pub fn rows(&self) -> usize {
        self.shared.base.rows()
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.hierarchy.setup.levels().len()
    }

    /// Of each level the factor of the strengths of its priors, and by how many standard errors its answers contradicted
    /// them; not numbers where nobody asked these.
    pub fn judged(&self) -> Vec<f64> {
        let of = |level: &Level| level.judged().map_or([f64::NAN; 2], |one| [one.trust, one.excess]);
        self.hierarchy.setup.levels().iter().flat_map(of).collect()
    }
}

/// The sum of what groups of the last level at these places answer to a workload, clique `i` of which is
/// `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
#[wasm_bindgen(js_name = answerGroups, unchecked_return_type = "Job<Answers>")]
pub fn answer_groups(
    groups: &Groups,
    places: Vec<u32>,
    flat: Vec<u16>,
    starts: Vec<u32>,
    limit: f64,
) -> Result<Job> {
    let starts = starts.into_iter().map(|start| start as usize).collect();
    let Hierarchy { setup, states } = groups.hierarchy.clone();
    let workload = Arc::new(Workload::new(setup.plan().domain().clone(), flat, starts)?);
    let (places, limit) = (places.into_iter().map(|place| place as usize).collect(), limit as u64);
    let job = answer(setup, states, places, Arc::clone(&workload), limit)?;
    Ok(Job::new(job, move |cells| Ok(answers(workload, cells, limit)?.into())))
}

/// The distribution of a group of the last level.
#[wasm_bindgen(js_name = modelOfGroup, unchecked_return_type = "Job<Model>")]
pub fn model_of_group(groups: &Groups, group: usize) -> Result<Job> {
    let Hierarchy { setup, states } = &groups.hierarchy;
    let (plan, schema) = (Arc::clone(setup.plan()), Arc::clone(groups.shared.rows.schema()));
    let job = weights(Arc::clone(setup), states, group)?;
    Ok(Job::new(job, move |found| Ok(Model::of_rows(model(&plan, group, &found)?, schema)?.into())))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Recording {
    method: String,
    seed: String,
}

/// Records of groups at these places that meet a condition on attributes that are none of groups, each place with a number of
/// records; the method and the seed as JSON. `flat` and `starts` are the tables that controlled rounding keeps in each.
#[wasm_bindgen(js_name = recordsOfGroups, unchecked_return_type = "Job<Table>")]
pub fn records_of_groups(
    groups: &Groups,
    wanted: &[f64],
    flat: Vec<u16>,
    starts: Vec<u32>,
    options: &str,
    attributes: &[u16],
    allowed: &[u8],
) -> Result<Job> {
    let Recording { method, seed: digits } = parse(options)?;
    let hierarchy = groups.hierarchy.clone();
    let targets = cliques(&groups.shared.rows.domain(), &flat, &starts)?;
    let condition = condition(hierarchy.setup.plan().domain().sizes(), attributes, allowed)?;
    let wanted = wanted.as_chunks::<2>().0.iter();
    let wanted: Vec<_> = wanted.map(|[group, records]| (*group as usize, *records as u64)).collect();
    let (method, seed, lanes) = (Method::named(&method)?, seed(&digits)?, lanes(wanted.len()));
    let request = GroupRecordsRequest { wanted, method, seed, condition, lanes };
    let job = records_of_shared(&groups.shared, hierarchy, targets, request);
    Ok(Job::new(job, |table| Ok(Table::new(table).into())))
}
