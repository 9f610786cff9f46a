//! Noisy answers, and what of them the support of a prior can meet.

use crate::models::support::Index;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Domain, Error, Result};

/// The noisy counts of all cells of a clique.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The attributes.
    pub clique: Vec<u16>,
    /// One number of records for each cell, the last attribute fastest; any may be negative.
    pub answers: Vec<f64>,
    /// The exact variance of the noise of each cell, in records².
    pub variance: f64,
}

/// The law of the noise of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// Of this scale b.
    Laplace(f64),
    /// Its variance says all.
    Gaussian,
}

/// Noisy answers to a query about the cells of a clique.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The attributes.
    pub clique: Vec<u16>,
    /// What was asked of the cells.
    pub query: Query,
    /// The answers, in records.
    pub answers: Vec<f64>,
    /// The exact variance of the noise of each answer.
    pub variance: f64,
    /// Its law.
    pub law: Law,
}

impl Measured {
    /// The counts of all cells, where these were measured.
    pub fn cells(&self) -> Option<Measurement> {
        let Self { clique, answers, variance, .. } = self.clone();
        matches!(self.query, Query::Identity).then_some(Measurement { clique, answers, variance })
    }
}

/// What measurements say about cells without a row: they take no part in an estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outside {
    /// Cells of the clique without a row.
    pub cells: usize,
    /// The sum of their answers, in records.
    pub records: f64,
    /// The variance of that sum.
    pub variance: f64,
}

/// Refuses a clique that names an attribute that is not there, or one twice, or has too many cells to number;
/// otherwise their number.
pub fn cells_of(domain: &Domain, clique: &[u16]) -> Result<u32> {
    let attributes = domain.sizes().len();
    if clique.iter().any(|a| usize::from(*a) >= attributes) {
        return Err(Error::new(Code::AttributeUnknown, "a clique names an attribute that is not there"));
    }
    if (1..clique.len()).any(|i| clique[..i].contains(&clique[i])) {
        return Err(invalid("a clique names an attribute twice"));
    }
    let cells = domain.cells(clique).and_then(|cells| u32::try_from(cells).ok());
    cells.ok_or_else(|| {
        Error::new(Code::ModelTooLarge, "a clique has 2^32 cells or more: use fewer attributes")
    })
}

/// Refuses measurements that do not fit a domain.
pub fn check(domain: &Domain, measurements: &[Measurement]) -> Result<()> {
    for measurement in measurements {
        if cells_of(domain, &measurement.clique)? as usize != measurement.answers.len() {
            return Err(invalid("a measurement needs one answer for each cell of its clique"));
        }
        if measurement.answers.iter().any(|answer| !answer.is_finite()) {
            return Err(invalid("the answers of a measurement must be finite"));
        }
        if !(measurement.variance > 0.0 && measurement.variance.is_finite()) {
            return Err(invalid(
                "the variance of a measurement must be positive: give exact answers to the exact estimator",
            ));
        }
    }
    Ok(())
}

/// The answers of supported cells as fractions of `total`, in the order of an index over the cliques of the
/// measurements, and what each says about the other cells.
pub fn targets(index: &Index, measurements: &[Measurement], total: f64) -> Result<(Vec<f64>, Vec<Outside>)> {
    if index.marginals().len() != measurements.len() {
        return Err(invalid("the index is over other cliques than the measurements"));
    }
    if !(total > 0.0 && total.is_finite()) {
        return Err(invalid("the total must be a positive number of records: use 1 for an empty table"));
    }
    let mut y = Vec::with_capacity(index.cells());
    let mut outside = Vec::with_capacity(measurements.len());
    for (marginal, measurement) in index.marginals().iter().zip(measurements) {
        if marginal.clique != measurement.clique {
            return Err(invalid("the index is over other cliques than the measurements"));
        }
        let of = |place: &u32| measurement.answers[*place as usize];
        let cells = measurement.answers.len() - marginal.places.len();
        let mut supported = marginal.places.iter().peekable();
        let mut records = 0.0;
        for (place, answer) in (0..).zip(&measurement.answers) {
            if supported.next_if_eq(&&place).is_none() {
                records += answer;
            }
        }
        y.extend(marginal.places.iter().map(|place| of(place) / total));
        outside.push(Outside { cells, records, variance: cells as f64 * measurement.variance });
    }
    Ok((y, outside))
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
