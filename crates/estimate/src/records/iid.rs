//! A sample: every record drawn on its own.

use super::{Rounding, Totals};
use crate::deviates::{open, stream};
use crate::fit::filled;
use crate::seed::Seed;
use marginalia_tables::Result;

/// Draws each record of a group from its rows, with replacement.
///
/// `n` uniform numbers in ascending order are the first `n` sums of `n + 1` exponential numbers, divided by the last
/// sum. So one walk along the rows serves all records of a group; the exponential numbers are made twice, from the same
/// stream, first for their sum.
#[derive(Debug)]
pub struct IidJob {
    seed: u64,
    /// Where the rows of each group stand in `rows`, and the sums of their weights up to each.
    starts: Vec<usize>,
    rows: Vec<u32>,
    sums: Vec<f64>,
    records: Vec<u64>,
    /// The group whose records are drawn.
    group: usize,
    walk: Walk,
    counts: Vec<u32>,
    done: u64,
    total: u64,
}

#[derive(Debug)]
struct Walk {
    random: Seed,
    /// Exponential numbers made, and their sum.
    made: u64,
    sum: f64,
    /// The sum of all of the group's, once it is known, and the place among the rows of the group.
    all: Option<f64>,
    place: usize,
}

impl Walk {
    fn new(seed: u64, group: usize, all: Option<f64>) -> Self {
        Self { random: stream(seed, &[SAMPLE, group as u64]), made: 0, sum: 0.0, all, place: 0 }
    }

    fn next(&mut self) -> f64 {
        self.made += 1;
        self.sum -= libm::log(open(&mut self.random));
        self.sum
    }
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
        let records = totals.records().to_vec();
        let total = 2 * (records.iter().sum::<u64>() + groups as u64);
        let (walk, counts) = (Walk::new(seed, 0, None), filled(0, weights.len())?);
        Ok(Self { seed, starts, rows, sums, records, group: 0, walk, counts, done: 0, total })
    }

    /// Makes at most `work` more numbers of the group; returns how many.
    fn advance(&mut self, work: u64) -> u64 {
        let n = self.records[self.group];
        let before = self.walk.made;
        let until = (n + 1).min(before.saturating_add(work));
        let rows = self.starts[self.group]..self.starts[self.group + 1];
        let (rows, sums) = (&self.rows[rows.clone()], &self.sums[rows]);
        while self.walk.made < until {
            let number = self.walk.next();
            let Some(all) = self.walk.all.filter(|_| self.walk.made <= n) else { continue };
            let place = number / all * sums[sums.len() - 1];
            // The first row whose sum is beyond: one without weight has the sum of the row before it.
            while self.walk.place + 1 < sums.len() && sums[self.walk.place] <= place {
                self.walk.place += 1;
            }
            self.counts[rows[self.walk.place] as usize] += 1;
        }
        if self.walk.made == n + 1 {
            let all = self.walk.all.is_none().then_some(self.walk.sum);
            self.group += usize::from(all.is_none());
            self.walk = Walk::new(self.seed, self.group, all);
        }
        until - before
    }
}

impl Rounding for IidJob {
    fn step(&mut self, work: u64) -> Result<bool> {
        let mut left = work;
        while self.group < self.records.len() && left > 0 {
            let now = self.advance(left);
            self.done += now;
            left -= now;
        }
        Ok(self.group == self.records.len())
    }

    fn done(&self) -> u64 {
        self.done
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<u32>> {
        while !self.step(u64::MAX)? {}
        Ok(self.counts)
    }
}

const SAMPLE: u64 = 0x7361_6d70;
