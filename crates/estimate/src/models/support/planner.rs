//! Which covers to make: the one that saves most first.

use super::build::FEW_CELLS;
use super::index::Marginal;
use marginalia_tables::Domain;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

/// A cover has at most so many attributes, and so many cells, or one for so many rows: its tables shall stay in the
/// caches, and small beside the cells of rows.
const ATTRIBUTES: u32 = 5;
const CELLS: usize = 1 << 11;
const ROWS_PER_CELL: usize = 16;

/// What a cell of a cover costs for each of its parts, and in itself, where a row of a marginal costs 1.
const OF_PART: f64 = 0.9;
const OF_CELL: f64 = 1.3;

/// Marginals that are planned together, at most: their pairs are gone through. Of more, those between blocks of at most so many
/// attributes.
const TOGETHER: usize = 1500;
const BLOCK: u16 = 16;

/// The marginals that are planned together: all, or where their pairs would be too many, those whose attributes lie in the same
/// blocks of neighbours.
pub(super) fn neighbours(marginals: &[Marginal]) -> Vec<Vec<usize>> {
    let mut block = u16::MAX;
    loop {
        let mut together = BTreeMap::<Vec<u16>, Vec<usize>>::new();
        for (i, of) in marginals.iter().enumerate() {
            let mut blocks: Vec<u16> = of.clique.iter().map(|a| a / block).collect();
            // A marginal of no attribute goes with the first ones.
            if blocks.is_empty() {
                blocks.push(0);
            }
            blocks.sort_unstable();
            blocks.dedup();
            together.entry(blocks).or_default().push(i);
        }
        if block == 1 || together.values().all(|which| which.len() <= TOGETHER) {
            return together.into_values().collect();
        }
        block = (block / 2).min(BLOCK);
    }
}

/// Chooses covers, the one that saves most first.
#[derive(Debug)]
pub(super) struct Planner {
    rows: f64,
    /// The attributes of all marginals; sets of them are bits in this order.
    attributes: Vec<u16>,
    /// The marginals that have no cover yet and their attributes, by the first of these; last those of none.
    left: Vec<Vec<(usize, u128)>>,
    candidates: BinaryHeap<Candidate>,
}

/// A clique to be built, and the marginals that it would hold.
#[derive(Debug, PartialEq)]
pub(super) struct Proposal {
    pub clique: Vec<u16>,
    pub parts: Vec<usize>,
}

#[derive(Debug)]
struct Candidate {
    /// Row passes that it would save, by what is known of its cells.
    gain: f64,
    set: u128,
    cells: f64,
}

impl Planner {
    /// Works out what could be covered by what.
    pub fn new(domain: &Domain, marginals: &[Marginal], which: Vec<usize>, rows: usize) -> Self {
        let sizes = Sizes::new(domain, which.iter().map(|i| &marginals[*i]), rows);
        let none = sizes.attributes.len();
        let mut left = vec![Vec::new(); none + 1];
        for i in which {
            if let Some(set) = sizes.set(&marginals[i].clique) {
                left[none.min(set.trailing_zeros() as usize)].push((i, set));
            }
        }
        let mut planner =
            Self { rows: rows as f64, attributes: Vec::new(), left, candidates: BinaryHeap::new() };
        for set in planner.unions() {
            let cells = sizes.cells(set, planner.rows);
            if sizes.possible(set) <= FEW_CELLS as u64 && cells <= most(rows) as f64 {
                planner.consider(set, cells);
            }
        }
        planner.attributes = sizes.attributes;
        planner
    }

    /// The sets of attributes that two marginals have together, each once, in order.
    fn unions(&self) -> Vec<u128> {
        let mut unions = Vec::new();
        let sets: Vec<u128> = self.left.iter().flatten().map(|(_, set)| *set).collect();
        for (i, a) in sets.iter().enumerate() {
            unions.extend(sets[..i].iter().map(|b| a | b).filter(|set| set.count_ones() <= ATTRIBUTES));
        }
        unions.sort_unstable();
        unions.dedup();
        unions
    }

    fn consider(&mut self, set: u128, cells: f64) {
        let gain = gain(self.parts(set).count(), cells, self.rows);
        if gain > 0.0 {
            self.candidates.push(Candidate { gain, set, cells });
        }
    }

    /// The marginals without a cover that a set of attributes holds.
    fn parts(&self, set: u128) -> impl Iterator<Item = usize> {
        let of_first = bits(set).chain([self.left.len() - 1]).flat_map(|first| &self.left[first]);
        of_first.filter(move |(_, of)| of & !set == 0).map(|(i, _)| *i)
    }

