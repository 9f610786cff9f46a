//! Serves `ts/mechanisms/kit/weights/`: rounds of multiplicative weights, and what they answer between.

use crate::estimate::measured;
use crate::job::Job;
use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_estimate::estimators::Options;
use marginalia_estimate::estimators::multiplicative::{self, rule};
use marginalia_tables::{Code, Error, Schema, Workload};
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// The weights after the rounds so far.
#[wasm_bindgen]
pub struct Iterate {
    iterate: multiplicative::Iterate,
    schema: Arc<Schema>,
    workload: Workload,
    records: f64,
}

#[wasm_bindgen]
impl Iterate {
    /// Of a prior, before any round, by the options of the estimator, a seed and how many records it stands for; clique `i` of what is answered is
    /// `flat[starts[i]..starts[i + 1]]`.
    #[wasm_bindgen(unchecked_return_type = "Job<Iterate>")]
    pub fn begin(
        prior: &PriorBase,
        flat: Vec<u16>,
        starts: Vec<u32>,
        options: &str,
        limit: f64,
    ) -> Result<Job> {
        let options: Value = parse(options)?;
        let options = Options(&options);
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let workload = Workload::new(prior.base.domain().clone(), flat, starts)?;
        let schema = Arc::clone(&prior.schema);
        let seed = options.text("seed")?.parse();
        let seed = seed.map_err(|_| Error::new(Code::OptionInvalid, "the seed is not a 64-bit number"))?;
        let how = (rule(options)?, options.whole("projections")? as usize, seed);
        let begun = multiplicative::Iterate::begin(Arc::clone(&prior.base), &workload, how, limit as u64)?;
        let records = options.number("records")?;
        let made = move |iterate| Ok(Self { iterate, schema, workload, records }.into());
        Ok(Job::new(begun, made))
    }

    /// The places of the cells that a row lies in, among all of the workload.
    pub fn places(&self) -> Vec<u32> {
        self.iterate.places(&self.workload)
    }

    /// How many these are.
    pub fn cells(&self) -> f64 {
        self.iterate.answers().len() as f64
    }

    /// A round for each of some measurements of a table of so many records.
    pub fn meet(&mut self, measurements: &str, values: &[f64], records: f64) -> Result<()> {
        self.records = records;
        for one in measured(&self.schema, measurements, values)? {
            self.iterate.meet(&one, records)?;
        }
        Ok(())
    }

    /// What is answered to some consecutive of these cells, in records.
    pub fn block(&self, from: f64, to: f64) -> Vec<f64> {
        let answers = &self.iterate.answers()[from as usize..to as usize];
        answers.iter().map(|answer| answer * self.records).collect()
    }
}
