//! A count in steps: first the plan and room for the answers; then units of one pass over one segment of rows, and
//! one fold for each pass; both at once where there is one segment. Large cliques are counted in place and turned.

use super::admit::{BATCH_CELLS, admit, admit_answers};
use super::answers::Answers;
use super::cost::CostModel;
use super::dense::{self, Turning};
use super::kernel::{rows_of, with_capacity};
use super::plan::{Form, Pass, Plan};
use super::planner::Planner;
use super::sparse::{Renumbering, Runs};
use super::unit::{self, Cells, Folded, Partial, Pool};
use super::wave::{TURN, Wave, count_work, fold_work, waves, work};
use super::{Counting, par};
use crate::{Code, Error, Result, Table, Workload};
use std::sync::Arc;

/// What preparing one pass takes, in units of work.
const PREPARE: u64 = 16;

/// The counting of one workload over one table.
pub struct CountJob {
    table: Arc<Table>,
    limit: u64,
    /// What makes the plan, until it is made.
    planner: Option<Planner>,
    plan: Plan,
    waves: Vec<Wave>,
    /// The wave in progress, and its tables so far.
    wave: usize,
    tables: Vec<Cells>,
    /// The next unit of the wave; after the units come the folds.
    unit: usize,
    /// The sparse pass in progress, once it is counted.
    renumbering: Option<Renumbering>,
    /// How far the dense pass in progress is, once it is counted.
    turning: Turning,
    answers: Answers,
    pool: Pool,
    done: u64,
    /// All units; as long as there is no plan, those of passes of one clique each, which come after what is done.
    total: u64,
    failed: Option<Error>,
}

impl CountJob {
    /// Makes room for the answers, which with all that counting needs must fit in `limit` bytes; what depends on
    /// the plan is refused in the step that completes it, before anything is counted.
    pub fn new(table: Arc<Table>, workload: Arc<Workload>, limit: u64) -> Result<Self> {
        if *workload.domain() != table.domain() {
            return Err(Error::new(
                Code::OptionInvalid,
                "the workload is over another schema: build it from the schema of the table",
            ));
        }
        let rows = table.rows() as u64;
        let cost = if table.weights().is_some() { CostModel::sums() } else { CostModel::counts() };
        let mut sparse = with_capacity(workload.len())?;
        let mut total = 0u64;
        for i in 0..workload.len() {
            let cells = workload.cells(i).end - workload.cells(i).start;
            let large = cells > cost.max_cells;
            let form = if large { Form::of_large(cells, rows) } else { Form::Block };
            sparse.push(form == Form::Sparse);
            total = total.saturating_add(work(form, cells, 1, rows)).saturating_add(cells);
        }
        admit_answers(&workload, &sparse, rows, limit)?;
        let planner = Some(Planner::new(&workload, rows, cost)?);
        Ok(Self {
            table,
            limit,
            planner,
            plan: Plan { passes: Vec::new(), cost: 0.0 },
            waves: Vec::new(),
            wave: 0,
            tables: Vec::new(),
            unit: 0,
            renumbering: None,
            turning: Turning::default(),
            answers: Answers::new(workload, &sparse, limit)?,
            pool: Pool::default(),
            done: 0,
            total,
            failed: None,
        })
    }

    /// The plan that is carried out, once it is made.
    pub fn plan(&self) -> Option<&Plan> {
        self.planner.is_none().then_some(&self.plan)
    }

    fn advance(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        if let Some(mut planner) = self.planner.take() {
            let planned = planner.step(self.answers.workload(), work)?;
            self.done = planner.done();
            if !planned {
                self.planner = Some(planner);
                return Ok(false);
            }
            self.prepare(planner.finish())?;
        }
        let room = usize::try_from(until.saturating_sub(self.done)).unwrap_or(usize::MAX);
        self.done += self.answers.grow(room) as u64;
        if !self.answers.grown() {
            return Ok(false);
        }
        self.carry_out(until)
    }

