//! Whether a plan fits the memory that is allowed, decided before anything is counted.

use super::kernel::Scratch;
use super::plan::{Form, Pass, Plan};
use super::wave::Wave;
use crate::{Code, Error, Result, Workload};

/// Cells of partial tables that are held at once.
pub const BATCH_CELLS: u64 = 1 << 20;

/// Refuses a workload whose answers alone need more than `limit` bytes; `sparse` says which cliques are held so.
pub fn admit_answers(workload: &Workload, sparse: &[bool], rows: u64, limit: u64) -> Result<()> {
    let cells = |i: usize| workload.cells(i).end - workload.cells(i).start;
    let words = sparse.iter().enumerate().map(|(i, sparse)| answer_words(cells(i), *sparse, rows));
    within(sum(words), workload, limit)
}

/// Refuses a plan whose answers and tables in the making need more than `limit` bytes. Threads beyond the first
/// need [`Scratch::BYTES`] each on top, which is left out so that the answer does not depend on them.
pub fn admit(plan: &Plan, workload: &Workload, waves: &[Wave], rows: u64, limit: u64) -> Result<()> {
    let answers = sum(plan.passes.iter().map(|pass| answers_words(pass, workload, rows)));
    let wave = |wave: &Wave| {
        let passes = &plan.passes[wave.passes.clone()];
        sum(passes.iter().map(|pass| working_words(pass, workload, rows, wave.segments)))
    };
    let largest = waves.iter().map(wave).max().unwrap_or(0);
    within(answers.saturating_add(largest), workload, limit)
}

/// Refuses so many words, beside the counters of a thread.
fn within(words: u64, workload: &Workload, limit: u64) -> Result<()> {
    let bytes = words.saturating_mul(size_of::<f64>() as u64).saturating_add(Scratch::BYTES as u64);
    if bytes <= limit && usize::try_from(bytes).is_ok() {
        return Ok(());
    }
    let message = format!(
        "{} cliques with {} cells need at least {bytes} bytes, and the limit is {limit} bytes: ask for fewer or \
         smaller cliques, or raise `memoryLimit`",
        workload.len(),
        workload.total_cells()
    );
    Err(Error::new(Code::ModelTooLarge, message))
}

fn sum(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, u64::saturating_add)
}

/// What a clique needs at the end: a word a cell, or two for each that occurs.
fn answer_words(cells: u64, sparse: bool, rows: u64) -> u64 {
    if sparse { 2 * cells.min(rows) } else { cells }
}

/// What the cliques of a pass need at the end.
fn answers_words(pass: &Pass, workload: &Workload, rows: u64) -> u64 {
    let cells = |i: &usize| workload.cells(*i).end - workload.cells(*i).start;
    sum(pass.cliques.iter().map(|i| answer_words(cells(i), pass.form == Form::Sparse, rows)))
}

/// What a pass needs until it is folded: its table, a partial table or the cliques folded from it, and for lists
/// of cells room to sort and merge. Large dense cliques are counted where their answers stand.
fn working_words(pass: &Pass, workload: &Workload, rows: u64, segments: usize) -> u64 {
    match pass.form {
        Form::Sparse => 6 * pass.cells.min(rows),
        Form::Dense => 0,
        Form::Block => pass.cells * if segments > 1 { 2 } else { 1 } + answers_words(pass, workload, rows),
    }
}
