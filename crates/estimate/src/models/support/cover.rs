//! Marginals that are passed over together.
//!
//! Instead of adding a row to its cell of each marginal, it is added to its cell of a clique that holds several of them,
//! and cells of that clique, which are far fewer than rows, are added to theirs; the other way round rows gather from one
//! table instead of several. All pairs of 13 attributes take .4 times as long over 4,734 rows, all pairs of 19 a quarter
//! over 6,687.

use super::base::Columns;
use super::build::{FEW_CELLS, build};
use super::index::{Index, Marginal};
use super::kernel;
use marginalia_compute::number::Number;
use marginalia_tables::{Domain, Result};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

/// A cover has at most so many attributes, and so many cells, or one for so many rows: its tables shall stay in the
/// caches, and small beside the cells of rows.
const ATTRIBUTES: u32 = 5;
const CELLS: usize = 1 << 11;
const ROWS_PER_CELL: usize = 16;

/// Marginals that are planned together, at most: their pairs are gone through. Of more, those between blocks of at most so many
/// attributes.
const TOGETHER: usize = 1500;
const BLOCK: u16 = 16;

/// What a cell of a cover costs for each of its parts, and in itself, where a row of a marginal costs 1.
const OF_PART: f64 = 0.9;
const OF_CELL: f64 = 1.3;

/// A clique that holds several marginals.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    /// The clique, whose cells are numbered through all covers.
    pub whole: Marginal,
    pub parts: Vec<Part>,
}

/// A marginal that a cover holds.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Which one.
    pub marginal: usize,
    /// Its supported cell that each cell of the cover lies in.
    of_cell: Vec<u32>,
}

impl Cover {
    /// The cover of marginals by a clique that holds them all; its cells are numbered from `start`.
    fn new(
        index: &Index,
        domain: &Domain,
        columns: Columns<'_>,
        proposal: &Proposal,
        kept: bool,
    ) -> Result<Self> {
        let start = index.covers.last().map_or(0, |last| last.whole.cells.end);
        let whole = build(domain, columns, &proposal.clique, index.rows, start, kept)?;
        let part = |marginal: usize| {
            let of = &index.marginals[marginal];
            let cells =
                || whole.places.iter().map(|place| cell_within(domain, *place, &whole.clique, &of.clique));
            let of_cell =
                cells().map(|cell| of.places.partition_point(|place| *place < cell) as u32).collect();
            Part { marginal, of_cell }
        };
        let parts = proposal.parts.iter().copied().map(part).collect();
        Ok(Self { whole, parts })
    }

    /// For each cell the sum of what its cells of the parts hold.
    pub fn gather<T: Number>(&self, marginals: &[Marginal], u: &[T], v: &mut [T]) {
        v.fill(T::default());
        let of = |part: &Part| &u[marginals[part.marginal].cells.clone()];
        let (fours, rest) = self.parts.as_chunks::<4>();
        for parts in fours {
            kernel::gather_four(parts.each_ref().map(|part| &part.of_cell[..]), parts.each_ref().map(of), v);
        }
        let (pairs, rest) = rest.as_chunks::<2>();
        for parts in pairs {
            kernel::gather_two(parts.each_ref().map(|part| &part.of_cell[..]), parts.each_ref().map(of), v);
        }
        for part in rest {
            kernel::gather(&part.of_cell, of(part), v);
        }
    }

    /// Sums what cells hold to the cells of the parts.
    pub fn scatter<T: Number>(&self, marginals: &[Marginal], sums: &[T], m: &mut [T]) {
        for part in &self.parts {
            let cells = marginals[part.marginal].cells.clone();
            kernel::sums(&mut m[cells], sums.len(), |all| all.add(&part.of_cell, sums));
        }
    }
}

/// The cell of a clique that holds a cell of another one with all its attributes, and more.
fn cell_within(domain: &Domain, place: u32, of: &[u16], clique: &[u16]) -> u32 {
    let size = |attribute: u16| domain.sizes()[usize::from(attribute)];
    let code = |attribute: &u16| {
        let after = of.iter().rev().take_while(|other| *other != attribute);
        place / after.map(|other| size(*other)).product::<u32>() % size(*attribute)
    };
    clique.iter().fold(0, |cell, attribute| cell * size(*attribute) + code(attribute))
}

/// The making of covers, one at a time.
#[derive(Debug)]
pub(super) struct Covering {
    rows: usize,
    /// Bytes, beyond the reserve, for the cells of rows, and whether these take two each instead of four.
    spare: u64,
    narrow: bool,
    /// The marginals that are planned together, and after them those of the next time.
    planner: Option<Planner>,
    waiting: Option<Vec<Vec<usize>>>,
}

