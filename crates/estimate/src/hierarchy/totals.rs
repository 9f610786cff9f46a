//! How many records groups have, where their totals are to agree with each other.

use super::{HierarchyPlan, invalid};
use crate::total::Total;
use marginalia_tables::Result;

/// The variance of the total of a group of which nothing says it.
pub const UNKNOWN: f64 = 1e30;

/// Totals of all groups such that those within a group sum to its own: the most precise that follow from independent
/// ones (generalised least squares, which on a tree is one way up and one way down; Hay et al. 2010 with variances
/// of their own). They may be negative.
pub fn consistent(plan: &HierarchyPlan, own: &[Total]) -> Result<Vec<Total>> {
    consistent_with(plan, own, None)
}

/// The same where the number of all records is known.
pub fn consistent_with(plan: &HierarchyPlan, own: &[Total], all: Option<f64>) -> Result<Vec<Total>> {
    let groups = plan.groups();
    let sound = |one: &Total| one.value.is_finite() && one.variance >= 0.0 && one.variance.is_finite();
    if own.len() != groups.len() || !own.iter().all(sound) {
        return Err(invalid("there must be a finite total for each group of the plan"));
    }
    // Up: what a group and all within it say of it. Children follow their parents, so backwards they come first.
    let none = Total { value: 0.0, variance: 0.0 };
    let mut up = own.to_vec();
    let mut within = vec![none; own.len()];
    let mut children = vec![0u32; own.len()];
    let (mut roots, mut top) = (0u32, none);
    for at in (0..groups.len()).rev() {
        if children[at] > 0 {
            up[at] = combine(own[at], within[at]);
        }
        let (sum, count) = match groups[at].parent {
            Some(parent) => (&mut within[parent], &mut children[parent]),
            None => (&mut top, &mut roots),
        };
        sum.value += up[at].value;
        sum.variance += up[at].variance;
        *count += 1;
    }
    // Down: what a group has more than the sum of those within it goes to them by their variances.
    let mut totals = up.clone();
    for at in 0..groups.len() {
        let (above, of_all, count) = match (groups[at].parent, all) {
            (Some(parent), _) => (totals[parent], within[parent], children[parent]),
            (None, Some(value)) => (Total { value, variance: 0.0 }, top, roots),
            (None, None) => continue,
        };
        let share = match of_all.variance > 0.0 {
            true => up[at].variance / of_all.variance,
            false => 1.0 / f64::from(count),
        };
        totals[at].value = up[at].value + share * (above.value - of_all.value);
        let freed = share * share * (of_all.variance - above.variance);
        totals[at].variance = (up[at].variance - freed).max(0.0);
    }
    Ok(totals)
}

fn combine(a: Total, b: Total) -> Total {
    if a.variance == 0.0 {
        return a;
    }
    if b.variance == 0.0 {
        return b;
    }
    let (wa, wb) = (1.0 / a.variance, 1.0 / b.variance);
    Total { value: (wa * a.value + wb * b.value) / (wa + wb), variance: 1.0 / (wa + wb) }
}

/// Records of a group: ⌊max(ñ, 0)⌋, as the paper has it.
pub fn whole(total: &Total) -> u64 {
    // A conversion saturates.
    total.value.max(0.0) as u64
}

/// Whole records in the proportions of some totals, `records` in all: each ⌊ ⌋ of its share, and one more for those
/// with the largest fractions. Negative totals count as zero; where none is positive all count the same.
pub fn apportion(totals: &[Total], records: u64) -> Result<Vec<u64>> {
    if totals.iter().any(|total| !total.value.is_finite()) || (totals.is_empty() && records > 0) {
        return Err(invalid("records need groups with finite totals"));
    }
    let mut shares: Vec<f64> = totals.iter().map(|total| total.value.max(0.0)).collect();
    if shares.iter().sum::<f64>() <= 0.0 {
        shares.fill(1.0);
    }
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share *= records as f64 / sum);
    let mut whole: Vec<u64> = shares.iter().map(|share| *share as u64).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let fraction = |at: usize| shares[at] - libm::floor(shares[at]);
    order.sort_by(|a, b| fraction(*b).total_cmp(&fraction(*a)));
    let floors: u64 = whole.iter().sum();
    // Floating point may give a record too many where there are very many.
    if floors > records {
        return Err(invalid("there are too many records to apportion"));
    }
    order.iter().cycle().take((records - floors) as usize).for_each(|at| whole[*at] += 1);
    Ok(whole)
}
