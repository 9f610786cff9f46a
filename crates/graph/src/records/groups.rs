//! Records by what is given, and what each group of them gets.

use super::draw::{Draw, Key};
use super::{Method, Records};
use marginalia_compute::job::Pace;
use marginalia_compute::seed::Seed;
use marginalia_compute::vector::{filled, room};
use marginalia_tables::Result;

/// Records in an order in which those of a group are side by side.
pub(super) struct Groups {
    /// Each with the number of its group above.
    order: Vec<u64>,
    spare: Vec<u64>,
    /// What each place of the order gets.
    cells: Vec<u32>,
}

/// Records between which a step may end.
const BLOCK: usize = 1 << 14;

/// The most bits of a group's number that one pass sorts by.
const DIGIT: u32 = 11;

impl Groups {
    pub fn new(records: usize) -> Result<Self> {
        Ok(Self { order: filled(0, records)?, spare: filled(0, records)?, cells: filled(0, records)? })
    }

    /// By counting, digit by digit.
    pub async fn sort(&mut self, key: &Key, columns: &[Vec<u16>], pace: &Pace) {
        self.number(key, columns, pace).await;
        let bits = usize::BITS - (key.cells - 1).leading_zeros();
        let passes = bits.div_ceil(DIGIT);
        for pass in 0..passes {
            let width = bits.div_ceil(passes);
            let digit = |record: &u64| (record >> (32 + pass * width)) as usize & ((1 << width) - 1);
            let mut next = vec![0u32; (1 << width) + 1];
            for block in self.order.chunks(BLOCK) {
                block.iter().for_each(|record| next[digit(record) + 1] += 1);
                pace.did(block.len()).await;
            }
            (0..1 << width).for_each(|at| next[at + 1] += next[at]);
            for block in self.order.chunks(BLOCK) {
                for record in block {
                    let at = &mut next[digit(record)];
                    self.spare[*at as usize] = *record;
                    *at += 1;
                }
                pace.did(4 * block.len()).await;
            }
            std::mem::swap(&mut self.order, &mut self.spare);
        }
    }

    async fn number(&mut self, key: &Key, columns: &[Vec<u16>], pace: &Pace) {
        let mut first = 0;
        for block in self.order.chunks_mut(BLOCK) {
            block.iter_mut().zip(first as u64..).for_each(|(place, record)| *place = record);
            for (axis, stride) in key.axes.iter().zip(&key.strides) {
                let stride = u64::from(*stride) << 32;
                let codes = &columns[usize::from(*axis)][first..];
                block.iter_mut().zip(codes).for_each(|(place, code)| *place += u64::from(*code) * stride);
            }
            first += block.len();
            pace.did((1 + key.axes.len()) * block.len()).await;
        }
    }

    /// Gives each record of each group its codes.
    pub async fn each(
        &mut self,
        Records { oracle, method, .. }: &Records<'_>,
        draw: &Draw,
        columns: &mut [Vec<u16>],
        random: &mut Seed,
        pace: &Pace,
    ) -> Result<()> {
        let Self { order, cells, .. } = self;
        let mut sums = room(draw.cells)?;
        let (mut left, mut first, mut work) = (&mut cells[..], 0, Work { pace, undone: 0 });
        while first < order.len() {
            let group = order[first] >> 32;
            let size = order[first..].iter().take_while(|record| *record >> 32 == group).count();
            draw.law(oracle, columns, order[first] as u32 as usize, &mut sums);
            work.did(2 * draw.cells).await;
            let own = left.split_off_mut(..size).unwrap_or_default();
            match method {
                Method::Systematic => {
                    systematic(&sums, random.uniform(), own, &mut work).await;
                    shuffle(own, random, &mut work).await;
                }
                Method::Iid => independent(&sums, own, random, &mut work).await,
            }
            first += size;
        }
        for (order, cells) in order.chunks(BLOCK).zip(cells.chunks(BLOCK)) {
            for (axis, codes) in draw.drawn.iter().zip(&draw.codes) {
                let column = &mut columns[usize::from(*axis)];
                let pairs = order.iter().zip(cells);
                pairs.for_each(|(record, cell)| column[*record as u32 as usize] = codes[*cell as usize]);
            }
            pace.did(2 * draw.drawn.len() * order.len()).await;
        }
        Ok(())
    }
}

/// Work on small groups, of which the pace is told in blocks.
struct Work<'a> {
    pace: &'a Pace,
    undone: usize,
}

impl Work<'_> {
    async fn did(&mut self, work: usize) {
        self.undone += work;
        if self.undone >= BLOCK {
            self.pace.did(std::mem::take(&mut self.undone)).await;
        }
    }
}

/// Each cell as often as it is due, rounded up or down: records stand at equal distances along the sums of weights, from a start
/// in the first distance.
async fn systematic(sums: &[f64], start: f64, records: &mut [u32], work: &mut Work<'_>) {
    let all = sums[sums.len() - 1];
    let (distance, last) = (all / records.len() as f64, all.next_down());
    let (mut number, mut cell) = (0u32, 0);
    for block in records.chunks_mut(BLOCK) {
        for record in block.iter_mut() {
            let place = ((f64::from(number) + start) * distance).min(last);
            while sums[cell] <= place {
                cell += 1;
            }
            (*record, number) = (cell as u32, number + 1);
        }
        work.did(2 * block.len()).await;
    }
}

/// Each record by a number of its own.
async fn independent(sums: &[f64], records: &mut [u32], random: &mut Seed, work: &mut Work<'_>) {
    let all = sums[sums.len() - 1];
    for block in records.chunks_mut(BLOCK) {
        for record in block.iter_mut() {
            let place = (random.uniform() * all).min(all.next_down());
            *record = sums.partition_point(|sum| *sum <= place) as u32;
        }
        work.did(20 * block.len()).await;
    }
}

/// Uniformly random order (Fisher and Yates).
async fn shuffle(cells: &mut [u32], random: &mut Seed, work: &mut Work<'_>) {
    let mut left = cells.len();
    while left > 1 {
        let until = left.saturating_sub(BLOCK).max(1);
        (until..left).rev().for_each(|last| cells.swap(last, below(random, last as u32 + 1) as usize));
        work.did(2 * (left - until)).await;
        left = until;
    }
}

/// Uniform on `0..n`, exactly (Lemire 2019), hardly ever with a division.
fn below(random: &mut Seed, n: u32) -> u32 {
    loop {
        let product = (random.next_u64() >> 32) * u64::from(n);
        let low = product as u32;
        if low >= n || low >= n.wrapping_neg() % n {
            return (product >> 32) as u32;
        }
    }
}