    /// The cover that is to be built next.
    pub fn next(&mut self) -> Option<Proposal> {
        // Gains only shrink while marginals find covers: what is first when it is worked out anew is the best.
        while let Some(Candidate { gain: before, set, cells }) = self.candidates.pop() {
            let mut parts: Vec<usize> = self.parts(set).collect();
            parts.sort_unstable();
            let now = gain(parts.len(), cells, self.rows);
            if now == before {
                let of_bit = |bit: usize| (set >> bit & 1 == 1).then(|| self.attributes[bit]);
                return Some(Proposal {
                    clique: (0..self.attributes.len()).filter_map(of_bit).collect(),
                    parts,
                });
            }
            self.consider(set, cells);
        }
        None
    }

    /// Whether a proposal is worth while now that the number of its cells is known; if so, its parts are covered.
    pub fn accept(&mut self, proposal: &Proposal, cells: usize) -> bool {
        let worth =
            cells <= most(self.rows as usize) && gain(proposal.parts.len(), cells as f64, self.rows) > 0.0;
        if worth {
            self.left.iter_mut().for_each(|of_first| of_first.retain(|(i, _)| !proposal.parts.contains(i)));
        }
        worth
    }
}

/// The most cells of a cover.
pub(super) fn most(rows: usize) -> usize {
    CELLS.max(rows / ROWS_PER_CELL)
}

/// Row passes, in rows, that a cover of so many parts saves.
fn gain(parts: usize, cells: f64, rows: f64) -> f64 {
    let parts = parts as f64;
    (parts - 1.0) * rows - cells * (OF_PART * parts + OF_CELL)
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.set.cmp(&self.set))
    }
}

/// What is known of the cells that attributes have together.
struct Sizes {
    /// The attributes, those with most codes first.
    attributes: Vec<u16>,
    /// The codes that each has, and how many of them occur.
    codes: Vec<(u64, f64)>,
    /// How many codes of one attribute occur with a code of another, row by row.
    fan: Vec<f64>,
}

impl Sizes {
    fn new<'a>(domain: &Domain, marginals: impl Iterator<Item = &'a Marginal> + Clone, rows: usize) -> Self {
        let mut attributes: Vec<u16> = marginals.clone().flat_map(|of| of.clique.iter().copied()).collect();
        attributes.sort_unstable();
        attributes.dedup();
        let size = |a: &u16| domain.sizes()[usize::from(*a)];
        attributes.sort_by_key(|a| std::cmp::Reverse(size(a)));
        // There is no room for more in a set; their marginals have no cover.
        attributes.truncate(u128::BITS as usize);
        let mut sizes = Self { attributes, codes: Vec::new(), fan: Vec::new() };
        let codes =
            sizes.attributes.iter().map(|a| (u64::from(size(a)), f64::from(size(a)).min(rows as f64)));
        sizes.codes = codes.collect();
        for of in marginals.clone() {
            if let (1, Some(set)) = (of.clique.len(), sizes.set(&of.clique)) {
                sizes.codes[set.trailing_zeros() as usize].1 = of.places.len() as f64;
            }
        }
        let n = sizes.attributes.len();
        sizes.fan = (0..n * n).map(|at| sizes.codes[at % n].1).collect();
        for of in marginals {
            if let (2, Some(set)) = (of.clique.len(), sizes.set(&of.clique)) {
                let (a, b) = (set.trailing_zeros() as usize, 127 - set.leading_zeros() as usize);
                sizes.fan[a * n + b] = of.places.len() as f64 / sizes.codes[a].1;
                sizes.fan[b * n + a] = of.places.len() as f64 / sizes.codes[b].1;
            }
        }
        sizes
    }

    /// The bits of a clique, unless it has an attribute too many.
    fn set(&self, clique: &[u16]) -> Option<u128> {
        let bit = |a: &u16| self.attributes.iter().position(|other| other == a).map(|bit| 1 << bit);
        clique.iter().map(bit).try_fold(0, |set, bit| Some(set | bit?))
    }

    /// The cells that a set has in the domain.
    fn possible(&self, set: u128) -> u64 {
        bits(set).fold(1, |cells: u64, a| cells.saturating_mul(self.codes[a].0))
    }

    /// About how many cells of a set occur: an attribute multiplies them by the codes that occur beside a code of the
    /// one before that tells most of it, and not more occur than so many rows may hit.
    fn cells(&self, set: u128, rows: f64) -> f64 {
        let fan = |a: usize, b: usize| self.fan[b * self.attributes.len() + a];
        let mut cells = 1.0;
        for a in bits(set) {
            let least = bits(set).take_while(|b| *b < a).map(|b| fan(a, b)).fold(self.codes[a].1, f64::min);
            cells *= least.max(1.0);
        }
        cells * (1.0 - libm::exp(-rows / cells))
    }
}

fn bits(set: u128) -> impl Iterator<Item = usize> {
    let range: Range<usize> = set.trailing_zeros() as usize..128 - set.leading_zeros() as usize;
    range.filter(move |bit| set >> bit & 1 == 1)
}
