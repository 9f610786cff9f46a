//! Answers of a graphical model.

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
        return Ok(summed(&model.schema().sizes(), &cliques[leaf], &model.marginal(leaf), set));
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

/// The shares of the cells of a clique, summed over all attributes but those of a set.
fn summed(sizes: &[u32], clique: &[u16], shares: &[f64], set: &[u16]) -> Vec<f64> {
    let size = |attribute: &u16| sizes[usize::from(*attribute)] as usize;
    let stride = |attribute: &u16| {
        let at = set.iter().position(|other| other == attribute)?;
        Some(set[at + 1..].iter().map(size).product::<usize>())
    };
    let strides: Vec<(usize, usize)> = clique.iter().map(|a| (size(a), stride(a).unwrap_or(0))).collect();
    let mut sums = vec![0.0; set.iter().map(size).product()];
    for (cell, share) in shares.iter().enumerate() {
        let (mut rest, mut place) = (cell, 0);
        for (size, stride) in strides.iter().rev() {
            place += rest % size * stride;
            rest /= size;
        }
        sums[place] += share;
    }
    sums
}
