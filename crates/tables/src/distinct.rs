//! Distinct rows with their multiplicities, in the order in which they first occur.

use crate::room::{filled, reserve};
use crate::table::Raw;
use crate::{Chunks, Code, Codes, Error, Result, Table};
use std::sync::Arc;

const EMPTY: u32 = u32::MAX;

/// Finds the distinct rows of a table, step by step.
#[derive(Debug)]
pub struct DistinctJob {
    table: Arc<Table>,
    row: usize,
    /// Open addressing by linear probing over distinct rows; at most half full.
    slots: Vec<u32>,
    /// For each distinct row, the first row of the table that equals it, its hash, and its weight.
    first: Vec<u32>,
    hashes: Vec<u64>,
    weights: Vec<f64>,
    /// The distinct row of every row, where raw numbers follow their rows.
    members: Vec<u32>,
    /// The distinct rows as far as they are copied.
    distinct: Table,
}

/// Rows that are copied at once.
const BLOCK: usize = 4096;

impl DistinctJob {
    /// A job that has read no row yet.
    pub fn new(table: Arc<Table>) -> Result<Self> {
        if table.rows() >= EMPTY as usize {
            return Err(Error::new(Code::ModelTooLarge, "distinct rows need fewer than 2^32 - 1 rows"));
        }
        let lists = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let distinct = Table::new(table.schema().clone(), true, &[]);
        let mut job = Self {
            distinct,
            table,
            row: 0,
            slots: vec![EMPTY; 1024],
            first: lists.0,
            hashes: lists.1,
            weights: lists.2,
            members: lists.3,
        };
        if !job.table.raw().is_empty() {
            reserve(&mut job.members, job.table.rows())?;
        }
        Ok(job)
    }

    /// Rows read, and distinct rows copied so far.
    pub fn done(&self) -> usize {
        self.row + self.distinct.rows()
    }

    /// Rows to read and to copy, as far as they are known.
    pub fn total(&self) -> usize {
        self.table.rows() + self.first.len()
    }

    /// How many distinct rows there are among so many at the beginning, of which all were read.
    pub fn among(&self, rows: usize) -> usize {
        self.first.partition_point(|first| (*first as usize) < rows)
    }

    /// Reads or copies about `rows` more rows; true at the end.
    pub fn step(&mut self, rows: usize) -> Result<bool> {
        let until = self.done().saturating_add(rows.max(1));
        let end = self.table.rows();
        while self.row < end && self.done() < until {
            self.read(self.row)?;
            self.row += 1;
        }
        while self.row == end && self.distinct.rows() < self.first.len() && self.done() < until {
            self.copy()?;
        }
        Ok(self.row == end && self.distinct.rows() == self.first.len())
    }

    /// The distinct rows as a table whose weights are the multiplicities, or the sums of the weights.
    pub fn finish(mut self) -> Result<Table> {
        while !self.step(usize::MAX)? {}
        // Nothing is looked up any more: its room is for the raw numbers.
        (self.slots, self.hashes, self.weights) = (Vec::new(), Vec::new(), Vec::new());
        let raw: Result<Vec<Raw>> = self.table.raw().iter().map(|raw| self.gather(raw)).collect();
        Ok(self.distinct.with_raw(raw?))
    }

    fn read(&mut self, row: usize) -> Result<()> {
        let hash = self.hash(row);
        let found = self.find_or_add(row, hash)?;
        self.weights[found as usize] += self.table.weights().map_or(1.0, |weights| weights.get(row));
        if !self.table.raw().is_empty() {
            self.members.push(found);
        }
        Ok(())
    }

    /// Copies the next block of distinct rows.
    fn copy(&mut self) -> Result<()> {
        let start = self.distinct.rows();
        let block = start..self.first.len().min(start + BLOCK);
        let base = &self.table.columns()[..self.table.schema().base().len()];
        let of =
            |column: &Codes| self.first[block.clone()].iter().map(|row| column.get(*row as usize)).collect();
        let columns: Vec<Vec<u16>> = base.iter().map(of).collect();
        let codes: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
        self.distinct.extend(&codes, Some(&self.weights[block]), &[])
    }

