//! Seed orders, in steps.

use crate::deviates::{below, stream};
use crate::fit::filled;
use crate::seed::Seed;
use marginalia_tables::{Error, Result};

/// Puts a list into a uniformly random order (Fisher and Yates), in steps.
#[derive(Debug)]
pub struct Shuffle {
    list: Vec<u32>,
    random: Seed,
    left: usize,
}

impl Shuffle {
    /// A shuffle of a list that has not begun.
    pub fn new(list: Vec<u32>, random: Seed) -> Self {
        let left = list.len();
        Self { list, random, left }
    }

    /// A shuffle of `0..length`.
    pub fn of_range(length: usize, random: Seed) -> Result<Self> {
        let mut list = filled(0u32, length)?;
        list.iter_mut().zip(0..).for_each(|(place, i)| *place = i);
        Ok(Self::new(list, random))
    }

    /// Places `work` more entries; returns what is left of the work, which is not 0 once all are placed.
    pub fn step(&mut self, work: u64) -> u64 {
        let until = self.left.saturating_sub(usize::try_from(work).unwrap_or(usize::MAX));
        let before = self.left;
        while self.left > until {
            self.left -= 1;
            let other = below(&mut self.random, self.left as u32 + 1) as usize;
            self.list.swap(self.left, other);
        }
        work - (before - self.left) as u64
    }

    /// Entries placed.
    pub fn done(&self) -> u64 {
        (self.list.len() - self.left) as u64
    }

    /// The list, shuffled to the end.
    pub fn finish(mut self) -> Vec<u32> {
        self.step(u64::MAX);
        self.list
    }
}

/// The rows of all records, in random order.
#[derive(Debug)]
pub struct RecordsJob {
    counts: Vec<u32>,
    row: usize,
    list: Vec<u32>,
    records: usize,
    random: Option<Seed>,
    shuffle: Option<Shuffle>,
}

impl RecordsJob {
    /// Records of rows that occur so often, in the order of a seed.
    pub fn new(counts: Vec<u32>, seed: u64) -> Result<Self> {
        let records = counts.iter().map(|count| u64::from(*count)).sum::<u64>() as usize;
        let mut list = Vec::new();
        list.try_reserve_exact(records)
            .map_err(|_| Error::out_of_memory(records.saturating_mul(size_of::<u32>())))?;
        Ok(Self { counts, row: 0, list, records, random: Some(stream(seed, &[ORDER])), shuffle: None })
    }

    /// Does about `work` units, one a row or record; `true` at the end.
    pub fn step(&mut self, mut work: u64) -> Result<bool> {
        while self.row < self.counts.len() && work > 0 {
            let count = self.counts[self.row] as usize;
            self.list.extend(std::iter::repeat_n(self.row as u32, count));
            self.row += 1;
            work = work.saturating_sub(1 + count as u64);
        }
        if self.row < self.counts.len() {
            return Ok(false);
        }
        if let Some(random) = self.random.take() {
            self.shuffle = Some(Shuffle::new(std::mem::take(&mut self.list), random));
        }
        Ok(self.shuffle.as_mut().is_none_or(|shuffle| shuffle.step(work) > 0))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        let shuffled =
            self.shuffle.as_ref().map_or(self.list.len() as u64, |s| self.records as u64 + s.done());
        self.row as u64 + shuffled
    }

    /// All units.
    pub fn total(&self) -> u64 {
        self.counts.len() as u64 + 2 * self.records as u64
    }

    /// Does what is left and returns the row of each record.
    pub fn finish(mut self) -> Result<Vec<u32>> {
        while !self.step(u64::MAX)? {}
        Ok(self.shuffle.map_or_else(Vec::new, Shuffle::finish))
    }
}

/// Sets the order of the records apart from the rounding under the same seed.
const ORDER: u64 = 0x6f72_6465;
