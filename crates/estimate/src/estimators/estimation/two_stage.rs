//! Two-stage estimation from the index to the model, for whichever solver.

use super::{Missing, Status};
use crate::estimators::two_stage::{Certificate, Options, Round, TwoStageJob};
use crate::measurement::{Measurement, Outside, check, targets};
use crate::models::support::{Base, Index, IndexJob, Model};
use crate::total::Total;
use marginalia_tables::{Code, Error, Result, Unmet};
use std::sync::Arc;

/// Above this relative gap a model is no estimate.
const REFUSED: f64 = 0.1;

/// What two stages are to be solved for, once the cells of rows are known.
pub struct TwoStageTask {
    base: Arc<Base>,
    measurements: Vec<Measurement>,
    total: Total,
    making: Option<IndexJob>,
    ready: Option<Arc<Ready>>,
}

struct Ready {
    index: Arc<Index>,
    answers: Vec<f64>,
    outside: Vec<Outside>,
    /// For each measurement the sum of what cells without a row answer, without signs, as a share of the total.
    unsupported: Vec<f64>,
    total: f64,
}

/// A problem in the form that `crates/lp` takes: of each marginal its supported cells, and one more for all others.
#[derive(Debug, Clone, Default)]
pub struct Small {
    /// Cells of each marginal.
    pub sizes: Vec<u32>,
    /// The cell of each row, marginal after marginal.
    pub cells: Vec<u32>,
    /// The weight of each row.
    pub prior: Vec<f64>,
    /// Shares of the total, marginal after marginal.
    pub answers: Vec<f64>,
}

impl TwoStageTask {
    /// A task whose cells of rows are not known yet; they must fit in `limit` bytes.
    pub fn new(base: Arc<Base>, measurements: Vec<Measurement>, total: Total, limit: u64) -> Result<Self> {
        check(&base, &measurements)?;
        if measurements.is_empty() {
            return Err(Error::new(Code::OptionInvalid, "an estimate needs a measurement"));
        }
        let cliques = measurements.iter().map(|one| one.clique.clone()).collect();
        let making = Some(IndexJob::new(Arc::clone(&base), cliques, limit)?);
        Ok(Self { base, measurements, total, making, ready: None })
    }

    /// Does about `work` units of finding the cells of rows; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let Some(making) = &mut self.making else { return Ok(true) };
        if !making.step(work)? {
            return Ok(false);
        }
        if let Some(making) = self.making.take() {
            self.ready =
                Some(Arc::new(Ready::new(making.finish()?, &self.measurements, self.total.records())?));
        }
        Ok(true)
    }

    /// The units done, and all.
    pub fn progress(&self) -> (u64, u64) {
        self.making.as_ref().map_or((1, 1), |making| (making.done(), making.total()))
    }

    /// Rows, and cells that they lie in.
    pub fn size(&self) -> (usize, usize) {
        (self.base.rows(), self.ready.as_ref().map_or(0, |ready| ready.index.cells()))
    }

    /// The number of records.
    pub fn total(&self) -> Total {
        self.total
    }

    /// What each measurement says about cells without a row.
    pub fn missing(&self) -> Vec<Missing> {
        let outside = self.ready.as_ref().map_or(&[][..], |ready| &ready.outside);
        outside.iter().map(|one| Missing { answers: one.cells, records: one.records }).collect()
    }

    /// The problem as `crates/lp` takes it.
    pub fn small(&self) -> Result<Small> {
        let ready = self.ready()?;
        let mut small = Small { prior: self.base.prior().to_vec(), ..Small::default() };
        for (marginal, unsupported) in ready.index.marginals().iter().zip(&ready.unsupported) {
            if marginal.of_row.len() != self.base.rows() {
                return Err(cells_not_kept());
            }
            small.sizes.push(marginal.places.len() as u32 + 1);
            small.cells.extend_from_slice(&marginal.of_row);
            small.answers.extend_from_slice(&ready.answers[marginal.cells.clone()]);
            small.answers.push(*unsupported);
        }
        Ok(small)
    }

    /// The model of weights that another solver found.
    pub fn model(&self, weights: Vec<f64>) -> Result<Model> {
        Model::from_weights(Arc::clone(&self.base), weights, self.total.records())
    }

    /// Solves it here.
    pub fn solve(&self, options: Options) -> Result<TwoStageSolving> {
        let ready = Arc::clone(self.ready()?);
        if ready.index.marginals().iter().any(|marginal| marginal.of_row.len() != self.base.rows()) {
            return Err(cells_not_kept());
        }
        let (prior, answers) = (self.base.prior().to_vec(), ready.answers.clone());
        let job = TwoStageJob::new(Arc::clone(&ready.index), prior, answers, options)?;
        Ok(TwoStageSolving { base: Arc::clone(&self.base), ready, job, options, over: false })
    }

    fn ready(&self) -> Result<&Arc<Ready>> {
        self.ready
            .as_ref()
            .ok_or_else(|| Error::new(Code::OptionInvalid, "the cells of rows are not known yet"))
    }
}

