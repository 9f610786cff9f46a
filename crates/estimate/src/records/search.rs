//! The choices of controlled rounding, and what they do to the target tables.

use super::Shares;
use super::systematic::Rounded;
use crate::models::support::{BLOCK, Index};
use crate::par::fill;
use crate::vector::filled;
use marginalia_tables::Result;
use std::ops::Range;

/// Rows that may be rounded up or down, in random order, and what the targets miss by their choice.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The rows, the group and the choice of each, and its cells in all targets side by side.
    rows: Vec<u32>,
    group: Vec<u32>,
    up: Vec<bool>,
    cells: Cells,
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
    /// What some changes cost, as foreseen for places that follow each other; not a number where it is not.
    foreseen: Vec<f64>,
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
            cells: Cells::new(rows.len().saturating_mul(targets.0), targets.1)?,
            targets: targets.0,
            excess: filled(0.0, targets.1)?,
            surplus: filled(0, groups)?,
            cheapest: filled(NONE, groups)?,
            kept: filled(false, rows.len())?,
            foreseen: filled(0.0, AHEAD)?,
            places,
            rows,
        })
    }

    /// Number of rows with a choice.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether passes take so long that threads are to share them. Threads or not, choices are then made in the same way.
    pub(super) fn is_large(&self) -> bool {
        self.cells.len() >= LARGE
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
                    known.for_each(|(place, cell)| self.cells.set(*place as usize * width + i, start + cell));
                });
            }
        }
    }

    /// Gives the cells what rows miss of their share.
    pub(super) fn weigh(&mut self, places: Range<usize>, shares: &Shares) {
        self.places = Vec::new();
        for place in places {
            let part = f64::from(u8::from(self.up[place])) - shares.fraction(self.rows[place] as usize);
            self.cells.add(place, self.targets, part, &mut self.excess);
        }
    }

    /// Makes every change by which the imbalance rises less than `allowed`, and which leaves its group at most one
    /// record off.
    pub(super) fn visit(&mut self, places: Range<usize>, allowed: f64) {
        let free = |search: &Self, place: usize| {
            let bound = if search.up[place] { -1 } else { 1 };
            search.surplus[search.group[place] as usize] != bound
        };
        for first in places.clone().step_by(AHEAD) {
            let block = first..places.end.min(first + AHEAD);
            let large = self.is_large();
            self.foresee(block.clone(), |search, place| large && free(search, place));
            let mut flipped = false;
            for place in block {
                let foreseen = self.foreseen[place - first];
                // What was not cheap may have become so since: the next pass will tell.
                if foreseen >= allowed - SMALLEST_GAIN || !free(self, place) {
                    continue;
                }
                let known = !flipped && !foreseen.is_nan();
                if known || self.change(place) < allowed - SMALLEST_GAIN {
                    self.flip(place);
                    flipped = true;
                }
            }
        }
    }

    /// Looks for the cheapest change of each group that is off.
    pub(super) fn seek(&mut self, places: Range<usize>) {
        let mends = |search: &Self, place: usize| {
            search.surplus[search.group[place] as usize] == if search.up[place] { 1 } else { -1 }
        };
        for first in places.clone().step_by(AHEAD) {
            let block = first..places.end.min(first + AHEAD);
            self.foresee(block.clone(), mends);
            for (place, change) in block.zip(&self.foreseen) {
                let cheapest = &mut self.cheapest[self.group[place] as usize];
                if *change < cheapest.0 {
                    *cheapest = (*change, place);
                }
            }
        }
    }

    /// What changes cost as things are, of the places that are of interest.
    fn foresee(&mut self, places: Range<usize>, of_interest: impl Fn(&Self, usize) -> bool + Sync) {
        let mut foreseen = std::mem::take(&mut self.foreseen);
        let change = |place| if of_interest(self, place) { self.change(place) } else { f64::NAN };
        let length = if self.is_large() { PART } else { AHEAD };
        fill(&mut foreseen[..places.len()], length, |at, part| {
            (places.start + at..).zip(part).for_each(|(place, foreseen)| *foreseen = change(place));
        });
        self.foreseen = foreseen;
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
        self.cells.change(place, self.targets, sign, &self.excess)
    }

    fn flip(&mut self, place: usize) {
        let sign = if self.up[place] { -1i8 } else { 1 };
        self.cells.add(place, self.targets, f64::from(sign), &mut self.excess);
        self.up[place] = !self.up[place];
        self.surplus[self.group[place] as usize] += sign;
    }
}

/// The cells of rows in all targets side by side: in two bytes each where there are few enough.
#[derive(Debug)]
enum Cells {
    Few(Vec<u16>),
    Many(Vec<u32>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Cells {
    /// So many numbers of one of so many cells.
    fn new(length: usize, cells: usize) -> Result<Self> {
        let few = cells <= 1 << 16;
        Ok(if few { Self::Few(filled(0, length)?) } else { Self::Many(filled(0, length)?) })
    }

    fn len(&self) -> usize {
        match self {
            Self::Few(cells) => cells.len(),
            Self::Many(cells) => cells.len(),
        }
    }

    fn set(&mut self, at: usize, cell: u32) {
        match self {
            Self::Few(cells) => cells[at] = cell as u16,
            Self::Many(cells) => cells[at] = cell,
        }
    }

    /// Adds to the cells of a place.
    fn add(&self, place: usize, targets: usize, part: f64, excess: &mut [f64]) {
        let row = place * targets..(place + 1) * targets;
        match self {
            Self::Few(cells) => cells[row].iter().for_each(|cell| excess[usize::from(*cell)] += part),
            Self::Many(cells) => cells[row].iter().for_each(|cell| excess[*cell as usize] += part),
        }
    }

    /// By how much `Σ|x|` over the cells of a place grows when each changes by so much.
    fn change(&self, place: usize, targets: usize, by: f64, excess: &[f64]) -> f64 {
        let row = place * targets..(place + 1) * targets;
        match self {
            Self::Few(cells) => change(&cells[row], by, excess),
            Self::Many(cells) => change(&cells[row], by, excess),
        }
    }
}

fn change<C: Copy + Into<u32>>(cells: &[C], by: f64, excess: &[f64]) -> f64 {
    let change = |cell: &C| {
        let x = excess[(*cell).into() as usize];
        (x + by).abs() - x.abs()
    };
    // Four sums side by side: none waits for another.
    let (fours, rest) = cells.as_chunks::<4>();
    let mut sums = [0.0; 4];
    fours.iter().for_each(|four| sums.iter_mut().zip(four).for_each(|(sum, cell)| *sum += change(cell)));
    sums.iter().sum::<f64>() + rest.iter().map(change).sum::<f64>()
}

/// Cells of all places from which on passes are shared; places that are looked at together, and by one thread.
const LARGE: usize = 1 << 24;
pub(super) const AHEAD: usize = 1 << 10;
const PART: usize = AHEAD / 8;
/// Less than this is rounding of floating point.
pub(super) const SMALLEST_GAIN: f64 = 1e-6;
/// The place of a row without a choice.
const NOWHERE: u32 = u32::MAX;
const NONE: (f64, usize) = (f64::INFINITY, usize::MAX);
