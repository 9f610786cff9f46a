//! The choices of controlled rounding, and what they do to the target tables.

use super::Shares;
use crate::models::support::{BLOCK, Index};
use crate::par::fill;
use crate::vector::filled;
use marginalia_tables::Result;
use std::ops::Range;

/// Rows that may be rounded up or down, in random order, and what the targets miss by their choice.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The rows, the group of each where there are several, its choice, and its cells in all targets side by side.
    rows: Vec<u32>,
    group: Vec<u32>,
    up: Vec<bool>,
    cells: Cells,
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
    /// The choices that systematic rounding made, of rows in its order. A row that is due no fraction has none.
    pub(super) fn new(shares: &Shares, order: Vec<u32>, ups: Vec<bool>, targets: &Index) -> Result<Self> {
        let mut rows = order;
        rows.retain(|row| shares.fractions[*row as usize] > 0);
        let groups = shares.totals.records().len();
        let group = |row: &u32| shares.totals.group(*row as usize) as u32;
        let up = rows.iter().map(|row| ups[*row as usize]).collect();
        drop(ups);
        let mut places = filled(NOWHERE, shares.rows())?;
        (0..).zip(&rows).for_each(|(place, row)| places[*row as usize] = place);
        Ok(Self {
            group: if groups > 1 { rows.iter().map(group).collect() } else { Vec::new() },
            up,
            cells: Cells::new(rows.len(), targets)?,
            excess: filled(0.0, targets.cells())?,
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
        self.len().saturating_mul(self.cells.starts.len()) >= LARGE
    }

    /// Gives rows of the support their cells: of as many rows as stay in the caches, target by target, so that a target
    /// need not keep the cells of all rows.
    #[inline(never)]
    pub(super) fn gather(&mut self, rows: Range<usize>, targets: &Index) {
        for first in rows.clone().step_by(BLOCK) {
            let block = first..rows.end.min(first + BLOCK);
            let places = &self.places[block.clone()];
            for i in 0..targets.marginals().len() {
                targets.each_block(i, block.clone(), |at, of_rows| {
                    let known = places[at..].iter().zip(of_rows).filter(|(place, _)| **place != NOWHERE);
                    self.cells.set(i, known.map(|(place, cell)| (*place as usize, *cell)));
                });
            }
        }
    }

    /// Gives the cells what rows miss of their share.
    #[inline(never)]
    pub(super) fn weigh(&mut self, places: Range<usize>, shares: &Shares) {
        self.places = Vec::new();
        let mut room = self.cells.room();
        for place in places {
            let part = f64::from(u8::from(self.up[place])) - shares.fraction(self.rows[place] as usize);
            self.cells.add(place, &mut room, part, &mut self.excess);
        }
    }

    /// Makes every change by which the imbalance rises less than `allowed`, and which leaves its group at most one
    /// record off.
    #[inline(never)]
    pub(super) fn visit(&mut self, places: Range<usize>, allowed: f64) {
        let free = |search: &Self, place: usize| {
            let bound = if search.up[place] { -1 } else { 1 };
            search.surplus[search.group(place)] != bound
        };
        let mut room = self.cells.room();
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
                if known || self.change(place, &mut room) < allowed - SMALLEST_GAIN {
                    self.flip(place, &mut room);
                    flipped = true;
                }
            }
        }
    }

    /// Looks for the cheapest change of each group that is off.
    #[inline(never)]
    pub(super) fn seek(&mut self, places: Range<usize>) {
        let mends = |search: &Self, place: usize| {
            search.surplus[search.group(place)] == if search.up[place] { 1 } else { -1 }
        };
        for first in places.clone().step_by(AHEAD) {
            let block = first..places.end.min(first + AHEAD);
            self.foresee(block.clone(), mends);
            for (place, change) in block.zip(&self.foreseen) {
                let group = self.group(place);
                let cheapest = &mut self.cheapest[group];
                if *change < cheapest.0 {
                    *cheapest = (*change, place);
                }
            }
        }
    }

    /// What changes cost as things are, of the places that are of interest.
    fn foresee(&mut self, places: Range<usize>, of_interest: impl Fn(&Self, usize) -> bool + Sync) {
        let mut foreseen = std::mem::take(&mut self.foreseen);
        let change = |place, room: &mut [u32]| match of_interest(self, place) {
            true => self.change(place, room),
            false => f64::NAN,
        };
        let length = if self.is_large() { PART } else { AHEAD };
        fill(&mut foreseen[..places.len()], length, |at, part| {
            let mut room = self.cells.room();
            (places.start + at..)
                .zip(part)
                .for_each(|(place, foreseen)| *foreseen = change(place, &mut room));
        });
        self.foreseen = foreseen;
    }

    /// Restores the totals. What put a group off was a change that can be undone, so each has a cheapest one.
    pub(super) fn close(&mut self) {
        let mut room = self.cells.room();
        for group in 0..self.surplus.len() {
            let (_, place) = std::mem::replace(&mut self.cheapest[group], NONE);
            if self.surplus[group] != 0 {
                self.flip(place, &mut room);
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
    fn change(&self, place: usize, room: &mut [u32]) -> f64 {
        let sign = if self.up[place] { -1.0 } else { 1.0 };
        self.cells.change(place, room, sign, &self.excess)
    }

    fn flip(&mut self, place: usize, room: &mut [u32]) {
        let sign = if self.up[place] { -1i8 } else { 1 };
        self.cells.add(place, room, f64::from(sign), &mut self.excess);
        self.up[place] = !self.up[place];
        let group = self.group(place);
        self.surplus[group] += sign;
    }

    fn group(&self, place: usize) -> usize {
        self.group.get(place).map_or(0, |group| *group as usize)
    }
}

/// The cells of rows in all targets side by side, each counted from the first of its target, in as many bytes as that needs.
#[derive(Debug, Default)]
struct Cells {
    /// Of each row the lowest byte of all cells, and then the further bytes of those that have some. In blocks, which fit into
    /// what is free between others.
    bytes: Vec<Vec<u8>>,
    /// The first cell of each target among those of all.
    starts: Vec<u32>,
    /// The target of each further byte, and by how many bits it is shifted.
    further: Vec<(usize, u32)>,
}

impl Cells {
    /// Of so many rows.
    fn new(rows: usize, targets: &Index) -> Result<Self> {
        let starts: Vec<u32> = targets.marginals().iter().map(|target| target.cells.start as u32).collect();
        let shifts = |cells: usize| [8, 16, 24].into_iter().take_while(move |shift| (cells - 1) >> shift > 0);
        let of = |target: usize| shifts(targets.marginals()[target].cells.len().max(1));
        let further: Vec<_> = (0..starts.len()).flat_map(|i| of(i).map(move |shift| (i, shift))).collect();
        let width = starts.len() + further.len();
        let block = |first: usize| filled(0, width * NEAR.min(rows - first));
        let bytes = (0..rows).step_by(NEAR).map(block).collect::<Result<_>>()?;
        Ok(Self { bytes, starts, further })
    }

    /// Bytes of a row.
    fn width(&self) -> usize {
        self.starts.len() + self.further.len()
    }

    /// Tells each place its cell of a target.
    fn set(&mut self, target: usize, cells: impl Iterator<Item = (usize, u32)>) {
        let (width, all) = (self.width(), self.starts.len());
        let first = self.further.partition_point(|(of, _)| *of < target);
        let count = self.further[first..].iter().take_while(|(of, _)| *of == target).count();
        for (place, cell) in cells {
            let row = &mut self.bytes[place / NEAR][place % NEAR * width..][..width];
            row[target] = cell as u8;
            let shifts = self.further[first..][..count].iter();
            row[all + first..]
                .iter_mut()
                .zip(shifts)
                .for_each(|(byte, (_, shift))| *byte = (cell >> shift) as u8);
        }
    }

    /// Room for the cells of a place.
    fn room(&self) -> Vec<u32> {
        vec![0; self.starts.len()]
    }

    /// The cells of a place.
    fn of(&self, place: usize, room: &mut [u32]) {
        let (width, all) = (self.width(), self.starts.len());
        let (low, high) = self.bytes[place / NEAR][place % NEAR * width..][..width].split_at(all);
        for ((cell, start), byte) in room.iter_mut().zip(&self.starts).zip(low) {
            *cell = start + u32::from(*byte);
        }
        for ((target, shift), byte) in self.further.iter().zip(high) {
            room[*target] += u32::from(*byte) << shift;
        }
    }

    /// Adds to the cells of a place.
    fn add(&self, place: usize, room: &mut [u32], part: f64, excess: &mut [f64]) {
        self.of(place, room);
        room.iter().for_each(|cell| excess[*cell as usize] += part);
    }

    /// By how much `Σ|x|` over the cells of a place grows when each changes by so much.
    fn change(&self, place: usize, room: &mut [u32], by: f64, excess: &[f64]) -> f64 {
        self.of(place, room);
        let change = |cell: &u32| {
            let x = excess[*cell as usize];
            (x + by).abs() - x.abs()
        };
        // Four sums side by side: none waits for another.
        let (fours, rest) = room.as_chunks::<4>();
        let mut sums = [0.0; 4];
        fours.iter().for_each(|four| sums.iter_mut().zip(four).for_each(|(sum, cell)| *sum += change(cell)));
        sums.iter().sum::<f64>() + rest.iter().map(change).sum::<f64>()
    }
}

/// Cells of all places from which on passes are shared; places that are looked at together, and by one thread.
const LARGE: usize = 1 << 24;
pub(super) const AHEAD: usize = 1 << 10;
const PART: usize = AHEAD / 8;
/// Places whose cells lie in one block.
const NEAR: usize = 1 << 14;
/// Less than this is rounding of floating point.
pub(super) const SMALLEST_GAIN: f64 = 1e-6;
/// The place of a row without a choice.
const NOWHERE: u32 = u32::MAX;
const NONE: (f64, usize) = (f64::INFINITY, usize::MAX);

#[cfg(test)]
mod tests {
    use super::*;
    use marginalia_tables::{Codes, Domain};

    #[test]
    fn cells_come_back_from_as_many_bytes_as_they_need() {
        let rows = 70_000;
        let column = |size: usize, every: usize| {
            let mut column = Codes::new(size);
            let codes: Vec<u16> = (0..rows).map(|row| (row / every % size) as u16).collect();
            column.extend(&codes).unwrap();
            column
        };
        let columns = [column(2, 7), column(300, 251), column(251, 1), column(1, 1)];
        let cliques: [&[u16]; 4] = [&[1], &[0], &[1, 2], &[3]];
        let targets = Index::new(&Domain::new([2, 300, 251, 1]), &columns, &cliques).unwrap();
        let mut cells = Cells::new(rows, &targets).unwrap();
        assert!(targets.marginals()[2].places.len() > 1 << 16);
        assert_eq!(cells.further, [(0, 8), (2, 8), (2, 16)]);
        for i in 0..cliques.len() {
            targets.each_block(i, 0..rows, |at, of_rows| {
                cells.set(i, (at..).zip(of_rows.iter().copied()));
            });
        }
        let mut room = cells.room();
        for row in 0..rows {
            cells.of(row, &mut room);
            let of = targets.marginals().iter().map(|one| one.cells.start as u32 + one.of_row[row]);
            assert!(room.iter().copied().eq(of), "row {row}");
        }
    }
}
