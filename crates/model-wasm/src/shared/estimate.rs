//! Serves `ts/engine/operations/estimate.ts`: estimators by name.

use super::objects::{list, record};
use crate::kinds::ESTIMATORS;
use crate::model::Model;
use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, query, whole};
use marginalia_estimate::estimators::{
    self, Estimation, Exact, Figure, Judgement, Missing, Options, Request, Small, estimator,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured, cells_of};
use marginalia_estimate::total::Total;
use marginalia_tables::{Attribute, Code, Domain, Error, Schema};
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// An estimation in the making.
#[wasm_bindgen]
pub struct EstimateJob {
    job: Estimation,
    done: u64,
}

#[wasm_bindgen]
impl EstimateJob {
    /// From the rows of a prior: measurements and options as JSON, and the values of one measurement after another. The
    /// cells of rows are kept in at most `limit` bytes.
    #[wasm_bindgen(js_name = onPrior)]
    pub fn on_prior(
        prior: &PriorBase,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        let mut request = wanted(&prior.schema, measurements, values, options)?;
        request.1.rows = Some(Arc::clone(&prior.base));
        begin(request, limit)
    }

    /// From a model on the rows of a prior.
    #[wasm_bindgen(js_name = onModel)]
    pub fn on_model(
        prior: &PriorBase,
        start: &Model,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        let mut request = wanted(&prior.schema, measurements, values, options)?;
        request.1.rows = Some(Arc::clone(&prior.base));
        request.1.start = Some(start.shared());
        begin(request, limit)
    }

    /// From rows of a prior that know some of a schema's attributes.
    #[wasm_bindgen(js_name = onKnown)]
    pub fn on_known(
        prior: &PriorBase,
        schema: &str,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        let schema = Arc::new(Schema::from_json(schema)?);
        let known = known(&prior.schema, &schema)?;
        let mut request = wanted(&schema, measurements, values, options)?;
        request.1.rows = Some(Arc::clone(&prior.base));
        request.1.known = Some(known);
        begin(request, limit)
    }

    /// From nothing but a schema.
    #[wasm_bindgen(js_name = onSchema)]
    pub fn on_schema(
        schema: &str,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        begin(wanted(&Arc::new(Schema::from_json(schema)?), measurements, values, options)?, limit)
    }

    /// From a model without rows.
    #[wasm_bindgen(js_name = onStart)]
    pub fn on_start(
        start: &Model,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<EstimateJob> {
        let start = start.shared();
        let mut request = wanted(start.schema(), measurements, values, options)?;
        request.1.start = Some(start);
        begin(request, limit)
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> bool {
        let now = self.job.step(work as u64);
        self.done = now.done;
        now.over
    }

    /// The units done; how many there are is not known.
    pub fn done(&self) -> f64 {
        self.done as f64
    }

    /// How many judgements there are.
    pub fn judgements(&self) -> usize {
        self.job.judgements()
    }

    /// A problem that is to be solved outside, once; nothing is done until it is answered.
    pub fn outside(&mut self) -> Option<SmallProblem> {
        self.job.outside().map(SmallProblem)
    }

    /// What solved it: as JSON what is said of it, and the mass of each row.
    pub fn resume(&mut self, found: &str, weights: Vec<f64>) -> Result<()> {
        let found: Value = parse(found)?;
        self.job.resume(Some(Exact::read(Options(&found), weights)?));
        Ok(())
    }

    /// Nothing solved it.
    pub fn unanswered(&mut self) {
        self.job.resume(None);
    }

    /// Counts of which the caller's own loss is asked, once; nothing is done until it is told.
    pub fn counts(&mut self) -> Option<Vec<f64>> {
        self.job.counts()
    }

    /// That loss, and its gradient.
    pub fn evaluated(&mut self, loss: f64, gradient: Vec<f64>) {
        self.job.evaluated(loss, gradient);
    }

    /// The best model so far.
    pub fn finish(self) -> Result<Estimate> {
        Ok(Estimate(Box::new(self.job).finish()?))
    }
}

/// A model, and how good it is.
#[wasm_bindgen]
pub struct Estimate(estimators::Estimate);

#[wasm_bindgen]
impl Estimate {
    /// All but the model, by the names of `Outcome`.
    #[wasm_bindgen(unchecked_return_type = "object")]
    pub fn outcome(&self) -> JsValue {
        let estimators::Estimate { status, certificate, trace, total, missing, .. } = &self.0;
        let named = |name: &'static str, figure| match figure {
            Figure::Number(number) => (name, JsValue::from(number)),
            Figure::Numbers(numbers) => (name, list(numbers.into_iter().map(JsValue::from))),
            Figure::Name(text) => (name, JsValue::from(text)),
            Figure::Unknown => (name, JsValue::NULL),
        };
        let judgement = |one: &Judgement| {
            let gap = one.gap.map_or(JsValue::NULL, JsValue::from);
            let value = ("value", one.value.into());
            let entropy = ("relativeEntropy", one.relative_entropy.into());
            record([("at", one.at.into()), value, ("gap", gap), entropy])
        };
        let outside = |one: &Missing| {
            record([("answers", (one.answers as f64).into()), ("records", one.records.into())])
        };
        record([
            ("status", status.as_str().into()),
            ("total", record([("records", total.value.into()), ("variance", total.variance.into())])),
            ("certificate", record(certificate.figures().into_iter().map(|(name, one)| named(name, one)))),
            ("trace", list(trace.iter().map(judgement))),
            ("missing", list(missing.iter().map(outside))),
        ])
    }

    /// The model.
    pub fn model(self) -> Model {
        Model::new(self.0.model)
    }
}

/// A problem as the exact solver takes it.
#[wasm_bindgen]
pub struct SmallProblem(Small);

#[wasm_bindgen]
impl SmallProblem {
    /// Cells of each marginal.
    pub fn sizes(&self) -> Vec<u32> {
        self.0.sizes.clone()
    }

