//! One greedy cover of many small attribute sets by few larger ones.

use super::cost::CostModel;
use super::effort::Effort;
use super::facets::Facets;
use super::kernel::{with_capacity, zeros};
use super::sets::Sets;
use crate::Result;

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

impl Cover {
    /// A set by itself.
    pub fn alone(sets: &Sets, set: u32) -> Self {
        Self { attributes: sets.attributes(set).to_vec(), cells: sets.cells(set), sets: vec![set] }
    }
}

/// A cover this many times dearer, for what it answers, than it was before grows no further.
const HOPELESS: f64 = 1.5;

/// The most sets that are compared to begin a cover with.
const CANDIDATES: usize = 128;

/// What looking at a set takes, in units of work.
const LOOK: u64 = 4;

/// What every attempt needs to know.
pub struct Task<'a> {
    /// All sets.
    pub sets: &'a Sets,
    /// The first of those to cover, which are all from there on.
    pub first: u32,
    /// Their facets.
    pub facets: &'a Facets,
    /// The number of codes of each attribute.
    pub sizes: &'a [u32],
    /// How little each attribute enlarges a cover.
    pub ease: &'a [f64],
    /// The number of rows.
    pub rows: u64,
    /// What passes cost.
    pub cost: &'a CostModel,
}

/// Grows one cover after another around an open set, each time by the attribute that completes the most for the
/// growth of cells that it costs, and cuts it back to where it was cheapest for what it answers.
pub struct Greedy {
    limit: u64,
    /// What answering each set is worth, 0 once it is answered. Large ones are worth more, because fewer covers
    /// have room for them.
    worth: Vec<u32>,
    /// The sets that the cover in the making answers, and what they were worth.
    closed: Vec<(u32, u32)>,
    /// How many sets were looked at, and the units of all that was done, where a look is one.
    looks: u64,
    effort: u64,
    /// The open sets that contain each attribute, with closed ones not yet removed, where they start and end, and
    /// what the open are worth.
    with: Vec<u32>,
    ranges: Vec<(u32, u32)>,
    open_worth: Vec<u64>,
    /// What taking each attribute next would complete.
    gain: Vec<u64>,
    inside: Vec<bool>,
    growing: Option<Growing>,
    covers: Vec<Cover>,
}

/// A cover in the making.
struct Growing {
    cover: Cover,
    /// Its attributes, ascending.
    sorted: Vec<u16>,
    /// What it answers is worth.
    worth: u64,
    /// Where it was cheapest for what it answers, and how cheap.
    best: Stage,
    lowest: f64,
}

/// A cover as it was after an attribute was taken.
struct Stage {
    attributes: usize,
    cells: u64,
    sets: usize,
}

impl Greedy {
    /// An attempt with covers of at most `limit` cells, where it can be helped. Attempts other than number 0 vary
    /// what sets are worth.
    pub fn new(task: &Task, limit: u64, attempt: u64) -> Result<Self> {
        let (attributes, sets) = (task.sizes.len(), task.sets.len() as u32);
        let mut worth: Vec<u32> = zeros(sets as usize)?;
        let mut open_worth = vec![0; attributes];
        let (mut cells, mut log) = (0, 0.0);
        for set in task.first..sets {
            if task.sets.cells(set) != cells {
                cells = task.sets.cells(set);
                log = libm::log(cells as f64 + 1.0);
            }
            worth[set as usize] = 1 + (log * log * varied(set, attempt)) as u32;
            for &a in task.sets.attributes(set) {
                open_worth[usize::from(a)] += u64::from(worth[set as usize]);
            }
        }
        let mut with = with_capacity((0..attributes).map(|a| task.facets.with(a).len()).sum())?;
        let mut ranges = Vec::with_capacity(attributes);
        for a in 0..attributes {
            let start = with.len() as u32;
            with.extend_from_slice(task.facets.with(a));
            ranges.push((start, with.len() as u32));
        }
        Ok(Self {
            limit,
            worth,
            closed: Vec::new(),
            looks: 0,
            effort: 0,
            with,
            ranges,
            open_worth,
            gain: vec![0; attributes],
            inside: vec![false; attributes],
            growing: None,
            covers: Vec::new(),
        })
    }

    /// Goes on; true when every set is covered. An attempt that has done more than `most` units leaves the
    /// sets that are still open alone.
    pub fn step(&mut self, task: &Task, most: u64, effort: &mut Effort) -> bool {
        while !effort.over() {
            let before = self.effort;
            self.effort += 1 + task.sizes.len() as u64 / 4;
            match (self.growing.take(), self.effort > most) {
                (Some(growing), false) => self.grow(task, growing),
                (Some(growing), true) => self.close(task, growing),
                (None, given_up) => match self.seed(task).filter(|_| !given_up) {
                    Some(seed) => self.begin(task, seed),
                    None => {
                        self.rest(task);
                        return true;
                    }
                },
            }
            effort.spend(LOOK * (self.effort - before));
        }
        false
    }

    /// The covers, how many sets were looked at for them, and the units of all that was done.
    pub fn finish(self) -> (Vec<Cover>, u64, u64) {
        (self.covers, self.looks, self.effort)
    }

    /// Covers what no cover grew around: sets that are still open, by themselves, and those without attributes.
    fn rest(&mut self, task: &Task) {
        for set in task.first..task.sets.len() as u32 {
            if task.sets.attributes(set).is_empty() {
                match self.covers.first_mut() {
                    Some(cover) => cover.sets.push(set),
                    None => self.covers.push(Cover::alone(task.sets, set)),
                }
            } else if self.worth[set as usize] > 0 {
                self.covers.push(Cover::alone(task.sets, set));
            }
        }
    }

