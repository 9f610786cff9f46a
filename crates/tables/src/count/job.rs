//! A count in steps: units of one pass over one segment of rows, then one fold for each pass.

use super::answers::Answers;
use super::cost::CostModel;
use super::fold::fold;
use super::index::{cells, columns};
use super::kernel::{self, Scratch, rows_of, zeros};
use super::plan::{Form, Pass, Plan, plan};
use super::sparse::{Run, Runs};
use super::{Counting, par};
use crate::{CHUNK_ROWS, Code, Error, Result, Table, Workload};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Cells of unfinished tables that are held at once, unless a single pass has more.
const WAVE_CELLS: u64 = 1 << 21;

/// Cells of partial tables that are held at once.
const BATCH_CELLS: u64 = 1 << 20;

/// Chunks in the longest segment.
const SEGMENT_CHUNKS: usize = super::SEGMENT_ROWS as usize / CHUNK_ROWS;

/// Units that there should be at least, so that several threads have something to do.
const UNITS: usize = 16;

/// Passes that go over the rows together, segment by segment.
#[derive(Debug, Clone)]
struct Wave {
    passes: Range<usize>,
    /// Chunks in a segment.
    chunks: usize,
    segments: usize,
}

/// The counting of one workload over one table.
pub struct CountJob {
    table: Arc<Table>,
    plan: Plan,
    waves: Vec<Wave>,
    /// The wave being counted, the next unit of it, and its tables so far.
    wave: usize,
    unit: usize,
    tables: Vec<Cells>,
    answers: Answers,
    scratch: Mutex<Vec<Scratch>>,
    done: u64,
    total: u64,
    failed: Option<Error>,
}

/// The table of a pass in the making.
enum Cells {
    Dense(Vec<f64>),
    Sparse(Runs),
}

/// What a unit yields.
enum Partial {
    /// The cells of a block.
    Block(Vec<f64>),
    /// Nothing yet: a large table is too large to have twice, so its rows are counted into it directly.
    Rows(Range<usize>),
    /// The cells that occur.
    Run(Run),
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
        let cost = if table.weights().is_some() { CostModel::sums() } else { CostModel::counts() };
        let plan = plan(&workload, table.rows() as u64, &cost);
        let waves = waves(&plan, table.rows().div_ceil(CHUNK_ROWS));
        admit(&plan, &workload, &waves, table.rows() as u64, limit)?;
        let mut is_sparse = vec![false; workload.len()];
        for pass in plan.passes.iter().filter(|pass| pass.form == Form::Sparse) {
            pass.cliques.iter().for_each(|i| is_sparse[*i] = true);
        }
        let answers = Answers::zero(workload, |i| is_sparse[i], limit)?;
        let rows = table.rows() as u64;
        let total = plan.passes.iter().map(|pass| rows + fold_work(pass, rows)).sum();
        Ok(Self {
            table,
            plan,
            waves,
            wave: 0,
            unit: 0,
            tables: Vec::new(),
            answers,
            scratch: Mutex::default(),
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
            let (passes, units) = (wave.passes.len(), wave.passes.len() * wave.segments);
            if self.unit == 0 {
                let empty = |pass: &Pass| match pass.form {
                    Form::Sparse => Cells::Sparse(Runs::default()),
                    Form::Block | Form::Dense => Cells::Dense(Vec::new()),
                };
                self.tables = self.plan.passes[wave.passes.clone()].iter().map(empty).collect();
            }
            if self.unit < units {
                self.count(&wave, until)?;
            } else {
                self.fold(&wave, until)?;
            }
            if self.unit == units + passes {
                self.wave += 1;
                self.unit = 0;
            }
        }
        Ok(self.wave == self.waves.len())
    }

    /// Counts the next units of a wave.
    fn count(&mut self, wave: &Wave, until: u64) -> Result<()> {
        let passes = wave.passes.len();
        let mut batch = Vec::new();
        let mut held = 0;
        while self.unit < passes * wave.segments && (batch.is_empty() || self.done < until) {
            let pass = &self.plan.passes[wave.passes.start + self.unit % passes];
            held += if pass.form == Form::Block { pass.cells } else { 0 };
            if !batch.is_empty() && held > BATCH_CELLS {
                break;
            }
            let chunks = wave.segment(self.unit / passes, self.table.rows());
            self.done += chunks.clone().map(|chunk| rows_of(&self.table, chunk) as u64).sum::<u64>();
            batch.push((self.unit % passes, chunks));
            self.unit += 1;
        }
        let places: Vec<usize> = batch.iter().map(|(place, _)| *place).collect();
        let partials = par::map(batch, |(place, chunks)| {
            self.partial(&self.plan.passes[wave.passes.start + place], chunks)
        });
        let mut by_pass: Vec<Vec<Partial>> = (0..passes).map(|_| Vec::new()).collect();
        for (place, partial) in places.into_iter().zip(partials) {
            by_pass[place].push(partial?);
        }
        let work: Vec<_> =
            std::mem::take(&mut self.tables).into_iter().zip(by_pass).zip(wave.passes.clone()).collect();
        let tables = par::map(work, |((cells, partials), pass)| {
            partials
                .into_iter()
                .try_fold(cells, |cells, partial| self.merge(cells, partial, &self.plan.passes[pass]))
        });
        self.tables = tables.into_iter().collect::<Result<_>>()?;
        Ok(())
    }

