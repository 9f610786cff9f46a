//! Answers of a graphical model.

use super::places::cells_of_some;
use super::{GraphicalModel, Places};
use crate::job::Pace;
use crate::models::Model;
use marginalia_graph::{Oracle, Passes, plan_with_names};
use marginalia_tables::room::listed;
use marginalia_tables::{Result, Workload};
use std::sync::Arc;

/// The counts of all cells, clique after clique.
pub async fn answers(
    model: &GraphicalModel,
    workload: &Workload,
    limit: f64,
    pace: &Pace,
) -> Result<Vec<f64>> {
    let mut answers = listed(std::iter::repeat_n(0.0, workload.total_cells() as usize))?;
    for clique in 0..workload.len() {
        let cells = workload.cells(clique);
        let answers = &mut answers[cells.start as usize..cells.end as usize];
        let places = Places::new(model.schema(), workload.clique(clique))?;
        let shares = marginal(model, &places.roots, limit, pace).await?;
        places
            .of
            .iter()
            .zip(shares)
            .for_each(|(place, share)| answers[*place as usize] += model.total() * share);
        pace.did(2 * places.of.len()).await;
        pace.show(clique + 1, workload.len());
    }
    Ok(answers)
}

/// The shares of the cells of some attributes, ascending, the last one fastest.
async fn marginal(model: &GraphicalModel, set: &[u16], limit: f64, pace: &Pace) -> Result<Vec<f64>> {
    let cliques = model.cliques();
    if let Some(leaf) = cliques.iter().position(|clique| set.iter().all(|a| clique.contains(a))) {
        let of = cells_of_some(&model.schema().sizes(), &cliques[leaf], set);
        let mut sums = vec![0.0; of.iter().max().map_or(0, |last| *last as usize + 1)];
        of.iter().zip(model.marginal(leaf)).for_each(|(cell, share)| sums[*cell as usize] += share);
        return Ok(sums);
    }
    // A factor of ones for the set.
    let with = [cliques, &[set.to_vec()]].concat();
    let name = |attribute: u16| model.schema().attributes()[usize::from(attribute)].name.clone();
    let tree = Arc::new(plan_with_names(&model.schema().sizes(), &with, limit, &name)?);
    let work = tree.cost().multiplications as usize;
    let mut oracle = Oracle::new(Arc::new(Passes::new(Arc::clone(&tree))));
    let mut potentials = model.potentials().to_vec();
    potentials.resize(tree.cells(), 0.0);
    oracle.forward(&potentials);
    pace.did(work).await;
    oracle.reverse(&potentials);
    pace.did(2 * work).await;
    Ok(tree.restored(cliques.len(), &oracle.marginals()[model.potentials().len()..]))
}
