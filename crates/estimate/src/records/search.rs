//! The choices of controlled rounding, and what they do to the target tables.

use super::Shares;
use super::systematic::Rounded;
use crate::fit::filled;
use crate::support::{BLOCK, Index};
use marginalia_tables::Result;
use std::ops::Range;

/// Rows that may be rounded up or down, in random order, and what the targets miss by their choice.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The rows, the group and the choice of each, and its cells in all targets side by side.
    rows: Vec<u32>,
    group: Vec<u32>,
    up: Vec<bool>,
    cells: Vec<u32>,
    targets: usize,
    /// The place of each row of the support, until all have their cells.
    places: Vec<u32>,
    /// Of each cell of the targets its number of records, less `n` times its weight.
    excess: Vec<f64>,
    /// Records that each group has more than its total.
    surplus: Vec<i8>,
    /// The cheapest change found for each group that is off, and its place.
    cheapest: Vec<(f64, usize)>,
    /// The choices that are kept.
    kept: Vec<bool>,
}

impl Search {
    /// The choices that systematic rounding made. A row that is due no fraction has none.
    pub(super) fn new(start: &Rounded, targets: &Index) -> Result<Self> {
        let mut rows = Vec::new();
        let free = |row: &&u32| start.shares.fractions[**row as usize] > 0;
        rows.extend(start.order.iter().filter(free));
        let groups = start.shares.totals.records().len();
        let mut places = filled(NOWHERE, targets.rows())?;
        (0..).zip(&rows).for_each(|(place, row)| places[*row as usize] = place);
        let targets = (targets.marginals().len(), targets.cells());
        Ok(Self {
            group: rows.iter().map(|row| start.shares.totals.group(*row as usize) as u32).collect(),
            up: rows.iter().map(|row| start.ups[*row as usize]).collect(),
            cells: filled(0, rows.len().saturating_mul(targets.0))?,
            targets: targets.0,
            excess: filled(0.0, targets.1)?,
            surplus: filled(0, groups)?,
            cheapest: filled(NONE, groups)?,
            kept: filled(false, rows.len())?,
            places,
            rows,
        })
    }

    /// Number of rows with a choice.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Gives rows of the support their cells: of as many rows as stay in the caches, target by target, so that a target
    /// need not keep the cells of all rows.
    pub(super) fn gather(&mut self, rows: Range<usize>, targets: &Index) {
        let width = self.targets;
        for first in rows.clone().step_by(BLOCK) {
            let block = first..rows.end.min(first + BLOCK);
            let places = &self.places[block.clone()];
            for (i, target) in targets.marginals().iter().enumerate() {
                let start = target.cells.start as u32;
                targets.each_block(i, block.clone(), |at, of_rows| {
                    let known = places[at..].iter().zip(of_rows).filter(|(place, _)| **place != NOWHERE);
                    known.for_each(|(place, cell)| self.cells[*place as usize * width + i] = start + cell);
                });
            }
        }
    }

    /// Gives the cells what rows miss of their share.
    pub(super) fn weigh(&mut self, places: Range<usize>, shares: &Shares) {
        self.places = Vec::new();
        for place in places {
            let part = f64::from(u8::from(self.up[place])) - shares.fraction(self.rows[place] as usize);
            for cell in &self.cells[place * self.targets..][..self.targets] {
                self.excess[*cell as usize] += part;
            }
        }
    }

    /// Makes every change by which the imbalance rises less than `allowed`, and which leaves its group at most one
    /// record off.
    pub(super) fn visit(&mut self, places: Range<usize>, allowed: f64) {
        for place in places {
            let bound = if self.up[place] { -1 } else { 1 };
            let free = self.surplus[self.group[place] as usize] != bound;
            if free && self.change(place) < allowed - SMALLEST_GAIN {
                self.flip(place);
            }
        }
    }

    /// Looks for the cheapest change of each group that is off.
    pub(super) fn seek(&mut self, places: Range<usize>) {
        for place in places {
            let group = self.group[place] as usize;
            if self.surplus[group] == if self.up[place] { 1 } else { -1 } {
                let change = self.change(place);
                if change < self.cheapest[group].0 {
                    self.cheapest[group] = (change, place);
                }
            }
        }
    }

    /// Restores the totals. What put a group off was a change that can be undone, so each has a cheapest one.
    pub(super) fn close(&mut self) {
        for group in 0..self.surplus.len() {
            let (_, place) = std::mem::replace(&mut self.cheapest[group], NONE);
            if self.surplus[group] != 0 {
                self.flip(place);
            }
        }
    }

    /// `Σ|x|` over all cells of the targets.
    pub(super) fn imbalance(&self) -> f64 {
        self.excess.iter().map(|x| x.abs()).sum()
    }

    /// Keeps the choices as they are.
    pub(super) fn keep(&mut self) {
        self.kept.copy_from_slice(&self.up);
    }

    /// The rows that are rounded up by the choices kept.
    pub(super) fn ups(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().zip(&self.kept).filter(|(_, up)| **up).map(|(row, _)| *row)
    }

    /// By how much the imbalance grows when the choice at a place changes.
    fn change(&self, place: usize) -> f64 {
        let sign = if self.up[place] { -1.0 } else { 1.0 };
        let cells = &self.cells[place * self.targets..][..self.targets];
        cells.iter().map(|cell| self.excess[*cell as usize]).map(|x| (x + sign).abs() - x.abs()).sum()
    }

    fn flip(&mut self, place: usize) {
        let sign = if self.up[place] { -1i8 } else { 1 };
        for cell in &self.cells[place * self.targets..][..self.targets] {
            self.excess[*cell as usize] += f64::from(sign);
        }
        self.up[place] = !self.up[place];
        self.surplus[self.group[place] as usize] += sign;
    }
}

/// Less than this is rounding of floating point.
pub(super) const SMALLEST_GAIN: f64 = 1e-6;
/// The place of a row without a choice.
const NOWHERE: u32 = u32::MAX;
const NONE: (f64, usize) = (f64::INFINITY, usize::MAX);
