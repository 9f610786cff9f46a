//! Which attributes follow from others in a public table.
//!
//! One follows from another where each value of that comes with one value of it, in every row. Values that stand in one
//! row say nothing, so rules of rare values are found anywhere. Evidence is how unlikely it is that the values, dealt
//! out among the N rows at random, follow any rule at all: of the N!/Πn! ways to deal them, with n rows for each of k
//! values, at most k^m give each of the m values of the other one value. A dependency is taken where
//! `ln N! − Σ ln n! − m ln k` is above `ln 10⁹`.

use super::{Dependencies, Dependency, Rows};
use crate::job::{Pace, Steps};
use crate::vector::filled;
use marginalia_tables::{Result, Table};
use std::sync::Arc;

/// Finds dependencies among the attributes of a public file. Derived attributes need none: they follow by the schema. Shows the pairs
/// of attributes that were judged.
pub fn find(table: Arc<Table>) -> Steps<Dependencies> {
    Steps::new(move |pace| async move {
        let attributes = table.schema().base().len();
        let all = AllValues::of(Rows::new(table, &|_| true)?, &pace).await?;
        let (pairs, mut found) = (attributes * attributes, Vec::new());
        for pair in 0..pairs {
            pace.show(pair, pairs);
            let (from, to) = (pair / attributes, pair % attributes);
            let seen = if from == to { 0 } else { all.judge(from, to, &mut found)? };
            pace.did(seen + 1).await;
        }
        pace.show(pairs, pairs);
        Ok(Dependencies::new(found))
    })
}

/// How rows read attributes, by codes and by raw numbers.
struct AllValues {
    rows: Rows,
    codes: Vec<Values>,
    numbers: Vec<Option<Values>>,
}

/// What all rows are by some attribute.
struct Values {
    /// None where they are the codes.
    ids: Option<Vec<u32>>,
    attribute: u16,
    counts: Vec<u32>,
    /// How many of the counts are above 0.
    values: usize,
    /// ln of the ways to deal the values out.
    ways: f64,
}

impl AllValues {
    async fn of(rows: Rows, pace: &Pace) -> Result<Self> {
        let (mut codes, mut numbers) = (Vec::new(), Vec::new());
        for attribute in 0..rows.table().schema().base().len() as u16 {
            codes.push(Values::of_codes(&rows, attribute)?);
            numbers.push(Values::of_numbers(&rows, attribute)?);
            pace.did(rows.len() + 1).await;
        }
        Ok(Self { rows, codes, numbers })
    }

    /// Adds the rules that hold and do not follow from each other: codes say more than raw numbers do, and both more than one.
    /// Returns how many rows were looked at.
    fn judge(&self, from: usize, to: usize, found: &mut Vec<Dependency>) -> Result<usize> {
        let (mut numbers, mut looked) = (false, 0);
        for (by_number, number) in [(false, true), (true, true), (false, false), (true, false)] {
            let of = if by_number { self.numbers[from].as_ref() } else { Some(&self.codes[from]) };
            let is = if number { self.numbers[to].as_ref() } else { Some(&self.codes[to]) };
            let (Some(of), Some(is)) = (of, is) else { continue };
            if numbers && by_number {
                continue;
            }
            let (holds, seen) = of.says(is, &self.rows)?;
            looked += seen;
            if holds {
                found.push(Dependency { from: from as u16, to: to as u16, by_number, number });
                if !by_number {
                    break;
                }
                numbers = true;
            }
        }
        Ok(looked)
    }
}

impl Values {
    fn of_codes(rows: &Rows, attribute: u16) -> Result<Self> {
        let size = rows.table().domain().sizes()[usize::from(attribute)] as usize;
        let mut counts = filled(0, size)?;
        (0..rows.len()).for_each(|at| counts[usize::from(rows.code(at, attribute))] += 1);
        Ok(Self::new(None, attribute, counts))
    }

    /// By codes and raw numbers together, where there are such.
    fn of_numbers(rows: &Rows, attribute: u16) -> Result<Option<Self>> {
        let Some(raw) = rows.raw(attribute) else { return Ok(None) };
        let of = |at: usize| (rows.code(at, attribute), rows.number(at, raw).to_bits());
        let order = rows.sorted(&|a, b| of(a).cmp(&of(b)));
        let (mut ids, mut counts) = (filled(0, order.len())?, Vec::new());
        for same in order.chunk_by(|a, b| of(*a as usize) == of(*b as usize)) {
            same.iter().for_each(|at| ids[*at as usize] = counts.len() as u32);
            counts.push(same.len() as u32);
        }
        Ok(Some(Self::new(Some(ids), attribute, counts)))
    }

    fn new(ids: Option<Vec<u32>>, attribute: u16, counts: Vec<u32>) -> Self {
        // ln of a factorial.
        let factorial = |n: u32| (2..=n).map(|i| libm::log(f64::from(i))).sum::<f64>();
        let ways = factorial(counts.iter().sum()) - counts.iter().map(|n| factorial(*n)).sum::<f64>();
        let values = counts.iter().filter(|n| **n > 0).count();
        Self { ids, attribute, counts, values, ways }
    }

    fn id(&self, rows: &Rows, at: usize) -> u32 {
        match &self.ids {
            Some(ids) => ids[at],
            None => u32::from(rows.code(at, self.attribute)),
        }
    }

    /// Whether another follows from it, with enough evidence, and how many rows were looked at.
    fn says(&self, other: &Self, rows: &Rows) -> Result<(bool, usize)> {
        if other.ways - self.values as f64 * libm::log(other.values as f64) <= libm::log(LEAST_ODDS) {
            return Ok((false, 0));
        }
        let mut known = filled(NONE, self.counts.len())?;
        for at in 0..rows.len() {
            let (id, other) = (self.id(rows, at) as usize, other.id(rows, at));
            if known[id] == NONE {
                known[id] = other;
            } else if known[id] != other {
                return Ok((false, at + 1));
            }
        }
        Ok((true, rows.len()))
    }
}

const LEAST_ODDS: f64 = 1e9;
const NONE: u32 = u32::MAX;