    /// Admits the plan and cuts it into waves.
    fn prepare(&mut self, plan: Plan) -> Result<()> {
        let rows = self.table.rows() as u64;
        self.waves = waves(&plan, self.table.rows());
        admit(&plan, self.answers.workload(), &self.waves, rows, self.limit)?;
        let of = |pass: &Pass| work(pass.form, pass.cells, pass.cliques.len(), rows);
        let counting: u64 = plan.passes.iter().map(of).sum();
        self.done += PREPARE * plan.passes.len() as u64;
        self.total = self.done + self.answers.cells() as u64 + counting;
        self.plan = plan;
        Ok(())
    }

    fn carry_out(&mut self, until: u64) -> Result<bool> {
        while self.wave < self.waves.len() && self.done < until {
            let wave = self.waves[self.wave].clone();
            if self.unit == 0 {
                self.tables = self.plan.passes[wave.passes.clone()].iter().map(Cells::none).collect();
            }
            let in_place = self.plan.passes[wave.passes.start].form == Form::Dense;
            if in_place && self.unit < wave.units() {
                self.count_in_place(&wave, until);
            } else if in_place {
                self.turn(&wave, until);
            } else if wave.segments == 1 {
                self.count_and_fold(&wave, until)?;
            } else if self.unit < wave.units() {
                self.count(&wave, until)?;
            } else if let Cells::Occurring(runs) = &mut self.tables[0] {
                let runs = std::mem::take(runs);
                self.renumber(&wave, runs, until)?;
            } else {
                self.fold(&wave, until)?;
            }
            let folds = if wave.segments == 1 && !in_place { 0 } else { wave.passes.len() };
            if self.unit == wave.units() + folds {
                self.wave += 1;
                self.unit = 0;
            }
        }
        Ok(self.wave == self.waves.len())
    }

    /// Counts and folds the next passes of a wave of one segment, while their tables are still in the caches.
    fn count_and_fold(&mut self, wave: &Wave, until: u64) -> Result<()> {
        let (first, before) = (self.unit, self.done);
        let rows = self.table.rows() as u64;
        let passes = &self.plan.passes[wave.passes.clone()];
        let mut held = 0;
        while self.unit < passes.len() && goes_on(self.unit - first, self.done < until && held < BATCH_CELLS)
        {
            let pass = &passes[self.unit];
            held += pass.cells;
            self.done += work(pass.form, pass.cells, pass.cliques.len(), rows);
            self.unit += 1;
        }
        let grain = par::grain((self.done - before) / (self.unit - first) as u64);
        let (table, pool, workload) = (&self.table, &self.pool, self.answers.workload());
        let folded = par::map((first..self.unit).collect(), grain, |unit| {
            let pass = &passes[unit];
            let part = unit::count(table, pass, wave.segment(unit), pool)?;
            Cells::none(pass).add(part)?.fold(pass, workload)
        });
        for (pass, folded) in passes[first..].iter().zip(folded) {
            set(&mut self.answers, pass, folded?);
        }
        Ok(())
    }

