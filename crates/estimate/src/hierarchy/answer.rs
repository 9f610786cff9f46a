//! Answers of groups: of one, of some, of all together; group attributes are attributes as any other.

use super::path::Path;
use super::slice::{each_place, fix};
use super::{Group, HierarchyPlan, Setup, States, invalid};
use crate::job::Steps;
use crate::models::support::{marginals, zeros};
use marginalia_tables::{Code, Error, Result, Workload};
use std::sync::Arc;

/// The counts of all cells of a workload over the attributes of the plan, clique after clique, summed over the groups at these
/// places, in at most `limit` bytes. A clique may name group attributes that all the groups have a code of. The weights of one
/// group are there at a time.
pub fn answer(
    setup: Arc<Setup>,
    states: States,
    groups: Vec<usize>,
    workload: Arc<Workload>,
    limit: u64,
) -> Result<Steps<Vec<f64>>> {
    if workload.domain() != setup.plan.domain() {
        return Err(invalid("the workload is over another schema: build it from the schema of the plan"));
    }
    if workload.total_cells().saturating_mul(24) > limit {
        return Err(Error::new(
            Code::ModelTooLarge,
            "the answers do not fit the memory limit: raise `memoryLimit`, or ask for fewer or smaller cliques",
        ));
    }
    let all = setup.plan.groups();
    if groups.iter().any(|at| *at >= all.len()) {
        return Err(invalid("the plan has no such group"));
    }
    for at in &groups {
        for clique in workload.cliques() {
            fix(&setup.plan, &all[*at], clique)?;
        }
    }
    let mut answers = zeros(workload.total_cells() as usize)?;
    Ok(Steps::new(move |pace| async move {
        for (done, at) in groups.iter().enumerate() {
            pace.show(done, groups.len());
            let model = Path::new(Arc::clone(&setup), &states, *at)?.weights(&pace).await?;
            let group = &setup.plan.groups()[*at];
            // The same cliques without the group attributes.
            let free = |clique| fix(&setup.plan, group, clique).map(|(_, free, _)| free);
            let cliques = workload.cliques().map(free).collect::<Result<Vec<_>>>()?;
            let own = Workload::from_cliques(model.base().domain().clone(), &cliques)?;
            let counts = pace.quiet().run(marginals(Arc::new(model), Arc::new(own), limit)?).await?;
            add(&setup.plan, group, &workload, &counts, &mut answers)?;
        }
        Ok(answers)
    }))
}

/// Adds a group's counts at its place.
fn add(
    plan: &HierarchyPlan,
    group: &Group,
    workload: &Workload,
    counts: &[f64],
    answers: &mut [f64],
) -> Result<()> {
    let mut rest = counts;
    for (i, clique) in workload.cliques().enumerate() {
        let (start, _, strides) = fix(plan, group, clique)?;
        let start = start + workload.cells(i).start as usize;
        let (own, others) = rest.split_at(strides.iter().map(|(_, size)| size).product());
        let answers = &mut answers[start..];
        each_place(&strides, |cell, place| answers[place] += own[cell]);
        rest = others;
    }
    Ok(())
}
