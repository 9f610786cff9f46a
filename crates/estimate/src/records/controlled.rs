//! Controlled rounding: which rows are rounded up is chosen so that target tables stay what the weights make them.

use super::search::{AHEAD, SMALLEST_GAIN, Search};
use super::{Rounding, Shares, SystematicJob, Totals};
use crate::models::support::Index;
use crate::par::awake;
use marginalia_tables::Result;
use std::sync::Arc;

/// Rounding that starts from a systematic one and searches for choices that lower the imbalance of the targets,
/// `Σ|records − n·weight|` over all their cells.
///
/// A pass visits the rows in random order and changes each choice whose change lowers the imbalance, as long as no
/// group is more than one record off its total; then it makes the cheapest change of each group that is off. The first
/// passes also make changes that raise the imbalance a little, ever less of them (threshold accepting, Dueck and
/// Scheuer 1990), which leads past poor local optima. The best choices at the end of a pass are kept, so the imbalance
/// never rises; after the first passes, one that does not lower it ends the search.
#[derive(Debug)]
pub struct ControlledJob {
    start: Option<SystematicJob>,
    targets: Arc<Index>,
    shares: Option<Shares>,
    search: Search,
    stage: Stage,
    /// The place that the stage has come to.
    at: usize,
    /// Passes made, and the imbalance after the last one.
    passes: usize,
    last: f64,
    trace: Vec<f64>,
    done: u64,
    total: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Gather,
    Weigh,
    Visit,
    Close,
    Done,
}

impl ControlledJob {
    /// Rounding of weights that keeps the tables of `targets`, an index over the same rows.
    pub fn new(weights: &[f64], totals: &Totals, targets: Arc<Index>, seed: u64) -> Result<Self> {
        let start = SystematicJob::new(Shares::new(weights, totals)?, seed)?;
        let tables = targets.marginals().len().max(1) as u64;
        Ok(Self {
            start: Some(start),
            targets,
            shares: None,
            search: Search::default(),
            stage: Stage::Gather,
            at: 0,
            passes: 0,
            last: f64::INFINITY,
            trace: Vec::new(),
            done: 0,
            total: weights.len() as u64 * (2 + tables * (2 + 2 * PASSES as u64)),
        })
    }

    /// The imbalance at the start and after each pass that made it lower than any before.
    pub fn trace(&self) -> &[f64] {
        &self.trace
    }

    fn go_on(&mut self, work: u64) -> Result<bool> {
        let mut left = work;
        while left > 0 && self.stage != Stage::Done {
            let now = self.advance(left)?;
            self.done += now;
            left = left.saturating_sub(now.max(1));
        }
        Ok(self.stage == Stage::Done)
    }

    /// Does a part of one stage; returns the work that it took.
    fn advance(&mut self, work: u64) -> Result<u64> {
        if let Some(start) = &mut self.start {
            let before = start.done();
            let ready = start.step(work)?;
            let now = start.done() - before;
            if let Some(start) = self.start.take_if(|_| ready) {
                let start = start.into_rounded()?;
                self.search = Search::new(&start, &self.targets)?;
                self.shares = Some(start.shares);
            }
            return Ok(now);
        }
        let tables = self.tables();
        // A target is gone through block by block, where fewer rows would not pay; and changes are foreseen for so many places,
        // the same ones however long a step is.
        let least = if self.stage == Stage::Gather { 1 << 11 } else { AHEAD };
        let rows = usize::try_from(work / tables).unwrap_or(usize::MAX).max(least) / least * least;
        let end = if self.stage == Stage::Gather { self.targets.rows() } else { self.search.len() };
        let places = self.at..end.min(self.at.saturating_add(rows));
        let now = places.len() as u64 * tables;
        self.at = places.end;
        match (self.stage, &self.shares) {
            (Stage::Gather, _) => self.search.gather(places, &self.targets),
            (Stage::Weigh, Some(shares)) => self.search.weigh(places, shares),
            (Stage::Visit, _) => self.search.visit(places, self.allowed()),
            (Stage::Close, _) => self.search.seek(places),
            _ => {}
        }
        if self.at == end {
            self.at = 0;
            self.stage = self.next();
        }
        Ok(now)
    }

    fn next(&mut self) -> Stage {
        match self.stage {
            Stage::Gather => return Stage::Weigh,
            Stage::Visit => return Stage::Close,
            Stage::Close => self.search.close(),
            Stage::Weigh | Stage::Done => {}
        }
        let imbalance = self.search.imbalance();
        if self.trace.last().is_none_or(|best| imbalance < best - SMALLEST_GAIN) {
            self.trace.push(imbalance);
            self.search.keep();
        }
        let stuck = self.passes > COOLING && imbalance >= self.last - SMALLEST_GAIN;
        if stuck || self.passes == PASSES || imbalance < SMALLEST_GAIN {
            return Stage::Done;
        }
        self.last = imbalance;
        self.passes += 1;
        Stage::Visit
    }

    fn tables(&self) -> u64 {
        self.targets.marginals().len().max(1) as u64
    }

    /// By how much a change may raise the imbalance in the pass that is made.
    fn allowed(&self) -> f64 {
        let left = COOLING.saturating_sub(self.passes) as f64 / COOLING as f64;
        RISE * left * self.tables() as f64
    }
}

impl Rounding for ControlledJob {
    fn step(&mut self, work: u64) -> Result<bool> {
        if self.search.is_large() { awake(|| self.go_on(work)) } else { self.go_on(work) }
    }

    fn done(&self) -> u64 {
        if self.stage == Stage::Done { self.total } else { self.done }
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<u32>> {
        while !self.step(u64::MAX)? {}
        let mut counts = self.shares.map_or_else(Vec::new, |shares| shares.wholes);
        self.search.ups().for_each(|row| counts[row as usize] += 1);
        Ok(counts)
    }
}

/// The most passes.
const PASSES: usize = 50;
/// The passes that make changes for the worse, and by how much in each table of the targets at first.
const COOLING: usize = 20;
const RISE: f64 = 0.1;
