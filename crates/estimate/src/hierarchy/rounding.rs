//! How often each shared row occurs in each group: groups side by side where there are threads.

use super::part::met;
use super::{Hierarchy, PathJob, invalid};
use crate::deviates::child;
use crate::models::support::{Condition, Distribution, Index, zeros};
#[cfg(feature = "threads")]
use crate::par::alone;
use crate::records::{self, Method, Rounding, Shares, SystematicJob, Totals, Unfolded};
use marginalia_tables::{Error, Result};
#[cfg(feature = "threads")]
use rayon::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Rows that rounding looks at for each record, where there are more, and rows that are few anyway.
const CANDIDATES: u64 = 16;
const FEW_ROWS: u64 = 1 << 14;
const THIN: u64 = 0x7468_696e;
const ROUND: u64 = 0x726f_756e;

/// What all groups are rounded by.
pub(super) struct Asked {
    pub hierarchy: Hierarchy,
    pub unfolded: Unfolded,
    /// What part of its shared row an unfolded one is; 0 where that does not meet the condition.
    parts: Vec<f64>,
    pub targets: Arc<Index>,
    pub method: Method,
    pub seed: u64,
    /// The groups, and how many records of each.
    pub wanted: Vec<(usize, u64)>,
}

/// The rounding of all groups in the making.
pub(super) struct Groups {
    asked: Asked,
    lanes: Vec<Lane>,
    board: Mutex<Board>,
}

struct Board {
    next: usize,
    left: usize,
    /// The rows of the records of each group.
    rows: Vec<Vec<u32>>,
}

/// One group at a time.
#[derive(Default)]
struct Lane {
    work: Option<(usize, Work)>,
    failed: Option<Error>,
}

enum Work {
    Weigh(Box<PathJob>),
    Thin(Box<SystematicJob>),
    Round(Box<dyn Rounding>),
}

impl Groups {
    pub(super) fn new(
        hierarchy: Hierarchy,
        unfolded: Unfolded,
        targets: Arc<Index>,
        wanted: Vec<(usize, u64)>,
        (method, seed): (Method, u64),
        condition: &Condition,
        lanes: usize,
    ) -> Result<Self> {
        let mut parts = parts(&unfolded)?;
        if !condition.is_empty() {
            let met = met(&hierarchy.setup, condition)?;
            let rows = parts.iter_mut().zip(&unfolded.of_row);
            rows.for_each(|(part, row)| *part *= met[*row as usize]);
        }
        let board = Board { next: 0, left: wanted.len(), rows: vec![Vec::new(); wanted.len()] };
        let lanes = (0..lanes.max(1)).map(|_| Lane::default()).collect();
        let asked = Asked { hierarchy, unfolded, parts, targets, method, seed, wanted };
        Ok(Self { asked, lanes, board: Mutex::new(board) })
    }

    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Groups that are done.
    pub(super) fn done(&self) -> usize {
        self.asked.wanted.len() - lock(&self.board).left
    }

    /// Does about `work` units in each lane; true at the end.
    pub(super) fn step(&mut self, work: u64) -> Result<bool> {
        let (asked, board) = (&self.asked, &self.board);
        #[cfg(feature = "threads")]
        if self.lanes.len() > 1 {
            self.lanes.par_iter_mut().for_each(|lane| alone(|| lane.step(asked, board, work)));
        } else {
            self.lanes.iter_mut().for_each(|lane| lane.step(asked, board, work));
        }
        #[cfg(not(feature = "threads"))]
        self.lanes.iter_mut().for_each(|lane| lane.step(asked, board, work));
        match self.lanes.iter().find_map(|lane| lane.failed.clone()) {
            Some(error) => Err(error),
            None => Ok(lock(&self.board).left == 0),
        }
    }

    /// The row of each record, group after group, and the place of its group.
    pub(super) fn rows(&mut self) -> Result<(Vec<u32>, Vec<u32>)> {
        let lists = std::mem::take(&mut lock(&self.board).rows);
        let all = lists.iter().map(Vec::len).sum();
        let (mut rows, mut of) = (crate::models::support::room(all)?, crate::models::support::room(all)?);
        for (place, list) in (0u32..).zip(lists) {
            rows.extend_from_slice(&list);
            of.resize(rows.len(), place);
        }
        Ok((rows, of))
    }
}

