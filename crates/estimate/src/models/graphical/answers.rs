//! Answers of a graphical model.

use super::{GraphicalModel, Places};
use crate::job::{Boxed, Pace, Steps};
use crate::models::Model;
use crate::models::check::invalid;
use marginalia_graph::{Factor, factored, kronecker, marginals};
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
    let places = |clique| Places::new(model.roots(), clique);
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

impl GraphicalModel {
    /// The answers to queries that are products of a factor for each of some attributes, never expanded: in records, of all
    /// combinations of their rows where these are `combined`, the last factor's fastest, and otherwise of row after row of all.
    pub fn products(
        self: Arc<Self>,
        mut factors: Vec<Factor>,
        combined: bool,
        limit: f64,
    ) -> Result<Boxed<Vec<f64>>> {
        let sizes = self.schema().sizes();
        for factor in &mut factors {
            let Some(size) = sizes.get(usize::from(factor.attribute)) else {
                return Err(invalid("a factor is of an attribute that is not there"));
            };
            let (root, codes) = self.roots().of(factor.attribute);
            if let Some(codes) = codes {
                let fine = |row: &[f64]| {
                    codes
                        .iter()
                        .map(|code| row.get(usize::from(*code)).copied().unwrap_or(f64::NAN))
                        .collect::<Vec<_>>()
                };
                factor.rows = factor.rows.chunks(*size as usize).flat_map(fine).collect();
            }
            factor.attribute = root;
        }
        Ok(Box::new(Steps::new(move |pace| async move {
            let name = |attribute: u16| self.schema().attributes()[usize::from(attribute)].name.clone();
            let mut answers = match combined {
                true => kronecker(self.oracle(), &factors, limit, &name, &pace).await?,
                false => factored(self.oracle(), &factors, limit, &name, &pace).await?,
            };
            answers.iter_mut().for_each(|answer| *answer *= self.total());
            Ok(answers)
        })))
    }
}
