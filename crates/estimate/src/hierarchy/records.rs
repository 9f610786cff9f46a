//! Records of groups.

use super::{Setup, invalid};
use crate::deviates::child;
use crate::models::support::{Distribution, Index};
use crate::records::{self, Method, Rounding, Totals};
use marginalia_tables::Result;
use std::sync::Arc;

/// So many records of one group; `targets` are the tables over the shared rows that controlled rounding keeps, such
/// as the index of the group's level.
pub fn begin(
    setup: &Setup,
    group: usize,
    model: &Distribution,
    records: u64,
    method: Method,
    targets: &Arc<Index>,
) -> Result<Box<dyn Rounding>> {
    if group >= setup.plan().groups().len() {
        return Err(invalid("the plan has no such group"));
    }
    let totals = group_totals(model.base().rows(), &[records])?;
    records::begin(method, model.weights()?, &totals, targets, child(setup.seed(group), &[RECORDS]))
}

/// Exact totals of groups whose weights stand one after another, a block of all shared rows for each.
pub fn group_totals(rows: usize, records: &[u64]) -> Result<Totals> {
    let all = rows.checked_mul(records.len()).filter(|all| u32::try_from(*all).is_ok());
    let all = all.ok_or_else(|| invalid("there are too many rows of groups for one rounding: take fewer"))?;
    let mut of_row = crate::models::support::room(all)?;
    of_row.extend((0..records.len() as u32).flat_map(|group| std::iter::repeat_n(group, rows)));
    Totals::groups(of_row, records.to_vec())
}

const RECORDS: u64 = 0x7265_6331;
