//! The estimation of one group.

use super::state::Kept;
use super::{Estimator, Level, Prior, State, Task};
use crate::estimators;
use crate::estimators::calibrated::{self, Calibrated, Gaps, Problem};
use crate::estimators::iterative::{self, Iterative, PartialAnswers};
use crate::job::{Pace, Steps};
use crate::measurement::{Outside, check, targets};
use crate::models::support::Distribution;
use marginalia_tables::Result;
use std::sync::Arc;

/// How the estimate of a group ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// As near as was asked for.
    Converged,
    /// The steps were used up.
    Limit,
    /// The same, and so far from the optimum that it is not to be used without being asked for.
    Refused,
}

/// The estimate of a group.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What is to be kept.
    pub state: State,
    /// The distribution, for as long as it is needed.
    pub model: Distribution,
    /// How it ended.
    pub status: Status,
    /// How far a calibrated estimate may be from the optimum.
    pub certificate: Option<Gaps>,
    /// Records, by the answers of each measurement, in cells without a row of the prior.
    pub outside: Vec<f64>,
}

#[derive(Debug)]
enum Running {
    Calibrated(Box<Calibrated>, f64),
    Iterative(Box<Iterative>, Arc<Task>),
}

/// The estimation of a group that is about to begin: a pure function of its prior, its measurements and its seed, that can be
/// carried out anywhere.
#[derive(Debug)]
pub struct GroupEstimation {
    prior: Arc<Prior>,
    task: Arc<Task>,
    running: Running,
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
        let (base, index, records) = (&prior.base, &level.index, task.total.records());
        let records_of = |outside: &[Outside]| outside.iter().map(|outside| outside.records).collect();
        let (running, outside) = match &level.estimator {
            Estimator::Calibrated(options, strength) => {
                let strength = level.strength(*strength, &prior, records);
                let (base, index) = (Arc::clone(base), Arc::clone(index));
                let problem = Problem::new(base, index, &task.measurements, records, strength)?;
                let (outside, options) =
                    (records_of(&problem.outside), calibrated::Options { seed, ..options.clone() });
                let job = Box::new(Calibrated::new(Arc::new(problem), options)?);
                (Running::Calibrated(job, strength), outside)
            }
            Estimator::Iterative(options) => {
                check(base.domain(), &task.measurements)?;
                let (_, outside) = targets(index, &task.measurements, records)?;
                let answered = |one| PartialAnswers::measured(one, records);
                let workloads = task.measurements.iter().map(answered).collect::<Result<_>>()?;
                let options = iterative::Options { seed, steps: options.steps.min(steps), ..options.clone() };
                let (base, index) = (Arc::clone(base), Arc::clone(index));
                let job = Iterative::new(base, index, workloads, records, options)?;
                (Running::Iterative(Box::new(job), Arc::clone(&task)), records_of(&outside))
            }
        };
        Ok(Self { prior, task, running, outside })
    }

    /// The estimate, for whoever carries it out by itself.
    pub fn steps(self) -> Steps<Outcome> {
        Steps::new(move |pace| async move { self.estimate(&pace).await })
    }

    /// The estimate; its model stands for the number of records, which is at least zero.
    pub(super) async fn estimate(mut self, pace: &Pace) -> Result<Outcome> {
        match &mut self.running {
            Running::Calibrated(job, _) => pace.drive(|work| Ok((job.step(work)?, job.done()))).await?,
            Running::Iterative(job, _) => pace.drive(|work| Ok((job.step(work)?, job.done()))).await?,
        }
        self.outcome()
    }

    fn outcome(self) -> Result<Outcome> {
        let total = self.task.total;
        let records = total.value.max(0.0);
        let (model, status, certificate, strength, kept) = match self.running {
            Running::Calibrated(job, strength) => {
                let solution = job.finish()?;
                let status = match solution.status {
                    estimators::Status::Converged => Status::Converged,
                    estimators::Status::Refused => Status::Refused,
                    _ => Status::Limit,
                };
                let u = solution.model.potentials().map_or(Vec::new(), |(_, u)| u.to_vec());
                (solution.model, status, Some(solution.certificate), strength, Kept::Potentials(u))
            }
            Running::Iterative(job, task) => {
                let steps = job.steps();
                let solution = job.finish()?;
                let status = match solution.status {
                    estimators::Status::Converged => Status::Converged,
                    _ => Status::Limit,
                };
                // It forgets what its prior was worth beyond the records that it fits.
                (solution.model, status, None, 0.0, Kept::Task(task, steps))
            }
        };
        let model = model.with_total(records)?;
        // What nothing was measured of is worth what its prior is.
        let worth = match self.task.measurements.is_empty() {
            true => self.prior.strength,
            false => strength + total.records(),
        };
        let state = State { total, worth, tilt: None, kept };
        Ok(Outcome { state, model, status, certificate, outside: self.outside })
    }
}
