//! Every row of a public table in every group.

use super::part::Part;
use crate::deviates::stream;
use crate::fit::{filled, weights};
use crate::priors::deny::Deny;
use crate::priors::dependencies::Dependencies;
use crate::records::TakeJob;
use crate::seed::Seed;
use marginalia_tables::distinct::DistinctJob;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// All distinct rows but for their group, in all groups, less those denied: row `x·G + g` is row `x` in group `g` where
/// none is.
#[derive(Debug, Clone)]
pub struct Product {
    /// The rows. Each has a raw number of one of the public rows that it equals but for the group.
    pub rows: Arc<Table>,
    /// The codes of the groups.
    pub groups: Vec<u16>,
    /// The weight of each row in the public table, most of them 0.
    pub empirical: Vec<f64>,
    /// `p(x)·p(g)` times the sum of the weights, as if groups did not differ.
    pub independent: Vec<f64>,
}

/// Makes a product in steps.
#[derive(Debug)]
pub struct ProductJob {
    group: u16,
    groups: Vec<u16>,
    most_rows: usize,
    seed: u64,
    random: Seed,
    dependencies: Dependencies,
    distinct: Option<DistinctJob>,
    parts: Option<Parts>,
}

/// What the product is put together from.
#[derive(Debug)]
struct Parts {
    /// Distinct rows of the public table and their weights, and for each which one it is but for the group.
    table: Table,
    weights: Vec<f64>,
    of_row: Vec<u32>,
    /// The rows of `table` of each such row.
    starts: Vec<u32>,
    members: Vec<u32>,
    rows: Table,
    /// What a group says of its rows.
    part: Part,
    /// Rows of the product that break a dependency.
    broken: Vec<u32>,
    /// The next row to copy to all groups.
    next: usize,
}

impl ProductJob {
    /// A job over a public table; `groups` are the codes of the groups that there are to be.
    pub fn new(table: &Arc<Table>, group: u16, groups: &[u16], most_rows: usize, seed: u64) -> Result<Self> {
        let attribute = table.schema().base().get(usize::from(group));
        let size = attribute.map_or(0, |attribute| attribute.size());
        if groups.is_empty() || groups.iter().any(|code| usize::from(*code) >= size) {
            let message =
                "pooling needs a group attribute that is no derived one, and at least one of its values";
            return Err(Error::new(Code::AttributeUnknown, message));
        }
        let distinct = Some(DistinctJob::new(Arc::clone(table))?);
        let random = stream(seed, &[PRODUCT]);
        let (mut groups, parts, dependencies) = (groups.to_vec(), None, Dependencies::default());
        groups.sort_unstable();
        groups.dedup();
        Ok(Self { group, groups, most_rows, seed, random, dependencies, distinct, parts })
    }

    /// The same, where what follows from the group goes with it, and no row breaks a dependency of the table.
    pub fn keeping(self, dependencies: Dependencies) -> Self {
        Self { dependencies, ..self }
    }

    /// Does about `work` units, each about as long as copying a row; true at the end.
    pub fn step(&mut self, work: usize) -> Result<bool> {
        if let Some(distinct) = &mut self.distinct {
            let ready = distinct.step(work)?;
            if let Some(distinct) = self.distinct.take_if(|_| ready) {
                self.parts = Some(self.part(distinct.finish()?)?);
            }
            return Ok(false);
        }
        let Some(parts) = &mut self.parts else { return Ok(true) };
        let last = parts.starts.len() - 1;
        let until = last.min(parts.next + (work / self.groups.len()).max(1));
        while parts.next < until {
            let end = until.min(parts.next + (BLOCK / self.groups.len()).max(1));
            parts.copy(end, self.groups.len(), &mut self.random)?;
        }
        Ok(parts.next == last)
    }

