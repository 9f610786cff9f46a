//! Records of a product: the codes of each attribute as often as they are due, in an order of its own.

use super::ProductModel;
use crate::deviates::{child, stream};
use crate::job::Pace;
use crate::models::check::invalid;
use crate::models::{Model, RecordsRequest};
use crate::records::{Method, Shares, Totals, sample, shuffle, systematic};
use marginalia_tables::{Result, Table};
use std::sync::Arc;

/// Records that go into a table at once.
const BLOCK: usize = 4096;

/// Whole counts of the codes of each attribute, rounded or drawn, each attribute shuffled for itself.
pub async fn records(model: &ProductModel, request: &RecordsRequest, pace: &Pace) -> Result<Table> {
    let records = usize::try_from(request.records).map_err(|_| invalid("so many records cannot be made"))?;
    let mut columns = Vec::with_capacity(model.shares().len());
    for (attribute, shares) in model.shares().iter().enumerate() {
        columns.push(column(shares, request, child(request.seed, &[PRODUCT, attribute as u64]), pace).await?);
        pace.show(attribute + 1, model.shares().len() + 1);
    }
    let mut table = Table::new(Arc::clone(model.schema()), false, &[]);
    for first in (0..records).step_by(BLOCK) {
        let block = first..records.min(first + BLOCK);
        let columns: Vec<&[u16]> = columns.iter().map(|column| &column[block.clone()]).collect();
        table.extend(&columns, None, &[])?;
        pace.did(10 * block.len()).await;
    }
    Ok(table)
}

/// The codes of one attribute, in random order.
async fn column(shares: &[f64], request: &RecordsRequest, seed: u64, pace: &Pace) -> Result<Vec<u16>> {
    let (totals, quiet) = (Totals::all(request.records), pace.quiet());
    let counts = match request.method {
        Method::Iid => sample(shares, &totals, seed, &quiet).await?,
        // Of one attribute alone no rounding keeps more than another.
        Method::Controlled | Method::Systematic => {
            systematic(Shares::new(shares, &totals)?, seed, &quiet).await?
        }
    };
    let mut list = Vec::new();
    let all = counts.iter().map(|count| *count as usize).sum();
    list.try_reserve_exact(all).map_err(|_| marginalia_tables::Error::out_of_memory(4 * all))?;
    (0..).zip(&counts).for_each(|(code, count)| list.extend(std::iter::repeat_n(code, *count as usize)));
    shuffle(&mut list, stream(seed, &[ORDER]), &quiet).await;
    Ok(list.into_iter().map(|code| code as u16).collect())
}

/// Sets the draws of a product apart from others under the same seed, and its orders apart from its roundings.
const PRODUCT: u64 = 0x7072_6f64;
const ORDER: u64 = 0x6f72_6465;
