//! Covers many small attribute sets by few larger ones: the cheapest of as many greedy attempts as the counting
//! that they may save is worth.

use super::cost::CostModel;
use super::facets::Facets;
use super::greedy::{Cover, Greedy, Task};
use super::sets::Sets;
use crate::Domain;

/// The largest covers tried, in cells.
const LIMITS: [u64; 4] = [1 << 14, 1 << 15, 1 << 16, 1 << 13];

/// Planning may take this share of the time that counting takes.
const SHARE: f64 = 0.04;

/// What looking at a set takes in nanoseconds, with all that goes with it.
const LOOK: f64 = 6.0;

/// How often an attempt looks at a set, at least.
const LOOKS: usize = 16;

/// The most attempts.
const ATTEMPTS: u64 = 64;

/// Covers `small` (ids of `sets`).
pub fn cover(domain: &Domain, sets: &Sets, small: &[u32], rows: u64, cost: &CostModel) -> Vec<Cover> {
    let price = |covers: &[Cover]| -> f64 {
        covers.iter().map(|c| cost.of(rows, c.attributes.len(), c.cells, c.sets.len())).sum()
    };
    let mut best = alone(sets, small);
    let mut lowest = price(&best);
    if (LOOKS * small.len()) as f64 * LOOK > lowest {
        return best;
    }
    let facets = Facets::of(sets, small, domain.sizes().len());
    let task = Task { sets, small, facets: &facets, sizes: domain.sizes(), rows, cost };
    let mut spent = 0.0;
    let mut limit = LIMITS[0];
    for i in 0..ATTEMPTS {
        let tried = LIMITS.get(i as usize).map_or(limit, |limit| *limit).min(cost.max_cells);
        let (covers, looks) = Greedy::new(&task, tried, i.saturating_sub(LIMITS.len() as u64 - 1)).run();
        let price = price(&covers);
        if price < lowest {
            (best, lowest, limit) = (covers, price, tried);
        }
        let attempt = (looks as usize + LOOKS * small.len()) as f64 * LOOK;
        spent += attempt;
        if spent + attempt > lowest * SHARE {
            break;
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
