//! Calibrated estimation from the index to the model.

use super::Estimate;
use super::solving::Solving;
use super::stage::Staged;
use crate::estimators::strength::{GAUSSIAN, LAPLACE, Rule};
use crate::measurement::{Measurement, check};
use crate::models::support::Base;
use crate::total::Total;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// Of what the misfit is a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Squares, each over twice its variance.
    L2,
    /// Distances, each over its scale: for Laplace noise only.
    L1,
}

/// The law of the noise of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// Of this scale b.
    Laplace(f64),
    /// Its variance says all.
    Gaussian,
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
            Self::Gaussian => {
                let message = "the loss l1 is for Laplace noise: use l2, which takes both";
                Err(Error::new(Code::OptionInvalid, message))
            }
        }
    }
}

/// How to estimate.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Of what the misfit is a sum.
    pub loss: Loss,
    /// What says how much the prior is worth.
    pub rule: Rule,
    /// How many public records the prior is made of.
    pub public: f64,
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most passes over all rows and marginals, of squares.
    pub passes: u64,
    /// The seed of orders and draws.
    pub seed: u64,
}

/// What is to be estimated, and how.
pub(super) struct Terms {
    pub base: Arc<Base>,
    pub measurements: Vec<Measurement>,
    pub noises: Vec<Law>,
    pub total: Total,
    pub settings: Settings,
}

/// A calibrated estimation in the making.
pub struct Calibration {
    staged: Staged<Solving>,
    terms: Arc<Terms>,
}

impl Calibration {
    /// An estimation that has done nothing yet, from measurements and the law of each one's noise. The cells of rows
    /// are kept in at most `limit` bytes.
    pub fn new(
        base: Arc<Base>,
        measurements: Vec<Measurement>,
        noises: Vec<Law>,
        total: Total,
        settings: Settings,
        limit: u64,
    ) -> Result<Self> {
        check(&base, &measurements)?;
        if noises.len() != measurements.len() {
            return Err(Error::new(Code::OptionInvalid, "each measurement needs the law of its noise"));
        }
        if settings.loss == Loss::L1 {
            noises.iter().try_for_each(|noise| noise.laplace_scale().map(drop))?;
        }
        let cliques = measurements.iter().map(|one| one.clique.clone()).collect();
        let staged = Staged::new(Arc::clone(&base), cliques, limit)?;
        Ok(Self { staged, terms: Arc::new(Terms { base, measurements, noises, total, settings }) })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.staged.step(work, |index| Solving::new(Arc::clone(&self.terms), index))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.staged.done()
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.staged.job().map_or(0, Solving::judgements)
    }

    /// The best model so far, once the cells of rows are known.
    pub fn finish(self) -> Result<Estimate> {
        let (solving, over) = self.staged.into_job()?;
        solving.finish(over)
    }
}
