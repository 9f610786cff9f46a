//! Seed orders.

use crate::deviates::{below, stream};
use crate::job::{Pace, Steps};
use crate::seed::Seed;
use crate::vector::filled;
use marginalia_tables::{Error, Result};
use std::ops::Range;

/// Puts a list into a uniformly random order (Fisher and Yates).
pub(crate) async fn shuffle(list: &mut [u32], mut random: Seed, pace: &Pace) {
    let all = list.len();
    let mut left = all;
    while left > 0 {
        let until = left.saturating_sub(BLOCK);
        place(list, until..left, &mut random);
        pace.show(all - until, all);
        pace.did(2 * (left - until)).await;
        left = until;
    }
}

fn place(list: &mut [u32], places: Range<usize>, random: &mut Seed) {
    places.rev().for_each(|place| list.swap(place, below(random, place as u32 + 1) as usize));
}

/// The numbers below `length`, in random order.
pub(crate) async fn shuffled(length: usize, random: Seed, pace: &Pace) -> Result<Vec<u32>> {
    let mut list = filled(0u32, length)?;
    list.iter_mut().zip(0..).for_each(|(place, i)| *place = i);
    shuffle(&mut list, random, pace).await;
    Ok(list)
}

/// The row of each record, in the order of a seed, for rows that occur so often.
pub fn in_random_order(counts: Vec<u32>, seed: u64) -> Steps<Vec<u32>> {
    Steps::new(move |pace| async move {
        let records = counts.iter().map(|count| u64::from(*count)).sum::<u64>() as usize;
        let mut list = Vec::new();
        list.try_reserve_exact(records)
            .map_err(|_| Error::out_of_memory(records.saturating_mul(size_of::<u32>())))?;
        for first in (0..counts.len()).step_by(BLOCK) {
            let (before, block) = (list.len(), first..counts.len().min(first + BLOCK));
            block.for_each(|row| list.extend(std::iter::repeat_n(row as u32, counts[row] as usize)));
            pace.did(BLOCK + list.len() - before).await;
        }
        shuffle(&mut list, stream(seed, &[ORDER]), &pace).await;
        Ok(list)
    })
}

/// Places between which a step may end.
const BLOCK: usize = 1 << 12;
/// Sets the order of the records apart from the rounding under the same seed.
const ORDER: u64 = 0x6f72_6465;
