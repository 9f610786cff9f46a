//! The rows that all groups share.

use super::{HierarchyPlan, invalid};
use crate::support::{Base, rows::sum};
use marginalia_tables::{Codes, Domain, Error, Result};
use std::cmp::Ordering;

/// The distinct rows of a public table without its group attributes, each with the weight of all rows that it stands
/// for, so that a group which the public table does not know has a prior all the same.
pub fn without(plan: &HierarchyPlan, columns: &[Codes], weights: Option<&[f64]>) -> Result<Base> {
    let rows = columns.first().map_or(0, Codes::len);
    let fits = columns.len() == plan.domain().sizes().len() && columns.iter().all(|one| one.len() == rows);
    if !fits || weights.is_some_and(|weights| weights.len() != rows) || u32::try_from(rows).is_err() {
        return Err(invalid(
            "the columns and weights of the public table do not fit the schema or each other",
        ));
    }
    let rest: Vec<&Codes> = plan.rest().iter().map(|a| &columns[usize::from(*a)]).collect();
    let mut order = Vec::new();
    order.try_reserve_exact(rows).map_err(|_| Error::out_of_memory(4 * rows))?;
    order.extend(0..rows as u32);
    let compare = |a: &u32, b: &u32| {
        let unequal = |column: &&Codes| column.get(*a as usize).cmp(&column.get(*b as usize));
        rest.iter().map(unequal).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    // Of equal rows the first comes first, so that sums of weights have one order.
    order.sort_unstable_by(|a, b| compare(a, b).then(a.cmp(b)));
    let runs: Vec<&[u32]> = order.chunk_by(|a, b| compare(a, b).is_eq()).collect();
    let sizes: Vec<u32> = plan.rest().iter().map(|a| plan.domain().sizes()[usize::from(*a)]).collect();
    let mut distinct = Vec::with_capacity(rest.len());
    for (column, size) in rest.iter().zip(&sizes) {
        let mut of_runs = Codes::new(*size as usize);
        let mut block = Vec::new();
        for runs in runs.chunks(4096) {
            block.clear();
            block.extend(runs.iter().map(|run| column.get(run[0] as usize)));
            of_runs.extend(&block)?;
        }
        distinct.push(of_runs);
    }
    let weight = |row: u32| weights.map_or(1.0, |weights| weights[row as usize]);
    let weights: Vec<f64> = runs.iter().map(|run| sum(run.len(), |i| weight(run[i]))).collect();
    Base::new(Domain::new(sizes), distinct, Some(&weights))
}
