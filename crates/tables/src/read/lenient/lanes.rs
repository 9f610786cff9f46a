//! Several stretches of records at once, for several threads. Rows go to the sink in their order, from one thread.

use super::super::Splitter;
use super::super::header::Layout;
use super::super::lanes::{Lane, MOST_COLUMNS, most, run};
use super::super::split::Split;
use super::{LONGEST_ROW, LenientReader, RowSink};
use crate::Result;

impl LenientReader {
    /// Makes the lanes.
    pub(super) fn make_lanes(&mut self, layout: &Layout) {
        let Splitter::Csv(csv) = &self.splitter else { return };
        let lanes = most();
        if lanes < 2 || self.columns.len() > MOST_COLUMNS || self.counts_broken {
            return;
        }
        let lane = |_| Lane {
            csv: csv.twin(),
            columns: self.encoders(layout),
            weights: None,
            split: Ok(Split::nothing()),
        };
        self.lanes = (0..lanes).map(lane).collect();
        self.least = (lanes * self.window).min(LONGEST_ROW);
        self.goal = self.least;
    }

    /// Reads whole records with all threads; gives the bytes that they take, or 0 where that is not worth it.
    pub(super) fn read_in_lanes(&mut self, text: &[u8], sink: &mut impl RowSink) -> Result<usize> {
        let Splitter::Csv(csv) = &self.splitter else { return Ok(0) };
        let how = (text, self.window, csv.dialect());
        let mut lanes = std::mem::take(&mut self.lanes);
        let read = run(&mut lanes, how, |lane, split, text| self.append(lane, split, text, sink));
        self.lanes = lanes;
        read
    }

    /// Hands on what a lane has read.
    fn append(&mut self, lane: &Lane, split: &Split, text: &[u8], sink: &mut impl RowSink) -> Result<()> {
        if let Some(place) = self.name_place {
            self.names.fill(&lane.csv.block(split, text), place, &mut self.scratch);
        }
        self.hand_on(&lane.columns, split, 0, sink)
    }
}
