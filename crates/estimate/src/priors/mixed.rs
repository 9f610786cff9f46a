//! Mixtures of priors.

use crate::job::{Pace, Steps};
use crate::models::support::{Base, mixture};
use marginalia_tables::distinct::DistinctJob;
use marginalia_tables::{Result, Schema, Table};
use std::sync::Arc;

/// The distinct rows of several priors over one schema, each with its shares of the weights that these give to it.
pub fn mixed(schema: Arc<Schema>, parts: Vec<(Arc<Base>, f64)>) -> Result<Steps<Table>> {
    let all = mixture(schema, parts)?;
    Ok(Steps::new(move |pace| async move {
        let all = pace.part(0, 1, 3).run(all).await?;
        distinct(Arc::new(all), &pace.part(1, 3, 3)).await
    }))
}

/// The distinct rows of a table with the sums of their weights.
pub(crate) async fn distinct(table: Arc<Table>, pace: &Pace) -> Result<Table> {
    let rows = table.rows();
    Ok(distinct_among(table, rows, pace).await?.0)
}

/// The same, and how many of them are among so many of the first rows.
pub(crate) async fn distinct_among(table: Arc<Table>, first: usize, pace: &Pace) -> Result<(Table, usize)> {
    let mut job = DistinctJob::new(table)?;
    let step = |work| {
        let over = job.step(usize::try_from(work / ROW as u64).unwrap_or(usize::MAX).max(1))?;
        pace.show(job.done(), job.total());
        Ok((over, (ROW * job.done()) as u64))
    };
    pace.drive(step).await?;
    let among = job.among(first);
    Ok((job.finish()?, among))
}

/// How much longer a row takes than looking it up.
const ROW: usize = 10;
