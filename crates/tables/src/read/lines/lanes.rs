//! Several stretches of lines at once, for several threads.
//!
//! A line feed ends a row here wherever it stands, so a text that is cut after line feeds is cut between rows. Stretches
//! are split and encoded at the same time; one in which a line is no row is read again, line by line. Rows go to the sink
//! in their order, from one thread.

use super::super::Splitter;
use super::super::header::Layout;
use super::super::lanes::{Lane, MOST_COLUMNS, cut, most, run};
use super::super::split::Split;
use super::{LineReader, RowSink, are_rows, hand_on};
use crate::Result;

impl LineReader {
    /// Makes the lanes.
    pub(super) fn make_lanes(&mut self, layout: &Layout) {
        let Splitter::Csv(csv) = &self.splitter else { return };
        let lanes = most();
        if lanes < 2 || self.columns.len() > MOST_COLUMNS {
            return;
        }
        let lane = |_| Lane {
            csv: csv.twin(),
            columns: self.encoders(layout),
            weights: None,
            split: Ok(Split::nothing()),
        };
        self.lanes = (0..lanes).map(lane).collect();
        self.goal = lanes * self.window;
    }

    /// Reads whole lines with all threads; gives the bytes that they take, or 0 where that is not worth it.
    pub(super) fn read_in_lanes(&mut self, text: &[u8], sink: &mut impl RowSink) -> Result<usize> {
        let cuts = cut(text, self.lanes.len(), self.window);
        let [_, .., last] = &cuts[..] else { return Ok(0) };
        let end = last.end;
        let mut lanes = std::mem::take(&mut self.lanes);
        run(&mut lanes, text, &cuts);
        let mut stretches = lanes.iter_mut().zip(&cuts);
        let result = stretches.try_for_each(|(lane, cut)| self.append(lane, &text[cut.clone()], sink));
        self.lanes = lanes;
        result.map(|()| end)
    }

    /// Hands on the rows of a stretch, which a lane has read.
    fn append(&mut self, lane: &mut Lane, lines: &[u8], sink: &mut impl RowSink) -> Result<()> {
        let split = std::mem::replace(&mut lane.split, Ok(Split::nothing()))?;
        if split.bytes < lines.len() || !are_rows(lines, &split, lane.csv.blanks.len()) {
            return self.lines_here(lines, sink);
        }
        if split.rows == 0 {
            return Ok(());
        }
        if let Some(place) = self.name_place {
            self.names.fill(&lane.csv.block(&split, lines), place, &mut self.scratch);
        }
        hand_on(&lane.columns, self.name_place.map(|_| &self.names), sink)
    }
}
