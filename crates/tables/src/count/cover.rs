//! Covers many small attribute sets by few larger ones, greedily and by cost.

use super::cost::CostModel;
use super::sets::Sets;
use crate::Domain;

/// Attributes to count together, and the sets that are answered from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The attributes, in the order in which they were taken.
    pub attributes: Vec<u16>,
    /// The number of cells.
    pub cells: u64,
    /// The sets contained in it that no earlier cover answers.
    pub sets: Vec<u32>,
}

/// The largest covers tried, in cells. Small ones win when there are few rows, large ones when there are many.
const LIMITS: [u64; 5] = [1 << 16, 1 << 15, 1 << 14, 1 << 13, 1 << 12];

/// Covers `small` (ids of `sets`) in the cheapest of a few greedy ways.
pub fn cover(domain: &Domain, sets: &Sets, small: &[u32], rows: u64, cost: &CostModel) -> Vec<Cover> {
    let price = |covers: &[Cover]| -> f64 {
        covers.iter().map(|c| cost.of(rows, c.attributes.len(), c.cells, c.sets.len())).sum()
    };
    let mut best = alone(sets, small);
    let mut lowest = price(&best);
    for limit in LIMITS {
        let limit = limit.min(cost.max_cells);
        let covers = Greedy::new(domain, sets, small, limit).run();
        let price = price(&covers);
        if price < lowest {
            (best, lowest) = (covers, price);
        }
    }
    best
}

/// Every set by itself.
fn alone(sets: &Sets, small: &[u32]) -> Vec<Cover> {
    let one = |&set: &u32| Cover {
        attributes: sets.attributes(set).to_vec(),
        cells: sets.cells(set),
        sets: vec![set],
    };
    small.iter().map(one).collect()
}

/// Grows one cover after another from the largest set that is still open, each time by the attribute that
/// completes most open sets for the growth of cells that it costs.
struct Greedy<'a> {
    sizes: &'a [u32],
    sets: &'a Sets,
    small: &'a [u32],
    limit: u64,
    /// The open sets that contain each attribute.
    with: Vec<Vec<u32>>,
    /// How many attributes of each set the cover in the making lacks; 0 for answered sets.
    missing: Vec<u16>,
    open: Vec<bool>,
    /// What taking each attribute next would complete.
    gain: Vec<f64>,
    inside: Vec<bool>,
}

impl<'a> Greedy<'a> {
    fn new(domain: &'a Domain, sets: &'a Sets, small: &'a [u32], limit: u64) -> Self {
        let attributes = domain.sizes().len();
        let mut with = vec![Vec::new(); attributes];
        let mut missing = vec![0; sets.len()];
        let mut open = vec![false; sets.len()];
        for &set in small {
            open[set as usize] = true;
            missing[set as usize] = sets.attributes(set).len() as u16;
            for &a in sets.attributes(set) {
                with[usize::from(a)].push(set);
            }
        }
        let (gain, inside) = (vec![0.0; attributes], vec![false; attributes]);
        Self { sizes: domain.sizes(), sets, small, limit, with, missing, open, gain, inside }
    }

    fn run(mut self) -> Vec<Cover> {
        let mut covers = Vec::new();
        for &seed in self.small {
            if self.open[seed as usize] {
                covers.push(self.grow(seed));
            }
        }
        covers
    }

    /// One cover around an open set.
    fn grow(&mut self, seed: u32) -> Cover {
        let mut cover = Cover { attributes: Vec::new(), cells: 1, sets: Vec::new() };
        for &a in self.sets.attributes(seed) {
            self.take(a, &mut cover);
        }
        if self.sets.attributes(seed).is_empty() {
            self.answer(seed, &mut cover);
        }
        while let Some(a) = self.next(cover.cells) {
            self.take(a, &mut cover);
        }
        self.reset(&cover);
        cover
    }

    /// The attribute that completes most for its price, the first of equals.
    fn next(&self, cells: u64) -> Option<u16> {
        let mut best = None;
        let mut highest = 0.0;
        for (a, &size) in self.sizes.iter().enumerate() {
            if self.gain[a] > 0.0 && !self.inside[a] && cells * u64::from(size) <= self.limit {
                let score = self.gain[a] / libm::log(f64::from(size) + 0.01);
                if score > highest {
                    (best, highest) = (Some(a as u16), score);
                }
            }
        }
        best
    }

    fn take(&mut self, a: u16, cover: &mut Cover) {
        cover.attributes.push(a);
        cover.cells *= u64::from(self.sizes[usize::from(a)]);
        self.inside[usize::from(a)] = true;
        let mut with = std::mem::take(&mut self.with[usize::from(a)]);
        with.retain(|&set| self.open[set as usize]);
        for &set in &with {
            self.missing[set as usize] -= 1;
            match self.missing[set as usize] {
                0 => self.answer(set, cover),
                1 => {
                    let lacks = self.sets.attributes(set).iter().find(|a| !self.inside[usize::from(**a)]);
                    let lacks = lacks.expect("a set that lacks an attribute has one outside");
                    self.gain[usize::from(*lacks)] += self.worth(set);
                }
                _ => {}
            }
        }
        self.with[usize::from(a)] = with;
    }

    /// Large sets are worth more, because fewer covers have room for them.
    fn worth(&self, set: u32) -> f64 {
        libm::log(self.sets.cells(set) as f64 + 1.0)
    }

    fn answer(&mut self, set: u32, cover: &mut Cover) {
        self.open[set as usize] = false;
        cover.sets.push(set);
    }

    /// Forgets the cover in the making.
    fn reset(&mut self, cover: &Cover) {
        for &a in &cover.attributes {
            self.inside[usize::from(a)] = false;
            for &set in &self.with[usize::from(a)] {
                self.missing[set as usize] = self.sets.attributes(set).len() as u16;
            }
        }
        self.gain.fill(0.0);
    }
}
