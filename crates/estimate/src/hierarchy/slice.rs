//! The answers of one group within those of marginals that have the group attributes among theirs.

use super::{Group, HierarchyPlan, invalid};
use crate::measurement::Measurement;
use crate::models::support::zeros;
use marginalia_tables::Result;

/// A fixed or free attribute of a clique: how many cells a code further is, and how many codes there are.
type Stride = (usize, usize);

/// The cells of a measured clique with the attributes of a group fixed, as a measurement of the other attributes by
/// their numbers in the shared base. Without others it is the group's count. The noise of a cell stays what it was.
pub fn slice(plan: &HierarchyPlan, group: &Group, measurement: &Measurement) -> Result<Measurement> {
    let Measurement { clique, answers, variance } = measurement;
    let sizes = plan.domain().sizes();
    if clique.iter().any(|a| usize::from(*a) >= sizes.len()) || !plan.determines(clique, group.level) {
        return Err(invalid(
            "a measurement of groups must have the group attributes of its level in its clique",
        ));
    }
    if plan.domain().cells(clique) != Some(answers.len() as u64) {
        return Err(invalid("a measurement needs one answer for each cell of its clique"));
    }
    let (start, clique, strides) = fix(plan, group, clique)?;
    let mut slice = zeros(strides.iter().map(|(_, size)| size).product())?;
    each_place(&strides, |cell, place| slice[cell] = answers[start + place]);
    Ok(Measurement { clique, answers: slice, variance: *variance })
}

/// Where the cells of a group begin in a clique, and its free attributes, by their numbers in the shared base, with
/// their strides.
pub(super) fn fix(
    plan: &HierarchyPlan,
    group: &Group,
    clique: &[u16],
) -> Result<(usize, Vec<u16>, Vec<Stride>)> {
    let (mut start, mut stride) = (0, 1);
    let (mut free, mut strides) = (Vec::new(), Vec::new());
    for a in clique.iter().rev() {
        let size = plan.domain().sizes()[usize::from(*a)] as usize;
        match (plan.code(group, *a), plan.rest().binary_search(a)) {
            (Some(code), _) => start += usize::from(code) * stride,
            (None, Ok(number)) => {
                free.push(number as u16);
                strides.push((stride, size));
            }
            (None, Err(_)) => {
                return Err(invalid("a clique has a group attribute that is not one of its level"));
            }
        }
        stride *= size;
    }
    free.reverse();
    strides.reverse();
    Ok((start, free, strides))
}

/// Calls `f` with each cell of the free attributes and its place among all, beyond the start.
pub(super) fn each_place(strides: &[Stride], mut f: impl FnMut(usize, usize)) {
    let Some(((stride, size), outer)) = strides.split_last() else { return f(0, 0) };
    let mut codes = vec![0; outer.len()];
    let runs: usize = outer.iter().map(|(_, size)| size).product();
    let mut first = 0;
    for run in 0..runs {
        (0..*size).for_each(|code| f(run * size + code, first + code * stride));
        // The next codes of the others, the last one fastest.
        for (code, (stride, size)) in codes.iter_mut().zip(outer).rev() {
            *code += 1;
            first += stride;
            if *code < *size {
                break;
            }
            first -= *code * stride;
            *code = 0;
        }
    }
}

/// The place of one cell of the free attributes among all, beyond the start.
pub(super) fn place(strides: &[Stride], mut cell: usize) -> usize {
    let mut place = 0;
    for (stride, size) in strides.iter().rev() {
        place += cell % size * stride;
        cell /= size;
    }
    place
}
