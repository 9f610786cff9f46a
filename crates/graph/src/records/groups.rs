//! Records by what is given, and what each group of them gets.

use super::draw::{Draw, Key};
use super::{Method, Records};
use marginalia_compute::job::Pace;
use marginalia_compute::seed::Seed;
use marginalia_compute::vector::{filled, room};
use marginalia_tables::Result;

/// Records in an order in which those of a group are side by side.
pub(super) struct Groups {
    /// The group of each record.
    group: Vec<u32>,
    order: Vec<u32>,
    spare: Vec<u32>,
    /// What each place of the order gets.
    cells: Vec<u32>,
}

/// Records between which a step may end.
const BLOCK: usize = 1 << 14;

/// The most bits of a group's number that one pass sorts by: so many counters are in the second cache.
const DIGIT: u32 = 16;

impl Groups {
    pub fn new(records: usize) -> Result<Self> {
        let list = || filled(0, records);
        Ok(Self { group: list()?, order: list()?, spare: list()?, cells: list()? })
    }

    /// By counting, digit by digit.
    pub async fn sort(&mut self, key: &Key, columns: &[Vec<u16>], pace: &Pace) -> Result<()> {
        let Self { group, order, spare, .. } = self;
        number(group, key, columns, pace).await;
        order.iter_mut().zip(0..).for_each(|(place, record)| *place = record);
        // More counters than records would take longer than a pass more.
        let most = (usize::BITS - order.len().leading_zeros()).clamp(4, DIGIT);
        let bits = usize::BITS - (key.cells - 1).leading_zeros();
        let passes = bits.div_ceil(most);
        for pass in 0..passes {
            let width = bits.div_ceil(passes);
            let digit = |group: u32| (group >> (pass * width)) as usize & ((1 << width) - 1);
            let mut next = filled(0u32, (1 << width) + 1)?;
            for block in group.chunks(BLOCK) {
                block.iter().for_each(|group| next[digit(*group) + 1] += 1);
                pace.did(block.len()).await;
            }
            (0..1 << width).for_each(|at| next[at + 1] += next[at]);
            for block in order.chunks(BLOCK) {
                for record in block {
                    let at = &mut next[digit(group[*record as usize])];
                    spare[*at as usize] = *record;
                    *at += 1;
                }
                pace.did(4 * block.len()).await;
            }
            std::mem::swap(order, spare);
        }
        Ok(())
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
        let Self { group, order, cells, .. } = self;
        let mut sums = room(draw.cells)?;
        let (mut left, mut first, mut work) = (&mut cells[..], 0, Work { pace, undone: 0 });
        while first < order.len() {
            let of = |record: &u32| group[*record as usize];
            let own = of(&order[first]);
            let size = order[first..].iter().take_while(|record| of(record) == own).count();
            draw.law(oracle, columns, order[first] as usize, &mut sums);
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
                pairs.for_each(|(record, cell)| column[*record as usize] = codes[*cell as usize]);
            }
            pace.did(2 * draw.drawn.len() * order.len()).await;
        }
        Ok(())
    }
}

/// The group of each record.
async fn number(groups: &mut [u32], key: &Key, columns: &[Vec<u16>], pace: &Pace) {
    for (number, block) in groups.chunks_mut(BLOCK).enumerate() {
        block.fill(0);
        for (axis, stride) in key.axes.iter().zip(&key.strides) {
            let codes = &columns[usize::from(*axis)][number * BLOCK..];
            block.iter_mut().zip(codes).for_each(|(group, code)| *group += u32::from(*code) * stride);
        }
        pace.did((1 + key.axes.len()) * block.len()).await;
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
