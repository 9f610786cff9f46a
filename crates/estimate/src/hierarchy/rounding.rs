//! How often each shared row occurs in each group: groups side by side where there are threads.

use super::part::met;
use super::path::Path;
use super::{GroupRecordsRequest, Hierarchy, invalid};
use crate::deviates::child;
use crate::job::{Lanes, Pace, Steps};
use crate::models::support::{Distribution, Index, zeros};
use crate::records::{self, Method, Shares, Totals, Unfolded, systematic};
use marginalia_tables::Result;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Rows that rounding looks at for each record, where there are more, and rows that are few anyway.
const CANDIDATES: u64 = 16;
const FEW_ROWS: u64 = 1 << 14;
const THIN: u64 = 0x7468_696e;
const ROUND: u64 = 0x726f_756e;

/// What all groups are rounded by.
pub(super) struct Rounding {
    pub hierarchy: Hierarchy,
    pub unfolded: Unfolded,
    /// What part of its shared row an unfolded one is; 0 where that does not meet the condition.
    parts: Vec<f64>,
    targets: Arc<Index>,
    pub request: GroupRecordsRequest,
}

/// The rows of the records of each group.
pub(super) async fn rounded(groups: &Arc<Rounding>, pace: &Pace) -> Result<Vec<Vec<u32>>> {
    let board = Arc::new(Board { next: 0.into(), done: 0.into(), rows: Mutex::default() });
    lock(&board.rows).resize(groups.request.wanted.len(), Vec::new());
    let lane = |_| {
        let (groups, board, shown) = (Arc::clone(groups), Arc::clone(&board), pace.clone());
        Steps::new(move |pace| async move { groups.lane(&board, &pace, &shown).await })
    };
    pace.run(Lanes::new(groups.request.lanes, lane)).await?;
    Ok(std::mem::take(&mut lock(&board.rows)))
}

struct Board {
    next: AtomicUsize,
    done: AtomicUsize,
    rows: Mutex<Vec<Vec<u32>>>,
}

impl Rounding {
    pub(super) fn new(
        hierarchy: Hierarchy,
        unfolded: Unfolded,
        targets: Arc<Index>,
        request: GroupRecordsRequest,
    ) -> Result<Self> {
        let mut parts = parts(&unfolded)?;
        if !request.condition.is_empty() {
            let met = met(&hierarchy.setup, &request.condition)?;
            let rows = parts.iter_mut().zip(&unfolded.of_row);
            rows.for_each(|(part, row)| *part *= met[*row as usize]);
        }
        Ok(Self { hierarchy, unfolded, parts, targets, request })
    }

    /// One group after another, until none is left.
    async fn lane(&self, board: &Board, pace: &Pace, shown: &Pace) -> Result<()> {
        let wanted = &self.request.wanted;
        loop {
            let at = board.next.fetch_add(1, Relaxed);
            let Some((group, records)) = wanted.get(at) else { return Ok(()) };
            let rows = self.records(*group, *records, pace).await?;
            lock(&board.rows)[at] = rows;
            shown.show(900 * (1 + board.done.fetch_add(1, Relaxed)) / wanted.len(), 1000);
            pace.did(1).await;
        }
    }

    /// The rows of so many records of a group.
    async fn records(&self, group: usize, records: u64, pace: &Pace) -> Result<Vec<u32>> {
        if records == 0 {
            return Ok(Vec::new());
        }
        let Hierarchy { setup, states } = &self.hierarchy;
        let seed_of = |what| child(self.request.seed, &[what, group as u64]);
        let mut weights = self.weights(&Path::new(Arc::clone(setup), states, group)?.weights(pace).await?)?;
        // Where unfolded rows are many more than the records, a systematic sample of them: which of two alike rows may have a
        // record matters to no table, and rounding would look at all.
        let (method, candidates) = (self.request.method, CANDIDATES.saturating_mul(records));
        if method == Method::Controlled && weights.len() as u64 > candidates.max(FEW_ROWS) {
            let shares = Shares::new(&weights, &Totals::all(candidates))?;
            weights = systematic(shares, seed_of(THIN), pace).await?.into_iter().map(f64::from).collect();
        }
        let (totals, targets) = (Totals::all(records), Arc::clone(&self.targets));
        let counts = pace.run(records::rounded(method, weights, totals, targets, seed_of(ROUND))).await?;
        let occurring = (0u32..).zip(&counts).filter(|(_, count)| **count > 0);
        Ok(occurring.flat_map(|(row, n)| std::iter::repeat_n(row, *n as usize)).collect())
    }

    /// The weights of unfolded rows in a group.
    fn weights(&self, model: &Distribution) -> Result<Vec<f64>> {
        let q = model.weights()?;
        let mut weights = zeros(self.parts.len())?;
        let of_rows = self.unfolded.of_row.iter().zip(&self.parts);
        weights.iter_mut().zip(of_rows).for_each(|(weight, (row, part))| *weight = q[*row as usize] * part);
        Ok(weights)
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

fn lock<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
