//! Systematic rounding: one uniform number for each group decides which rows are rounded up.

use super::shares::{Shares, WHOLE};
use super::{Rounding, Shuffle};
use crate::deviates::stream;
use crate::fit::filled;
use crate::seed::Seed;
use marginalia_tables::Result;

/// Systematic rounding of rows in random order.
///
/// Fractions are laid end to end from a random start, and a row is rounded up where its fraction crosses a whole
/// number. Rows that are neighbours then never both are, where two fractions make less than a whole; in the order
/// of a table, whose neighbours resemble each other, that would be seen in every table of two attributes. So the
/// rows come in random order first.
#[derive(Debug)]
pub struct SystematicJob {
    shares: Shares,
    random: Seed,
    shuffle: Option<Shuffle>,
    order: Vec<u32>,
    /// What the fractions of each group have filled of the next record.
    filled: Vec<u64>,
    at: usize,
    ups: Vec<bool>,
}

/// A systematic rounding to go on from.
pub(super) struct Rounded {
    pub(super) shares: Shares,
    /// The rows in random order.
    pub(super) order: Vec<u32>,
    /// Whether each row is rounded up.
    pub(super) ups: Vec<bool>,
}

impl SystematicJob {
    /// Rounding under a seed.
    pub fn new(shares: Shares, seed: u64) -> Result<Self> {
        let shuffle = Shuffle::of_range(shares.rows(), stream(seed, &[ROWS]))?;
        let random = stream(seed, &[STARTS]);
        let ups = filled(false, shares.rows())?;
        let (order, filled) = (Vec::new(), Vec::new());
        Ok(Self { shares, random, shuffle: Some(shuffle), order, filled, at: 0, ups })
    }

    /// Starts that lead to exactly the rest: `start + Σ fractions` must reach the number of records left and no further.
    fn begin(&mut self) {
        let start = |excess: &i64| {
            let slack = self.random.below(WHOLE - excess.unsigned_abs().min(WHOLE - 1));
            slack + excess.min(&0).unsigned_abs()
        };
        self.filled = self.shares.excess.iter().map(start).collect();
    }

    /// Does what is left.
    pub(super) fn into_rounded(mut self) -> Result<Rounded> {
        while !self.step(u64::MAX)? {}
        Ok(Rounded { shares: self.shares, order: self.order, ups: self.ups })
    }
}

impl Rounding for SystematicJob {
    fn step(&mut self, mut work: u64) -> Result<bool> {
        if let Some(shuffle) = &mut self.shuffle {
            work = shuffle.step(work);
            if work == 0 {
                return Ok(false);
            }
            self.order = self.shuffle.take().map_or_else(Vec::new, Shuffle::finish);
            self.begin();
        }
        let until = self.order.len().min(self.at.saturating_add(usize::try_from(work).unwrap_or(usize::MAX)));
        for row in &self.order[self.at..until] {
            let row = *row as usize;
            let filled = &mut self.filled[self.shares.totals.group(row)];
            *filled += self.shares.fractions[row];
            let up = *filled >= WHOLE;
            *filled -= if up { WHOLE } else { 0 };
            self.ups[row] = up;
        }
        self.at = until;
        Ok(self.at == self.order.len())
    }

    fn done(&self) -> u64 {
        self.shuffle.as_ref().map_or(self.shares.rows() as u64 + self.at as u64, Shuffle::done)
    }

    fn total(&self) -> u64 {
        2 * self.shares.rows() as u64
    }

    fn finish(self: Box<Self>) -> Result<Vec<u32>> {
        let Rounded { shares, ups, .. } = self.into_rounded()?;
        let mut counts = shares.wholes;
        counts.iter_mut().zip(ups).for_each(|(count, up)| *count += u32::from(up));
        Ok(counts)
    }
}

const ROWS: u64 = 0x726f_7773;
const STARTS: u64 = 0x7374_6172;
