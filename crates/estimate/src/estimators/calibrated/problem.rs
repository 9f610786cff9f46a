//! What a calibrated estimate is of.

use crate::estimators::invalid;
use crate::measurement::{Measurement, Outside, check, targets};
use crate::models::support::{Base, Index};
use marginalia_tables::Result;
use std::sync::Arc;

/// Work of one exponential, in row passes of one marginal.
const EXPONENTIAL: usize = 4;

/// Targets on the supported cells of the measured marginals, and how stiffly each pulls.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The rows and the prior p.
    pub base: Arc<Base>,
    /// The measured marginals.
    pub index: Arc<Index>,
    /// For each supported cell the answer as a fraction of n.
    pub y: Vec<f64>,
    /// For each supported cell λ = n²/(σ² n₀).
    pub lambda: Vec<f64>,
    /// What each measurement says about cells without a row, which take no part.
    pub outside: Vec<Outside>,
    /// The number of records n.
    pub total: f64,
}

impl Problem {
    /// Measurements of a table of `total` records, and a prior that is worth `strength` records. The index must be
    /// over their cliques, in their order.
    pub fn new(
        base: Arc<Base>,
        index: Arc<Index>,
        measurements: &[Measurement],
        total: f64,
        strength: f64,
    ) -> Result<Self> {
        check(base.domain(), measurements)?;
        if index.rows() != base.rows() {
            return Err(invalid("the index is over other rows than the prior"));
        }
        if !(strength > 0.0 && strength.is_finite()) {
            return Err(invalid("the strength of a prior must be a positive number of records"));
        }
        let (y, outside) = targets(&index, measurements, total)?;
        let stiffness = measurements.iter().map(|one| total * total / (one.variance * strength));
        let mut lambda = Vec::with_capacity(y.len());
        for (marginal, stiff) in index.marginals().iter().zip(stiffness) {
            lambda.resize(lambda.len() + marginal.places.len(), stiff);
        }
        Ok(Self { base, index, y, lambda, outside, total })
    }

    /// Units of work of a pass over all rows and marginals.
    pub(super) fn pass(&self) -> usize {
        self.index.rows() * self.index.marginals().len()
    }

    /// Units of work of an exponential of each row.
    pub(super) fn exponentials(&self) -> usize {
        EXPONENTIAL * self.base.rows()
    }
}
