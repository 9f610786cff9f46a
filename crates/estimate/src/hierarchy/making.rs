//! Records of groups, as a table.

use super::rounding::Groups;
use super::{Hierarchy, invalid};
use crate::deviates::child;
use crate::models::support::{Condition, Index};
use crate::records::{Method, Shuffle, Unfolded};
use crate::seed::Seed;
use marginalia_tables::table::Raw;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// Records of groups of the last level, in random order. They are the same whatever the number of lanes.
pub struct GroupRecordsJob {
    groups: Groups,
    phase: Phase,
    /// Of each record its row and its group's place among those that were asked for.
    rows: Vec<u32>,
    of: Vec<u32>,
    made: Table,
}

enum Phase {
    Groups,
    Order(Shuffle),
    Copy(Vec<u32>),
    Failed,
}

impl GroupRecordsJob {
    /// So many records of each group, of those that meet a condition on attributes that are none of groups; `targets` are
    /// the tables over the unfolded shared rows that controlled rounding keeps in each. Groups are rounded side by side in
    /// so many lanes.
    pub fn new(
        hierarchy: Hierarchy,
        unfolded: Unfolded,
        targets: Arc<Index>,
        wanted: Vec<(usize, u64)>,
        how: (Method, u64),
        condition: &Condition,
        lanes: usize,
    ) -> Result<Self> {
        let groups = hierarchy.setup.plan().groups();
        let last = hierarchy.setup.levels().len() - 1;
        if wanted.iter().any(|(group, _)| groups.get(*group).is_none_or(|one| one.level != last)) {
            return Err(invalid("records are made of groups of the last level"));
        }
        let all = wanted.iter().try_fold(0u64, |all, (_, n)| all.checked_add(*n));
        if all.is_none_or(|all| all >= u64::from(u32::MAX)) {
            return Err(Error::new(Code::ModelTooLarge, "at most 2^32 - 1 records can be made at once"));
        }
        let raw: Vec<usize> = unfolded.rows.raw().iter().map(|raw| raw.attribute).collect();
        let made = Table::new(Arc::clone(unfolded.rows.schema()), false, &raw);
        let groups = Groups::new(hierarchy, unfolded, targets, wanted, how, condition, lanes)?;
        Ok(Self { groups, phase: Phase::Groups, rows: Vec::new(), of: Vec::new(), made })
    }

    /// Does about `work` units in each lane; true at the end. After an error it only fails again.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.phase = match std::mem::replace(&mut self.phase, Phase::Failed) {
            Phase::Groups if self.groups.step(work)? => {
                (self.rows, self.of) = self.groups.rows()?;
                let random = Seed::new(child(self.groups.asked().seed, &[ORDER]));
                Phase::Order(Shuffle::of_range(self.rows.len(), random)?)
            }
            Phase::Groups => Phase::Groups,
            Phase::Order(mut job) => match job.step(work.max(1)) {
                0 => Phase::Order(job),
                _ => Phase::Copy(job.finish()),
            },
            Phase::Copy(order) => {
                let until = order.len().min(self.made.rows().saturating_add((work / COPY) as usize + 1));
                while self.made.rows() < until {
                    let from = self.made.rows();
                    self.copy(&order[from..until.min(from + BLOCK)])?;
                }
                Phase::Copy(order)
            }
            Phase::Failed => return Err(invalid("the job has failed: begin another")),
        };
        Ok(matches!(self.phase, Phase::Copy(_)) && self.made.rows() == self.rows.len())
    }

    fn copy(&mut self, order: &[u32]) -> Result<()> {
        let asked = self.groups.asked();
        let plan = asked.hierarchy.setup.plan();
        let rows = &asked.unfolded.rows;
        let base = rows.schema().base().len();
        let mut codes: Vec<Vec<u16>> = Vec::with_capacity(base);
        for (a, column) in (0u16..).zip(&rows.columns()[..base]) {
            let own = plan.rest().contains(&a);
            let code = |record: &u32| {
                let (row, group) = (self.rows[*record as usize], self.of[*record as usize]);
                if own {
                    return Some(column.get(row as usize));
                }
                plan.code(&plan.groups()[asked.wanted[group as usize].0], a)
            };
            let known: Option<Vec<u16>> = order.iter().map(code).collect();
            codes.push(known.ok_or_else(|| invalid("a group does not say what its records are"))?);
        }
        let number = |raw: &Raw, record: &u32| {
            let (row, group) = (self.rows[*record as usize], self.of[*record as usize]);
            let attribute = raw.attribute as u16;
            match plan.has_numbers(attribute) {
                true => plan.number(&plan.groups()[asked.wanted[group as usize].0], attribute),
                false => raw.values.get(row as usize),
            }
        };
        let raw = |raw: &Raw| order.iter().map(|record| number(raw, record)).collect();
        let raw: Vec<Vec<f64>> = rows.raw().iter().map(raw).collect();
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        self.made.extend(&codes, None, &raw)
    }

    /// Groups rounded, and then records copied, in thousandths of all.
    pub fn done(&self) -> u64 {
        let part = |done: usize, all: usize| done as u64 * 1000 / all.max(1) as u64;
        let rounded = part(self.groups.done(), self.groups.asked().wanted.len());
        9 * rounded / 10 + part(self.made.rows(), self.rows.len()) / 10
    }

    /// All thousandths.
    pub fn total(&self) -> u64 {
        1000
    }

    /// Does what is left and returns the records.
    pub fn finish(mut self) -> Result<Table> {
        while !self.step(u64::MAX)? {}
        Ok(self.made)
    }
}

/// Rows that are copied at once, and how much longer that takes than looking one up.
const BLOCK: usize = 4096;
const COPY: u64 = 50;
const ORDER: u64 = 0x6f72_6465;
