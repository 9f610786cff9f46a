//! Distributions over few attributes, cell by cell, to compare with.

use marginalia_compute::seed::Seed;
use marginalia_graph::Tree;

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
