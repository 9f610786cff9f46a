//! Serves `ts/engine/operations/errors.ts`: standard errors of answers.

use crate::model::Model;
use crate::saved::condition;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, query, whole};
use marginalia_estimate::errors::{ErrorsJob, Evidence, Question, Spread};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::total::Total;
use marginalia_tables::{Code, Error};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// The working out of standard errors.
#[wasm_bindgen]
pub struct SpreadJob(ErrorsJob);

#[wasm_bindgen]
impl SpreadJob {
    /// The errors of what a model answers: measurements as JSON and the values of one after another, and as JSON the
    /// total and its variance, the strength of the prior, the questions and whether answers are shares. `attributes` and
    /// `allowed` say which rows are asked about. The cells of rows are kept in at most `limit` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(
        model: &Model,
        measurements: &str,
        values: &[f64],
        options: &str,
        attributes: &[u16],
        allowed: &[u8],
        limit: f64,
    ) -> Result<SpreadJob> {
        let options: Value = parse(options)?;
        let model = model.shared();
        let total = Total { value: number(&options["total"])?, variance: number(&options["variance"])? };
        let strength = number(&options["strength"])?;
        let measurements = measured(model.base(), measurements, values)?;
        let evidence = Evidence { measurements, total, strength };
        let normalize = options["normalize"].as_bool().unwrap_or_default();
        let condition = condition(model.base().domain().sizes(), attributes, allowed)?;
        let base = model.base();
        let questions = questions(|clique| base.cells(clique).ok().map(u64::from), &options["questions"])?;
        Ok(Self(ErrorsJob::new(model, evidence, questions, &condition, normalize, limit as u64)?))
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

/// For each answer the variance by the noise, and by what is left open.
pub(crate) fn both(spreads: &[Spread]) -> Result<Vec<f64>> {
    let mut both = Vec::new();
    both.try_reserve_exact(2 * spreads.len()).map_err(|_| Error::out_of_memory(16 * spreads.len()))?;
    spreads.iter().for_each(|spread| both.extend([spread.noise, spread.open]));
    Ok(both)
}

fn measured(base: &Base, measurements: &str, values: &[f64]) -> std::result::Result<Vec<Measurement>, Error> {
    let list: Vec<Value> = parse(measurements)?;
    let mut rest = values;
    let mut all = Vec::new();
    for one in &list {
        let clique: Vec<u16> = whole(&one["clique"])?;
        let Some((answers, later)) = rest.split_at_checked(base.cells(&clique)? as usize) else {
            return Err(invalid("a measurement needs one value for each cell of its clique"));
        };
        rest = later;
        all.push(Measurement { clique, answers: answers.to_vec(), variance: number(&one["variance"])? });
    }
    Ok(all)
}

/// Questions to cliques, by how many cells each has where it is one.
pub(crate) fn questions(
    cells: impl Fn(&[u16]) -> Option<u64>,
    list: &Value,
) -> std::result::Result<Vec<Question>, Error> {
    let question = |one: &Value| {
        let clique: Vec<u16> = whole(&one["clique"])?;
        let cells = cells(&clique)
            .ok_or_else(|| Error::new(Code::AttributeUnknown, "a question is of no clique of the schema"))?;
        let query = query(&one["query"], cells as usize)?;
        Ok(Question { clique, query })
    };
    list.as_array().map_or(&[][..], |list| list).iter().map(question).collect()
}

pub(crate) fn number(value: &Value) -> std::result::Result<f64, Error> {
    value.as_f64().ok_or_else(|| invalid("an option has the wrong type"))
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
