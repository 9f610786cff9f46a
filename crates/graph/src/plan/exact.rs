//! The cheapest of all orders, by dynamic programming over subsets of the leaves.

use super::Merge;
use crate::tree::Axes;

/// The axes of a few leaves as bits, and the product of the sizes of any set of them.
struct Bits {
    /// Products of the sizes of each twelve axes.
    products: Vec<Vec<f64>>,
}

const WORD: usize = 12;

/// What two ways to sum a cost may differ by.
const ROUNDING: f64 = 1.0 + 1e-9;

impl Bits {
    fn new(sizes: &[f64]) -> Self {
        let of = |sizes: &[f64]| -> Vec<f64> {
            sizes.iter().fold(vec![1.0], |products, size| {
                let with: Vec<f64> = products.iter().map(|product| product * size).collect();
                [products, with].concat()
            })
        };
        Self { products: sizes.chunks(WORD).map(of).collect() }
    }

    fn cells(&self, axes: u64) -> f64 {
        let word = |k: usize| (axes >> (WORD * k)) as usize & ((1 << WORD) - 1);
        self.products.iter().enumerate().map(|(k, products)| products[word(k)]).product()
    }
}

/// The merges; nothing where the leaves have more than 64 axes among them. There is an order that costs no more than `most`.
pub(super) fn merges(leaves: &[Axes], sizes: &[u32], most: f64) -> Option<Vec<Merge>> {
    let axes = leaves.iter().fold(Axes::new(), |all, axes| crate::tree::union(&all, axes));
    if axes.len() > 64 {
        return None;
    }
    let bits = Bits::new(&axes.iter().map(|axis| f64::from(sizes[usize::from(*axis)])).collect::<Vec<_>>());
    let bit = |axis: &u16| axes.binary_search(axis).map_or(0, |at| 1 << at);
    let own: Vec<u64> = leaves.iter().map(|axes| axes.iter().map(bit).sum()).collect();

    let sets = 1usize << leaves.len();
    let mut attributes = vec![0u64; sets];
    for set in 1..sets {
        attributes[set] = attributes[set & (set - 1)] | own[set.trailing_zeros() as usize];
    }
    // What a set has in common with the rest.
    let kept: Vec<u64> = (0..sets).map(|set| attributes[set] & attributes[sets - 1 - set]).collect();
    let mut best = vec![(0.0, 0usize); sets];
    for set in 1..sets {
        let first = set & set.wrapping_neg();
        let others = set ^ first;
        if others == 0 {
            continue;
        }
        best[set].0 = f64::INFINITY;
        // What the set becomes is one of the tensors that its cost is of.
        if bits.cells(kept[set]) > ROUNDING * most {
            continue;
        }
        // Every part with the first leaf but not all: its complement runs through the subsets of the others.
        let mut rest = others;
        while rest > 0 {
            let part = set ^ rest;
            let below = best[part].0 + best[rest].0;
            if below < best[set].0 {
                let cost = below + bits.cells(kept[part] | kept[rest]);
                if cost < best[set].0 {
                    best[set] = (cost, part);
                }
            }
            rest = (rest - 1) & others;
        }
    }
    Some(merges_below(&best, leaves.len()))
}

/// The merges that the best splits describe, children first.
fn merges_below(best: &[(f64, usize)], leaves: usize) -> Vec<Merge> {
    let mut sets = vec![best.len() - 1];
    let mut at = 0;
    while at < sets.len() {
        let set = sets[at];
        if set.count_ones() > 1 {
            let part = best[set].1;
            sets.extend([part, set ^ part]);
        }
        at += 1;
    }
    let mut number = vec![0; best.len()];
    let mut merges = Vec::new();
    for set in sets.into_iter().rev() {
        if set.count_ones() == 1 {
            number[set] = set.trailing_zeros() as usize;
        } else {
            number[set] = leaves + merges.len();
            merges.push([number[best[set].1], number[set ^ best[set].1]]);
        }
    }
    merges
}
