//! The paper's listings, as they stand, over all cells.

use super::{SIZES, evaluated};
use crate::dense::{Dense, arranged, cells, place, restored};
use marginalia_graph::Tree;
use marginalia_graph::fit::Problem;
use marginalia_graph::fit::descent::Loss;

/// A distribution over all cells, and what marginals of it cost.
pub struct All<'a> {
    pub cliques: &'a [Vec<u16>],
    pub tree: &'a Tree,
    pub problem: &'a Problem,
    pub loss: &'a Loss,
}

impl All<'_> {
    fn marginals(&self, logs: &[f64]) -> Vec<f64> {
        let dense = Dense { logs: logs.to_vec(), ..Dense::new(&SIZES, &[], &[]) };
        let of = |clique: &Vec<u16>| dense.marginal(&SIZES, clique);
        arranged(self.tree, &self.cliques.iter().map(of).collect::<Vec<_>>())
    }

    /// L(μ), and its gradient for each record.
    fn loss(&self, marginals: &[f64]) -> (f64, Vec<f64>) {
        let (loss, gradient) = evaluated(self.problem, self.loss, marginals);
        let gradient = restored(self.tree, &gradient);
        let of = |cell: &Vec<u32>| {
            self.cliques.iter().zip(&gradient).map(|(clique, g)| g[place(&SIZES, clique, cell)]).sum()
        };
        (loss, Dense::new(&SIZES, &[], &[]).cells.iter().map(of).collect())
    }

    /// How far above the least a loss may be: no vertex is lower than the gradient says.
    pub fn gap(&self, marginals: &[f64]) -> f64 {
        let (_, g) = evaluated(self.problem, self.loss, marginals);
        let here: f64 = g.iter().zip(marginals).map(|(g, m)| g * m).sum();
        let (_, gradient) = self.loss(marginals);
        here - gradient.into_iter().fold(f64::INFINITY, f64::min)
    }
}

fn steps(logs: &[f64], eta: f64, gradient: &[f64]) -> Vec<f64> {
    logs.iter().zip(gradient).map(|(log, g)| log - eta * g).collect()
}

fn mixed(a: &[f64], c: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| (1.0 - c) * a + c * b).collect()
}

/// Algorithm 1 with the line search, over all cells: the losses of its iterations.
pub fn listing_1(all: &All<'_>, iterations: usize) -> Vec<f64> {
    let mut logs = vec![0.0; cells(&SIZES, &[0, 1, 2, 3, 4])];
    let mut losses = Vec::new();
    let mut eta = None;
    for _ in 0..=iterations {
        let mu = all.marginals(&logs);
        let (loss, gradient) = all.loss(&mu);
        losses.push(loss);
        let p = Dense { logs: logs.clone(), ..Dense::new(&SIZES, &[], &[]) }.shares();
        let slope = |p: &[f64]| gradient.iter().zip(p).map(|(g, p)| g * p).sum::<f64>();
        let mut trial = 2.0 * eta.unwrap_or_else(|| 0.5 / range(all, &mu));
        loop {
            let there = steps(&logs, trial, &gradient);
            let q = Dense { logs: there.clone(), ..Dense::new(&SIZES, &[], &[]) }.shares();
            if loss - all.loss(&all.marginals(&there)).0 >= 0.5 * (slope(&p) - slope(&q)) {
                logs = there;
                break;
            }
            trial *= 0.5;
        }
        eta = Some(trial);
    }
    losses
}

/// The ranges of the gradient over the cells of each clique, in all.
fn range(all: &All<'_>, marginals: &[f64]) -> f64 {
    let (_, gradient) = evaluated(all.problem, all.loss, marginals);
    let of =
        |g: Vec<f64>| g.iter().fold(f64::MIN, |a, b| a.max(*b)) - g.iter().fold(f64::MAX, |a, b| a.min(*b));
    restored(all.tree, &gradient).into_iter().map(of).sum()
}

/// Algorithm 2 over all cells.
pub fn listing_2(all: &All<'_>, iterations: usize) -> Vec<f64> {
    let k = all.loss.lipschitz(all.problem).unwrap();
    let mut mean = vec![0.0; cells(&SIZES, &[0, 1, 2, 3, 4])];
    let mut nu = all.marginals(&mean);
    let mut mu = nu.clone();
    let mut losses = vec![all.loss(&mu).0];
    for t in 1..=iterations {
        let t = t as f64;
        let c = 2.0 / (t + 1.0);
        let omega = mixed(&mu, c, &nu);
        mean = mixed(&mean, c, &all.loss(&omega).1);
        nu = all.marginals(&steps(&vec![0.0; mean.len()], t * (t + 1.0) / (4.0 * k), &mean));
        mu = mixed(&mu, c, &nu);
        losses.push(all.loss(&mu).0);
    }
    losses
}
