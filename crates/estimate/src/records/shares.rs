//! What each row is due of the records: whole ones, and a fraction of one more.

use super::invalid;
use crate::vector::filled;
use marginalia_tables::{Code, Error, Result};

/// A whole record in units of the fractions.
pub(super) const WHOLE: u64 = 1 << 62;

/// How many records there are to be, of all rows or of each group of rows.
#[derive(Debug, Clone)]
pub struct Totals {
    of_row: Option<Vec<u32>>,
    records: Vec<u64>,
}

impl Totals {
    /// So many records of all rows.
    pub fn all(records: u64) -> Self {
        Self { of_row: None, records: vec![records] }
    }

    /// So many records of each group; `of_row` is the group of each row.
    pub fn groups(of_row: Vec<u32>, records: Vec<u64>) -> Result<Self> {
        if of_row.iter().any(|group| *group as usize >= records.len()) {
            return Err(invalid("a row belongs to a group that has no total"));
        }
        Ok(Self { of_row: Some(of_row), records })
    }

    /// The group of a row.
    pub fn group(&self, row: usize) -> usize {
        self.of_row.as_ref().map_or(0, |of_row| of_row[row] as usize)
    }

    /// The number of records of each group.
    pub fn records(&self) -> &[u64] {
        &self.records
    }

    /// The sum of the weights of each group, once both are seen to make sense.
    pub(super) fn weigh(&self, weights: &[f64]) -> Result<Vec<f64>> {
        if self.of_row.as_ref().is_some_and(|of_row| of_row.len() != weights.len()) {
            return Err(invalid("there must be one group for each row"));
        }
        if self.records.iter().try_fold(0u64, |sum, n| sum.checked_add(*n)).is_none_or(|n| n > MOST_RECORDS) {
            return Err(Error::new(Code::ModelTooLarge, "at most 2^32 - 1 records can be made at once"));
        }
        if weights.iter().any(|weight| weight.is_nan() || *weight < 0.0) {
            return Err(invalid("weights must be numbers that are not negative"));
        }
        let mut sums = filled((0.0, 0.0), self.records.len())?;
        for (row, weight) in weights.iter().enumerate() {
            add(&mut sums[self.group(row)], *weight);
        }
        let sums: Vec<f64> = sums.into_iter().map(|(sum, lost)| sum + lost).collect();
        let served = |(sum, n): (&f64, &u64)| *n == 0 || (*n as f64 / sum).is_normal() && sum.is_normal();
        if sums.iter().zip(&self.records).all(served) {
            return Ok(sums);
        }
        Err(invalid(
            "a group that is to have records has no row with a weight: widen or pool the prior, or give the \
             group no records",
        ))
    }
}

const MOST_RECORDS: u64 = u32::MAX as u64;

/// What each row is due: `n q`, as whole records and a fraction.
#[derive(Debug, Clone)]
pub struct Shares {
    pub(super) totals: Totals,
    pub(super) wholes: Vec<u32>,
    /// `n q − ⌊n q⌋` in units of 2⁻⁶², so that sums of them are exact in any order.
    pub(super) fractions: Vec<u64>,
    /// By how much the fractions of each group exceed the records that are left beside whole ones: what floating
    /// point lost, far less than a record.
    pub(super) excess: Vec<i64>,
}

impl Shares {
    /// What is due to rows of such weights.
    pub fn new(weights: &[f64], totals: &Totals) -> Result<Self> {
        let sums = totals.weigh(weights)?;
        let rates: Vec<f64> = sums.iter().zip(&totals.records).map(|(w, n)| rate(*n as f64, *w)).collect();
        let mut rest = totals.records.clone();
        let mut fraction_of = filled(0u128, rest.len())?;
        let (mut wholes, mut fractions) = (filled(0u32, weights.len())?, filled(0u64, weights.len())?);
        for (row, weight) in weights.iter().enumerate() {
            let group = totals.group(row);
            // Less than what is left of the group, were it not for rounding.
            let due = (weight * rates[group]).min(rest[group] as f64);
            let whole = due as u32;
            wholes[row] = whole;
            rest[group] -= u64::from(whole);
            fractions[row] = ((due - f64::from(whole)) * WHOLE as f64) as u64;
            fraction_of[group] += u128::from(fractions[row]);
        }
        let excess =
            |(sum, rest): (&u128, &u64)| (*sum as i128 - i128::from(*rest) * i128::from(WHOLE)) as i64;
        let excess = fraction_of.iter().zip(&rest).map(excess).collect();
        Ok(Self { totals: totals.clone(), wholes, fractions, excess })
    }

    /// What a row is due beyond whole records.
    pub fn fraction(&self, row: usize) -> f64 {
        self.fractions[row] as f64 / WHOLE as f64
    }

    /// What a row is due.
    pub fn due(&self, row: usize) -> f64 {
        f64::from(self.wholes[row]) + self.fraction(row)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.wholes.len()
    }
}

fn rate(records: f64, sum: f64) -> f64 {
    if records == 0.0 { 0.0 } else { records / sum }
}

/// Adds to a sum and keeps what the addition loses (Neumaier 1974): 10⁷ weights must not lose a record.
fn add((sum, lost): &mut (f64, f64), weight: f64) {
    let next = *sum + weight;
    *lost += if *sum >= weight { (*sum - next) + weight } else { (weight - next) + *sum };
    *sum = next;
}
