//! Orders for many leaves: attributes are eliminated, the cheapest next, several times with some luck.

use super::{Merge, Work};
use crate::tree::{Axes, cells, union};
use marginalia_compute::seed::Seed;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The most attempts, and those that are always made.
const ATTEMPTS: usize = 300;
const FIRST: usize = 2;

/// Of more tensors with an attribute than these the two smallest are merged next, not the cheapest pair.
const PAIRS: usize = 12;

/// How far luck moves costs, in nats.
const LUCK: f64 = 1.0;

/// What the search for an order costs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Effort {
    /// About so many leaves are merged.
    Merges(usize),
    /// A merge tried is this many multiplications of the order found, and no more are spent on all.
    Multiplications(f64),
}

/// The cheapest merges of all attempts, and the multiplications of these.
pub(super) fn merges(leaves: &[Axes], sizes: &[u32], effort: Effort, seed: &mut Seed) -> (f64, Vec<Merge>) {
    let mut best = (f64::INFINITY, Vec::new());
    for attempt in 0..ATTEMPTS {
        let tried = attempt * leaves.len();
        let enough = match effort {
            Effort::Merges(most) => tried + leaves.len() > most,
            Effort::Multiplications(each) => each * tried as f64 > best.0,
        };
        if enough && attempt >= FIRST {
            break;
        }
        let luck: Vec<f64> = match attempt {
            0 => vec![0.0; sizes.len()],
            _ => sizes.iter().map(|_| LUCK * seed.uniform()).collect(),
        };
        let (cost, merges) = Elimination::new(leaves, sizes, &luck).merges();
        if cost < best.0 {
            best = (cost, merges);
        }
    }
    best
}

struct Elimination<'a> {
    work: Work<'a>,
    /// The tensors with each axis.
    holders: Vec<Vec<usize>>,
    luck: &'a [f64],
    /// Axes with what their elimination cost when they came here.
    next: BinaryHeap<Reverse<(Price, u16)>>,
    merges: Vec<Merge>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Price(f64);

impl Eq for Price {}

impl Ord for Price {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Price {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Elimination<'a> {
    fn new(leaves: &[Axes], sizes: &'a [u32], luck: &'a [f64]) -> Self {
        let mut holders = vec![Vec::new(); sizes.len()];
        for (number, axes) in leaves.iter().enumerate() {
            axes.iter().for_each(|axis| holders[usize::from(*axis)].push(number));
        }
        let work = Work::new(leaves.to_vec(), sizes);
        let mut own = Self { work, holders, luck, next: BinaryHeap::new(), merges: Vec::new() };
        (0..sizes.len() as u16).for_each(|axis| own.price(axis));
        own
    }

    fn merges(mut self) -> (f64, Vec<Merge>) {
        while let Some(Reverse((price, axis))) = self.next.pop() {
            let held = !self.holders[usize::from(axis)].is_empty();
            if held && self.cost(axis) == price {
                self.eliminate(axis);
            }
        }
        (self.work.multiplications, self.merges)
    }

    fn cost(&self, axis: u16) -> Price {
        let of = |number: &usize| &self.work.live[*number];
        let all = self.holders[usize::from(axis)].iter().flat_map(of).copied().collect::<Axes>();
        Price(cells(&union(&all, &[]), self.work.sizes).ln() + self.luck[usize::from(axis)])
    }

    fn price(&mut self, axis: u16) {
        if !self.holders[usize::from(axis)].is_empty() {
            self.next.push(Reverse((self.cost(axis), axis)));
        }
    }

    fn eliminate(&mut self, axis: u16) {
        let mut last = None;
        while self.holders[usize::from(axis)].len() > 1 {
            let pair = self.pair(&self.holders[usize::from(axis)]);
            last = Some(self.merge(pair));
        }
        let touched = last.map_or(Axes::new(), |number| self.work.live[number].clone());
        touched.into_iter().for_each(|axis| self.price(axis));
    }

    /// The two to be merged next.
    fn pair(&self, tensors: &[usize]) -> Merge {
        let axes = |number: usize| &self.work.live[number];
        if tensors.len() > PAIRS {
            let mut by_size = tensors.to_vec();
            by_size.sort_by(|a, b| {
                cells(axes(*a), self.work.sizes).total_cmp(&cells(axes(*b), self.work.sizes)).then(a.cmp(b))
            });
            return [by_size[0], by_size[1]];
        }
        let mut best = (f64::INFINITY, [tensors[0], tensors[1]]);
        for (k, a) in tensors.iter().enumerate() {
            for b in &tensors[k + 1..] {
                let cost = cells(&union(axes(*a), axes(*b)), self.work.sizes);
                if cost < best.0 {
                    best = (cost, [*a, *b]);
                }
            }
        }
        best.1
    }

    fn merge(&mut self, pair: Merge) -> usize {
        let gone = union(&self.work.live[pair[0]], &self.work.live[pair[1]]);
        let number = self.work.merge(pair);
        gone.iter().for_each(|axis| self.holders[usize::from(*axis)].retain(|held| !pair.contains(held)));
        self.work.live[number].iter().for_each(|axis| self.holders[usize::from(*axis)].push(number));
        self.merges.push(pair);
        number
    }
}
