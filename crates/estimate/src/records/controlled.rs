//! Controlled rounding: which rows are rounded up is chosen so that target tables stay what the weights make them.

use super::search::{AHEAD, SMALLEST_GAIN, Search};
use super::systematic::{self, Rounded};
use super::{Shares, Totals};
use crate::job::{Pace, Steps};
use crate::models::support::Index;
use marginalia_tables::Result;
use std::ops::Range;
use std::sync::Arc;

/// A controlled rounding.
#[derive(Debug, Clone, PartialEq)]
pub struct Controlled {
    /// How often each row occurs.
    pub counts: Vec<u32>,
    /// The imbalance at the start and after each pass that made it lower than any before.
    pub trace: Vec<f64>,
}

/// Rounding of weights that keeps the tables of `targets`, an index over the same rows: it starts from a systematic one and
/// searches for choices that lower the imbalance of the targets, `Σ|records − n·weight|` over all their cells.
///
/// A pass visits the rows in random order and changes each choice whose change lowers the imbalance, as long as no
/// group is more than one record off its total; then it makes the cheapest change of each group that is off. The first
/// passes also make changes that raise the imbalance a little, ever less of them (threshold accepting, Dueck and
/// Scheuer 1990), which leads past poor local optima. The best choices at the end of a pass are kept, so the imbalance
/// never rises; after the first passes, one that does not lower it ends the search.
pub fn controlled(weights: Vec<f64>, totals: Totals, targets: Arc<Index>, seed: u64) -> Steps<Controlled> {
    Steps::new(move |pace| async move { search(weights, &totals, &targets, seed, &pace).await })
}

/// See [`controlled`].
pub(super) async fn search(
    weights: Vec<f64>,
    totals: &Totals,
    targets: &Index,
    seed: u64,
    pace: &Pace,
) -> Result<Controlled> {
    let passes = Passes::new(weights.len(), targets, pace);
    let shares = Shares::new(&weights, totals)?;
    drop(weights);
    let Rounded { shares, order, ups } = systematic::round(shares, seed, &pace.quiet()).await?;
    let mut choices = Search::new(&shares, order, ups, targets)?;
    pace.keep_awake(choices.is_large());
    let trace = passes.make(&mut choices, targets, &shares).await;
    pace.keep_awake(false);
    let mut counts = shares.wholes;
    choices.ups().for_each(|row| counts[row as usize] += 1);
    Ok(Controlled { counts, trace })
}

/// Goes through rows and places in parts, and shows how far it is of what it may come to.
struct Passes<'a> {
    pace: &'a Pace,
    tables: usize,
    done: usize,
    total: usize,
}

impl<'a> Passes<'a> {
    fn new(rows: usize, targets: &Index, pace: &'a Pace) -> Self {
        let tables = targets.marginals().len().max(1);
        let total = rows * (2 + 2 * PASSES);
        pace.show(0, total);
        Self { pace, tables, done: 0, total }
    }

    /// The imbalance at the start and of each pass that made it lower than any before.
    async fn make(mut self, search: &mut Search, targets: &Index, shares: &Shares) -> Vec<f64> {
        self.each(targets.rows(), GATHERING, |rows| search.gather(rows, targets)).await;
        self.each(search.len(), 1, |places| search.weigh(places, shares)).await;
        let (mut trace, mut last): (Vec<f64>, _) = (Vec::new(), f64::INFINITY);
        for pass in 0.. {
            let imbalance = search.imbalance();
            if trace.last().is_none_or(|best| imbalance < best - SMALLEST_GAIN) {
                trace.push(imbalance);
                search.keep();
            }
            let stuck = pass > COOLING && imbalance >= last - SMALLEST_GAIN;
            if stuck || pass == PASSES || imbalance < SMALLEST_GAIN {
                break;
            }
            last = imbalance;
            let allowed = self.allowed(pass + 1);
            self.each(search.len(), 1, |places| search.visit(places, allowed)).await;
            self.each(search.len(), 1, |places| search.seek(places)).await;
            search.close();
        }
        trace
    }

    /// By how much a change may raise the imbalance in a pass.
    fn allowed(&self, pass: usize) -> f64 {
        let left = COOLING.saturating_sub(pass) as f64 / COOLING as f64;
        RISE * left * self.tables as f64
    }

    /// Changes are foreseen for so many places, the same ones however long a step is.
    async fn each(&mut self, end: usize, units: usize, mut part: impl FnMut(Range<usize>)) {
        for first in (0..end).step_by(PART) {
            let places = first..end.min(first + PART);
            self.done += places.len();
            let work = units * places.len() * self.tables;
            part(places);
            self.pace.show(self.done, self.total);
            self.pace.did(work).await;
        }
    }
}

/// How much longer it takes to work out the cell of a row and write it to its place than to look one up.
const GATHERING: usize = 8;
/// Places that are gone through at once.
const PART: usize = 2 * AHEAD;
/// The most passes.
const PASSES: usize = 50;
/// The passes that make changes for the worse, and by how much in each table of the targets at first.
const COOLING: usize = 20;
const RISE: f64 = 0.1;