    /// Counts a pass over some chunks.
    fn partial(&self, pass: &Pass, chunks: Range<usize>) -> Result<Partial> {
        match pass.form {
            Form::Dense => Ok(Partial::Rows(chunks)),
            Form::Sparse => Run::count(&self.table, &pass.attributes, chunks).map(Partial::Run),
            Form::Block => {
                let pool = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
                let free = pool().pop();
                let mut scratch = free.map_or_else(|| Scratch::new(self.table.weights().is_some()), Ok)?;
                let cells =
                    kernel::count(&self.table, &pass.attributes, pass.cells as usize, chunks, &mut scratch);
                pool().push(scratch);
                cells.map(Partial::Block)
            }
        }
    }

    /// Adds a part to the table of its pass.
    fn merge(&self, cells: Cells, partial: Partial, pass: &Pass) -> Result<Cells> {
        match (cells, partial) {
            (Cells::Dense(cells), Partial::Block(part)) if cells.is_empty() => Ok(Cells::Dense(part)),
            (Cells::Dense(mut cells), Partial::Block(part)) => {
                cells.iter_mut().zip(&part).for_each(|(sum, count)| *sum += count);
                Ok(Cells::Dense(cells))
            }
            (Cells::Dense(mut cells), Partial::Rows(chunks)) => {
                if cells.is_empty() {
                    cells = zeros(pass.cells as usize)?;
                }
                dense(&self.table, &pass.attributes, chunks, &mut cells);
                Ok(Cells::Dense(cells))
            }
            (Cells::Sparse(mut runs), Partial::Run(run)) => {
                runs.push(run)?;
                Ok(Cells::Sparse(runs))
            }
            (cells, _) => Ok(cells),
        }
    }

    /// Folds the next passes of a wave into the answers.
    fn fold(&mut self, wave: &Wave, until: u64) -> Result<()> {
        let counted = wave.passes.len() * wave.segments;
        let first = self.unit - counted;
        let mut batch = Vec::new();
        while self.unit < counted + wave.passes.len() && (batch.is_empty() || self.done < until) {
            let place = self.unit - counted;
            let pass = wave.passes.start + place;
            let cells = std::mem::replace(&mut self.tables[place], Cells::Dense(Vec::new()));
            self.done += fold_work(&self.plan.passes[pass], self.table.rows() as u64);
            batch.push((pass, cells));
            self.unit += 1;
        }
        let folded = par::map(batch, |(pass, cells)| self.fold_one(&self.plan.passes[pass], cells));
        for (pass, folded) in (wave.passes.start + first..).zip(folded) {
            let cliques = &self.plan.passes[pass].cliques;
            match folded? {
                Folded::Dense(cells) => {
                    let mut rest = &cells[..];
                    for &i in cliques {
                        let range = self.answers.workload().cells(i);
                        let (now, later) = rest.split_at((range.end - range.start) as usize);
                        self.answers.set(i, now);
                        rest = later;
                    }
                }
                Folded::Sparse(runs) => {
                    cliques.iter().zip(runs).for_each(|(i, run)| self.answers.set_sparse(*i, run));
                }
            }
        }
        Ok(())
    }

    fn fold_one(&self, pass: &Pass, cells: Cells) -> Result<Folded> {
        let workload = self.answers.workload();
        let sizes = workload.domain().sizes();
        match cells {
            Cells::Dense(cells) => {
                let targets: Vec<&[u16]> = pass.cliques.iter().map(|i| workload.clique(*i)).collect();
                if targets[..] == [&pass.attributes[..]] {
                    return Ok(Folded::Dense(cells));
                }
                fold(&cells, &pass.attributes, sizes, &targets).map(Folded::Dense)
            }
            Cells::Sparse(runs) => {
                let run = runs.into_one()?;
                let orders = pass.cliques.iter().map(|i| workload.clique(*i));
                orders
                    .map(|order| run.reorder(&pass.attributes, order, sizes))
                    .collect::<Result<_>>()
                    .map(Folded::Sparse)
            }
        }
    }
}

