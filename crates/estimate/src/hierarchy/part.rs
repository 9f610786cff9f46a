//! How much of each group meets a condition.

use super::path::Path;
use super::{HierarchyPlan, Setup, States, invalid};
use crate::errors::mean;
use crate::job::Steps;
use crate::models::support::{Condition, Distribution, zeros};
use marginalia_tables::Result;
use std::sync::Arc;

/// The share of the records of each of the groups at these places that meet a condition on attributes of the plan that are none of
/// groups. Exact: on shared rows, a condition is a choice of these. The weights of one group are there at a time.
pub fn parts(
    setup: Arc<Setup>,
    states: States,
    groups: Vec<usize>,
    condition: &Condition,
) -> Result<Steps<Vec<f64>>> {
    let met = met(&setup, condition)?;
    Ok(Steps::new(move |pace| async move {
        let mut shares = Vec::with_capacity(groups.len());
        for group in &groups {
            pace.show(shares.len(), groups.len());
            let model = Path::new(Arc::clone(&setup), &states, *group)?.weights(&pace).await?;
            shares.push(mean(model.weights()?, &met));
        }
        Ok(shares)
    }))
}

/// 1 for each shared row that meets a condition on attributes of the plan, and 0 for the others.
pub(super) fn met(setup: &Setup, condition: &Condition) -> Result<Vec<f64>> {
    let base = setup.prior().base();
    let mut met = zeros(base.rows())?;
    Distribution::prior(Arc::clone(base), 1.0)?.mask(&of_shared(setup.plan(), condition)?, &mut met)?;
    Ok(met)
}

/// A condition by the numbers of attributes in the shared base.
fn of_shared(plan: &HierarchyPlan, condition: &Condition) -> Result<Condition> {
    let number = |(a, allowed): &(u16, Vec<bool>)| match plan.rest().binary_search(a) {
        Ok(number) => Ok((number as u16, allowed.clone())),
        Err(_) => Err(invalid("a condition on what tells groups apart is one on groups: choose these")),
    };
    condition.iter().map(number).collect()
}
