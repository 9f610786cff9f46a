//! Serves `ts/engine/operations/model.ts`: what only graphical models have.

use crate::job::Job;
use crate::model::Model;
use crate::reading::{rules, seed};
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_binding::table::Table;
use marginalia_estimate::models::graphical::{Factor, GraphicalModel, Roots, Ruled, cost};
use marginalia_estimate::models::{Model as _, narrowed};
use marginalia_estimate::records::Method;
use marginalia_tables::{Domain, Schema, Workload};
use serde_json::json;
use std::collections::BTreeSet;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Model {
    /// Rows with what is missing drawn: the codes of each attribute that is not derived, one after another, −1 where one is missing;
    /// in at most `limit` bytes.
    #[wasm_bindgen(unchecked_return_type = "Job<Table>")]
    pub fn complete(&self, codes: &[i32], method: &str, digits: &str, limit: f64) -> Result<Job> {
        let model = narrowed::<GraphicalModel>(&self.shared())?;
        let base = model.schema().base().len();
        let rows = codes.len() / base;
        let column =
            |at: usize| codes[at * rows..][..rows].iter().map(|code| u16::try_from(*code).ok()).collect();
        let columns = (0..base).map(column).collect();
        let job = model.complete(columns, Method::named(method)?, seed(digits)?, limit)?;
        Ok(Job::new(job, |table| Ok(Table::new(table).into())))
    }

    /// The answers to products of queries, which are the rows of a matrix of each of some attributes: of all combinations where they
    /// are `combined`, in at most `limit` bytes.
    #[wasm_bindgen(unchecked_return_type = "Job<Float64Array<ArrayBuffer>>")]
    pub fn products(
        &self,
        attributes: &[u16],
        rows: &[f64],
        starts: &[u32],
        combined: bool,
        limit: f64,
    ) -> Result<Job> {
        let factor = |(attribute, at): (&u16, &[u32])| {
            let rows = rows.get(at[0] as usize..at[1] as usize).unwrap_or_default().to_vec();
            Factor { attribute: *attribute, rows }
        };
        let factors = attributes.iter().zip(starts.windows(2)).map(factor).collect();
        let job = narrowed::<GraphicalModel>(&self.shared())?.products(factors, combined, limit)?;
        Ok(Job::new(job, |answers| Ok(answers.into())))
    }
}

/// What a model of some cliques takes, as JSON: clique `i` is `attributes[starts[i]..starts[i + 1]]`.
#[wasm_bindgen(js_name = sizeOf)]
pub fn size_of(schema: &str, attributes: &[u16], starts: &[u32]) -> Result<String> {
    let schema = Schema::from_json(schema)?;
    let starts = starts.iter().map(|start| *start as usize).collect();
    let workload = Workload::new(Domain::new(schema.sizes()), attributes.to_vec(), starts)?;
    let roots = Roots::new(&schema);
    let cliques: BTreeSet<Vec<u16>> = workload.cliques().map(|clique| roots.roots(clique)).collect();
    let cost = cost(&schema.sizes(), &cliques.into_iter().collect::<Vec<_>>())?;
    let (bytes, seconds) = (cost.bytes(), cost.seconds());
    Ok(json!({ "bytes": bytes, "seconds": seconds, "largest": cost.largest, "widest": cost.widest })
        .to_string())
}

/// Refuses rules that contradict each other, with their names.
#[wasm_bindgen(js_name = checkRules)]
pub fn check_rules(schema: &str, list: &str, limit: f64) -> Result<()> {
    Ruled::new(&Schema::from_json(schema)?, &rules(&parse(list)?)?, limit)?;
    Ok(())
}
