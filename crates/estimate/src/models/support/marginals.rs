//! Answers of a model: the cells of any cliques, measured or not.

use super::Distribution;
use super::base::{cells_of_rows, invalid};
use super::kernel::{BLOCK, Sums};
use crate::job::Steps;
use crate::models::check;
use marginalia_compute::vector::zeros;
use marginalia_tables::{Result, Workload};
use std::ops::Range;
use std::sync::Arc;

/// The counts of all cells of a workload, clique after clique, in at most `limit` bytes.
pub fn marginals(model: Arc<Distribution>, workload: Arc<Workload>, limit: u64) -> Result<Steps<Vec<f64>>> {
    if workload.domain() != model.base().domain() {
        return Err(invalid("the workload is over another schema: build it from the schema of the prior"));
    }
    for clique in workload.cliques() {
        model.base().cells(clique)?;
    }
    check::answers(&workload, limit)?;
    let mut answers = zeros(workload.total_cells() as usize)?;
    Ok(Steps::new(move |pace| async move {
        let (rows, cliques) = (model.base().rows(), workload.len());
        let blocks = rows.div_ceil(BLOCK);
        for (i, clique) in workload.cliques().enumerate() {
            let cells = workload.cells(i).start as usize..workload.cells(i).end as usize;
            let mut sums = Sums::zero(cells.len(), rows);
            for block in 0..blocks {
                let rows = block * BLOCK..rows.min((block + 1) * BLOCK);
                let work = rows.len();
                add(&model, clique, rows, &mut sums)?;
                pace.show(i * blocks + block, cliques * blocks);
                pace.did(work).await;
            }
            let answers = &mut answers[cells];
            sums.give(answers);
            answers.iter_mut().for_each(|answer| *answer *= model.total());
        }
        Ok(answers)
    }))
}

/// Adds the weights of some rows to their cells of a clique.
fn add(model: &Distribution, clique: &[u16], rows: Range<usize>, sums: &mut Sums) -> Result<()> {
    let (base, mut cells) = (model.base(), [0; BLOCK]);
    let cells = &mut cells[..rows.len()];
    cells_of_rows(base.domain(), base.columns().into(), clique, rows.clone(), cells);
    sums.add(cells, &model.weights()?[rows]);
    Ok(())
}