impl Lane {
    fn step(&mut self, asked: &Asked, board: &Mutex<Board>, work: u64) {
        let mut left = work.max(1);
        while left > 0 && self.failed.is_none() {
            match self.advance(asked, board, left) {
                Ok(Some(now)) => left = left.saturating_sub(now.max(1)),
                Ok(None) => break,
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Goes on with the group, or with the next; none where there is none.
    fn advance(&mut self, asked: &Asked, board: &Mutex<Board>, work: u64) -> Result<Option<u64>> {
        let Some((at, phase)) = self.work.take() else {
            let at = {
                let mut board = lock(board);
                let at = board.next;
                if at == asked.wanted.len() {
                    return Ok(None);
                }
                board.next += 1;
                at
            };
            let (group, records) = asked.wanted[at];
            if records == 0 {
                lock(board).left -= 1;
                return Ok(Some(1));
            }
            let Hierarchy { setup, states } = &asked.hierarchy;
            let path = PathJob::new(Arc::clone(setup), states, group)?;
            self.work = Some((at, Work::Weigh(Box::new(path))));
            return Ok(Some(1));
        };
        let (next, now) = match phase {
            Work::Weigh(mut path) => {
                let before = path.done();
                let over = path.step(work)?;
                let now = path.done() - before;
                (if over { asked.thinned(at, path.finish()?)? } else { Work::Weigh(path) }, now)
            }
            Work::Thin(mut job) => {
                let before = job.done();
                let over = job.step(work)?;
                let now = job.done() - before;
                let next = if over {
                    let weights: Vec<f64> = job.finish()?.into_iter().map(f64::from).collect();
                    asked.rounded(at, &weights)?
                } else {
                    Work::Thin(job)
                };
                (next, now)
            }
            Work::Round(mut job) => {
                let before = job.done();
                let over = job.step(work)?;
                let now = job.done().saturating_sub(before).min(work);
                if over {
                    let counts = job.finish()?;
                    let occurring = (0u32..).zip(&counts).filter(|(_, count)| **count > 0);
                    let rows = occurring.flat_map(|(row, n)| std::iter::repeat_n(row, *n as usize)).collect();
                    let mut board = lock(board);
                    board.rows[at] = rows;
                    board.left -= 1;
                    return Ok(Some(now));
                }
                (Work::Round(job), now)
            }
        };
        self.work = Some((at, next));
        Ok(Some(now))
    }
}

impl Asked {
    /// The weights of unfolded rows. Where they are many more than the records, a systematic sample of them: which of
    /// two alike rows may have a record matters to no table, and rounding would look at all.
    fn thinned(&self, at: usize, model: Distribution) -> Result<Work> {
        let q = model.weights()?;
        let mut weights = zeros(self.parts.len())?;
        let of_rows = self.unfolded.of_row.iter().zip(&self.parts);
        weights.iter_mut().zip(of_rows).for_each(|(weight, (row, part))| *weight = q[*row as usize] * part);
        let candidates = CANDIDATES.saturating_mul(self.wanted[at].1);
        if self.method != Method::Controlled || weights.len() as u64 <= candidates.max(FEW_ROWS) {
            return self.rounded(at, &weights);
        }
        let shares = Shares::new(&weights, &Totals::all(candidates))?;
        Ok(Work::Thin(Box::new(SystematicJob::new(shares, self.seed_of(THIN, at))?)))
    }

    fn rounded(&self, at: usize, weights: &[f64]) -> Result<Work> {
        let (totals, seed) = (Totals::all(self.wanted[at].1), self.seed_of(ROUND, at));
        Ok(Work::Round(records::begin(self.method, weights, &totals, &self.targets, seed)?))
    }

    fn seed_of(&self, what: u64, at: usize) -> u64 {
        child(self.seed, &[what, self.wanted[at].0 as u64])
    }
}

fn parts(unfolded: &Unfolded) -> Result<Vec<f64>> {
    let rows = unfolded.of_row.last().map_or(0, |row| *row as usize + 1);
    let mut sums = zeros::<f64>(rows)?;
    for (row, weight) in unfolded.of_row.iter().zip(&unfolded.weights) {
        sums[*row as usize] += weight;
    }
    let mut parts = zeros::<f64>(unfolded.of_row.len())?;
    let of_rows = unfolded.of_row.iter().zip(&unfolded.weights);
    parts.iter_mut().zip(of_rows).for_each(|(part, (row, weight))| *part = weight / sums[*row as usize]);
    if parts.iter().any(|part| !part.is_finite()) {
        return Err(invalid("unfolded rows have positive weights"));
    }
    Ok(parts)
}

fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}