    /// An open set with the attribute that has most open sets, and among the first of those the one whose
    /// attributes have most.
    fn seed(&mut self, task: &Task) -> Option<u32> {
        let busiest = (0..self.open_worth.len()).rev().max_by_key(|a| self.open_worth[*a])?;
        let with = self.with(busiest);
        let closed = with.iter().take(CANDIDATES).filter(|set| self.worth[**set as usize] == 0).count();
        if closed > CANDIDATES / 2 || closed == with.len() {
            self.remove_closed(busiest);
        }
        let sum = |set: &u32| -> u64 {
            task.sets.attributes(*set).iter().map(|a| self.open_worth[usize::from(*a)]).sum()
        };
        let open = self.with(busiest).iter().filter(|set| self.worth[**set as usize] > 0);
        open.take(CANDIDATES)
            .enumerate()
            .max_by_key(|(i, set)| (sum(set), std::cmp::Reverse(*i)))
            .map(|(_, set)| *set)
    }

    fn with(&self, a: usize) -> &[u32] {
        let (start, end) = self.ranges[a];
        &self.with[start as usize..end as usize]
    }

    /// Removes the sets from the list of an attribute that are closed; the others keep their order.
    fn remove_closed(&mut self, a: usize) {
        let (start, end) = self.ranges[a];
        self.effort += u64::from(end - start);
        let mut kept = start as usize;
        for at in start as usize..end as usize {
            let set = self.with[at];
            if self.worth[set as usize] > 0 {
                self.with[kept] = set;
                kept += 1;
            }
        }
        self.ranges[a].1 = kept as u32;
    }

    /// Begins a cover around an open set.
    fn begin(&mut self, task: &Task, seed: u32) {
        let mut cover = Cover { attributes: Vec::new(), cells: 1, sets: Vec::new() };
        let mut sorted = Vec::new();
        for (gain, single) in self.gain.iter_mut().zip(&task.facets.single) {
            *gain = single.map_or(0, |set| u64::from(self.worth[set as usize]));
        }
        for &a in task.sets.attributes(seed) {
            self.take(task, a, &mut cover, &mut sorted);
        }
        let worth: u64 = self.closed.iter().map(|(_, worth)| u64::from(*worth)).sum();
        let (best, lowest) = (self.stage(&cover), self.price(task, &cover) / worth as f64);
        self.growing = Some(Growing { cover, sorted, worth, best, lowest });
    }

    /// Takes one more attribute into a cover, or closes it.
    fn grow(&mut self, task: &Task, mut growing: Growing) {
        let Some(a) = self.next(task, growing.cover.cells) else { return self.close(task, growing) };
        growing.worth += self.gain[usize::from(a)];
        self.take(task, a, &mut growing.cover, &mut growing.sorted);
        let price = self.price(task, &growing.cover) / growing.worth as f64;
        if price <= growing.lowest {
            (growing.best, growing.lowest) = (self.stage(&growing.cover), price);
        } else if price > HOPELESS * growing.lowest {
            return self.close(task, growing);
        }
        self.growing = Some(growing);
    }

    fn stage(&self, cover: &Cover) -> Stage {
        Stage { attributes: cover.attributes.len(), cells: cover.cells, sets: self.closed.len() }
    }

    fn price(&self, task: &Task, cover: &Cover) -> f64 {
        task.cost.of(task.rows, cover.attributes.len(), cover.cells, self.closed.len())
    }

    /// The attribute that completes most for its price, the first of equals.
    fn next(&self, task: &Task, cells: u64) -> Option<u16> {
        let mut best = None;
        let mut highest = 0.0;
        for (a, &gain) in self.gain.iter().enumerate() {
            if gain > 0 && !self.inside[a] && cells * u64::from(task.sizes[a]) <= self.limit {
                let score = gain as f64 * task.ease[a];
                if score > highest {
                    (best, highest) = (Some(a as u16), score);
                }
            }
        }
        best
    }

    /// Takes an attribute into the cover, whose attributes `sorted` holds in ascending order.
    fn take(&mut self, task: &Task, a: u16, cover: &mut Cover, sorted: &mut Vec<u16>) {
        cover.attributes.push(a);
        cover.cells *= u64::from(task.sizes[usize::from(a)]);
        self.inside[usize::from(a)] = true;
        if let Some(set) = task.facets.single[usize::from(a)] {
            close(&mut self.worth, &mut self.closed, set);
        }
        let (inside, before) = (&self.inside, self.looks);
        let tries = task.facets.each(task.sets, (sorted, inside), a, &mut |completing, set| {
            self.looks += 1;
            if inside[usize::from(completing)] {
                close(&mut self.worth, &mut self.closed, set);
            } else {
                self.gain[usize::from(completing)] += u64::from(self.worth[set as usize]);
            }
        });
        self.effort += self.looks - before + tries;
        sorted.insert(sorted.partition_point(|b| *b < a), a);
    }

    /// Takes back what came after a cover was cheapest, and closes it.
    fn close(&mut self, task: &Task, growing: Growing) {
        let Growing { mut cover, best, .. } = growing;
        for &a in &cover.attributes {
            self.inside[usize::from(a)] = false;
        }
        for (set, worth) in self.closed.drain(best.sets..) {
            self.worth[set as usize] = worth;
        }
        cover.attributes.truncate(best.attributes);
        cover.cells = best.cells;
        for (set, worth) in self.closed.drain(..) {
            for &a in task.sets.attributes(set) {
                self.open_worth[usize::from(a)] -= u64::from(worth);
            }
            cover.sets.push(set);
        }
        self.covers.push(cover);
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
