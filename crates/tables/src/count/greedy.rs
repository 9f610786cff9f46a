//! One greedy cover of many small attribute sets by few larger ones.

use super::cost::CostModel;
use super::facets::Facets;
use super::sets::Sets;

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

/// A cover this many times dearer, for what it answers, than it was before grows no further.
const HOPELESS: f64 = 1.5;

/// The most sets that are compared to begin a cover with.
const CANDIDATES: usize = 128;

/// What every attempt needs to know.
pub struct Task<'a> {
    /// All sets.
    pub sets: &'a Sets,
    /// The ids of those to cover.
    pub small: &'a [u32],
    /// Their facets.
    pub facets: &'a Facets,
    /// The number of codes of each attribute.
    pub sizes: &'a [u32],
    /// The number of rows.
    pub rows: u64,
    /// What passes cost.
    pub cost: &'a CostModel,
}

/// Grows one cover after another around an open set, each time by the attribute that completes the most for the
/// growth of cells that it costs, and cuts it back to where it was cheapest for what it answers.
pub struct Greedy<'a> {
    task: &'a Task<'a>,
    limit: u64,
    /// What answering each set is worth, 0 once it is answered. Large ones are worth more, because fewer covers
    /// have room for them.
    worth: Vec<u32>,
    /// The sets that the cover in the making answers, and what they were worth.
    closed: Vec<(u32, u32)>,
    /// How many sets were looked at.
    looks: u64,
    /// The open sets that contain each attribute, with closed ones not yet removed, and what the open are worth.
    with: Vec<Vec<u32>>,
    open_worth: Vec<u64>,
    /// What taking each attribute next would complete.
    gain: Vec<u64>,
    /// How little an attribute enlarges a cover.
    ease: Vec<f64>,
    inside: Vec<bool>,
}

/// A cover as it was after an attribute was taken.
struct Stage {
    attributes: usize,
    cells: u64,
    sets: usize,
}

impl<'a> Greedy<'a> {
    /// An attempt with covers of at most `limit` cells, where it can be helped. Attempts other than number 0 vary
    /// what sets are worth.
    pub fn new(task: &'a Task<'a>, limit: u64, attempt: u64) -> Self {
        let attributes = task.sizes.len();
        let mut with = vec![Vec::new(); attributes];
        let mut open_worth = vec![0; attributes];
        let mut worth = vec![0; task.sets.len()];
        for &set in task.small {
            let log = libm::log(task.sets.cells(set) as f64 + 1.0);
            worth[set as usize] = 1 + (log * log * varied(set, attempt)) as u32;
            for &a in task.sets.attributes(set) {
                with[usize::from(a)].push(set);
                open_worth[usize::from(a)] += u64::from(worth[set as usize]);
            }
        }
        let ease = |size: &u32| 1.0 / libm::sqrt(libm::log(f64::from(*size)) + 1e-3);
        let ease = task.sizes.iter().map(ease).collect();
        let (gain, inside) = (vec![0; attributes], vec![false; attributes]);
        let (closed, looks) = (Vec::new(), 0);
        Self { task, limit, worth, closed, looks, with, open_worth, gain, ease, inside }
    }

    /// Covers that together contain every set, and how many sets were looked at for them.
    pub fn run(mut self) -> (Vec<Cover>, u64) {
        let mut covers: Vec<Cover> = Vec::new();
        while let Some(seed) = self.seed() {
            covers.push(self.grow(seed));
        }
        let empty = self.task.small.iter().filter(|set| self.task.sets.attributes(**set).is_empty());
        for &set in empty {
            match covers.first_mut() {
                Some(cover) => cover.sets.push(set),
                None => covers.push(Cover { attributes: Vec::new(), cells: 1, sets: vec![set] }),
            }
        }
        (covers, self.looks)
    }

    /// An open set with the attribute that has most open sets, and among the first of those the one whose
    /// attributes have most.
    fn seed(&mut self) -> Option<u32> {
        let busiest = (0..self.open_worth.len()).rev().max_by_key(|a| self.open_worth[*a])?;
        let with = &mut self.with[busiest];
        let closed = with.iter().take(CANDIDATES).filter(|set| self.worth[**set as usize] == 0).count();
        if closed > CANDIDATES / 2 || closed == with.len() {
            with.retain(|set| self.worth[*set as usize] > 0);
        }
        let sum = |set: &u32| -> u64 {
            self.task.sets.attributes(*set).iter().map(|a| self.open_worth[usize::from(*a)]).sum()
        };
        let open = with.iter().copied().filter(|set| self.worth[*set as usize] > 0);
        open.take(CANDIDATES)
            .enumerate()
            .max_by_key(|(i, set)| (sum(set), std::cmp::Reverse(*i)))
            .map(|(_, set)| set)
    }

