//! The distribution of a group under the whole schema.

use super::{HierarchyPlan, invalid};
use crate::models::support::{Base, Distribution};
use marginalia_tables::{Codes, Domain, Result};
use std::sync::Arc;

/// The distribution of a group on rows that have its codes, with its prior on the same rows. The group must have one
/// code of every group attribute.
pub fn model(plan: &HierarchyPlan, group: usize, model: &Distribution) -> Result<Distribution> {
    let group = plan.groups().get(group).ok_or_else(|| invalid("the plan has no such group"))?;
    let base = model.base();
    let mut columns = Vec::with_capacity(plan.domain().sizes().len());
    let mut rest = base.columns().iter();
    for (a, size) in (0..).zip(plan.domain().sizes()) {
        if plan.rest().contains(&a) {
            columns.extend(rest.next().cloned());
            continue;
        }
        let code = plan.code(group, a).ok_or_else(|| {
            invalid("only a group of the last level has a model: take one, or the marginals of the other")
        })?;
        let mut column = Codes::new(*size as usize);
        let block = vec![code; BLOCK.min(base.rows())];
        for first in (0..base.rows()).step_by(BLOCK) {
            column.extend(&block[..BLOCK.min(base.rows() - first)])?;
        }
        columns.push(column);
    }
    let domain = Domain::new(plan.domain().sizes());
    let base = Base::new(domain, columns, Some(base.prior()))?;
    Distribution::from_weights(Arc::new(base), model.copied()?, model.total())
}

/// Codes that are written at once.
const BLOCK: usize = 4096;
