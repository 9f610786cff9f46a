//! Serves `ts/estimate/two-stage.ts`.

use crate::estimate::{asked, measurement, number, seed, total};
use crate::model::Model;
use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_estimate::estimators::estimation::{Missing, Small, TwoStageEstimate, TwoStageSolving};
use marginalia_estimate::estimators::two_stage::{Options, Round};
use marginalia_tables::Schema;
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A two-stage problem: first the making of its cells of rows.
#[wasm_bindgen]
pub struct TwoStageTask {
    task: marginalia_estimate::estimators::estimation::TwoStageTask,
    schema: Arc<Schema>,
    options: Options,
}

#[wasm_bindgen]
impl TwoStageTask {
    /// A problem: measurements and options as JSON, and the values of one measurement after another. The cells of
    /// rows are kept in at most `limit` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(
        prior: &PriorBase,
        measurements: &str,
        values: &[f64],
        options: &str,
        limit: f64,
    ) -> Result<TwoStageTask> {
        let options: Value = parse(options)?;
        let (asked, variances, _) = asked(&prior.base, measurements, values)?;
        let total = total(&options, &asked, &variances)?;
        let measurements = asked.into_iter().zip(variances).map(measurement);
        let measurements = measurements.collect::<std::result::Result<_, _>>()?;
        let base = Arc::clone(&prior.base);
        let limit = limit as u64;
        let task =
            marginalia_estimate::estimators::estimation::TwoStageTask::new(base, measurements, total, limit)?;
        let entropy = options["entropy"].as_bool().unwrap_or(true);
        let options = Options { tolerance: number(&options["tolerance"])?, entropy, seed: seed(&options)? };
        Ok(Self { task, schema: Arc::clone(&prior.schema), options })
    }

    /// Does about `work` units; true when the cells of rows are known.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.task.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.task.progress().0 as f64
    }

    /// All units.
    pub fn total(&self) -> f64 {
        self.task.progress().1 as f64
    }

    /// Rows, cells that they lie in, the number of records and its variance; then for each measurement the number of
    /// answers that no row can meet, and their sum.
    pub fn about(&self) -> Vec<f64> {
        let ((rows, cells), total) = (self.task.size(), self.task.total());
        let missing = self.task.missing();
        let missing = missing.iter().flat_map(|Missing { answers, records }| [*answers as f64, *records]);
        [rows as f64, cells as f64, total.value, total.variance].into_iter().chain(missing).collect()
    }

    /// The problem as the exact solver takes it.
    pub fn small(&self) -> Result<SmallProblem> {
        Ok(SmallProblem(self.task.small()?))
    }

    /// The model of weights that the exact solver found.
    pub fn model(&self, weights: Vec<f64>) -> Result<Model> {
        Ok(Model::new(self.task.model(weights)?, Arc::clone(&self.schema)))
    }

    /// Solves it here.
    pub fn solve(&self) -> Result<TwoStageJob> {
        Ok(TwoStageJob { job: self.task.solve(self.options)?, schema: Arc::clone(&self.schema) })
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
}

/// Two stages by the interior point, or the first alone, in the making.
#[wasm_bindgen]
pub struct TwoStageJob {
    job: TwoStageSolving,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl TwoStageJob {
    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.job.step(work as u64)?)
    }

    /// The units done; how many there are is not known.
    pub fn done(&self) -> f64 {
        self.job.done() as f64
    }

    /// How many judgements there are.
    pub fn judgements(&self) -> usize {
        self.job.judgements()
    }

    /// The best model so far.
    pub fn finish(self) -> Result<TwoStageFound> {
        Ok(TwoStageFound { found: self.job.finish()?, schema: self.schema })
    }
}

/// What came of two stages.
#[wasm_bindgen]
pub struct TwoStageFound {
    found: TwoStageEstimate,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl TwoStageFound {
    /// How it ended.
    pub fn status(&self) -> String {
        self.found.status.as_str().to_owned()
    }

    /// Why the answers cannot be met, if so.
    pub fn reason(&self) -> Option<String> {
        self.found.reason.map(|reason| reason.as_str().to_owned())
    }

    /// The loss and its gap, the entropy and its gap, the relative gap, and what cells without a row add to the loss.
    pub fn figures(&self) -> Vec<f64> {
        let found = &self.found.certificate;
        let of_entropy = [found.entropy, found.entropy_gap, found.relative, self.found.unsupported];
        [found.loss, found.loss_gap].into_iter().chain(of_entropy).collect()
    }

    /// The judgements: passes, price, loss, entropy.
    pub fn trace(&self) -> Vec<f64> {
        let of = |one: &Round| [one.passes, one.price, one.loss, one.entropy];
        self.found.rounds.iter().flat_map(of).collect()
    }

    /// The model.
    pub fn model(self) -> Model {
        Model::new(self.found.model, self.schema)
    }
}