/// The cells of all cliques of a pass.
enum Folded {
    Dense(Vec<f64>),
    Sparse(Vec<Run>),
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

impl Wave {
    /// The chunks of a segment.
    fn segment(&self, i: usize, rows: usize) -> Range<usize> {
        let all = rows.div_ceil(CHUNK_ROWS);
        (i * self.chunks).min(all)..((i + 1) * self.chunks).min(all)
    }
}

/// The work of folding a pass, in cells.
fn fold_work(pass: &Pass, rows: u64) -> u64 {
    match pass.form {
        Form::Sparse => rows.min(pass.cells),
        Form::Block | Form::Dense => pass.cells,
    }
}

/// Counts rows of a large clique into its cells.
fn dense(table: &Table, attributes: &[u16], chunks: Range<usize>, counts: &mut [f64]) {
    let mut numbers = [0u64; 1024];
    for chunk in chunks {
        let columns = columns(table, attributes, chunk);
        let rows = rows_of(table, chunk);
        for start in (0..rows).step_by(numbers.len()) {
            let block = start..rows.min(start + numbers.len());
            let numbers = &mut numbers[..block.len()];
            cells(&columns, block.clone(), numbers);
            match table.weights() {
                None => numbers.iter().for_each(|cell| counts[*cell as usize] += 1.0),
                Some(weights) => {
                    let weights = &weights.chunk(chunk)[block];
                    numbers.iter().zip(weights).for_each(|(cell, weight)| counts[*cell as usize] += weight);
                }
            }
        }
    }
}

/// Cuts the passes of a plan into waves, which depend on the plan and the number of chunks alone.
fn waves(plan: &Plan, chunks: usize) -> Vec<Wave> {
    let mut waves: Vec<Wave> = Vec::new();
    let mut held = 0;
    for (i, pass) in plan.passes.iter().enumerate() {
        held += pass.cells;
        let fits = |wave: &&mut Wave| {
            plan.passes[wave.passes.start].form == pass.form
                && pass.form != Form::Sparse
                && held <= WAVE_CELLS
        };
        match waves.last_mut().filter(fits) {
            Some(wave) => wave.passes.end = i + 1,
            None => {
                waves.push(Wave { passes: i..i + 1, chunks: 0, segments: 0 });
                held = pass.cells;
            }
        }
    }
    for wave in &mut waves {
        let longest = if plan.passes[wave.passes.start].form == Form::Sparse { 1 } else { SEGMENT_CHUNKS };
        wave.chunks = (chunks * wave.passes.len() / UNITS).clamp(1, longest);
        wave.segments = chunks.div_ceil(wave.chunks).max(1);
    }
    waves
}

/// Refuses a plan whose answers and tables in the making need more than `limit` bytes.
fn admit(plan: &Plan, workload: &Workload, waves: &[Wave], rows: u64, limit: u64) -> Result<()> {
    let word = size_of::<f64>() as u64;
    let mut answers = 0u64;
    for pass in &plan.passes {
        let of_one = match pass.form {
            Form::Sparse => 2 * pass.cells.min(rows),
            Form::Block | Form::Dense => 0,
        };
        answers = answers.saturating_add(of_one.saturating_mul(pass.cliques.len() as u64));
        if pass.form != Form::Sparse {
            let cells = pass.cliques.iter().map(|i| workload.cells(*i));
            answers = cells.fold(answers, |sum, range| sum.saturating_add(range.end - range.start));
        }
    }
    let of_wave = |wave: &Wave| -> u64 {
        let of_pass = |pass: &Pass| match pass.form {
            Form::Sparse => 4 * pass.cells.min(rows),
            Form::Block | Form::Dense => pass.cells,
        };
        plan.passes[wave.passes.clone()].iter().map(of_pass).fold(0, u64::saturating_add)
    };
    let largest = waves.iter().map(of_wave).max().unwrap_or(0);
    let bytes = answers.saturating_add(largest).saturating_mul(word).saturating_add(Scratch::BYTES as u64);
    if bytes <= limit && usize::try_from(bytes).is_ok() {
        return Ok(());
    }
    let message = format!(
        "{} cliques with {} cells need {bytes} bytes, and the limit is {limit} bytes: ask for fewer or smaller \
         cliques, or raise `memoryLimit`",
        workload.len(),
        workload.total_cells()
    );
    Err(Error::new(Code::ModelTooLarge, message))
}