    /// Rows that differ in nothing but the group, found by sorting their hashes.
    fn part(&self, table: Table) -> Result<Parts> {
        let base = table.schema().base().len();
        let part = Part::new(&table, self.group, &self.groups, &self.dependencies, self.seed)?;
        let others: Vec<usize> = (0..base).filter(|a| !part.has(*a as u16)).collect();
        let mut hashes = filled((0u64, 0u32), table.rows())?;
        for (row, hash) in hashes.iter_mut().enumerate() {
            let mix = |hash: u64, a: &usize| {
                (hash ^ u64::from(table.columns()[*a].get(row)))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29)
            };
            *hash = (others.iter().fold(0, mix), row as u32);
        }
        hashes.sort_unstable();
        let mut first = filled(0u32, table.rows())?;
        for run in hashes.chunk_by(|a, b| a.0 == b.0) {
            for (i, (_, row)) in run.iter().enumerate() {
                let equal = |other: &&(u64, u32)| {
                    let same = |a: &usize| {
                        let column = &table.columns()[*a];
                        column.get(other.1 as usize) == column.get(*row as usize)
                    };
                    others.iter().all(same)
                };
                // Rows of a hash ascend, so the first that equals is the first of all.
                first[*row as usize] = run[..i].iter().find(equal).map_or(*row, |other| other.1);
            }
        }
        self.number(table, part, first)
    }

    /// Numbers rows by the first that each equals, and lists the members of each.
    fn number(&self, table: Table, part: Part, mut first: Vec<u32>) -> Result<Parts> {
        let mut count = 0;
        for row in 0..first.len() {
            let own = first[row] as usize == row;
            first[row] = if own { count } else { first[first[row] as usize] };
            count += u32::from(own);
        }
        let rows = (count as usize).saturating_mul(self.groups.len());
        if rows > self.most_rows {
            let message = format!(
                "pooling makes {rows} rows, and {} are allowed: raise `memoryLimit`, use wider bins, or pool over fewer groups",
                self.most_rows
            );
            return Err(Error::new(Code::ModelTooLarge, message));
        }
        let mut starts = filled(0u32, count as usize + 1)?;
        first.iter().for_each(|x| starts[*x as usize + 1] += 1);
        (1..starts.len()).for_each(|x| starts[x] += starts[x - 1]);
        let (mut next, mut members) = (starts.clone(), filled(0u32, first.len())?);
        for (row, x) in (0..).zip(&first) {
            members[next[*x as usize] as usize] = row;
            next[*x as usize] += 1;
        }
        let raw: Vec<usize> = table.raw().iter().map(|raw| raw.attribute).collect();
        let rows = Table::new(table.schema().clone(), false, &raw);
        let (weights, broken) = (weights(&table)?, Vec::new());
        Ok(Parts { weights, table, of_row: first, starts, members, rows, part, broken, next: 0 })
    }

    /// Does what is left and returns the product, without rows that are denied.
    pub fn finish(self, deny: &Deny) -> Result<Product> {
        let seed = self.seed;
        let (all, broken) = self.product()?;
        let allowed =
            |row: &u32| broken.binary_search(row).is_err() && !deny.denies_row(&all.rows, *row as usize);
        let kept: Vec<u32> = (0..all.rows.rows() as u32).filter(allowed).collect();
        if kept.len() == all.rows.rows() {
            return Ok(all);
        }
        let of = |weights: &[f64]| kept.iter().map(|row| weights[*row as usize]).collect();
        let (empirical, independent) = (of(&all.empirical), of(&all.independent));
        let rows = Arc::new(TakeJob::new(all.rows, kept, seed)?.finish()?);
        Ok(Product { rows, groups: all.groups, empirical, independent })
    }

    fn product(mut self) -> Result<(Product, Vec<u32>)> {
        while !self.step(usize::MAX)? {}
        let parts = self.parts.ok_or_else(|| Error::new(Code::OptionInvalid, "pooling needs public rows"))?;
        let number = self.groups.len();
        let mut empirical = filled(0.0, parts.rows.rows())?;
        let mut of_group = filled(0.0, number)?;
        let mut of_x = filled(0.0, parts.starts.len() - 1)?;
        let column = &parts.table.columns()[usize::from(self.group)];
        for (row, weight) in parts.weights.iter().enumerate() {
            let x = parts.of_row[row] as usize;
            of_x[x] += weight;
            if let Ok(g) = self.groups.binary_search(&column.get(row)) {
                empirical[x * number + g] += weight;
                of_group[g] += weight;
            }
        }
        // A group that the public table lacks is there all the same: as if it had half a record.
        of_group.iter_mut().filter(|weight| **weight == 0.0).for_each(|weight| *weight = 0.5);
        let total: f64 = of_group.iter().sum();
        let mut independent = filled(0.0, empirical.len())?;
        for (i, weight) in independent.iter_mut().enumerate() {
            *weight = of_x[i / number] * of_group[i % number] / total;
        }
        let product = Product { rows: Arc::new(parts.rows), groups: self.groups, empirical, independent };
        Ok((product, parts.broken))
    }
}

impl Parts {
    /// Copies the rows before `end` to all groups.
    fn copy(&mut self, end: usize, groups: usize, random: &mut Seed) -> Result<()> {
        let (table, copies) = (&self.table, (end - self.next) * groups);
        let first = |x: usize| self.members[self.starts[x] as usize] as usize;
        let column = |a: usize| -> Vec<u16> {
            let column = &table.columns()[a];
            let code = |i: usize| match self.part.code(a as u16, i % groups) {
                Some(code) => code,
                None => column.get(first(self.next + i / groups)),
            };
            (0..copies).map(code).collect()
        };
        let codes: Vec<Vec<u16>> = (0..table.schema().base().len()).map(column).collect();
        let mut raw = vec![Vec::with_capacity(copies); table.raw().len()];
        let looked_at = !raw.is_empty() || self.part.is_told();
        for x in if looked_at { self.next..end } else { end..end } {
            let all = &self.members[self.starts[x] as usize..self.starts[x + 1] as usize];
            for group in 0..groups {
                let members = self.part.agreeing(table, all, group);
                let member = members[random.below(members.len() as u64) as usize] as usize;
                let numbers = self.part.numbers(table, member, group, random);
                if !self.part.keeps(table, member, group, &numbers) {
                    self.broken.push((x * groups + group) as u32);
                }
                raw.iter_mut().zip(numbers.all).for_each(|(to, number)| to.push(number));
            }
        }
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        self.rows.extend(&codes, None, &raw)?;
        self.next = end;
        Ok(())
    }
}

const BLOCK: usize = 4096;
const PRODUCT: u64 = 0x7072_6f64;
