//! The order of work: which passes go over the rows together, and in which segments.

use super::plan::{Form, Plan};
use crate::CHUNK_ROWS;
use std::ops::Range;

/// Cells of unfinished tables that are held at once, unless a single pass has more.
const WAVE_CELLS: u64 = 1 << 21;

/// Chunks in the longest segment.
const SEGMENT_CHUNKS: usize = super::SEGMENT_ROWS as usize / CHUNK_ROWS;

/// Units that there should be at least, so that several threads have something to do.
const UNITS: usize = 16;

/// Passes that go over the rows together, segment by segment. A unit is one pass over one segment.
#[derive(Debug, Clone)]
pub struct Wave {
    /// The passes, by their place in the plan.
    pub passes: Range<usize>,
    /// The number of segments.
    pub segments: usize,
    /// Chunks in a segment.
    length: usize,
    /// Chunks in all.
    chunks: usize,
}

impl Wave {
    /// The number of units.
    pub fn units(&self) -> usize {
        self.passes.len() * self.segments
    }

    /// The pass of a unit, counted from the first of the wave.
    pub fn place(&self, unit: usize) -> usize {
        unit % self.passes.len()
    }

    /// The chunks of a unit's segment.
    pub fn segment(&self, unit: usize) -> Range<usize> {
        let start = unit / self.passes.len() * self.length;
        start.min(self.chunks)..(start + self.length).min(self.chunks)
    }
}

/// Cuts the passes of a plan into waves, which depend on the plan and the number of rows alone.
pub fn waves(plan: &Plan, rows: usize) -> Vec<Wave> {
    let chunks = rows.div_ceil(CHUNK_ROWS);
    let mut waves: Vec<Wave> = Vec::new();
    let mut held = 0;
    for (i, pass) in plan.passes.iter().enumerate() {
        held += pass.cells;
        let fits = |wave: &&mut Wave| {
            let first = &plan.passes[wave.passes.start];
            first.form == pass.form && pass.form != Form::Sparse && held <= WAVE_CELLS
        };
        match waves.last_mut().filter(fits) {
            Some(wave) => wave.passes.end = i + 1,
            None => {
                waves.push(Wave { passes: i..i + 1, segments: 0, length: 0, chunks });
                held = pass.cells;
            }
        }
    }
    for wave in &mut waves {
        // Only blocks are added up segment by segment, so that their lengths matter to sums of weights.
        let longest = if plan.passes[wave.passes.start].form == Form::Block { SEGMENT_CHUNKS } else { 1 };
        wave.length = (chunks * wave.passes.len() / UNITS).clamp(1, longest);
        wave.segments = chunks.div_ceil(wave.length).max(1);
    }
    waves
}

/// The work of counting so many rows in a pass. A unit is a row of a block; a row of a large clique misses the
/// caches, and a row of a sparse one is sorted and merged.
pub fn count_work(form: Form, rows: u64) -> u64 {
    rows * match form {
        Form::Block => 1,
        Form::Dense => 8,
        Form::Sparse => 64,
    }
}

/// The work of turning a cell of a large clique, which stands in another cache line than the next one.
pub const TURN: u64 = 16;

/// The work of folding a pass that answers so many cliques. The first of a large one is counted in place.
pub fn fold_work(form: Form, cells: u64, cliques: usize, rows: u64) -> u64 {
    match form {
        Form::Block => cells,
        Form::Dense => (TURN * cells).saturating_mul(cliques as u64 - 1),
        Form::Sparse => 64 * rows.min(cells),
    }
}

/// The work of counting and folding a pass that answers so many cliques.
pub fn work(form: Form, cells: u64, cliques: usize, rows: u64) -> u64 {
    count_work(form, rows).saturating_add(fold_work(form, cells, cliques, rows))
}

#[cfg(test)]
mod tests {
    use super::super::plan::Pass;
    use super::*;

    fn plan_of(passes: usize, cells: u64, form: Form) -> Plan {
        let pass = Pass { attributes: vec![0], cells, form, cliques: vec![] };
        Plan { passes: vec![pass; passes], cost: 0.0 }
    }

    #[test]
    fn units_go_over_every_chunk_of_every_pass_once() {
        for (passes, cells, form) in [
            (1, 10, Form::Block),
            (100, 60_000, Form::Block),
            (3, 1 << 22, Form::Dense),
            (2, 1 << 40, Form::Sparse),
        ] {
            for rows in [0, 1, CHUNK_ROWS, 40 * CHUNK_ROWS + 1] {
                let plan = plan_of(passes, cells, form);
                let mut seen = vec![Vec::new(); passes];
                for wave in waves(&plan, rows) {
                    assert!(wave.passes.len() as u64 * cells <= WAVE_CELLS || wave.passes.len() == 1);
                    for unit in 0..wave.units() {
                        seen[wave.passes.start + wave.place(unit)].extend(wave.segment(unit));
                    }
                }
                let all: Vec<usize> = (0..rows.div_ceil(CHUNK_ROWS)).collect();
                assert!(seen.iter().all(|chunks| *chunks == all), "{passes} passes over {rows} rows");
            }
        }
    }

    #[test]
    fn a_single_pass_over_many_rows_leaves_work_for_several_threads() {
        let waves = waves(&plan_of(1, 10, Form::Block), 40 * CHUNK_ROWS);
        assert!(waves[0].units() >= UNITS);
    }
}
