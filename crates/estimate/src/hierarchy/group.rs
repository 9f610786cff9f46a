//! The estimation of one group.

use super::state::Kept;
use super::{Level, Prior, State, Task};
use crate::estimators::{Certificate, Estimation, Request, Shared, Status};
use crate::job::{Pace, Steps};
use crate::measurement::{Law, Measured, Measurement, Outside, targets};
use crate::models::narrowed;
use crate::models::support::{Distribution, SupportModel};
use marginalia_tables::Result;
use marginalia_tables::query::Query;
use std::sync::Arc;

/// The estimate of a group.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What is to be kept.
    pub state: State,
    /// The distribution, for as long as it is needed.
    pub model: Distribution,
    /// How it ended.
    pub status: Status,
    /// How far the estimate may be from the optimum.
    pub certificate: Certificate,
    /// Records, by the answers of each measurement, in cells without a row of the prior.
    pub outside: Vec<f64>,
}

/// The estimation of a group that is about to begin: a pure function of its prior, its measurements and its seed, that can be
/// carried out anywhere.
pub struct GroupEstimation {
    prior: Arc<Prior>,
    task: Arc<Task>,
    estimation: Estimation,
    outside: Vec<f64>,
}

impl GroupEstimation {
    /// An estimation that has done nothing yet. The estimate of a total below one is made as if of one record.
    pub fn new(level: &Level, prior: Arc<Prior>, task: Arc<Task>, seed: u64) -> Result<Self> {
        Self::of_steps(level, prior, task, seed, usize::MAX)
    }

    /// The same with at most so many steps of Algorithm 1.
    pub(super) fn of_steps(
        level: &Level,
        prior: Arc<Prior>,
        task: Arc<Task>,
        seed: u64,
        steps: usize,
    ) -> Result<Self> {
        let records = task.total.records();
        let measured = |one: &Measurement| {
            let Measurement { clique, answers, variance } = one.clone();
            Measured { clique, query: Query::Identity, answers, variance, law: Law::Gaussian }
        };
        let measurements = task.measurements.iter().map(measured).collect();
        let strength = level.strength(&prior, records);
        let shared = Shared { index: Arc::clone(&level.index), strength, steps };
        let (schema, rows) = (Arc::clone(&level.schema), Some(Arc::clone(&prior.base)));
        let request = Request::new(schema, rows, measurements, task.total);
        let request = Request { public: prior.strength, seed, shared: Some(shared), ..request };
        let estimation = level.estimator.estimator.begin(request)?;
        let (_, outside) = targets(&level.index, &task.measurements, records)?;
        let outside = outside.iter().map(|outside: &Outside| outside.records).collect();
        Ok(Self { prior, task, estimation, outside })
    }

    /// The estimate, for whoever carries it out by itself.
    pub fn steps(self) -> Steps<Outcome> {
        Steps::new(move |pace| async move { self.estimate(&pace).await })
    }

    /// The estimate; its model stands for the number of records, which is at least zero.
    pub(super) async fn estimate(self, pace: &Pace) -> Result<Outcome> {
        let Self { prior, task, estimation, outside } = self;
        let estimate = pace.run(estimation).await?;
        let total = task.total;
        let model = narrowed::<SupportModel>(&estimate.model)?.distribution().as_ref().clone();
        let kept = match model.potentials() {
            Some((_, u)) => Kept::Potentials(u.to_vec()),
            None => {
                let steps = estimate.trace.last().map_or(0, |last| last.at as usize);
                Kept::Task(Arc::clone(&task), steps)
            }
        };
        let strength = match estimate.certificate {
            Certificate::Calibrated { strength, .. } => strength,
            // Others forget what their prior was worth beyond the records that they fit.
            _ => 0.0,
        };
        // What nothing was measured of is worth what its prior is.
        let worth = match task.measurements.is_empty() {
            true => prior.strength,
            false => strength + total.records(),
        };
        Ok(Outcome {
            state: State { total, worth, tilt: None, kept },
            model: model.with_total(total.value.max(0.0))?,
            status: estimate.status,
            certificate: estimate.certificate,
            outside,
        })
    }
}
