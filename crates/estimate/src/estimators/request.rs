//! What an estimator is given.

use super::{Estimator, invalid};
use crate::job::Pace;
use crate::measurement::{Measured, Measurement, check};
use crate::models::graphical::Rule;
use crate::models::support::{Base, Index, SupportModel};
use crate::models::{Model, narrowed, support, unsupported};
use crate::total::Total;
use marginalia_tables::{Domain, Result, Schema};
use std::sync::Arc;

/// A prior and measurements.
#[derive(Debug, Clone)]
pub struct Request {
    /// What the records are.
    pub schema: Arc<Schema>,
    /// The rows of the prior, where it has some.
    pub rows: Option<Arc<Base>>,
    /// Which attribute of the schema each of their columns is, where they do not know all.
    pub known: Option<Vec<u16>>,
    /// How many public records the prior is made of.
    pub public: f64,
    /// A model to start from in the place of the prior.
    pub start: Option<Arc<dyn Model>>,
    /// The noisy answers.
    pub measurements: Vec<Measured>,
    /// What can be, for an estimator that is not on rows.
    pub rules: Vec<Rule>,
    /// The number of records.
    pub total: Total,
    /// The seed of orders and draws.
    pub seed: u64,
    /// The most bytes for the cells of rows.
    pub limit: u64,
    /// Whether the caller has a solver for problems that an estimator wants to be solved outside.
    pub outside: bool,
    /// What many estimates on the same rows share.
    pub shared: Option<Shared>,
}

/// What estimates on the same rows share, and what is decided for each of them.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The cells of rows, of the measured cliques in their order.
    pub index: Arc<Index>,
    /// How many records the prior is worth, where that is not to be chosen.
    pub strength: Option<f64>,
    /// The most steps.
    pub steps: usize,
}

impl Request {
    /// A request with nothing but measurements of a table of known size; of rows, where there are some.
    pub fn new(
        schema: Arc<Schema>,
        rows: Option<Arc<Base>>,
        measurements: Vec<Measured>,
        total: Total,
    ) -> Self {
        let public = rows.as_ref().map_or(0.0, |rows| rows.weight());
        let (known, start, shared) = (None, None, None);
        Self {
            schema,
            rows,
            known,
            public,
            start,
            measurements,
            rules: Vec::new(),
            total,
            seed: 0,
            limit: u64::MAX,
            outside: false,
            shared,
        }
    }

    /// Refuses measurements that an estimator does not take, or that do not fit the schema.
    pub fn accepted_by(&self, estimator: &dyn Estimator) -> Result<()> {
        let kind = self.start.as_ref().map_or(estimator.kind(), |start| start.kind());
        for one in &self.measurements {
            estimator.accepts(kind, &one.query, one.law)?;
        }
        Ok(())
    }

    /// The measurements of every cell, which are checked against the schema.
    pub fn cells(&self) -> Result<Vec<Measurement>> {
        let cells: Vec<Measurement> = self.measurements.iter().filter_map(Measured::cells).collect();
        check(&self.domain(), &cells)?;
        Ok(cells)
    }

    /// The sizes of the attributes.
    pub fn domain(&self) -> Domain {
        match &self.rows {
            Some(rows) if self.known.is_none() => rows.domain().clone(),
            _ => Domain::new(self.schema.sizes()),
        }
    }

    /// The rows of the prior, for an estimator that needs them.
    pub fn rows(&self) -> Result<Arc<Base>> {
        self.rows
            .clone()
            .filter(|_| self.known.is_none())
            .ok_or_else(|| unsupported("schema", "be a prior of this estimator: give one with rows"))
    }

    /// The cells of the rows, of the measured cliques in their order.
    pub(super) async fn index(&self, pace: &Pace) -> Result<Arc<Index>> {
        if let Some(shared) = &self.shared {
            return Ok(Arc::clone(&shared.index));
        }
        let cliques = self.measurements.iter().map(|one| one.clique.clone()).collect();
        let quiet = pace.quiet();
        let index = quiet.run(Index::over(self.rows()?, cliques, self.limit)?);
        let none = || invalid("the estimation has not begun: there is no model yet");
        pace.unless_stopped(index).await?.ok_or_else(none)
    }

    /// The model to start from, which must be on the rows of the prior.
    pub fn start(&self) -> Result<Option<Arc<SupportModel>>> {
        let Some(start) = &self.start else { return Ok(None) };
        let start = narrowed::<SupportModel>(start)?;
        if self.rows.as_ref().is_some_and(|rows| rows.rows() != start.size()) {
            return Err(invalid("the model to start from must be on the rows of the prior"));
        }
        Ok(Some(start))
    }
}

/// Refuses to start from models that are on no rows.
pub(super) fn on_rows(kind: &str) -> Result<()> {
    if kind == support::KIND {
        return Ok(());
    }
    Err(unsupported(kind, "be what this estimator starts from"))
}
