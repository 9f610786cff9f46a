//! Iterative estimation from measurements to the model.

use super::algorithm::solve;
use super::{Choice, Options, Order, Partial, PartialAnswers, Step};
use crate::estimators;
use crate::estimators::request::on_rows;
use crate::estimators::{Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Request};
use crate::measurement::{Law, Measured, cells_of};
use crate::models::support::{self, Distribution, SupportModel};
use crate::vector::copy;
use marginalia_tables::Result;
use marginalia_tables::query::Query;
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
        Partial::accepts(query)
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        let (domain, total) = (request.domain(), request.total);
        let answers = |one: &Measured| {
            let cells = cells_of(&domain, &one.clique)? as usize;
            PartialAnswers::new(&one.clique, cells, &one.query, &one.answers, total.records())
        };
        let workloads = request.measurements.iter().map(answers).collect::<Result<Vec<_>>>()?;
        let (base, start) = (request.rows()?, request.start()?);
        let Self { order, damping, choice, tolerance, every, .. } = *self;
        let steps = self.steps.min(request.shared.as_ref().map_or(usize::MAX, |shared| shared.steps));
        let options = Options { choice, order, damping, steps, tolerance, every, seed: request.seed };
        Ok(Estimation::new(|pace| async move {
            let index = request.index(&pace).await?;
            let weights = match start {
                Some(start) => start.distribution().copied()?,
                None if request.shared.is_some() => copy(base.prior())?,
                // As that of a model that is the prior itself.
                None => Distribution::prior(Arc::clone(&base), 1.0)?.into_weights()?,
            };
            let records = total.records();
            let solution = solve(base, index, workloads, records, options, weights, &pace).await?;
            let missing =
                |(answers, sum): &(usize, f64)| Missing { answers: *answers, records: sum * records };
            let loss = solution.trace.last().map_or(0.0, |last| last.loss);
            Ok(Estimate {
                model: Arc::new(SupportModel::new(request.schema, solution.model)?),
                status: solution.status,
                certificate: Certificate::Iterative { loss },
                trace: solution.trace.iter().map(judgement).collect(),
                total,
                missing: solution.outside.iter().map(missing).collect(),
            })
        }))
    }
}

fn judgement(step: &Step) -> Judgement {
    Judgement { at: step.steps as f64, value: step.loss, gap: None, relative_entropy: step.entropy }
}
