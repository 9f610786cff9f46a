//! A sample: every record drawn on its own.

use super::{Rounding, Totals};
use crate::deviates::stream;
use crate::fit::filled;
use crate::seed::Seed;
use marginalia_tables::Result;

/// Draws each record of a group from its rows, with replacement.
#[derive(Debug)]
pub struct IidJob {
    random: Seed,
    /// Where the rows of each group stand in `rows`, and the sums of their weights up to each.
    starts: Vec<usize>,
    rows: Vec<u32>,
    sums: Vec<f64>,
    /// The group whose records are drawn, and those still to draw in each.
    group: usize,
    left: Vec<u64>,
    counts: Vec<u32>,
    drawn: u64,
    records: u64,
}

impl IidJob {
    /// Records of rows with such weights.
    pub fn new(weights: &[f64], totals: &Totals, seed: u64) -> Result<Self> {
        totals.weigh(weights)?;
        let groups = totals.records().len();
        let mut starts = filled(0usize, groups + 1)?;
        (0..weights.len()).for_each(|row| starts[totals.group(row) + 1] += 1);
        (0..groups).for_each(|group| starts[group + 1] += starts[group]);
        let (mut rows, mut sums) = (filled(0u32, weights.len())?, filled(0.0, weights.len())?);
        let mut next: Vec<(usize, f64)> = starts[..groups].iter().map(|start| (*start, 0.0)).collect();
        for (row, weight) in weights.iter().enumerate() {
            let (place, sum) = &mut next[totals.group(row)];
            *sum += weight;
            (rows[*place], sums[*place]) = (row as u32, *sum);
            *place += 1;
        }
        Ok(Self {
            random: stream(seed, &[SAMPLE]),
            starts,
            rows,
            sums,
            group: 0,
            left: totals.records().to_vec(),
            counts: filled(0, weights.len())?,
            drawn: 0,
            records: totals.records().iter().sum(),
        })
    }
}

impl Rounding for IidJob {
    fn step(&mut self, mut work: u64) -> Result<bool> {
        while self.group < self.left.len() && work > 0 {
            let group = self.starts[self.group]..self.starts[self.group + 1];
            let (rows, sums) = (&self.rows[group.clone()], &self.sums[group]);
            let now = self.left[self.group].min(work);
            for _ in 0..now {
                let place = self.random.uniform() * sums[sums.len() - 1];
                // The first row whose sum is beyond: one without weight has the sum of the row before it.
                let row = rows[sums.partition_point(|sum| *sum <= place)];
                self.counts[row as usize] += 1;
            }
            self.left[self.group] -= now;
            self.drawn += now;
            self.group += usize::from(self.left[self.group] == 0);
            work -= now.max(1);
        }
        Ok(self.group == self.left.len())
    }

    fn done(&self) -> u64 {
        self.drawn
    }

    fn total(&self) -> u64 {
        self.records
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<u32>> {
        while !self.step(u64::MAX)? {}
        Ok(self.counts)
    }
}

const SAMPLE: u64 = 0x7361_6d70;
