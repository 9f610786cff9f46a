//! Calibrated estimation from measurements to the model.

use super::problem::Problem;
use super::solving::Terms;
use crate::estimators::calibrated;
use crate::estimators::request::on_rows;
use crate::estimators::strength::{GAUSSIAN, LAPLACE, Rule};
use crate::estimators::{Estimation, Estimator, Options, Request, cells_only, invalid};
use crate::measurement::Law;
use crate::models::support;
use marginalia_tables::Result;
use marginalia_tables::query::Query;

/// Of what the misfit is a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Squares, each over twice its variance.
    L2,
    /// Distances, each over its scale: for Laplace noise only.
    L1,
}

impl Law {
    /// Var(r²)/σ⁴.
    pub(super) fn spread(self) -> f64 {
        match self {
            Self::Laplace(_) => LAPLACE,
            Self::Gaussian => GAUSSIAN,
        }
    }

    pub(super) fn laplace_scale(self) -> Result<f64> {
        match self {
            Self::Laplace(scale) => Ok(scale),
            Self::Gaussian => Err(invalid("the loss l1 is for Laplace noise: use l2, which takes both")),
        }
    }
}

/// Balances every answer by its own noise, and the prior by what it is worth.
#[derive(Debug, Clone)]
pub struct CalibratedEstimator {
    /// Of what the misfit is a sum.
    pub loss: Loss,
    /// What says how much the prior is worth; draws of a bootstrap have the seed of the request.
    pub strength: Rule,
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most passes over all rows and marginals, of squares.
    pub passes: u64,
    /// Sweeps at the start, of squares.
    pub sweeps: usize,
}

impl Default for CalibratedEstimator {
    fn default() -> Self {
        let calibrated::Options { tolerance, passes, sweeps, .. } = calibrated::Options::default();
        Self { loss: Loss::L2, strength: Rule::default(), tolerance, passes, sweeps }
    }
}

impl CalibratedEstimator {
    /// One with such options.
    pub(in crate::estimators) fn read(options: Options<'_>) -> Result<Self> {
        Ok(Self {
            loss: options.one("loss", &[("l2", Loss::L2), ("l1", Loss::L1)])?,
            strength: match options.value("strength").as_f64() {
                Some(strength) => Rule::Fixed(strength),
                None => options.one(
                    "strength",
                    &[("harmonic", Rule::Harmonic), ("coupledBootstrap", Rule::default())],
                )?,
            },
            tolerance: options.number("tolerance")?,
            passes: options.whole("passes")?,
            sweeps: Self::default().sweeps,
        })
    }
}

impl Estimator for CalibratedEstimator {
    fn name(&self) -> &'static str {
        "calibrated"
    }

    fn kind(&self) -> &'static str {
        support::KIND
    }

    fn accepts(&self, kind: &str, query: &Query, law: Law) -> Result<()> {
        on_rows(kind)?;
        cells_only(query)?;
        if self.loss == Loss::L1 { law.laplace_scale().map(drop) } else { Ok(()) }
    }

    fn gives_potentials(&self) -> bool {
        true
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        let (base, measurements, settings) = (request.rows()?, request.cells()?, self.clone());
        Ok(Estimation::new(|pace| async move {
            let index = request.index(&pace).await?;
            let strength = request.shared.as_ref().and_then(|shared| shared.strength);
            let records = request.total.records();
            let problem = Problem::new(base, index, &measurements, records, strength.unwrap_or(1.0))?;
            Terms { request, settings }.estimate(problem, strength, &pace).await
        }))
    }
}