impl Covering {
    /// Rows below which passes are short and planning is not.
    pub const LEAST_ROWS: usize = 1 << 10;

    /// Bytes in which all covers of so many marginals can be made, whatever they are.
    pub fn reserve(rows: usize, marginals: usize) -> u64 {
        let covers = marginals / 2;
        4 * (most(rows) * (covers + marginals) + FEW_CELLS * covers) as u64
    }

    /// Covers in the reserve; those whose rows fit into `spare` bytes beyond it keep the cells of these.
    pub fn new(rows: usize, spare: u64, narrow: bool) -> Self {
        Self { rows, spare, narrow, planner: None, waiting: None }
    }

    /// Bytes for the cells of the rows of a marginal.
    fn of_rows(&self) -> u64 {
        if self.narrow { 2 * self.rows as u64 } else { 4 * self.rows as u64 }
    }

    /// Makes the next cover of an index whose marginals are all there; false when there is none.
    pub fn step(&mut self, domain: &Domain, columns: Columns<'_>, index: &mut Index) -> Result<bool> {
        let of_rows = self.of_rows();
        let Some(proposal) = self.proposal(domain, &index.marginals) else { return Ok(false) };
        let kept = of_rows <= self.spare;
        let mut cover = Cover::new(index, domain, columns, &proposal, kept && !self.narrow)?;
        let cells = cover.whole.places.len();
        if self.planner.as_mut().is_some_and(|planner| planner.accept(&proposal, cells)) {
            self.spare -= if kept { of_rows } else { 0 };
            if kept && self.narrow {
                let of_row = index.of_rows(&cover.whole, |cell| cell as u16)?;
                cover.whole.keep_narrow(of_row);
            }
            index.alone.retain(|marginal| !proposal.parts.contains(marginal));
            index.covers.push(cover);
        }
        Ok(true)
    }

    /// The next cover of the marginals that are planned together, or of the next such.
    fn proposal(&mut self, domain: &Domain, marginals: &[Marginal]) -> Option<Proposal> {
        loop {
            if let Some(proposal) = self.planner.as_mut().and_then(Planner::next) {
                return Some(proposal);
            }
            let which = self.waiting.get_or_insert_with(|| neighbours(marginals)).pop()?;
            self.planner = Some(Planner::new(domain, marginals, which, self.rows));
        }
    }

    /// Keeps the cells of rows of the next marginal without a cover, as long as they fit; false when there is none.
    pub fn keep(&mut self, index: &mut Index) -> Result<bool> {
        let of_rows = self.of_rows();
        let open = |of: &Marginal| of.lookup.as_ref().is_some_and(|lookup| lookup.of_row.is_empty());
        let fits = |of: &Marginal| !self.narrow || of.places.len() <= 1 << 16;
        let mut alone = index.alone.iter().copied();
        let next = alone.find(|i| open(&index.marginals[*i]) && fits(&index.marginals[*i]));
        let Some(next) = next.filter(|_| of_rows <= self.spare) else { return Ok(false) };
        self.spare -= of_rows;
        if self.narrow { index.keep_narrow(next) } else { index.keep(next) }.map(|()| true)
    }
}

/// The marginals that are planned together: all, or where their pairs would be too many, those whose attributes lie in the same
/// blocks of neighbours.
fn neighbours(marginals: &[Marginal]) -> Vec<Vec<usize>> {
    let mut block = u16::MAX;
    loop {
        let mut together = BTreeMap::<Vec<u16>, Vec<usize>>::new();
        for (i, of) in marginals.iter().enumerate() {
            let mut blocks: Vec<u16> = of.clique.iter().map(|a| a / block).collect();
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
struct Planner {
    rows: f64,
    /// The attributes of all marginals; sets of them are bits in this order.
    attributes: Vec<u16>,
    /// The marginals that have no cover yet and their attributes, by the first of these.
    left: Vec<Vec<(usize, u128)>>,
    candidates: BinaryHeap<Candidate>,
}

/// A clique to be built, and the marginals that it would hold.
#[derive(Debug, PartialEq)]
struct Proposal {
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
        let mut left = vec![Vec::new(); sizes.attributes.len()];
        for i in which {
            if let Some(set) = sizes.set(&marginals[i].clique).filter(|set| *set != 0) {
                left[set.trailing_zeros() as usize].push((i, set));
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
        let of_first = bits(set).flat_map(|first| &self.left[first]);
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
fn most(rows: usize) -> usize {
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
