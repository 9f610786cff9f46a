//! Answers of a graphical model.

use super::{GraphicalModel, Places};
use crate::job::Pace;
use crate::models::Model;
use marginalia_graph::marginals;
use marginalia_tables::room::listed;
use marginalia_tables::{Result, Workload};

/// The counts of all cells, clique after clique.
pub async fn answers(
    model: &GraphicalModel,
    workload: &Workload,
    limit: f64,
    pace: &Pace,
) -> Result<Vec<f64>> {
    let mut answers = listed(std::iter::repeat_n(0.0, workload.total_cells() as usize))?;
    let places = |clique| Places::new(model.schema(), clique);
    let places = workload.cliques().map(places).collect::<Result<Vec<_>>>()?;
    let sets: Vec<Vec<u16>> = places.iter().map(|places| places.roots.clone()).collect();
    let name = |attribute: u16| model.schema().attributes()[usize::from(attribute)].name.clone();
    let shares = marginals(model.oracle(), &sets, limit, &name, pace).await?;
    for (clique, (places, shares)) in places.iter().zip(shares).enumerate() {
        let cells = workload.cells(clique);
        let answers = &mut answers[cells.start as usize..cells.end as usize];
        let cells = places.of.iter().zip(shares);
        cells.for_each(|(place, share)| answers[*place as usize] += model.total() * share);
        pace.did(2 * places.of.len()).await;
    }
    Ok(answers)
}
