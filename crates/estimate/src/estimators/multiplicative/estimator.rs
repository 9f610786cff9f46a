//! Multiplicative weights from measurements to the model.

use super::{Rounds, Rule, Stored};
use crate::estimators;
use crate::estimators::partial::{Partial, PartialAnswers};
use crate::estimators::request::on_rows;
use crate::estimators::{Certificate, Estimate, Estimation, Estimator, Judgement, Request, Status};
use crate::measurement::{Law, cells_of};
use crate::models::support::rows::relative_entropy;
use crate::models::support::{self, Distribution, SupportModel, zeros};
use crate::vector::{add, copy};
use marginalia_tables::Result;
use marginalia_tables::query::Query;
use std::sync::Arc;

/// A round for each measurement, in their order.
#[derive(Debug, Clone)]
pub struct MultiplicativeEstimator {
    /// How weights move.
    pub rule: Rule,
    /// The most projections of a round.
    pub projections: usize,
    /// Whether the model is the mean of what each round began with, as in the theorems; else what the last came to.
    pub average: bool,
}

/// How weights move, by its name.
pub fn rule(options: estimators::Options<'_>) -> Result<Rule> {
    let rules = [("newest", Rule::Newest), ("recycled", Rule::Recycled), ("projected", Rule::Projected)];
    options.one("rule", &rules)
}

impl MultiplicativeEstimator {
    /// One with such options.
    pub(in crate::estimators) fn read(options: estimators::Options<'_>) -> Result<Self> {
        Ok(Self {
            rule: rule(options)?,
            projections: options.whole("projections")? as usize,
            average: options.flag("average")?,
        })
    }
}

impl Estimator for MultiplicativeEstimator {
    fn name(&self) -> &'static str {
        "multiplicativeWeights"
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
        let (domain, records) = (request.domain(), request.total.records());
        let base = request.rows()?;
        let Self { rule, projections, average } = *self;
        Ok(Estimation::new(move |pace| async move {
            let (mut stored, mut missing, mut trace) = (Vec::new(), Vec::new(), Vec::new());
            let mut rounds = Rounds::new(copy(base.prior())?, rule, projections, request.seed);
            let mut mean = zeros(if average { base.rows() } else { 0 })?;
            for (i, one) in request.measurements.iter().enumerate() {
                let cells = cells_of(&domain, &one.clique)? as usize;
                let answers = PartialAnswers::new(&one.clique, cells, &one.query, &one.answers, records)?;
                let one = Stored::new(&base, answers)?;
                missing.push(one.missing(records));
                stored.push(one);
                if average {
                    add(&mut mean, 1.0, rounds.weights());
                }
                let (off, work) = rounds.round(&stored);
                let relative_entropy = relative_entropy(rounds.weights(), base.prior());
                trace.push(Judgement { at: (i + 1) as f64, value: off, gap: None, relative_entropy });
                pace.judged();
                pace.show(i, request.measurements.len());
                pace.did(2 * base.rows() + work).await;
            }
            let weights = if average && !stored.is_empty() { mean } else { rounds.into_weights() };
            let sums = |one: &Stored| one.error(&one.sums(&weights));
            let loss = stored.iter().map(sums).fold(0.0, f64::max);
            let model = if average {
                Distribution::from_weights(base, weights, records)?
            } else {
                Distribution::restored(base, weights, records)?
            };
            Ok(Estimate {
                model: Arc::new(SupportModel::new(request.schema, model)?),
                status: Status::Limit,
                certificate: Certificate::Rounds { loss, rounds: stored.len() },
                trace,
                total: request.total,
                missing,
            })
        }))
    }
}
