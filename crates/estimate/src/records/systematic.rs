//! Systematic rounding: one uniform number for each group decides which rows are rounded up.

use super::order::shuffled;
use super::shares::{Shares, WHOLE};
use crate::deviates::stream;
use crate::job::Pace;
use crate::seed::Seed;
use crate::vector::filled;
use marginalia_tables::Result;

/// A systematic rounding.
pub(super) struct Rounded {
    pub(super) shares: Shares,
    /// The rows in random order.
    pub(super) order: Vec<u32>,
    /// Whether each row is rounded up.
    pub(super) ups: Vec<bool>,
}

/// How often each row occurs by systematic rounding.
pub(crate) async fn systematic(shares: Shares, seed: u64, pace: &Pace) -> Result<Vec<u32>> {
    let Rounded { shares, ups, .. } = round(shares, seed, pace).await?;
    let mut counts = shares.wholes;
    counts.iter_mut().zip(ups).for_each(|(count, up)| *count += u32::from(up));
    Ok(counts)
}

/// Systematic rounding of rows in random order.
///
/// Fractions are laid end to end from a random start, and a row is rounded up where its fraction crosses a whole
/// number. Rows that are neighbours then never both are, where two fractions make less than a whole; in the order
/// of a table, whose neighbours resemble each other, that would be seen in every table of two attributes. So the
/// rows come in random order first.
pub(super) async fn round(shares: Shares, seed: u64, pace: &Pace) -> Result<Rounded> {
    let rows = shares.rows();
    let order = shuffled(rows, stream(seed, &[ROWS]), &pace.stage(0, 2)).await?;
    let mut filled_of = starts(&shares, &mut stream(seed, &[STARTS]));
    let (mut ups, pace, mut done) = (filled(false, rows)?, pace.stage(1, 2), 0);
    for block in order.chunks(BLOCK) {
        block.iter().for_each(|row| ups[*row as usize] = shares.is_up(*row as usize, &mut filled_of));
        done += block.len();
        pace.show(done, rows);
        pace.did(block.len()).await;
    }
    Ok(Rounded { shares, order, ups })
}

/// Starts that lead to exactly the rest: `start + Σ fractions` must reach the number of records left and no further.
fn starts(shares: &Shares, random: &mut Seed) -> Vec<u64> {
    let start = |excess: &i64| {
        let slack = random.below(WHOLE - excess.unsigned_abs().min(WHOLE - 1));
        slack + excess.min(&0).unsigned_abs()
    };
    shares.excess.iter().map(start).collect()
}

impl Shares {
    /// Whether the fraction of the next row leads beyond a whole record; `filled` is what each group's have filled of it.
    fn is_up(&self, row: usize, filled: &mut [u64]) -> bool {
        let filled = &mut filled[self.totals.group(row)];
        *filled += self.fractions[row];
        let up = *filled >= WHOLE;
        *filled -= if up { WHOLE } else { 0 };
        up
    }
}

/// Rows between which a step may end.
const BLOCK: usize = 1 << 12;
const ROWS: u64 = 0x726f_7773;
const STARTS: u64 = 0x7374_6172;
