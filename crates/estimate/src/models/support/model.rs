//! A distribution on rows as a model of a schema.

use super::{Distribution, marginals, restored};
use crate::errors::{Evidence, Spread, errors};
use crate::job::{Boxed, Steps};
use crate::measurement::Measured;
use crate::models::check::invalid;
use crate::models::{Condition, ErrorsRequest, Form, Model, RecordsRequest, Saved};
use crate::records::records_of_rows;
use marginalia_tables::{Result, Schema, Table, Workload};
use std::sync::Arc;

/// The name of the kind.
pub const KIND: &str = "support";

/// A distribution on the rows of a prior, for so many records of a schema.
#[derive(Debug, Clone)]
pub struct SupportModel {
    schema: Arc<Schema>,
    distribution: Arc<Distribution>,
}

impl SupportModel {
    /// The rows of the distribution must be of the schema.
    pub fn new(schema: Arc<Schema>, mut distribution: Distribution) -> Result<Self> {
        if schema.sizes() != distribution.base().domain().sizes() {
            return Err(invalid("the rows of a model must be of its schema"));
        }
        distribution.shed();
        Ok(Self { schema, distribution: Arc::new(distribution) })
    }

    /// The rows, and what each gets.
    pub fn distribution(&self) -> &Arc<Distribution> {
        &self.distribution
    }

    /// The rows as a table, each weighted by the records that the model gives to it.
    pub fn table(&self) -> Result<Table> {
        self.distribution.table(&self.schema)
    }
}

impl Model for SupportModel {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn total(&self) -> f64 {
        self.distribution.total()
    }

    fn size(&self) -> usize {
        self.distribution.base().rows()
    }

    fn answer(self: Arc<Self>, workload: &Arc<Workload>, limit: u64) -> Result<Boxed<Vec<f64>>> {
        Ok(Box::new(marginals(Arc::clone(&self.distribution), Arc::clone(workload), limit)?))
    }

    fn records(self: Arc<Self>, request: RecordsRequest) -> Result<Boxed<Table>> {
        let rows = self.distribution.base().table(&self.schema)?;
        Ok(Box::new(records_of_rows(rows, self.distribution.copied()?, request)))
    }

    fn part(&self, condition: &Condition) -> Result<Option<Arc<dyn Model>>> {
        let part = self.distribution.within(condition)?;
        let of_schema = |part| Self { schema: Arc::clone(&self.schema), distribution: Arc::new(part) };
        Ok(part.map(|part| Arc::new(of_schema(part)) as Arc<dyn Model>))
    }

    fn form(&self) -> Result<Form> {
        Ok(match self.distribution.form() {
            Some((cliques, u)) => Form {
                cliques: Some(cliques.into_iter().map(<[u16]>::to_vec).collect()),
                numbers: marginalia_tables::room::listed(u.iter().copied())?,
            },
            None => Form { cliques: None, numbers: self.distribution.copied()? },
        })
    }

    fn as_prior(self: Arc<Self>, _: u64) -> Option<Result<Boxed<Table>>> {
        Some(Ok(Box::new(Steps::new(|_| async move { self.table() }))))
    }

    fn standard_errors(self: Arc<Self>, request: ErrorsRequest) -> Option<Result<Boxed<Vec<Spread>>>> {
        let ErrorsRequest { measurements, total, strength, questions, condition, normalize, limit, .. } =
            request;
        let model = Arc::clone(&self.distribution);
        let cells = measurements.iter().map(Measured::cells).collect::<Option<_>>();
        let job = cells.ok_or_else(|| invalid("a model on rows follows from measurements of every cell"));
        let job = job.and_then(|measurements| {
            let evidence = Evidence { measurements, total, strength };
            errors(model, evidence, questions, &condition, normalize, limit)
        });
        Some(job.map(|job| Box::new(job) as Boxed<Vec<Spread>>))
    }
}

/// A model on rows, from potentials of the supported cells of cliques or from a weight for each row.
pub fn restore(saved: Saved) -> Result<Boxed<Arc<dyn Model>>> {
    let Saved { schema, total, rows, form, limit } = saved;
    let rows = rows.ok_or_else(|| invalid("a model of this kind needs the rows that it is on"))?;
    let job = restored(rows, form, total, limit)?;
    Ok(Box::new(Steps::new(|pace| async move {
        let distribution = pace.run(job).await?;
        Ok(Arc::new(SupportModel::new(schema, distribution)?) as Arc<dyn Model>)
    })))
}
