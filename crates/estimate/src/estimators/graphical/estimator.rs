//! From measurements of any cliques to a graphical model.

use super::terms::{Asked, problem};
use crate::estimators::{
    Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Options, Request, Status, invalid,
};
use crate::job::Pace;
use crate::measurement::Law;
use crate::models::graphical::{self, Cliques, GraphicalModel};
use marginalia_graph::fit::{self, Base, Calibrated, Choice, Fit, Step, calibrate};
use marginalia_tables::query::Query;
use marginalia_tables::{Error, Result};
use std::sync::Arc;

/// Balances every answer by its own noise against the product of the fit's own single attributes, which is worth as much as
/// the distance of the answers from the fit says.
#[derive(Debug, Clone, Copy)]
pub struct GraphicalEstimator {
    /// How many records the product is worth.
    pub strength: Choice,
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most products with the covariance of a fit.
    pub products: usize,
}

impl Default for GraphicalEstimator {
    fn default() -> Self {
        Self { strength: Choice::Residual, tolerance: 1e-3, products: fit::Options::default().products }
    }
}

impl GraphicalEstimator {
    /// One with such options.
    pub(in crate::estimators) fn read(options: Options<'_>) -> Result<Self> {
        Ok(Self {
            strength: match options.value("strength").as_f64() {
                Some(strength) => Choice::Fixed(strength),
                None => Choice::Residual,
            },
            tolerance: options.number("tolerance")?,
            products: options.whole("products")? as usize,
        })
    }

    async fn estimate(self, request: Request, pace: &Pace) -> Result<Estimate> {
        let asked = Asked::all(&request.schema, &request.measurements)?;
        let cliques =
            Cliques::new(Arc::clone(&request.schema), Asked::cliques(&asked), request.limit as f64)?;
        let records = request.total.records();
        let mut problem = problem(&cliques, &asked, records)?;
        let options =
            fit::Options { tolerance: self.tolerance, products: self.products, ..fit::Options::default() };
        let found = calibrate(&mut problem, Base::Refitted, self.strength, &options, pace).await?;
        let Calibrated {
            fit: Fit { point, gap, converged, ended, trace }, strength, freedom, residual, ..
        } = found;
        let model = GraphicalModel::new(cliques, point.potentials().to_vec(), records)?;
        let status = match (converged, ended) {
            (true, _) => Status::Converged,
            (false, true) => Status::Limit.unless_refused(gap.relative(), gap.gap),
            (false, false) => Status::Stopped.unless_refused(gap.relative(), gap.gap),
        };
        let judgement = |step: &Step| Judgement {
            at: step.products as f64,
            value: step.gap.value,
            gap: Some(step.gap.gap),
            relative_entropy: step.gap.entropy,
        };
        Ok(Estimate {
            model: Arc::new(model.ok_or_else(no_record)?),
            status,
            certificate: Certificate::Graphical {
                gap: gap.gap,
                relative_gap: gap.relative(),
                value: gap.value,
                relative_entropy: gap.entropy,
                strength,
                freedom,
                residual,
                answers: problem.answers(),
            },
            trace: trace.iter().map(judgement).collect(),
            total: request.total,
            missing: request.measurements.iter().map(|_| Missing { answers: 0, records: 0.0 }).collect(),
        })
    }
}

impl Estimator for GraphicalEstimator {
    fn name(&self) -> &'static str {
        "graphical"
    }

    fn kind(&self) -> &'static str {
        graphical::KIND
    }

    fn accepts(&self, _: &str, _: &Query, _: Law) -> Result<()> {
        Ok(())
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        request.cells()?;
        let own = *self;
        Ok(Estimation::new(move |pace| async move { own.estimate(request, &pace).await }))
    }
}

fn no_record() -> Error {
    invalid("the measurements lead to numbers beyond range: check their totals and variances")
}
