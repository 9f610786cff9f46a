//! Several stretches of a CSV text at once, for several threads.
//!
//! A text is cut after line feeds, which may stand within quotes: whether a cut was the end of a row is known when
//! the stretch before it has been split, for then it must have ended in whole rows. So stretches are split and
//! encoded at the same time, and appended in order as long as that holds; the reader goes on by itself from there.

use super::column::{Column, Weights};
use super::csv::Csv;
use super::split::Split;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::ops::Range;

/// What is needed to split and encode a stretch: all that a reader has but the table.
pub(super) struct Lane {
    pub csv: Csv,
    pub columns: Vec<Column>,
    pub weights: Option<Weights>,
    /// What was found in the stretch.
    pub split: Split,
}

/// Columns need memory in every lane, so that there is one lane where they are more.
pub(super) const MOST_COLUMNS: usize = 64;

/// How many lanes there are, if there are threads: several for each of a few threads, because waking them for less
/// than a millisecond of work costs as much as they do.
const LANES: usize = 8;

/// How many lanes there may be.
pub(super) fn most() -> usize {
    if rayon::current_num_threads() > 1 { LANES } else { 1 }
}

impl Lane {
    fn run(&mut self, text: &[u8]) {
        self.split = self.csv.split(text, false);
        if self.split.rows > 0 {
            let block = self.csv.block(&self.split, text);
            self.columns.iter_mut().for_each(|column| column.encode(&block));
            if let Some(weights) = &mut self.weights {
                weights.read(&block);
            }
        }
    }
}

/// Cuts the start of a text into at most so many stretches of at most `window` bytes, each up to a line feed.
pub(super) fn cut(text: &[u8], lanes: usize, window: usize) -> Vec<Range<usize>> {
    let mut cuts = Vec::with_capacity(lanes);
    let mut start = 0;
    while cuts.len() < lanes {
        let most = &text[start..text.len().min(start + window)];
        let Some(last) = most.iter().rposition(|byte| *byte == b'\n') else { break };
        cuts.push(start..start + last + 1);
        start += last + 1;
    }
    cuts
}

/// Splits and encodes the stretches of a text, one in each lane.
pub(super) fn run(lanes: &mut [Lane], text: &[u8], cuts: &[Range<usize>]) {
    lanes.par_iter_mut().zip(cuts).with_max_len(1).for_each(|(lane, cut)| lane.run(&text[cut.clone()]));
}