    fn hash(&self, row: usize) -> u64 {
        let base = self.table.schema().base().len();
        self.table.columns()[..base].iter().fold(0, |hash: u64, column| {
            (hash ^ u64::from(column.get(row))).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        })
    }

    fn equal(&self, a: usize, b: usize) -> bool {
        let base = self.table.schema().base().len();
        self.table.columns()[..base].iter().all(|column| column.get(a) == column.get(b))
    }

    fn find_or_add(&mut self, row: usize, hash: u64) -> Result<u32> {
        let mut slot = self.slot(hash);
        while self.slots[slot] != EMPTY {
            let found = self.slots[slot];
            let known = found as usize;
            if self.hashes[known] == hash && self.equal(self.first[known] as usize, row) {
                return Ok(found);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let added = self.first.len() as u32;
        reserve(&mut self.first, 1)?;
        reserve(&mut self.hashes, 1)?;
        reserve(&mut self.weights, 1)?;
        self.first.push(row as u32);
        self.hashes.push(hash);
        self.weights.push(0.0);
        self.slots[slot] = added;
        if 2 * self.first.len() > self.slots.len() {
            self.grow()?;
        }
        Ok(added)
    }

    /// The high bits choose the slot: they depend on all columns.
    fn slot(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0xff51_afd7_ed55_8ccd) >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn grow(&mut self) -> Result<()> {
        let size = 2 * self.slots.len();
        self.slots = Vec::new();
        reserve(&mut self.slots, size)?;
        self.slots.resize(size, EMPTY);
        for i in 0..self.hashes.len() {
            let mut slot = self.slot(self.hashes[i]);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = i as u32;
        }
        Ok(())
    }

    /// The raw numbers of all rows that one distinct row stands for, side by side (a counting sort).
    fn gather(&self, raw: &Raw) -> Result<Raw> {
        let mut starts = filled(self.first.len() + 1, 0usize)?;
        for (row, member) in self.members.iter().enumerate() {
            starts[*member as usize + 1] += raw.of(row).len();
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = Vec::new();
        reserve(&mut next, starts.len())?;
        next.extend_from_slice(&starts);
        let mut sorted = filled(raw.values.len(), f64::NAN)?;
        let weighted = raw.weighted(self.table.weights());
        let mut sums = filled(if weighted { sorted.len() } else { 0 }, 0.0)?;
        for (row, member) in self.members.iter().enumerate() {
            let all = starts[*member as usize]..starts[*member as usize + 1];
            // Rows that were distinct before keep the bits of their sums.
            let kept = raw.sums.as_ref().filter(|_| all.len() == raw.of(row).len());
            for place in raw.of(row) {
                let to = next[*member as usize];
                sorted[to] = raw.values.get(place);
                if weighted {
                    let before = if to == all.start { 0.0 } else { sums[to - 1] };
                    let sum = || before + raw.weight(row, place, self.table.weights());
                    sums[to] = kept.map_or_else(sum, |sums| sums[place]);
                }
                next[*member as usize] += 1;
            }
        }
        let mut values = Chunks::default();
        values.extend(&sorted)?;
        Ok(Raw { attribute: raw.attribute, values, starts: Some(starts), sums: weighted.then_some(sums) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn table(rows: &[(u16, u16)], weights: Option<&[f64]>, raw: Option<&[f64]>) -> Arc<Table> {
        let values: Vec<String> = (0..300).map(|i| format!("\"v{i}\"")).collect();
        let json = format!(
            r#"{{"nulls":[],"attributes":[{{"name":"a","type":"category","values":["x","y","z"]}},
               {{"name":"b","type":"category","values":[{}]}}]}}"#,
            values.join(",")
        );
        let keep: &[usize] = if raw.is_some() { &[1] } else { &[] };
        let mut table = Table::new(Arc::new(Schema::from_json(&json).unwrap()), weights.is_some(), keep);
        let (a, b): (Vec<u16>, Vec<u16>) = rows.iter().copied().unzip();
        let raw: Vec<&[f64]> = raw.into_iter().collect();
        table.extend(&[&a, &b], weights, &raw).unwrap();
        Arc::new(table)
    }

    fn distinct(table: &Arc<Table>, step: usize) -> Table {
        let mut job = DistinctJob::new(table.clone()).unwrap();
        while !job.step(step).unwrap() {}
        job.finish().unwrap()
    }

    proptest! {
        #[test]
        fn agrees_with_a_map(rows in prop::collection::vec((0u16..3, 0u16..300), 0..3000), step in 1usize..500) {
            let table = table(&rows, None, None);
            let distinct = distinct(&table, step);
            let mut expected: Vec<((u16, u16), f64)> = Vec::new();
            let mut place = HashMap::new();
            for row in rows {
                let i = *place.entry(row).or_insert_with(|| { expected.push((row, 0.0)); expected.len() - 1 });
                expected[i].1 += 1.0;
            }
            prop_assert_eq!(distinct.rows(), expected.len());
            for (row, (codes, weight)) in expected.into_iter().enumerate() {
                prop_assert_eq!((distinct.columns()[0].get(row), distinct.columns()[1].get(row)), codes);
                prop_assert_eq!(distinct.weights().unwrap().get(row), weight);
            }
        }
    }

    #[test]
    fn weights_add_and_raw_numbers_stay_with_their_rows() {
        let rows = [(0, 1), (1, 1), (0, 1), (2, 9)];
        let table = table(&rows, Some(&[1.0, 2.0, 4.0, 8.0]), Some(&[0.5, 1.5, 2.5, f64::NAN]));
        let once = distinct(&table, 100);
        let weights: Vec<f64> = (0..3).map(|row| once.weights().unwrap().get(row)).collect();
        assert_eq!(weights, [5.0, 2.0, 8.0]);
        let twice = distinct(&Arc::new(once), 1);
        let raw = &twice.raw()[0];
        let of = |row: usize| raw.of(row).map(|place| raw.values.get(place)).collect::<Vec<f64>>();
        assert_eq!((of(0), of(1)), (vec![0.5, 2.5], vec![1.5]));
        assert!(of(2)[0].is_nan());
        assert_eq!((raw.pick(0, 0), raw.pick(0, u64::MAX), raw.pick(2, 0)), (Some(0.5), Some(2.5), None));
    }

    #[test]
    fn raw_numbers_are_drawn_with_the_weights_of_their_rows() {
        let (rows, raw) = ([(0, 1); 5], [1.0, 2.0, 3.0, 4.0, 5.0]);
        let shares = |table: &Table| {
            let mut seen = [0; 5];
            for i in 0..1_600u64 {
                let number = table.raw()[0].pick(0, (2 * i + 1) * (u64::MAX / 3_200)).unwrap();
                seen[number as usize - 1] += 1;
            }
            seen
        };
        let once = distinct(&table(&rows, Some(&[0.0, 1.0, 5.0, 0.0, 2.0]), Some(&raw)), 2);
        assert_eq!(shares(&once), [0, 200, 1000, 0, 400]);
        let twice = distinct(&Arc::new(once), 1);
        assert_eq!(shares(&twice), [0, 200, 1000, 0, 400]);
        let even = distinct(&table(&rows, None, Some(&raw)), 2);
        assert_eq!(shares(&even), [320; 5]);
        let nothing = distinct(&table(&rows, Some(&[0.0; 5]), Some(&raw)), 2);
        assert_eq!(shares(&nothing), [320; 5]);
    }

    #[test]
    fn weights_that_add_up_to_no_number_are_refused() {
        let json = r#"{"nulls":[],"attributes":[{"name":"a","type":"category","values":["x"]}]}"#;
        let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), true, &[]);
        table.extend(&[&[0, 0]], Some(&[1e300, 1e300]), &[]).unwrap();
        let error = table.extend(&[&[0, 0]], Some(&[1e301, 1e301]), &[]).unwrap_err();
        assert_eq!((error.code, table.rows()), (Code::ValueOutside, 2));
    }
}
