//! The distinct attribute sets of a workload, and the cliques that ask for each.

use super::effort::Effort;
use super::kernel::with_capacity;
use crate::{Result, Workload};

/// Distinct sets of attributes, those with most cells first; of equals the one with the smaller attributes.
#[derive(Default)]
pub struct Sets {
    attributes: Vec<u16>,
    starts: Vec<u32>,
    cells: Vec<u64>,
    cliques: Vec<u32>,
    clique_starts: Vec<u32>,
}

impl Sets {
    /// Number of sets.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The attributes of a set, ascending.
    pub fn attributes(&self, set: u32) -> &[u16] {
        let set = set as usize;
        &self.attributes[self.starts[set] as usize..self.starts[set + 1] as usize]
    }

    /// The number of cells of a set.
    pub fn cells(&self, set: u32) -> u64 {
        self.cells[set as usize]
    }

    /// The cliques that ask for a set, ascending.
    pub fn cliques(&self, set: u32) -> impl ExactSizeIterator<Item = usize> {
        let set = set as usize;
        let range = self.clique_starts[set] as usize..self.clique_starts[set + 1] as usize;
        self.cliques[range].iter().map(|i| *i as usize)
    }

    /// Where the attributes of sets end that come before one.
    pub fn start(&self, set: u32) -> usize {
        self.starts[set as usize] as usize
    }
}

/// What merging one clique takes, in units of work.
const MERGE: u64 = 24;

/// What copying one clique takes.
const COPY: u64 = 48;

/// Finds the distinct sets of a workload, step by step: sorts the cliques by merging runs of doubling length.
pub struct Sorting {
    /// The attributes of each clique ascending, in the layout of the workload.
    flat: Vec<u16>,
    starts: Vec<u32>,
    /// The cliques in runs of `width`, each sorted, and those already merged to runs of twice the width.
    order: Vec<u32>,
    merged: Vec<u32>,
    width: usize,
    /// The next clique of the left run of the two that are being merged.
    left: usize,
    sets: Sets,
    /// Cliques that are in `sets`.
    taken: usize,
}

impl Sorting {
    /// Nothing is copied yet.
    pub fn new(workload: &Workload) -> Result<Self> {
        let cliques = workload.len();
        let attributes = workload.cliques().map(<[u16]>::len).sum();
        let mut starts = with_capacity(cliques + 1)?;
        starts.push(0);
        let sets = Sets {
            attributes: with_capacity(attributes)?,
            starts: with_capacity(cliques + 1)?,
            cells: with_capacity(cliques)?,
            cliques: Vec::new(),
            clique_starts: with_capacity(cliques + 1)?,
        };
        let (order, merged) = (with_capacity(cliques)?, with_capacity(cliques)?);
        let flat = with_capacity(attributes)?;
        Ok(Self { flat, starts, order, merged, width: 1, left: 0, sets, taken: 0 })
    }

    /// Goes on; the sets when all are found.
    pub fn step(&mut self, workload: &Workload, effort: &mut Effort) -> Option<Sets> {
        let cliques = workload.len();
        while self.order.len() < cliques && self.width == 1 && self.merged.is_empty() {
            if effort.over() {
                return None;
            }
            self.copy(workload);
            effort.spend(COPY);
        }
        while self.width < cliques {
            if effort.over() {
                return None;
            }
            self.merge(workload);
            effort.spend(MERGE);
        }
        while self.taken < cliques {
            if effort.over() {
                return None;
            }
            self.take(workload);
            effort.spend(COPY);
        }
        let mut sets = std::mem::take(&mut self.sets);
        sets.starts.push(sets.attributes.len() as u32);
        sets.clique_starts.push(cliques as u32);
        sets.cliques = std::mem::take(&mut self.order);
        Some(sets)
    }

    /// Copies the next clique.
    fn copy(&mut self, workload: &Workload) {
        let (i, start) = (self.order.len(), self.flat.len());
        self.flat.extend_from_slice(workload.clique(i));
        sort_by(&mut self.flat[start..], |a| a);
        self.starts.push(self.flat.len() as u32);
        self.order.push(i as u32);
    }

    /// Merges one more clique.
    fn merge(&mut self, workload: &Workload) {
        let (cliques, at) = (self.order.len(), self.merged.len());
        let start = at & !(2 * self.width - 1);
        if at == start {
            self.left = start;
        }
        let (middle, end) = ((start + self.width).min(cliques), (start + 2 * self.width).min(cliques));
        let right = middle + at - self.left;
        let from_right = right < end
            && (self.left == middle || self.before(workload, self.order[right], self.order[self.left]));
        let from = if from_right { right } else { self.left };
        self.left += usize::from(!from_right);
        self.merged.push(self.order[from]);
        if at + 1 == cliques {
            std::mem::swap(&mut self.order, &mut self.merged);
            self.merged.clear();
            self.width *= 2;
        }
    }

    /// Adds the next clique in order to its set.
    fn take(&mut self, workload: &Workload) {
        let i = self.order[self.taken];
        let last = self.sets.starts.last().map(|start| &self.sets.attributes[*start as usize..]);
        if last != Some(self.key(i)) {
            let sets = &mut self.sets;
            let range = self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize;
            sets.starts.push(sets.attributes.len() as u32);
            sets.attributes.extend_from_slice(&self.flat[range]);
            sets.cells.push(cells(workload, i));
            sets.clique_starts.push(self.taken as u32);
        }
        self.taken += 1;
    }

    fn key(&self, i: u32) -> &[u16] {
        &self.flat[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }

    fn before(&self, workload: &Workload, a: u32, b: u32) -> bool {
        let by_size = cells(workload, b).cmp(&cells(workload, a));
        by_size.then_with(|| self.key(a).cmp(self.key(b))).then_with(|| a.cmp(&b)).is_lt()
    }
}

fn cells(workload: &Workload, i: u32) -> u64 {
    let range = workload.cells(i as usize);
    range.end - range.start
}

/// Sorts few attributes by a key, inserting one after another.
pub fn sort_by<K: Ord>(attributes: &mut [u16], key: impl Fn(u16) -> K) {
    for end in 1..attributes.len() {
        let last = key(attributes[end]);
        let at = attributes[..end].partition_point(|a| key(*a) <= last);
        attributes[at..=end].rotate_right(1);
    }
}
