//! From measurements of any cliques to a graphical model.

use super::prior::Public;
use crate::counts::harmonic;
use crate::estimators::strength::{GAUSSIAN, LAPLACE};
use crate::estimators::{
    Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Options, Request, Status, invalid,
};
use crate::job::Pace;
use crate::measurement::Law;
use crate::models::graphical::{self, Cliques, GraphicalModel, Question, Ruled, problem};
use marginalia_graph::fit::{self, Base, Calibrated, Choice, Fit, Step, calibrate};
use marginalia_tables::query::Query;
use marginalia_tables::{Error, Result};
use std::sync::Arc;

/// How many records the base is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// So many.
    Fixed(f64),
    /// What public records of the same population are worth, whatever the answers say.
    Harmonic,
    /// What the distance of the answers from the fit says.
    Residual,
    /// What makes Stein's estimate of the risk least.
    Risk,
    /// The first of these where there are public records; where the answers are too far from that, or there are none, the third
    /// of few answers, and the second of many.
    Chosen,
}

/// Balances every answer by its own noise against what is public, times the product of the fit's own single attributes for those of
/// which nothing is.
#[derive(Debug, Clone, Copy)]
pub struct GraphicalEstimator {
    /// How many records these are worth.
    pub strength: Strength,
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most products with the covariance of a fit.
    pub products: usize,
}

impl Default for GraphicalEstimator {
    fn default() -> Self {
        Self { strength: Strength::Chosen, tolerance: 1e-3, products: fit::Options::default().products }
    }
}

impl GraphicalEstimator {
    /// One with such options.
    pub(in crate::estimators) fn read(options: Options<'_>) -> Result<Self> {
        Ok(Self {
            strength: match options.value("strength").as_f64() {
                Some(strength) => Strength::Fixed(strength),
                None => options.one(
                    "strength",
                    &[
                        ("harmonic", Strength::Harmonic),
                        ("residual", Strength::Residual),
                        ("risk", Strength::Risk),
                        ("chosen", Strength::Chosen),
                    ],
                )?,
            },
            tolerance: options.number("tolerance")?,
            products: options.whole("products")? as usize,
        })
    }

    async fn estimate(self, request: Request, pace: &Pace) -> Result<Estimate> {
        let Request { schema, measurements, total, .. } = &request;
        let limit = request.limit as f64;
        let ruled = Ruled::new(schema, &request.rules, limit)?;
        let questions = Question::all(&ruled.roots, measurements)?;
        let list = ruled.cliques(Question::cliques(&questions));
        let cliques = Cliques::on(Arc::clone(schema), ruled.roots.clone(), list, limit)?;
        let mut problem = problem(&cliques, &questions, total.records())?;
        if let Some(mask) = ruled.mask(&cliques) {
            problem.forbid(mask)?;
        }
        let all: Vec<u16> = (0..schema.attributes().len() as u16).collect();
        let public = request.rows.as_deref().map(|rows| Public {
            rows,
            known: request.known.as_deref().unwrap_or(&all),
            records: request.public,
        });
        let base = match &public {
            Some(public) => Base {
                potentials: public.potentials(&cliques, request.seed, pace).await?,
                refitted: public.knows(all.len()).iter().map(|known| !known).collect(),
            },
            None => Base::own(cliques.passes().tree()),
        };
        let options =
            fit::Options { tolerance: self.tolerance, products: self.products, ..fit::Options::default() };
        let choice = self.choice(&request, public.map(|public| public.records));
        let found = calibrate(&mut problem, &base, choice, &options, pace).await?;
        let Calibrated {
            fit: Fit { point, gap, converged, ended, trace }, strength, freedom, residual, ..
        } = found;
        let model = GraphicalModel::new(cliques, point.potentials().to_vec(), total.records())?;
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
            total: *total,
            missing: measurements.iter().map(|_| Missing { answers: 0, records: 0.0 }).collect(),
        })
    }
}

impl GraphicalEstimator {
    /// What the strength is chosen by, with so many public records or none.
    fn choice(&self, request: &Request, public: Option<f64>) -> Choice {
        let laplace = request.measurements.iter().any(|one| matches!(one.law, Law::Laplace(_)));
        let spread = if laplace { LAPLACE } else { GAUSSIAN };
        let worth = public.map(|public| harmonic(public, request.total.records()));
        match (self.strength, worth) {
            (Strength::Fixed(strength), _) | (Strength::Harmonic, Some(strength)) => Choice::Fixed(strength),
            (Strength::Chosen, Some(strength)) => Choice::Unless { strength, spread },
            (Strength::Residual, _) => Choice::Residual,
            (Strength::Risk, _) => Choice::Risk,
            (Strength::Chosen | Strength::Harmonic, None) => Choice::Free(spread),
        }
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
