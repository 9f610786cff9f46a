//! Groups as tables: the distribution of one under the whole schema, and records of all.

use super::{Hierarchy, HierarchyPlan, PathJob, invalid};
use crate::deviates::child;
use crate::records::{self, Method, Rounding, Shares, Shuffle, SystematicJob, Totals, Unfolded};
use crate::seed::Seed;
use crate::support::{Base, Index, Model, zeros};
use marginalia_tables::{Codes, Domain, Error, Result, Table};
use std::sync::Arc;

/// The distribution of a group on rows that have its codes, with its prior on the same rows. The group must have one
/// code of every group attribute.
pub fn model(plan: &HierarchyPlan, group: usize, model: &Model) -> Result<Model> {
    let group = plan.groups().get(group).ok_or_else(|| invalid("the plan has no such group"))?;
    let base = model.base();
    let mut columns = Vec::with_capacity(plan.domain().sizes().len());
    let mut rest = base.columns().iter();
    for (a, size) in (0..).zip(plan.domain().sizes()) {
        if plan.rest().contains(&a) {
            columns.extend(rest.next().cloned());
            continue;
        }
        let code = plan.code(group, a).ok_or_else(|| {
            invalid("only a group of the last level has a model: take one, or the marginals of the other")
        })?;
        let mut column = Codes::new(*size as usize);
        let block = vec![code; BLOCK.min(base.rows())];
        for first in (0..base.rows()).step_by(BLOCK) {
            column.extend(&block[..BLOCK.min(base.rows() - first)])?;
        }
        columns.push(column);
    }
    let domain = Domain::new(plan.domain().sizes());
    let base = Base::new(domain, columns, Some(base.prior()))?;
    Model::from_weights(Arc::new(base), model.copied()?, model.total())
}

/// Records of groups of the last level, in random order.
pub struct GroupRecordsJob {
    hierarchy: Hierarchy,
    unfolded: Unfolded,
    /// What part of its shared row an unfolded one is.
    parts: Vec<f64>,
    targets: Arc<Index>,
    method: Method,
    seed: u64,
    /// The groups, and how many records of each.
    wanted: Vec<(usize, u64)>,
    next: usize,
    phase: Phase,
    /// Of each record its row and its group's place in `wanted`.
    rows: Vec<u32>,
    of: Vec<u32>,
    made: Table,
}

enum Phase {
    Begin,
    Weigh(Box<PathJob>),
    Thin(Box<SystematicJob>),
    Round(Box<dyn Rounding>),
    Order(Shuffle),
    Copy(Vec<u32>),
}

impl GroupRecordsJob {
    /// So many records of each group; `targets` are the tables over the unfolded shared rows that controlled rounding
    /// keeps in each.
    pub fn new(
        hierarchy: Hierarchy,
        unfolded: Unfolded,
        targets: Arc<Index>,
        wanted: Vec<(usize, u64)>,
        method: Method,
        seed: u64,
    ) -> Result<Self> {
        let groups = hierarchy.setup.plan().groups();
        let last = hierarchy.setup.levels().len() - 1;
        if wanted.iter().any(|(group, _)| groups.get(*group).is_none_or(|one| one.level != last)) {
            return Err(invalid("records are made of groups of the last level"));
        }
        let all = wanted.iter().try_fold(0u64, |all, (_, n)| all.checked_add(*n));
        let all = all.filter(|all| *all < u64::from(u32::MAX)).ok_or_else(|| {
            Error::new(marginalia_tables::Code::ModelTooLarge, "at most 2^32 - 1 records can be made at once")
        })? as usize;
        let (mut rows, mut of) = (Vec::new(), Vec::new());
        rows.try_reserve_exact(all).map_err(|_| Error::out_of_memory(4 * all))?;
        of.try_reserve_exact(all).map_err(|_| Error::out_of_memory(4 * all))?;
        let raw: Vec<usize> = unfolded.rows.raw().iter().map(|raw| raw.attribute).collect();
        let made = Table::new(Arc::clone(unfolded.rows.schema()), false, &raw);
        let (phase, parts) = (Phase::Begin, parts(&unfolded)?);
        Ok(Self { hierarchy, unfolded, parts, targets, method, seed, wanted, next: 0, phase, rows, of, made })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let mut left = work.max(1);
        while left > 0 && !self.over() {
            let now = self.advance(left)?;
            left = left.saturating_sub(now.max(1));
        }
        Ok(self.over())
    }

    fn over(&self) -> bool {
        self.next == self.wanted.len() && matches!(self.phase, Phase::Copy(_)) && self.made.rows() == self.rows.len()
    }

    fn advance(&mut self, work: u64) -> Result<u64> {
        let phase = std::mem::replace(&mut self.phase, Phase::Begin);
        let (phase, now) = match phase {
            Phase::Begin => (self.begin()?, 1),
            Phase::Weigh(mut path) => {
                let before = path.done();
                let over = path.step(work)?;
                let now = path.done() - before;
                if over { (self.thin(path.finish()?)?, now) } else { (Phase::Weigh(path), now) }
            }
            Phase::Thin(mut job) => {
                let before = job.done();
                let over = job.step(work)?;
                let now = job.done() - before;
                if over {
                    let counts = Box::new(*job).finish()?;
                    let weights: Vec<f64> = counts.into_iter().map(f64::from).collect();
                    (self.round(&weights)?, now)
                } else {
                    (Phase::Thin(job), now)
                }
            }
            Phase::Round(mut job) => {
                let before = job.done();
                let over = job.step(work)?;
                let now = job.done().saturating_sub(before).min(work);
                if over {
                    self.take(&job.finish()?);
                    (Phase::Begin, now)
                } else {
                    (Phase::Round(job), now)
                }
            }
            Phase::Order(mut job) => match job.step(work) {
                0 => (Phase::Order(job), work),
                left => (Phase::Copy(job.finish()), work - left),
            },
            Phase::Copy(order) => {
                let until = order.len().min(self.made.rows() + (work / COPY) as usize + 1);
                self.copy(&order[self.made.rows()..until.min(self.made.rows() + BLOCK)])?;
                (Phase::Copy(order), COPY * BLOCK as u64)
            }
        };
        self.phase = phase;
        Ok(now)
    }