    /// The cell of each row, marginal after marginal.
    pub fn cells(&self) -> Vec<u32> {
        self.0.cells.clone()
    }

    /// The weight of each row.
    pub fn prior(&self) -> Vec<f64> {
        self.0.prior.clone()
    }

    /// Shares of the total, marginal after marginal.
    pub fn answers(&self) -> Vec<f64> {
        self.0.answers.clone()
    }

    /// What the second stage keeps.
    pub fn target(&self) -> String {
        self.0.target.as_str().to_owned()
    }

    /// The relative gap that is good enough.
    pub fn tolerance(&self) -> f64 {
        self.0.tolerance
    }

    /// Whether nothing else is to solve it.
    pub fn required(&self) -> bool {
        self.0.required
    }
}

type Wish = (Arc<dyn estimators::Estimator>, Request);

/// Which attribute of a schema each of a prior's is; none of those that the schema lacks.
fn known(prior: &Schema, schema: &Schema) -> std::result::Result<Vec<u16>, Error> {
    let place = |attribute: &Attribute| match schema.index(&attribute.name) {
        None => Ok(u16::MAX),
        Some(place) if schema.attributes()[place].size() == attribute.size() => Ok(place as u16),
        Some(_) => {
            let message =
                format!("`{}` has other codes in the prior: read it by the same schema", attribute.name);
            Err(Error::new(Code::OptionInvalid, message))
        }
    };
    prior.attributes().iter().map(place).collect()
}

fn begin((estimator, request): Wish, limit: f64) -> Result<EstimateJob> {
    let request = Request { limit: limit as u64, ..request };
    Ok(EstimateJob { job: estimator.begin(request)?, done: 0 })
}

/// The estimator and the request that JSON describes: the name of the estimator and its options, how many public records the
/// prior is made of, the total where it is known, the seed, whether a solver outside takes problems,
/// and what can be.
fn wanted(schema: &Arc<Schema>, measurements: &str, values: &[f64], options: &str) -> Result<Wish> {
    let wanted: Value = parse(options)?;
    let wanted = Options(&wanted);
    let measurements = measured(schema, measurements, values)?;
    let total = total(wanted.value("total").as_f64(), &measurements)?;
    let request = Request {
        public: wanted.number("public")?,
        seed: wanted.text("seed")?.parse().map_err(|_| invalid("the seed is not a 64-bit number"))?,
        outside: wanted.flag("outside")?,
        rules: crate::reading::rules(wanted.value("rules"))?,
        ..Request::new(Arc::clone(schema), None, measurements, total)
    };
    Ok((estimator(ESTIMATORS, wanted.text("estimator")?, wanted.value("options"))?, request))
}

/// Reads measurements.
pub(crate) fn measured(
    schema: &Schema,
    measurements: &str,
    values: &[f64],
) -> std::result::Result<Vec<Measured>, Error> {
    let list: Vec<Value> = parse(measurements)?;
    let domain = Domain::new(schema.sizes());
    let mut rest = values;
    let mut all = Vec::new();
    for one in &list {
        let clique: Vec<u16> = whole(&one["clique"])?;
        let cells = cells_of(&domain, &clique)? as usize;
        let query = query(&one["query"], cells)?;
        let Some((now, later)) = rest.split_at_checked(query.answers(cells)?) else {
            return Err(invalid("a measurement needs one value for each of its answers"));
        };
        rest = later;
        let variance = one["variance"].as_f64().ok_or_else(|| invalid("an option has the wrong type"))?;
        let law = one["laplace"].as_f64().map_or(Law::Gaussian, Law::Laplace);
        all.push(Measured { clique, query, answers: now.to_vec(), variance, law });
    }
    Ok(all)
}

/// The total that is known, or what all measurements say together.
fn total(known: Option<f64>, measurements: &[Measured]) -> std::result::Result<Total, Error> {
    match known {
        Some(records) => Total::known(records),
        None => Total::of_queries(measurements),
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