    /// One cover around an open set.
    fn grow(&mut self, seed: u32) -> Cover {
        let mut cover = Cover { attributes: Vec::new(), cells: 1, sets: Vec::new() };
        let mut sorted = Vec::new();
        for (a, single) in self.task.facets.single.iter().enumerate() {
            self.gain[a] = single.map_or(0, |set| u64::from(self.worth[set as usize]));
        }
        for &a in self.task.sets.attributes(seed) {
            self.take(a, &mut cover, &mut sorted);
        }
        let mut worth: u64 = self.closed.iter().map(|(_, worth)| u64::from(*worth)).sum();
        let mut best = self.stage(&cover);
        let mut lowest = self.price(&cover) / worth as f64;
        while let Some(a) = self.next(cover.cells) {
            worth += self.gain[usize::from(a)];
            self.take(a, &mut cover, &mut sorted);
            let price = self.price(&cover) / worth as f64;
            if price <= lowest {
                (best, lowest) = (self.stage(&cover), price);
            } else if price > HOPELESS * lowest {
                break;
            }
        }
        self.cut(&mut cover, &best);
        cover
    }

    fn stage(&self, cover: &Cover) -> Stage {
        Stage { attributes: cover.attributes.len(), cells: cover.cells, sets: self.closed.len() }
    }

    fn price(&self, cover: &Cover) -> f64 {
        self.task.cost.of(self.task.rows, cover.attributes.len(), cover.cells, self.closed.len())
    }

    /// The attribute that completes most for its price, the first of equals.
    fn next(&self, cells: u64) -> Option<u16> {
        let mut best = None;
        let mut highest = 0.0;
        for (a, &size) in self.task.sizes.iter().enumerate() {
            if self.gain[a] > 0 && !self.inside[a] && cells * u64::from(size) <= self.limit {
                let score = self.gain[a] as f64 * self.ease[a];
                if score > highest {
                    (best, highest) = (Some(a as u16), score);
                }
            }
        }
        best
    }

    /// Takes an attribute into the cover, whose attributes `sorted` holds in ascending order.
    fn take(&mut self, a: u16, cover: &mut Cover, sorted: &mut Vec<u16>) {
        cover.attributes.push(a);
        cover.cells *= u64::from(self.task.sizes[usize::from(a)]);
        self.inside[usize::from(a)] = true;
        if let Some(set) = self.task.facets.single[usize::from(a)] {
            close(&mut self.worth, &mut self.closed, set);
        }
        self.task.facets.each(sorted, a, |completing, set| {
            self.looks += 1;
            if self.inside[usize::from(completing)] {
                close(&mut self.worth, &mut self.closed, set);
            } else {
                self.gain[usize::from(completing)] += u64::from(self.worth[set as usize]);
            }
        });
        sorted.insert(sorted.partition_point(|b| *b < a), a);
    }

    /// Takes back what came after a stage, and closes the cover.
    fn cut(&mut self, cover: &mut Cover, stage: &Stage) {
        for &a in &cover.attributes {
            self.inside[usize::from(a)] = false;
        }
        for (set, worth) in self.closed.drain(stage.sets..) {
            self.worth[set as usize] = worth;
        }
        cover.attributes.truncate(stage.attributes);
        cover.cells = stage.cells;
        for (set, worth) in self.closed.drain(..) {
            for &a in self.task.sets.attributes(set) {
                self.open_worth[usize::from(a)] -= u64::from(worth);
            }
            cover.sets.push(set);
        }
    }
}

/// Answers a set by the cover in the making, unless it is answered.
fn close(worth: &mut [u32], closed: &mut Vec<(u32, u32)>, set: u32) {
    let worth = std::mem::take(&mut worth[set as usize]);
    if worth > 0 {
        closed.push((set, worth));
    }
}

/// A factor of 256 to 320, different for each set and attempt; 256 for all in attempt 0.
fn varied(set: u32, attempt: u64) -> f64 {
    let mixed = (u64::from(set) + 1).wrapping_mul(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    256.0 + ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 58) as f64
}