    fn begin(&mut self) -> Result<Phase> {
        while self.wanted.get(self.next).is_some_and(|(_, records)| *records == 0) {
            self.next += 1;
        }
        match self.wanted.get(self.next) {
            Some((group, _)) => {
                let Hierarchy { setup, states } = &self.hierarchy;
                Ok(Phase::Weigh(Box::new(PathJob::new(Arc::clone(setup), states, *group)?)))
            }
            None => {
                let random = Seed::new(child(self.seed, &[ORDER]));
                Ok(Phase::Order(Shuffle::of_range(self.rows.len(), random)?))
            }
        }
    }

    /// The weights of unfolded rows. Where they are many more than the records, a systematic sample of them: which of
    /// two alike rows may have a record matters to no table, and rounding would look at all.
    fn thin(&mut self, model: Model) -> Result<Phase> {
        let q = model.weights()?;
        let of = |(row, share): (&u32, &f64)| q[*row as usize] * share;
        let weights: Vec<f64> = self.unfolded.of_row.iter().zip(&self.parts).map(of).collect();
        let candidates = CANDIDATES.saturating_mul(self.wanted[self.next].1);
        if self.method != Method::Controlled || weights.len() as u64 <= candidates.max(FEW_ROWS) {
            return self.round(&weights);
        }
        let shares = Shares::new(&weights, &Totals::all(candidates))?;
        Ok(Phase::Thin(Box::new(SystematicJob::new(shares, self.seed_of(THIN))?)))
    }

    fn round(&mut self, weights: &[f64]) -> Result<Phase> {
        let totals = Totals::all(self.wanted[self.next].1);
        let seed = self.seed_of(ROUND);
        Ok(Phase::Round(records::begin(self.method, weights, &totals, &self.targets, seed)?))
    }

    fn seed_of(&self, what: u64) -> u64 {
        child(self.seed, &[what, self.wanted[self.next].0 as u64])
    }

    fn take(&mut self, counts: &[u32]) {
        for (row, count) in (0..).zip(counts).filter(|(_, count)| **count > 0) {
            self.rows.extend(std::iter::repeat_n(row, *count as usize));
        }
        self.of.resize(self.rows.len(), self.next as u32);
        self.next += 1;
    }

    fn copy(&mut self, order: &[u32]) -> Result<()> {
        let plan = self.hierarchy.setup.plan();
        let rows = &self.unfolded.rows;
        let base = rows.schema().base().len();
        let mut codes: Vec<Vec<u16>> = Vec::with_capacity(base);
        for (a, column) in (0..).zip(&rows.columns()[..base]) {
            let own = plan.rest().contains(&a);
            let code = |record: &u32| {
                let (row, group) = (self.rows[*record as usize], self.of[*record as usize]);
                if own {
                    return Some(column.get(row as usize));
                }
                plan.code(&plan.groups()[self.wanted[group as usize].0], a)
            };
            let known: Option<Vec<u16>> = order.iter().map(code).collect();
            codes.push(known.ok_or_else(|| invalid("a group does not say what its records are"))?);
        }
        let raw = |raw: &marginalia_tables::table::Raw| -> Vec<f64> {
            order.iter().map(|record| raw.values.get(self.rows[*record as usize] as usize)).collect()
        };
        let raw: Vec<Vec<f64>> = rows.raw().iter().map(raw).collect();
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        self.made.extend(&codes, None, &raw)
    }

    /// Groups done, and then records copied, in thousandths of all.
    pub fn done(&self) -> u64 {
        let part = |done: usize, all: usize| done as u64 * 1000 / all.max(1) as u64;
        900 * part(self.next, self.wanted.len()) / 1000 + part(self.made.rows(), self.rows.len()) / 10
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

fn parts(unfolded: &Unfolded) -> Result<Vec<f64>> {
    let rows = unfolded.of_row.last().map_or(0, |row| *row as usize + 1);
    let mut sums = zeros(rows)?;
    for (row, weight) in unfolded.of_row.iter().zip(&unfolded.weights) {
        sums[*row as usize] += weight;
    }
    let part = |(row, weight): (&u32, &f64)| weight / sums[*row as usize];
    Ok(unfolded.of_row.iter().zip(&unfolded.weights).map(part).collect())
}

/// Rows that rounding looks at for each record, where there are more, and rows that are few anyway.
const CANDIDATES: u64 = 16;
const FEW_ROWS: u64 = 1 << 14;
/// Rows that are copied at once, and how much longer that takes than looking one up.
const BLOCK: usize = 4096;
const COPY: u64 = 50;
const ORDER: u64 = 0x6f72_6465;
const THIN: u64 = 0x7468_696e;
const ROUND: u64 = 0x726f_756e;