impl Ready {
    fn new(index: Arc<Index>, measurements: &[Measurement], total: f64) -> Result<Self> {
        let (answers, outside) = targets(&index, measurements, total)?;
        let unsupported = index.marginals().iter().zip(measurements).map(|(marginal, measurement)| {
            let all: f64 = measurement.answers.iter().map(|answer| answer.abs()).sum();
            let met: f64 =
                marginal.places.iter().map(|place| measurement.answers[*place as usize].abs()).sum();
            // Of equal sums rounding may leave a little.
            if marginal.places.len() == measurement.answers.len() {
                0.0
            } else {
                (all - met).max(0.0) / total
            }
        });
        let unsupported = unsupported.collect();
        Ok(Self { index, answers, outside, unsupported, total })
    }

    /// Why the answers cannot be met, where that is certain.
    fn reason(&self, found: &Certificate, tolerance: f64) -> Option<Unmet> {
        if self.unsupported.iter().any(|share| *share > 0.0) {
            return Some(Unmet::Unsupported);
        }
        let size: f64 = self.answers.iter().map(|y| y.abs()).sum();
        if found.loss - found.loss_gap <= 1e-3 * tolerance * (1.0 + size) {
            return None;
        }
        let mut marginals =
            self.index.marginals().iter().map(|marginal| &self.answers[marginal.cells.clone()]);
        let off = |answers: &[f64]| {
            let size: f64 = answers.iter().map(|y| y.abs()).sum();
            (answers.iter().sum::<f64>() - 1.0).abs() > 1e-9 * (1.0 + size)
        };
        Some(match &self.answers {
            answers if answers.iter().any(|y| *y < 0.0) => Unmet::Negative,
            _ if marginals.any(off) => Unmet::Totals,
            _ => Unmet::Disagree,
        })
    }
}

/// Two stages at any size in the making.
pub struct TwoStageSolving {
    base: Arc<Base>,
    ready: Arc<Ready>,
    job: TwoStageJob,
    options: Options,
    over: bool,
}

/// The outcome of two stages.
#[derive(Debug)]
pub struct TwoStageEstimate {
    /// The best model on the way.
    pub model: Model,
    /// How it ended.
    pub status: Status,
    /// Why no distribution on the support meets the answers, if so.
    pub reason: Option<Unmet>,
    /// How far the model may be from the optimum.
    pub certificate: Certificate,
    /// What cells without a row add to the loss, whatever the distribution.
    pub unsupported: f64,
    /// All judgements, in order.
    pub rounds: Vec<Round>,
}

impl TwoStageSolving {
    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.over = self.job.step(work)?;
        Ok(self.over)
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.job.done()
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.job.judgements()
    }

    /// The best model so far.
    pub fn finish(self) -> Result<TwoStageEstimate> {
        let Self { base, ready, job, options, over } = self;
        let found = job.finish()?;
        let status = match found.converged {
            true => Status::Converged,
            false if found.certificate.relative > REFUSED => Status::Refused,
            false if over => Status::Limit,
            false => Status::Stopped,
        };
        let reason = ready.reason(&found.certificate, options.tolerance);
        let model = match found.u {
            Some(u) => Model::from_potentials(base, Arc::clone(&ready.index), u, ready.total)?,
            None => Model::from_weights(base, found.weights, ready.total)?,
        };
        let unsupported = ready.unsupported.iter().sum();
        Ok(TwoStageEstimate {
            model,
            status,
            reason,
            certificate: found.certificate,
            unsupported,
            rounds: found.rounds,
        })
    }
}

fn cells_not_kept() -> Error {
    Error::new(
        Code::ModelTooLarge,
        "this estimator keeps the cells of all rows in memory: raise `memoryLimit`",
    )
}