    /// Counts the next units of a wave.
    fn count(&mut self, wave: &Wave, until: u64) -> Result<()> {
        let (first, before) = (self.unit, self.done);
        let mut held = 0;
        while self.unit < wave.units() && goes_on(self.unit - first, self.done < until && held < BATCH_CELLS)
        {
            let pass = &self.plan.passes[wave.passes.start + wave.place(self.unit)];
            held += if pass.form == Form::Block { pass.cells } else { 0 };
            let rows = wave.segment(self.unit).map(|chunk| rows_of(&self.table, chunk) as u64).sum();
            self.done += count_work(pass.form, rows);
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
        let tables = std::mem::take(&mut self.tables).into_iter().zip(of_pass).collect();
        let tables = par::map(tables, grain, |(cells, parts)| parts.into_iter().try_fold(cells, Cells::add));
        self.tables = tables.into_iter().collect::<Result<_>>()?;
        Ok(())
    }

    /// Counts the next units of a wave of large cliques into their answers.
    fn count_in_place(&mut self, wave: &Wave, until: u64) {
        let (first, before) = (self.unit, self.done);
        let passes = &self.plan.passes[wave.passes.clone()];
        let mut chunks = vec![0..0; passes.len()];
        while self.unit < wave.units() && goes_on(self.unit - first, self.done < until) {
            let (segment, chunks) = (wave.segment(self.unit), &mut chunks[wave.place(self.unit)]);
            *chunks = if chunks.end == 0 { segment.clone() } else { chunks.start..segment.end };
            let rows = segment.map(|chunk| rows_of(&self.table, chunk) as u64).sum();
            self.done += count_work(Form::Dense, rows);
            self.unit += 1;
        }
        let grain = par::grain((self.done - before) / passes.len() as u64);
        let firsts: Vec<usize> = passes.iter().map(|pass| pass.cliques[0]).collect();
        let table = &self.table;
        par::map(self.answers.parts(&firsts), grain, |(place, cells)| {
            dense::count_into(table, &passes[place], chunks[place].clone(), cells);
        });
    }

    /// Turns the next cells of a wave of large cliques, which are counted in the order of the first clique of each, into
    /// those of the others.
    fn turn(&mut self, wave: &Wave, until: u64) {
        let pass = &self.plan.passes[wave.passes.start + self.unit - wave.units()];
        while self.done < until {
            let turned = self.turning.step(pass, &mut self.answers, (until - self.done).div_ceil(TURN));
            if turned == 0 {
                self.turning = Turning::default();
                self.unit += 1;
                return;
            }
            self.done += TURN * turned;
        }
    }

    /// Numbers the next cells of the only pass of a sparse wave as its cliques want them.
    fn renumber(&mut self, wave: &Wave, runs: Runs, until: u64) -> Result<()> {
        let pass = &self.plan.passes[wave.passes.start];
        let work = fold_work(pass.form, pass.cells, pass.cliques.len(), self.table.rows() as u64);
        let workload = self.answers.workload();
        let orders: Vec<&[u16]> = pass.cliques.iter().map(|i| workload.clique(*i)).collect();
        if orders[..] == [&pass.attributes[..]] {
            set(&mut self.answers, pass, Folded::Occurring(vec![runs.into_one()?]));
            self.done += work;
            self.unit += 1;
            return Ok(());
        }
        let mut renumbering = match self.renumbering.take() {
            Some(renumbering) => renumbering,
            None => Renumbering::new(runs.into_one()?),
        };
        let share = |(done, all): (usize, usize)| work * done as u64 / all as u64;
        let (mut pieces, before) = (renumbering.pieces(orders.len()), self.done);
        let start = before - share(pieces);
        while pieces.0 < pieces.1 && self.done < until {
            renumbering.step(&pass.attributes, &orders, workload.domain().sizes())?;
            pieces = renumbering.pieces(orders.len());
            self.done = start + share(pieces);
        }
        if pieces.0 < pieces.1 {
            self.renumbering = Some(renumbering);
        } else {
            self.unit += 1;
            set(&mut self.answers, pass, Folded::Occurring(renumbering.finish()));
        }
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
            self.done += fold_work(pass.form, pass.cells, pass.cliques.len(), self.table.rows() as u64);
            self.unit += 1;
        }
        let grain = par::grain((self.done - before) / batch.len() as u64);
        let workload = self.answers.workload();
        let folded = par::map(batch, grain, |(pass, cells)| cells.fold(pass, workload));
        for (pass, folded) in self.plan.passes[wave.passes.start + first..].iter().zip(folded) {
            set(&mut self.answers, pass, folded?);
        }
        Ok(())
    }
}

/// Whether a step takes another unit after `taken`, where as many for each thread count as one.
fn goes_on(taken: usize, wanted: bool) -> bool {
    wanted || !taken.is_multiple_of(par::threads())
}

/// Stores the cliques of a pass.
fn set(answers: &mut Answers, pass: &Pass, folded: Folded) {
    match folded {
        Folded::All(cells) => answers.set(&pass.cliques, &cells),
        Folded::Occurring(runs) => {
            pass.cliques.iter().zip(runs).for_each(|(i, run)| answers.set_sparse(*i, run));
        }
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
        if self.planner.is_some() { self.total.saturating_add(self.done) } else { self.total }
    }

    fn finish(mut self: Box<Self>) -> Result<Answers> {
        while !self.step(u64::MAX)? {}
        Ok(self.answers)
    }
}
