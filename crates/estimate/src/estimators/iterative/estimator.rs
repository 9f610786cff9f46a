//! Iterative estimation from measurements to the model.

use super::{Choice, Iterative, Options, Order, PartialAnswers, Step};
use crate::estimators;
use crate::estimators::indexed::Indexed;
use crate::estimators::request::on_rows;
use crate::estimators::{Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Request, Status};
use crate::job::{Job, Progress};
use crate::measurement::{Law, Measured, cells_of};
use crate::models::support::{self, Distribution, SupportModel};
use crate::total::Total;
use crate::vector::copy;
use marginalia_tables::query::Query;
use marginalia_tables::{Error, Result, Schema};
use std::sync::Arc;

/// Meets one measurement after another.
#[derive(Debug, Clone)]
pub struct IterativeEstimator {
    /// Which measurement comes next.
    pub order: Order,
    /// The power of a step.
    pub damping: f64,
    /// Which of the nearest answers a step takes.
    pub choice: Choice,
    /// The most steps.
    pub steps: usize,
    /// The change of the loss at which to stop.
    pub tolerance: f64,
    /// Steps between judgements.
    pub every: usize,
}

impl From<Options> for IterativeEstimator {
    fn from(options: Options) -> Self {
        let Options { order, damping, choice, steps, tolerance, every, .. } = options;
        Self { order, damping, choice, steps, tolerance, every }
    }
}

impl IterativeEstimator {
    /// One with such options.
    pub(in crate::estimators) fn read(options: estimators::Options<'_>) -> Result<Self> {
        let orders = [("sweeps", Order::Sweeps), ("random", Order::Random), ("worst", Order::Worst)];
        let choices = [("kl", Choice::Kl), ("rescale", Choice::Rescale), ("euclidean", Choice::Euclidean)];
        Ok(Self {
            order: options.one("order", &orders)?,
            damping: options.number("damping")?,
            choice: options.one("choice", &choices)?,
            steps: options.whole("steps")? as usize,
            tolerance: options.number("tolerance")?,
            every: options.whole("every")? as usize,
        })
    }
}

impl Estimator for IterativeEstimator {
    fn name(&self) -> &'static str {
        "iterative"
    }

    fn kind(&self) -> &'static str {
        support::KIND
    }

    fn accepts(&self, kind: &str, query: &Query, _: Law) -> Result<()> {
        on_rows(kind)?;
        match query {
            Query::Identity => Ok(()),
            Query::Linear(matrix) => super::Partial::from_matrix(&[], matrix).map(drop),
        }
    }

    fn begin(&self, request: Request) -> Result<Box<dyn Estimation>> {
        request.accepted_by(self)?;
        let (domain, total) = (request.domain(), request.total);
        let answers = |one: &Measured| {
            let cells = cells_of(&domain, &one.clique)? as usize;
            PartialAnswers::new(&one.clique, cells, &one.query, &one.answers, total.records())
        };
        let workloads = request.measurements.iter().map(answers).collect::<Result<Vec<_>>>()?;
        let (base, start, shared) = (request.rows()?, request.start()?, request.shared.is_some());
        let steps = request.shared.as_ref().map_or(usize::MAX, |shared| shared.steps);
        let Self { order, damping, choice, tolerance, every, .. } = *self;
        let steps = self.steps.min(steps);
        let options = Options { choice, order, damping, steps, tolerance, every, seed: request.seed };
        let schema = Arc::clone(&request.schema);
        Indexed::begin(&request, move |index| {
            let weights = match (&start, shared) {
                (Some(start), _) => start.distribution().copied()?,
                (None, true) => copy(base.prior())?,
                // As that of a model that is the prior itself.
                (None, false) => Distribution::prior(Arc::clone(&base), 1.0)?.into_weights()?,
            };
            let job = Iterative::from(base, index, workloads, total.records(), options, weights)?;
            Ok(Box::new(Iteration { job, schema, total, over: false, failed: None }))
        })
    }
}

/// An iterative estimation whose cells of rows are known.
struct Iteration {
    job: Iterative,
    schema: Arc<Schema>,
    total: Total,
    over: bool,
    failed: Option<Error>,
}

impl Job for Iteration {
    type Output = Estimate;

    fn step(&mut self, work: u64) -> Progress {
        match self.job.step(work) {
            Ok(over) => self.over = over,
            Err(error) => (self.over, self.failed) = (true, Some(error)),
        }
        let done = self.job.done();
        Progress { work: done, done, total: 0, over: self.over }
    }

    /// The model as it is.
    fn finish(self: Box<Self>) -> Result<Estimate> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let solution = self.job.finish()?;
        let records = self.total.records();
        let status = match solution.status {
            Status::Limit if !self.over => Status::Stopped,
            status => status,
        };
        let missing = |(answers, sum): &(usize, f64)| Missing { answers: *answers, records: sum * records };
        let loss = solution.trace.last().map_or(0.0, |last| last.loss);
        Ok(Estimate {
            model: Arc::new(SupportModel::new(self.schema, solution.model)?),
            status,
            certificate: Certificate::Iterative { loss },
            trace: solution.trace.iter().map(judgement).collect(),
            total: self.total,
            missing: solution.outside.iter().map(missing).collect(),
        })
    }
}

impl Estimation for Iteration {
    fn judgements(&self) -> usize {
        self.job.judgements()
    }
}

fn judgement(step: &Step) -> Judgement {
    Judgement { at: step.steps as f64, value: step.loss, gap: None, relative_entropy: step.entropy }
}
