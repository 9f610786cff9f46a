//! Several stretches of a CSV text at once, for several threads.
//!
//! A text is cut after line feeds that most likely end a record: those before which quotes are even in number, as they are
//! wherever text is quoted as it should be. Whether a cut was the end of a record is known when the stretch before it has
//! been split, for then it must have ended in whole records. So stretches are split and encoded at the same time, and
//! appended in order as long as that holds; the reader goes on by itself from there.

use super::column::{Column, Weights};
use super::csv::Csv;
use super::header::Layout;
use super::options::{Dialect, Framing, LineEnd};
use super::report::LONGEST_ROW;
use super::split::Split;
use super::{Reader, Splitter};
use crate::Result;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::ops::Range;

/// What is needed to split and encode a stretch: all that a reader has but the table.
pub(super) struct Lane {
    pub csv: Csv,
    pub columns: Vec<Column>,
    pub weights: Option<Weights>,
    /// What was found in the stretch, or why it could not be read.
    pub split: Result<Split>,
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
        let split = self.csv.split(text, false);
        self.split = split.had_memory().and_then(|()| self.encode(&split, text)).map(|()| split);
    }

    fn encode(&mut self, split: &Split, text: &[u8]) -> Result<()> {
        if split.rows == 0 {
            return Ok(());
        }
        let block = self.csv.block(split, text);
        for column in &mut self.columns {
            column.reserve(block.rows)?;
            column.encode(&block);
        }
        self.weights.as_mut().map_or(Ok(()), |weights| weights.read(&block))
    }
}

/// Cuts the start of a text into at most so many stretches of at most `window` bytes, each up to a line feed outside quotes.
pub(super) fn cut(text: &[u8], lanes: usize, window: usize, dialect: Dialect) -> Vec<Range<usize>> {
    let mut cuts = Vec::with_capacity(lanes);
    let mut start = 0;
    while cuts.len() < lanes {
        let most = &text[start..text.len().min(start + window)];
        let Some(length) = whole_records(most, dialect) else { break };
        cuts.push(start..start + length);
        start += length;
    }
    cuts
}

/// The most bytes of a text that seem to be whole records.
fn whole_records(text: &[u8], Dialect { framing, line_end, .. }: Dialect) -> Option<usize> {
    let quoted = framing == Framing::Quoted;
    // Whether their number is odd, in a form that compilers make lanes of.
    let mut inside = quoted && text.iter().fold(false, |odd, byte| odd ^ (*byte == b'"'));
    let mut length = text.len();
    while let Some((byte, before)) = text[..length].split_last() {
        match byte {
            b'"' if quoted => inside = !inside,
            b'\n' if !inside && (line_end != LineEnd::Crlf || before.ends_with(b"\r")) => {
                return Some(length);
            }
            _ => {}
        }
        length -= 1;
    }
    None
}

/// Splits and encodes stretches of a text, one in each lane, and hands them on in their order, as long as each before
/// ended where it was cut. Gives the bytes that were handed on, or 0 where it is not worth it.
pub(super) fn run(
    lanes: &mut [Lane],
    (text, window, dialect): (&[u8], usize, Dialect),
    mut hand_on: impl FnMut(&mut Lane, &Split, &[u8]) -> Result<()>,
) -> Result<usize> {
    let cuts = cut(text, lanes.len(), window, dialect);
    if cuts.len() < 2 {
        return Ok(0);
    }
    let stretches = lanes.par_iter_mut().zip(&cuts).with_max_len(1);
    stretches.for_each(|(lane, cut)| lane.run(&text[cut.clone()]));
    let mut at = 0;
    for (lane, cut) in lanes.iter_mut().zip(cuts) {
        let split = std::mem::replace(&mut lane.split, Ok(Split::nothing()))?;
        at = cut.start + split.bytes;
        hand_on(lane, &split, &text[cut.clone()])?;
        if at < cut.end {
            break;
        }
    }
    Ok(at)
}

impl Reader {
    /// Makes the lanes.
    pub(super) fn make_lanes(&mut self, layout: &Layout) {
        let Splitter::Csv(csv) = &self.splitter else { return };
        let lanes = most();
        if lanes < 2 || self.columns.len() > MOST_COLUMNS {
            return;
        }
        let lane = |_| {
            let (columns, weights) = self.encoders(layout);
            Lane { csv: csv.twin(), columns, weights, split: Ok(Split::nothing()) }
        };
        self.lanes = (0..lanes).map(lane).collect();
        self.least = (lanes * self.window).min(LONGEST_ROW);
    }

    /// Reads whole rows of a text with all threads; gives the bytes that they take, or 0 where that cannot be.
    pub(super) fn read_in_lanes(&mut self, text: &[u8]) -> Result<usize> {
        let Splitter::Csv(csv) = &self.splitter else { return Ok(0) };
        let how = (text, self.window, csv.dialect());
        let mut lanes = std::mem::take(&mut self.lanes);
        let read = run(&mut lanes, how, |lane, split, _| {
            self.swap(lane);
            let appended = self.append(split);
            self.swap(lane);
            appended
        });
        self.lanes = lanes;
        read
    }

    /// Puts what a lane has in the place of the reader's own, and back.
    fn swap(&mut self, lane: &mut Lane) {
        std::mem::swap(&mut self.columns, &mut lane.columns);
        std::mem::swap(&mut self.weights, &mut lane.weights);
        if let Splitter::Csv(csv) = &mut self.splitter {
            std::mem::swap(csv, &mut lane.csv);
        }
    }
}
