//! Serves `ts/estimate/`.

use crate::model::Model;
use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, query, whole};
use marginalia_estimate::estimators::estimation::{
    Asked, Calibration, Estimate, Iteration, Law, Loss, Settings,
};
use marginalia_estimate::estimators::iterative::{Choice, Options, Order};
use marginalia_estimate::estimators::strength::{Bootstrap, Rule};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Schema};
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

enum Job {
    Calibrated(Calibration),
    Iterative(Box<Iteration>),
}

/// An estimation in the making.
#[wasm_bindgen]
pub struct EstimateJob {
    job: Job,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl EstimateJob {
    /// A calibrated estimation: measurements and options as JSON, and the values of one measurement after another.
    /// The cells of rows are kept in at most `limit` bytes.
    pub fn calibrated(
        prior: &PriorBase,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        let options: Value = parse(options)?;
        let (asked, variances, noises) = asked(&prior.base, measurements, values)?;
        let total = total(&options, &asked, &variances)?;
        let settings = Settings {
            loss: match options["loss"].as_str() {
                Some("l2") => Loss::L2,
                Some("l1") => Loss::L1,
                _ => return Err(invalid("`loss` is l2 or l1").into()),
            },
            rule: rule(&options)?,
            public: number(&options["public"])?,
            tolerance: number(&options["tolerance"])?,
            passes: number(&options["passes"])? as u64,
            seed: seed(&options)?,
        };
        let measurements = asked.into_iter().zip(variances).map(measurement);
        let measurements = measurements.collect::<std::result::Result<_, _>>()?;
        let job = Calibration::new(prior.base.clone(), measurements, noises, total, settings, limit as u64)?;
        Ok(Self { job: Job::Calibrated(job), schema: prior.schema.clone() })
    }

    /// An iterative estimation from a model, which may be the prior itself.
    pub fn iterative(
        start: &Model,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        let options: Value = parse(options)?;
        let (asked, variances, _) = asked(start.shared().base(), measurements, values)?;
        let total = total(&options, &asked, &variances)?;
        let how = Options {
            choice: match options["choice"].as_str() {
                Some("kl") => Choice::Kl,
                Some("rescale") => Choice::Rescale,
                Some("euclidean") => Choice::Euclidean,
                _ => return Err(invalid("`choice` is none of kl, rescale, euclidean").into()),
            },
            order: match options["order"].as_str() {
                Some("random") => Order::Random,
                Some("sweeps") => Order::Sweeps,
                Some("worst") => Order::Worst,
                _ => return Err(invalid("`order` is none of random, sweeps, worst").into()),
            },
            damping: number(&options["damping"])?,
            steps: number(&options["steps"])? as usize,
            tolerance: number(&options["tolerance"])?,
            every: number(&options["every"])? as usize,
            seed: seed(&options)?,
        };
        let job = Iteration::new(start.shared(), &asked, total, how, limit as u64)?;
        Ok(Self { job: Job::Iterative(Box::new(job)), schema: start.schema.clone() })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(match &mut self.job {
            Job::Calibrated(job) => job.step(work as u64)?,
            Job::Iterative(job) => job.step(work as u64)?,
        })
    }

    /// The units done; how many there are is not known.
    pub fn done(&self) -> f64 {
        (match &self.job {
            Job::Calibrated(job) => job.done(),
            Job::Iterative(job) => job.done(),
        }) as f64
    }

    /// How many judgements there are.
    pub fn judgements(&self) -> usize {
        match &self.job {
            Job::Calibrated(job) => job.judgements(),
            Job::Iterative(job) => job.judgements(),
        }
    }

    /// The best model so far.
    pub fn finish(self) -> Result<Estimated> {
        let estimate = match self.job {
            Job::Calibrated(job) => job.finish()?,
            Job::Iterative(job) => job.finish()?,
        };
        Ok(Estimated { estimate, schema: self.schema })
    }
}

/// What came of an estimation.
#[wasm_bindgen]
pub struct Estimated {
    estimate: Estimate,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl Estimated {
    /// How it ended.
    pub fn status(&self) -> String {
        self.estimate.status.as_str().to_owned()
    }

    /// The total and its variance, the strength, the consistency, and the gap, the relative gap, the value, the bound
    /// and the entropy of the certificate, and the flatness; NaN for what there is not.
    pub fn figures(&self) -> Vec<f64> {
        let Estimate { total, strength, consistency, flatness, certificate, .. } = &self.estimate;
        let or_none = |figure: &Option<f64>| figure.unwrap_or(f64::NAN);
        let certificate = certificate.map_or([f64::NAN; 5], |certificate| {
            let relative = certificate.relative();
            [certificate.gap, relative, certificate.primal, certificate.dual, certificate.entropy]
        });
        let mut figures = vec![total.value, total.variance, or_none(strength), or_none(consistency)];
        figures.extend(certificate);
        figures.push(or_none(flatness));
        figures
    }

    /// The judgements: where, the value, the gap, the entropy.
    pub fn trace(&self) -> Vec<f64> {
        self.estimate.trace.iter().flat_map(|one| [one.at, one.value, one.gap, one.entropy]).collect()
    }

    /// For each measurement the number of answers that no row can meet, and their sum.
    pub fn missing(&self) -> Vec<f64> {
        self.estimate.missing.iter().flat_map(|one| [one.answers as f64, one.records]).collect()
    }

    /// The model.
    pub fn model(self) -> Model {
        Model::new(self.estimate.model, self.schema)
    }
}

/// What was asked and answered, and the variance and the law of each answer.
pub(crate) type Answered = (Vec<Asked>, Vec<f64>, Vec<Law>);

/// Reads measurements.
pub(crate) fn asked(base: &Base, measurements: &str, values: &[f64]) -> std::result::Result<Answered, Error> {
    let list: Vec<Value> = parse(measurements)?;
    let mut rest = values;
    let mut all = Answered::default();
    for one in &list {
        let clique: Vec<u16> = whole(&one["clique"])?;
        let cells = base.cells(&clique)? as usize;
        let query = query(&one["query"], cells)?;
        let answers = match &query {
            Query::Identity => cells,
            Query::Linear(matrix) => matrix.rows().len(),
        };
        let Some((now, later)) = rest.split_at_checked(answers) else {
            return Err(invalid("a measurement needs one value for each of its answers"));
        };
        rest = later;
        all.0.push(Asked { clique, query, answers: now.to_vec() });
        all.1.push(number(&one["variance"])?);
        all.2.push(one["laplace"].as_f64().map_or(Law::Gaussian, Law::Laplace));
    }
    Ok(all)
}

pub(crate) fn measurement((asked, variance): (Asked, f64)) -> std::result::Result<Measurement, Error> {
    match asked.query {
        Query::Identity => Ok(Measurement { clique: asked.clique, answers: asked.answers, variance }),
        Query::Linear(_) => {
            let message = "this estimator takes measurements of every cell of a clique";
            Err(Error::new(Code::QueryUnsupported, message))
        }
    }
}

/// The total that is known, or what all measurements of every cell say together.
pub(crate) fn total(
    options: &Value,
    asked: &[Asked],
    variances: &[f64],
) -> std::result::Result<Total, Error> {
    if let Some(records) = options["total"].as_f64() {
        return Total::known(records);
    }
    let full = asked.iter().zip(variances).filter(|(asked, _)| matches!(asked.query, Query::Identity));
    let full: Vec<Measurement> = full
        .map(|(asked, variance)| {
            let (clique, answers) = (asked.clique.clone(), asked.answers.clone());
            Measurement { clique, answers, variance: *variance }
        })
        .collect();
    Total::measured(&full)
}

fn rule(options: &Value) -> std::result::Result<Rule, Error> {
    let asked = &options["strength"];
    match (asked.as_f64(), asked.as_str()) {
        (Some(strength), _) => Ok(Rule::Fixed(strength)),
        (_, Some("harmonic")) => Ok(Rule::Harmonic),
        (_, Some("coupledBootstrap")) => {
            Ok(Rule::Bootstrap(Bootstrap { seed: seed(options)?, ..Bootstrap::default() }))
        }
        _ => Err(invalid("`strength` is a number, harmonic or coupledBootstrap")),
    }
}

pub(crate) fn seed(options: &Value) -> std::result::Result<u64, Error> {
    let text = options["seed"].as_str().unwrap_or_default();
    text.parse().map_err(|_| invalid("the seed is not a 64-bit number"))
}

pub(crate) fn number(value: &Value) -> std::result::Result<f64, Error> {
    value.as_f64().ok_or_else(|| invalid("an option has the wrong type"))
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
