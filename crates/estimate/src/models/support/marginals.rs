//! Answers of a model: the cells of any cliques, measured or not.

use super::Distribution;
use super::base::{cells_of_rows, invalid, zeros};
use super::kernel::{BLOCK, Sums};
use crate::models::check;
use marginalia_tables::{Result, Workload};
use std::sync::Arc;

/// The answering of one workload, a few blocks of rows at a time.
pub struct MarginalsJob {
    model: Arc<Distribution>,
    workload: Arc<Workload>,
    answers: Vec<f64>,
    clique: usize,
    row: usize,
    sums: Sums,
    done: u64,
}

impl MarginalsJob {
    /// Makes room for the answers, in at most `limit` bytes.
    pub fn new(model: Arc<Distribution>, workload: Arc<Workload>, limit: u64) -> Result<Self> {
        if workload.domain() != model.base().domain() {
            return Err(invalid(
                "the workload is over another schema: build it from the schema of the prior",
            ));
        }
        for clique in workload.cliques() {
            model.base().cells(clique)?;
        }
        check::answers(&workload, limit)?;
        let answers = zeros(workload.total_cells() as usize)?;
        Ok(Self { model, workload, answers, clique: 0, row: 0, sums: Sums::zero(0, 0), done: 0 })
    }

    /// Does about `work` units, one of which is a row of one clique; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.clique < self.workload.len() && self.done < until {
            if self.row == 0 {
                let cells = self.workload.cells(self.clique);
                self.sums = Sums::zero((cells.end - cells.start) as usize, self.model.base().rows());
            }
            self.add_block()?;
            if self.row == self.model.base().rows() {
                self.give();
                self.row = 0;
                self.clique += 1;
            }
        }
        Ok(self.clique == self.workload.len())
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// All units.
    pub fn total(&self) -> u64 {
        (self.model.base().rows() * self.workload.len()) as u64
    }

    /// Does what is left and returns the counts of all cells, clique after clique.
    pub fn finish(mut self) -> Result<Vec<f64>> {
        while !self.step(u64::MAX)? {}
        Ok(self.answers)
    }

    fn add_block(&mut self) -> Result<()> {
        let base = self.model.base();
        let rows = self.row..base.rows().min(self.row + BLOCK);
        let mut cells = [0; BLOCK];
        let cells = &mut cells[..rows.len()];
        let clique = self.workload.clique(self.clique);
        cells_of_rows(base.domain(), base.columns(), clique, rows.clone(), cells);
        self.sums.add(cells, &self.model.weights()?[rows.clone()]);
        self.done += rows.len() as u64;
        self.row = rows.end;
        Ok(())
    }

    fn give(&mut self) {
        let cells = self.workload.cells(self.clique);
        let answers = &mut self.answers[cells.start as usize..cells.end as usize];
        self.sums.give(answers);
        answers.iter_mut().for_each(|answer| *answer *= self.model.total());
    }
}
