//! A count in steps: units of one pass over one segment of rows, then one fold for each pass.

use super::admit::{BATCH_CELLS, admit};
use super::answers::Answers;
use super::cost::CostModel;
use super::kernel::rows_of;
use super::plan::{Form, Plan, plan};
use super::unit::{self, Cells, Folded, Partial, Pool};
use super::wave::{Wave, count_work, fold_work, waves};
use super::{Counting, par};
use crate::{Code, Error, Result, Table, Workload};
use std::sync::Arc;

/// The counting of one workload over one table.
pub struct CountJob {
    table: Arc<Table>,
    plan: Plan,
    waves: Vec<Wave>,
    /// The wave in progress, and its tables so far.
    wave: usize,
    tables: Vec<Cells>,
    /// The next unit of the wave; after the units come the folds.
    unit: usize,
    answers: Answers,
    pool: Pool,
    done: u64,
    total: u64,
    failed: Option<Error>,
}

impl CountJob {
    /// Plans the count and makes room for its answers, in at most `limit` bytes all in all.
    pub fn new(table: Arc<Table>, workload: Arc<Workload>, limit: u64) -> Result<Self> {
        if *workload.domain() != table.domain() {
            return Err(Error::new(
                Code::OptionInvalid,
                "the workload is over another schema: build it from the schema of the table",
            ));
        }
        let rows = table.rows() as u64;
        let cost = if table.weights().is_some() { CostModel::sums() } else { CostModel::counts() };
        let plan = plan(&workload, rows, &cost);
        let waves = waves(&plan, table.rows());
        admit(&plan, &workload, &waves, rows, limit)?;
        let mut sparse = vec![false; workload.len()];
        for pass in plan.passes.iter().filter(|pass| pass.form == Form::Sparse) {
            pass.cliques.iter().for_each(|i| sparse[*i] = true);
        }
        let answers = Answers::zero(workload, &sparse, limit)?;
        let total = plan.passes.iter().map(|pass| count_work(pass, rows) + fold_work(pass, rows)).sum();
        Ok(Self {
            table,
            plan,
            waves,
            wave: 0,
            tables: Vec::new(),
            unit: 0,
            answers,
            pool: Pool::default(),
            done: 0,
            total,
            failed: None,
        })
    }

    /// The plan that is carried out.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    fn advance(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.wave < self.waves.len() && self.done < until {
            let wave = self.waves[self.wave].clone();
            if self.unit == 0 {
                self.tables = self.plan.passes[wave.passes.clone()].iter().map(Cells::none).collect();
            }
            if self.unit < wave.units() {
                self.count(&wave, until)?;
            } else {
                self.fold(&wave, until)?;
            }
            if self.unit == wave.units() + wave.passes.len() {
                self.wave += 1;
                self.unit = 0;
            }
        }
        Ok(self.wave == self.waves.len())
    }

    /// Counts the next units of a wave.
    fn count(&mut self, wave: &Wave, until: u64) -> Result<()> {
        let (first, before) = (self.unit, self.done);
        let mut held = 0;
        while self.unit < wave.units() && self.done < until && held < BATCH_CELLS {
            let pass = &self.plan.passes[wave.passes.start + wave.place(self.unit)];
            held += if pass.form == Form::Block { pass.cells } else { 0 };
            let rows = wave.segment(self.unit).map(|chunk| rows_of(&self.table, chunk) as u64).sum();
            self.done += count_work(pass, rows);
            self.unit += 1;
        }
        let grain = par::grain((self.done - before + held) / (self.unit - first) as u64);
        let (table, pool, passes) = (&self.table, &self.pool, &self.plan.passes[wave.passes.clone()]);
        let partials = par::map((first..self.unit).collect(), grain, |unit| {
            unit::count(table, &passes[wave.place(unit)], wave.segment(unit), pool)
        });
        let mut of_pass: Vec<Vec<Partial>> = passes.iter().map(|_| Vec::new()).collect();
        for (unit, partial) in (first..).zip(partials) {
            of_pass[wave.place(unit)].push(partial?);
        }
        let tables = std::mem::take(&mut self.tables).into_iter().zip(of_pass).zip(passes).collect();
        let tables = par::map(tables, grain, |((cells, parts), pass)| {
            parts.into_iter().try_fold(cells, |cells: Cells, part| cells.add(part, table, pass))
        });
        self.tables = tables.into_iter().collect::<Result<_>>()?;
        Ok(())
    }

    /// Folds the next passes of a wave into the answers.
    fn fold(&mut self, wave: &Wave, until: u64) -> Result<()> {
        let (first, before) = (self.unit - wave.units(), self.done);
        let mut batch = Vec::new();
        while self.unit < wave.units() + wave.passes.len() && (batch.is_empty() || self.done < until) {
            let place = self.unit - wave.units();
            let pass = &self.plan.passes[wave.passes.start + place];
            batch.push((pass, std::mem::replace(&mut self.tables[place], Cells::none(pass))));
            self.done += fold_work(pass, self.table.rows() as u64);
            self.unit += 1;
        }
        let grain = par::grain((self.done - before) / batch.len() as u64);
        let workload = self.answers.workload();
        let folded = par::map(batch, grain, |(pass, cells)| cells.fold(pass, workload));
        for (pass, folded) in self.plan.passes[wave.passes.start + first..].iter().zip(folded) {
            match folded? {
                Folded::All(cells) => self.answers.set(&pass.cliques, &cells),
                Folded::Occurring(runs) => {
                    pass.cliques.iter().zip(runs).for_each(|(i, run)| self.answers.set_sparse(*i, run));
                }
            }
        }
        Ok(())
    }
}

impl Counting for CountJob {
    fn step(&mut self, work: u64) -> Result<bool> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.advance(work).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn done(&self) -> u64 {
        self.done
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn finish(mut self: Box<Self>) -> Result<Answers> {
        while !self.step(u64::MAX)? {}
        Ok(self.answers)
    }
}
