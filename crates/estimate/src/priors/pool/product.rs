//! Every row of a public table in every group.

use super::part::Part;
use crate::counts::weights;
use crate::deviates::stream;
use crate::job::Steps;
use crate::priors::deny::Deny;
use crate::priors::dependencies::Dependencies;
use crate::priors::distinct;
use crate::records::take;
use crate::seed::Seed;
use crate::vector::filled;
use marginalia_tables::{Code, Error, Result, Table};
use std::ops::Range;
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

/// How a product is made.
#[derive(Debug, Clone)]
pub struct ProductOptions {
    /// The group attribute.
    pub group: u16,
    /// The codes of the groups that there are to be.
    pub groups: Vec<u16>,
    /// The most rows.
    pub most_rows: usize,
    /// What follows from the group goes with it, and no row breaks a dependency of the table.
    pub dependencies: Dependencies,
    /// The seed of raw numbers.
    pub seed: u64,
}

/// The product of a public table, without rows that are denied.
pub fn product(table: Arc<Table>, mut options: ProductOptions, deny: Deny) -> Result<Steps<Product>> {
    let attribute = table.schema().base().get(usize::from(options.group));
    let size = attribute.map_or(0, |attribute| attribute.size());
    if options.groups.is_empty() || options.groups.iter().any(|code| usize::from(*code) >= size) {
        let message =
            "pooling needs a group attribute that is no derived one, and at least one of its values";
        return Err(Error::new(Code::AttributeUnknown, message));
    }
    options.groups.sort_unstable();
    options.groups.dedup();
    Ok(Steps::new(move |pace| async move {
        let mut parts = Parts::new(distinct(table, &pace).await?, &options)?;
        let mut random = stream(options.seed, &[PRODUCT]);
        let (groups, all) = (options.groups.len(), parts.starts.len() - 1);
        let block = (BLOCK / groups).max(1);
        for first in (0..all).step_by(block) {
            let end = all.min(first + block);
            parts.copy(first..end, groups, &mut random)?;
            pace.did(ROW * groups * (end - first)).await;
        }
        let (all, broken) = parts.product(options.group, options.groups)?;
        let allowed =
            |row: &u32| broken.binary_search(row).is_err() && !deny.denies_row(&all.rows, *row as usize);
        let kept: Vec<u32> = (0..all.rows.rows() as u32).filter(allowed).collect();
        if kept.len() == all.rows.rows() {
            return Ok(all);
        }
        let of = |weights: &[f64]| kept.iter().map(|row| weights[*row as usize]).collect();
        let (empirical, independent) = (of(&all.empirical), of(&all.independent));
        let rows = Arc::new(pace.run(take(all.rows, kept, options.seed)).await?);
        Ok(Product { rows, groups: all.groups, empirical, independent })
    }))
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
}

impl Parts {
    /// Rows that differ in nothing but the group, found by sorting their hashes.
    fn new(table: Table, options: &ProductOptions) -> Result<Self> {
        let ProductOptions { group, groups, dependencies, seed, .. } = options;
        let base = table.schema().base().len();
        let part = Part::new(&table, *group, groups, dependencies, *seed)?;
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
        Self::numbered(table, part, first, options)
    }

    /// Numbers rows by the first that each equals, and lists the members of each.
    fn numbered(table: Table, part: Part, mut first: Vec<u32>, options: &ProductOptions) -> Result<Self> {
        let mut count = 0;
        for row in 0..first.len() {
            let own = first[row] as usize == row;
            first[row] = if own { count } else { first[first[row] as usize] };
            count += u32::from(own);
        }
        let rows = (count as usize).saturating_mul(options.groups.len());
        if rows > options.most_rows {
            let message = format!(
                "pooling makes {rows} rows, and {} are allowed: raise `memoryLimit`, use wider bins, or pool over fewer groups",
                options.most_rows
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
        Ok(Self { weights, table, of_row: first, starts, members, rows, part, broken })
    }

    /// The product, and the rows of it that break a dependency.
    fn product(self, group: u16, groups: Vec<u16>) -> Result<(Product, Vec<u32>)> {
        let number = groups.len();
        let mut empirical = filled(0.0, self.rows.rows())?;
        let mut of_group = filled(0.0, number)?;
        let mut of_x = filled(0.0, self.starts.len() - 1)?;
        let column = &self.table.columns()[usize::from(group)];
        for (row, weight) in self.weights.iter().enumerate() {
            let x = self.of_row[row] as usize;
            of_x[x] += weight;
            if let Ok(g) = groups.binary_search(&column.get(row)) {
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
        let product = Product { rows: Arc::new(self.rows), groups, empirical, independent };
        Ok((product, self.broken))
    }

    /// Copies some rows to all groups.
    fn copy(&mut self, of: Range<usize>, groups: usize, random: &mut Seed) -> Result<()> {
        let (table, copies) = (&self.table, of.len() * groups);
        let first = |x: usize| self.members[self.starts[x] as usize] as usize;
        let column = |a: usize| -> Vec<u16> {
            let column = &table.columns()[a];
            let code = |i: usize| match self.part.code(a as u16, i % groups) {
                Some(code) => code,
                None => column.get(first(of.start + i / groups)),
            };
            (0..copies).map(code).collect()
        };
        let codes: Vec<Vec<u16>> = (0..table.schema().base().len()).map(column).collect();
        let mut raw = vec![Vec::with_capacity(copies); table.raw().len()];
        let looked_at = !raw.is_empty() || self.part.is_implied();
        for x in of.clone().filter(|_| looked_at) {
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
        self.rows.extend(&codes, None, &raw)
    }
}

/// Rows that are copied at once, and how much longer one takes than looking one up.
const BLOCK: usize = 4096;
const ROW: usize = 10;
const PRODUCT: u64 = 0x7072_6f64;
