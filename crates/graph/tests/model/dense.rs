//! Distributions over few attributes, cell by cell, to compare with.

use marginalia_compute::seed::Seed;
use marginalia_graph::Tree;
use proptest::prelude::*;

/// A distribution over a few attributes, cell by cell.
pub struct Dense {
    pub cells: Vec<Vec<u32>>,
    pub logs: Vec<f64>,
}

impl Dense {
    pub fn new(sizes: &[u32], cliques: &[Vec<u16>], potentials: &[Vec<f64>]) -> Self {
        let mut cells = vec![Vec::new()];
        for size in sizes {
            let with = |cell: &Vec<u32>| {
                let cell = cell.clone();
                (0..*size).map(move |value| [cell.clone(), vec![value]].concat())
            };
            cells = cells.iter().flat_map(with).collect();
        }
        let log = |cell: &Vec<u32>| {
            cliques.iter().zip(potentials).map(|(clique, theta)| theta[place(sizes, clique, cell)]).sum()
        };
        let logs = cells.iter().map(log).collect();
        Self { cells, logs }
    }

    pub fn log_z(&self) -> f64 {
        let largest = self.logs.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        largest + self.logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
    }

    pub fn marginal(&self, sizes: &[u32], clique: &[u16]) -> Vec<f64> {
        let mut marginal = vec![0.0; cells(sizes, clique)];
        self.cells.iter().zip(self.shares()).for_each(|(cell, p)| marginal[place(sizes, clique, cell)] += p);
        marginal
    }

    pub fn shares(&self) -> Vec<f64> {
        let log_z = self.log_z();
        self.logs.iter().map(|log| (log - log_z).exp()).collect()
    }
}

pub fn place(sizes: &[u32], clique: &[u16], cell: &[u32]) -> usize {
    clique.iter().fold(0, |at, a| at * sizes[usize::from(*a)] as usize + cell[usize::from(*a)] as usize)
}

pub fn cells(sizes: &[u32], clique: &[u16]) -> usize {
    clique.iter().map(|a| sizes[usize::from(*a)] as usize).product()
}

pub fn random(seed: &mut Seed, sizes: &[u32], cliques: &[Vec<u16>], spread: f64) -> Vec<Vec<f64>> {
    let number = |_| spread * (2.0 * seed.uniform() - 1.0);
    let mut number = number;
    cliques.iter().map(|clique| (0..cells(sizes, clique)).map(&mut number).collect()).collect()
}

pub fn arranged(tree: &Tree, values: &[Vec<f64>]) -> Vec<f64> {
    values.iter().enumerate().flat_map(|(leaf, values)| tree.arranged(leaf, values)).collect()
}

pub fn restored(tree: &Tree, values: &[f64]) -> Vec<Vec<f64>> {
    let of = |(number, leaf): (usize, &marginalia_graph::Leaf)| {
        tree.restored(number, &values[leaf.at..leaf.at + leaf.cells])
    };
    tree.leaves().iter().enumerate().map(of).collect()
}

/// Cliques of six attributes, of every shape that is hard.
pub fn hard_cliques() -> Vec<Vec<Vec<u16>>> {
    vec![
        vec![],
        vec![vec![2]],
        vec![vec![0, 1, 2, 3, 4, 5]],
        // Nested, in any order, and twice the same.
        vec![vec![2, 0], vec![0, 2], vec![0], vec![2, 0, 3], vec![3]],
        // Disconnected, and attributes that nobody has.
        vec![vec![0, 1], vec![3, 2]],
        vec![vec![4], vec![5, 4]],
        // A chain, a star, a triangle.
        vec![vec![0, 1], vec![1, 2], vec![2, 3], vec![3, 4], vec![4, 5]],
        vec![vec![5, 0], vec![5, 1], vec![5, 2], vec![3, 5]],
        vec![vec![0, 1], vec![1, 2], vec![2, 0]],
        vec![vec![5, 2, 0], vec![2, 3, 1], vec![3, 5, 4], vec![0, 3]],
        vec![vec![]],
        vec![vec![], vec![1, 3]],
    ]
}

prop_compose! {
    /// Sizes of some attributes, and cliques of at most three of them.
    pub fn any_cliques()(sizes in prop::collection::vec(1u32..5, 1..6))
        (cliques in prop::collection::vec(prop::sample::subsequence((0..sizes.len() as u16).collect::<Vec<_>>(), 0..=sizes.len().min(3)), 1..8), sizes in Just(sizes))
        -> (Vec<u32>, Vec<Vec<u16>>) { (sizes, cliques) }
}
