//! A sample: every record drawn on its own.

use super::Totals;
use crate::deviates::{open, stream};
use crate::job::Pace;
use crate::seed::Seed;
use crate::vector::filled;
use marginalia_tables::Result;

/// Draws each record of a group from its rows, with replacement.
///
/// `n` uniform numbers in ascending order are the first `n` sums of `n + 1` exponential numbers, divided by the last
/// sum. So one walk along the rows serves all records of a group; the exponential numbers are made twice, from the same
/// stream, first for their sum.
pub(crate) async fn sample(weights: &[f64], totals: &Totals, seed: u64, pace: &Pace) -> Result<Vec<u32>> {
    let groups = Groups::new(weights, totals)?;
    let mut counts = filled(0, weights.len())?;
    let (mut made, all) = (0, 2 * totals.records().iter().map(|n| n + 1).sum::<u64>());
    for (group, n) in totals.records().iter().enumerate() {
        let mut sum = None;
        for _ in 0..2 {
            let random = stream(seed, &[SAMPLE, group as u64]);
            let mut walk = Walk { random, made: 0, sum: 0.0, all: sum, place: 0 };
            while walk.made <= *n {
                let work = BLOCK.min(n + 1 - walk.made);
                groups.draw(group, &mut walk, work, *n, &mut counts);
                made += work;
                pace.show(made as usize, all as usize);
                pace.did(DRAW * work as usize).await;
            }
            sum = Some(walk.sum);
        }
    }
    Ok(counts)
}

/// The rows of each group from `starts` on, and the sums of their weights up to each.
struct Groups {
    starts: Vec<usize>,
    rows: Vec<u32>,
    sums: Vec<f64>,
}

struct Walk {
    random: Seed,
    /// Exponential numbers made, and their sum.
    made: u64,
    sum: f64,
    /// The sum of all of the group's, once it is known, and the place among the rows of the group.
    all: Option<f64>,
    place: usize,
}

impl Groups {
    fn new(weights: &[f64], totals: &Totals) -> Result<Self> {
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
        Ok(Self { starts, rows, sums })
    }

    /// Makes so many more numbers of a group, and counts the rows of the records among its first `n`.
    fn draw(&self, group: usize, walk: &mut Walk, numbers: u64, n: u64, counts: &mut [u32]) {
        let until = walk.made + numbers;
        let rows = self.starts[group]..self.starts[group + 1];
        let (rows, sums) = (&self.rows[rows.clone()], &self.sums[rows]);
        while walk.made < until {
            walk.made += 1;
            walk.sum -= libm::log(open(&mut walk.random));
            let Some(all) = walk.all.filter(|_| walk.made <= n) else { continue };
            let place = walk.sum / all * sums[sums.len() - 1];
            // The first row whose sum is beyond: one without weight has the sum of the row before it.
            while walk.place + 1 < sums.len() && sums[walk.place] <= place {
                walk.place += 1;
            }
            counts[rows[walk.place] as usize] += 1;
        }
    }
}

/// Numbers between which a step may end, and how much longer one takes to make than to look up a row.
const BLOCK: u64 = 1 << 12;
const DRAW: usize = 10;
const SAMPLE: u64 = 0x7361_6d70;
